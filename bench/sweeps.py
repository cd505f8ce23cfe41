"""A sweep that finds many tables due at once, beside pgbench with one client.

Every seat's time is over: a step gives one a stand-in, which moves at once.
"""

import time
from collections.abc import Iterable
from dataclasses import dataclass

from bench import processes
from bench.cases import GAMES
from bench.run import Line, Run
from bench.tables import make_tables

SHORTEST = 10  # seconds, of all times to move


@dataclass(frozen=True, slots=True)
class Sweep:
    """Steps a second, and seconds of CPU for each; PostgreSQL's is None where it can't be seen."""

    rate: float
    cpu: float
    database_cpu: float | None


def lines(run: Run) -> Iterable[Line]:
    """Steps a second by one worker, which does one table after the other, and what they cost."""
    make_tables(run.database, GAMES[0], run.size.due, turn_seconds=SHORTEST)
    time.sleep(SHORTEST)
    sweeps: list[Sweep] = []
    rates = []
    for _ in range(run.size.rounds):
        rates.append(run.limit.rate("plain", run.size.seconds, clients=1))
        sweeps.append(_sweep(run.postmaster, run.size.due // run.size.rounds))
    peer, name = "pgbench, 1 client", f"{run.size.due:,} tables due"
    yield Line.of(name, "steps/s", [each.rate for each in sweeps], peer, [rate.rate for rate in rates])
    bare = [rate.database_cpu * 1_000 for rate in rates if rate.database_cpu is not None]
    used = [each.database_cpu * 1_000 for each in sweeps if each.database_cpu is not None]
    if len(bare) == len(used) == len(sweeps):
        worker = [each.cpu * 1_000 for each in sweeps]
        yield Line.of(name, "ms CPU, worker", worker, f"PostgreSQL, {peer}", bare, "less")
        yield Line.of(name, "ms CPU, PostgreSQL", used, f"PostgreSQL, {peer}", bare, "less")


def _sweep(postmaster: int | None, tables: int) -> Sweep:
    """Those of the tables that are due longest. Raises RuntimeError when none is."""
    from games.sweeps import sweep_tables

    before, cpu, begun = processes.cpu_or_none(postmaster), time.process_time(), time.monotonic()
    done = sweep_tables(tables)
    took, cpu = time.monotonic() - begun, time.process_time() - cpu
    after = processes.cpu_or_none(postmaster)
    if not done:
        raise RuntimeError("no table was due")
    used = None if before is None or after is None else (after - before) / done
    return Sweep(done / took, cpu / done, used)
