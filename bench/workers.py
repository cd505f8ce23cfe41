"""Two Celery workers beside one: tables that are due, each swept once.

Every seat's time is over: the one that is to move gets a stand-in, which rolls for it.
"""

import os
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import psycopg

from bench import processes
from bench.cases import GAMES
from bench.run import Line, Run
from bench.sweeps import SHORTEST
from bench.tables import Played, make_tables
from bench.web import end
from config.embedded.address import Address
from config.embedded.process import Child
from config.run import parts

# What follows at a table waits until nothing is measured any more.
LATER = {"BOT_PAUSE_SECONDS": "86400"}
NAMES = ("one@bench", "two@bench")
SHARES = 8  # of the tables that a sweep finds elsewhere, so that ten sweeps do not take for ever
AT_ONCE = 4  # messages that are sent at once, as many as two workers take
READY_SECONDS, DONE_SECONDS = 60, 300

PUT_OFF = "UPDATE games_table SET wake_at = now() + interval '1 day' WHERE wake_at IS NOT NULL"
RING = "UPDATE games_table SET wake_at = now() WHERE id = ANY(%s)"
DONE = "SELECT count(*) FROM games_table WHERE id = ANY(%s) AND moves > 0"
FOUND = """
SELECT count(*), count(DISTINCT table_id), max(at),
    (SELECT max(moves) FROM games_table WHERE id = ANY(%(ids)s))
FROM games_event WHERE table_id = ANY(%(ids)s) AND kind = 'stand_in'
"""


@dataclass(frozen=True, slots=True)
class Swept:
    """Tables a second, and seconds of CPU for each; PostgreSQL's is None where it can't be seen."""

    rate: float
    cpu: float
    database_cpu: float | None


def lines(run: Run) -> Iterable[Line]:
    """By turns as many tables for one worker as for two. Raises RuntimeError if any is swept twice."""
    each = run.size.due // (SHARES * run.size.rounds)
    tables = make_tables(run.database, GAMES[0], each * 2 * run.size.rounds, turn_seconds=SHORTEST)
    time.sleep(SHORTEST)
    one: list[Swept] = []
    two: list[Swept] = []
    with psycopg.connect(run.database, autocommit=True) as database, working() as workers:
        database.execute(PUT_OFF)
        for _ in range(run.size.rounds):
            for found in (one, two):
                _let_work(NAMES[1], found is two)
                due = [tables.pop() for _ in range(each)]
                found.append(_sweep(database, run.postmaster, list(workers.values()), due))
    name, peer = f"two workers, {each:,} tables due", "one worker"
    yield Line.of(name, "tables/s", [sweep.rate for sweep in two], peer, [sweep.rate for sweep in one])
    cpu = [[sweep.cpu * 1_000 for sweep in sweeps] for sweeps in (two, one)]
    yield Line.of(name, "ms CPU, workers", cpu[0], peer, cpu[1], "less")
    used = [[s.database_cpu * 1_000 for s in sweeps if s.database_cpu is not None] for sweeps in (two, one)]
    if used[0] and used[1]:
        yield Line.of(name, "ms CPU, PostgreSQL", used[0], peer, used[1], "less")


@contextmanager
def working() -> Iterator[Mapping[str, Child]]:
    """Two workers by their names, both at work."""
    env = {**os.environ, **LATER}
    part = next(part for part in parts(env, Address("127.0.0.1", 1)) if part.name == "worker")
    with tempfile.TemporaryDirectory(prefix="boneyard-") as folder, ExitStack() as ending:
        children = {}
        for name in NAMES:
            named = replace(part, argv=[*part.argv, "--hostname", name])
            children[name] = Child(named, Path(folder) / name)
            ending.callback(end, children[name])
        _until(lambda: _answering() == len(NAMES), READY_SECONDS, "the workers do not answer")
        yield children


def _answering() -> int:
    from config.celery import app

    return len(app.control.ping(timeout=0.5) or [])


def _let_work(name: str, work: bool) -> None:
    """Have a worker take messages, or none any more."""
    from config.celery import app

    change = app.control.add_consumer if work else app.control.cancel_consumer
    if not change("celery", destination=[name], reply=True, timeout=5):
        raise RuntimeError(f"{name} does not answer")


def _sweep(
    database: psycopg.Connection, postmaster: int | None, workers: Sequence[Child], tables: Sequence[Played]
) -> Swept:
    ids = [table.id for table in tables]
    before, cpu = processes.cpu_or_none(postmaster), _cpu(workers)
    database.execute(RING, [ids])
    begun = time.time()
    _until(lambda: _asked(database, ids), DONE_SECONDS, "the tables are not swept")
    cpu, after = _cpu(workers) - cpu, processes.cpu_or_none(postmaster)
    row = database.execute(FOUND, {"ids": ids}).fetchone()
    assert row is not None
    stand_ins, at, last, most = row
    if not stand_ins == at == len(ids) or most != 1:
        raise RuntimeError(f"{len(ids)} tables, {at} of them swept {stand_ins} times, {most} moves at one")
    used = None if before is None or after is None else (after - before) / len(ids)
    return Swept(len(ids) / (last.timestamp() - begun), cpu / len(ids), used)


def _asked(database: psycopg.Connection, ids: Sequence[str]) -> bool:
    """Whether all is done; if not, the workers are asked to look, as beat does each second."""
    from games.tasks import sweep_tables

    for _ in range(AT_ONCE):
        sweep_tables.apply_async(expires=1)
    time.sleep(1)
    row = database.execute(DONE, [ids]).fetchone()
    return row is not None and row[0] == len(ids)


def _cpu(workers: Sequence[Child]) -> float:
    return sum(processes.cpu(child.pid) for child in workers)


def _until(happened: Callable[[], bool], seconds: float, failure: str) -> None:
    deadline = time.monotonic() + seconds
    while not happened():
        if time.monotonic() > deadline:
            raise RuntimeError(failure)
