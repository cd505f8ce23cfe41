"""More than one of everything: web processes, and a pgbouncer between them and PostgreSQL.

On one machine more processes are no faster than its processors; what is shown is that they lose nothing.
"""

import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

from bench import processes
from bench.cases import GAMES, Case, Pool, play
from bench.meter import Burst, Meter
from bench.moves import L
from bench.run import Line, Run
from bench.tables import make_tables
from bench.web import Fleet, end, serving
from config.embedded.pgbouncer import answers, pooler
from config.embedded.process import Child, tail

FLEETS = (1, 2, 4)
CLIENTS = 16
READY_SECONDS = 30

Play = Callable[[], Burst]


def processes_lines(run: Run) -> Iterable[Line]:
    """Moves at two and at four web processes beside one, and beside L; clients are dealt out among them."""
    limits: list[float] = []
    with ExitStack() as stack:
        webs = [stack.enter_context(serving(run.starting)) for _ in range(FLEETS[-1])]
        pool = Pool(partial(make_tables, run.database, GAMES[0], run.size.tables))
        plays = {
            f"{count} web processes": playing(run, Meter(Fleet(webs[:count]), run.postmaster), pool)
            for count in FLEETS
        }
        sample = partial(_limit, run, limits)
        one, *others = by_turns(plays, run.size.rounds, sample).items()
    for name, bursts in others:
        yield from compared(name, bursts, "one web process", one[1])
    for name, bursts in (one, *others):
        yield Line.of(f"{name}, {CLIENTS} clients", "moves/s", [each.rate for each in bursts], L, limits)


def _limit(run: Run, limits: list[float]) -> None:
    limits.append(run.limit.rate("plain", run.size.seconds).rate)


def pooler_lines(run: Run) -> Iterable[Line]:
    """Moves through pgbouncer beside psycopg's pool."""
    pool = Pool(partial(make_tables, run.database, GAMES[0], run.size.tables))
    with ExitStack() as stack:
        url, pid = stack.enter_context(bouncing(run.database))
        servers = {
            "direct": {},
            "through pgbouncer": {"DATABASE_URL": url, "DATABASE_POOLER": "transaction"},
        }
        used: list[float] = []
        plays: dict[str, Play] = {}
        for name, settings in servers.items():
            web = stack.enter_context(serving(run.starting, **settings))
            plays[name] = playing(run, Meter(web, run.postmaster), pool)
        plays["through pgbouncer"] = _noting(plays["through pgbouncer"], pid, used)
        direct, *others = by_turns(plays, run.size.rounds).items()
    for name, bursts in others:
        yield from compared(name, bursts, "direct", direct[1])
    if samples := [each.database_cpu * 1_000 for each in direct[1] if each.database_cpu is not None]:
        yield Line.of(
            "through pgbouncer", "ms CPU, pgbouncer", used[1:], "PostgreSQL, direct", samples, "less"
        )


def _noting(play: Play, pid: int, used: list[float]) -> Play:
    """The same, and the milliseconds that a process uses meanwhile for each request."""

    def noting() -> Burst:
        before = processes.cpu(pid)
        burst = play()
        used.append((processes.cpu(pid) - before) * 1_000 / burst.count)
        return burst

    return noting


@contextmanager
def bouncing(database: str) -> Iterator[tuple[str, int]]:
    """The URL of a database behind a pgbouncer of its own, and the process. Raises Problem, RuntimeError."""
    with tempfile.TemporaryDirectory(prefix="boneyard-", ignore_cleanup_errors=True) as name:
        Path(name).chmod(0o711)  # for pgbouncer's own user, should we be root
        made, log = pooler(Path(name), database), Path(name) / "pgbouncer.log"
        child = Child(made.part, log)
        try:
            deadline = time.monotonic() + READY_SECONDS
            while not answers(made.url):
                if child.ended() or time.monotonic() > deadline:
                    raise RuntimeError(f"pgbouncer does not answer:{tail(log)}")
                time.sleep(0.1)
            yield made.url, child.pid
        finally:
            end(child)


def playing(run: Run, meter: Meter, pool: Pool) -> Play:
    """A load of moves, the same each time."""
    return partial(play, meter, Case("", CLIENTS, 0, pool), run.size.requests)


def by_turns(
    plays: Mapping[str, Play], rounds: int, first: Callable[[], object] = lambda: None
) -> dict[str, list[Burst]]:
    """What each came to in each round, once all are warm; `first` is called as each round begins."""
    for each in plays.values():
        each()
    bursts: dict[str, list[Burst]] = {name: [] for name in plays}
    for _ in range(rounds):
        first()
        for name, each in plays.items():
            bursts[name].append(each())
    return bursts


def compared(name: str, ours: Sequence[Burst], peer: str, theirs: Sequence[Burst]) -> Iterator[Line]:
    """One way to play beside another."""
    yield Line.of(name, "moves/s", [each.rate for each in ours], peer, [each.rate for each in theirs])
    for unit, attribute in (
        ("ms, median", "p50"),
        ("ms CPU, web", "web_cpu"),
        ("ms CPU, PostgreSQL", "database_cpu"),
    ):
        mine, other = ([getattr(each, attribute) for each in bursts] for bursts in (ours, theirs))
        if None not in mine + other:
            yield Line.of(name, unit, [n * 1_000 for n in mine], peer, [n * 1_000 for n in other], "less")
