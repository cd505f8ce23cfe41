"""A sweep that finds many tables due at once, beside pgbench with one client.

Every seat's time is over: a step gives one a stand-in, which moves at once.
"""

import time
from collections.abc import Iterable

from bench import processes
from bench.cases import GAMES
from bench.run import Line, Run
from bench.tables import make_tables

SHORTEST = 10  # seconds, of all times to move
ROUNDS = 3
CALLS = 1_000


def lines(run: Run) -> Iterable[Line]:
    """Steps a second by one worker, which does one table after the other, and what they cost."""
    from games.sweeps import sweep_tables

    steps: list[float] = []
    costs: list[float] = []
    databases: list[float] = []
    rates = []
    for _ in range(min(run.size.rounds, ROUNDS)):
        made = make_tables(run.database, GAMES[0], run.size.due, turn_seconds=SHORTEST)
        rates.append(run.limit.rate("plain", run.size.seconds, clients=1))
        time.sleep(SHORTEST)
        before, cpu, begun = processes.cpu_or_none(run.postmaster), time.process_time(), time.monotonic()
        done = 0
        for _ in range(CALLS):
            done += sweep_tables()
            if done >= len(made):
                break
        took, cpu = time.monotonic() - begun, time.process_time() - cpu
        after = processes.cpu_or_none(run.postmaster)
        steps.append(done / took)
        costs.append(cpu / done * 1_000)
        if before is not None and after is not None:
            databases.append((after - before) / done * 1_000)
    peer, name = "pgbench, 1 client", f"{run.size.due:,} tables due"
    yield Line.of(name, "steps/s", steps, peer, [rate.rate for rate in rates])
    used = [rate.database_cpu * 1_000 for rate in rates if rate.database_cpu is not None]
    if len(used) == len(databases) == len(steps):
        yield Line.of(name, "ms CPU, worker", costs, f"PostgreSQL, {peer}", used, "less")
        yield Line.of(name, "ms CPU, PostgreSQL", databases, f"PostgreSQL, {peer}", used, "less")
