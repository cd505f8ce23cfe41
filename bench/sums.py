"""What docs/scaling.md multiplies: what a move writes and says, and what streams cost while they are open."""

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from threading import Thread
from typing import Any

import psycopg
from redis import Redis

from bench import processes
from bench.cases import GAMES, USUAL, Case, Pool, play
from bench.load import request
from bench.meter import Meter
from bench.play import path_of
from bench.run import Line, Run
from bench.streams import Watcher, allow_files, close, open_watchers
from bench.tables import Played, make_tables
from bench.web import Fleet, Web, serving

IDLE_SECONDS = 6
PLAIN = "pgbench, the plain transaction"

Sample = tuple[float, ...]


def written_lines(run: Run) -> Iterable[Line]:
    """WAL, rows and messages for each move of each game, beside the bare transaction."""
    with serving(run.starting) as web, psycopg.connect(run.database, autocommit=True) as database:
        meter = Meter(web, run.postmaster)
        for game in GAMES:
            case = Case(game, USUAL, 0, Pool(partial(make_tables, run.database, game, run.size.tables)))
            play(meter, case, run.size.requests)
            run.limit.rate("plain", 1)
            ours: list[Sample] = []
            theirs: list[float] = []
            for _ in range(run.size.rounds):
                theirs.append(_wal_of(database, partial(_transactions, run)))
                ours.append(_written(run, database, meter, case))
            wal, rows, said, valkey = zip(*ours, strict=True)
            yield Line.of(game, "bytes of WAL for a move", wal, PLAIN, theirs, "less")
            yield Line.of(game, "rows for a move", rows, PLAIN, [2.0] * len(rows), "less")
            yield Line.of(game, "messages for a move", said, "its table's alone", [1.0] * len(said), "less")
            limit = [run.limit.rate("plain", 1).database_cpu or 0 for _ in said]
            if all(limit):
                peer = f"PostgreSQL, {PLAIN}"
                micro = [cpu * 1e6 for cpu in limit]
                yield Line.of(game, "µs CPU of Valkey for a move", valkey, peer, micro, "less")


def _written(run: Run, database: psycopg.Connection[Any], meter: Meter, case: Case) -> Sample:
    """For each move: bytes of WAL, rows, messages, and microseconds of Valkey."""
    ids = [table.id for table in case.pool.tables]
    before, valkey = _history(database, ids), _valkey()
    wal = _wal_of(database, lambda: play(meter, case, run.size.requests).count)
    told, used = (after - earlier for after, earlier in zip(_valkey(), valkey, strict=True))
    if ids != [table.id for table in case.pool.tables]:  # they were over, and new ones came
        before, ids = (0, 0), [table.id for table in case.pool.tables]
    moves, events = (after - earlier for after, earlier in zip(_history(database, ids), before, strict=True))
    # A move's own row, the table's, and its events'.
    return wal, 2 + events / moves, told / moves, used * 1e6 / moves


def _transactions(run: Run) -> int:
    return round(run.limit.rate("plain", run.size.seconds).rate * run.size.seconds)


def _wal_of(database: psycopg.Connection[Any], work: Callable[[], int]) -> float:
    """Bytes of WAL for each of what was done so often."""
    before = _wal(database)
    count = work()
    return (_wal(database) - before) / count


def _wal(database: psycopg.Connection[Any]) -> int:
    row = database.execute("SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint").fetchone()
    assert row is not None
    return int(row[0])


def _history(database: psycopg.Connection[Any], ids: Sequence[str]) -> tuple[int, int]:
    """Moves and events of these tables."""
    row = database.execute(
        "SELECT sum(moves), sum(version) FROM games_table WHERE id = ANY(%s)", [ids]
    ).fetchone()
    assert row is not None
    return int(row[0]), int(row[1])


def _valkey() -> tuple[float, float]:
    """Messages that were published so far, and seconds of Valkey's CPU."""
    from django.conf import settings

    with Redis.from_url(settings.REDIS_URL) as client:
        calls: Any = client.info("commandstats")
        cpu: Any = client.info("cpu")
    return calls.get("cmdstat_publish", {}).get("calls", 0), cpu["used_cpu_sys"] + cpu["used_cpu_user"]


def watched_lines(run: Run) -> Iterable[Line]:
    """Moves that both players follow by a stream at another process, beside those that nobody follows."""
    allow_files()
    make = partial(make_tables, run.database, GAMES[0], run.size.tables)
    with ExitStack() as stack:
        moved, streamed = (stack.enter_context(serving(run.starting)) for _ in range(2))
        meter = Meter(Fleet([moved]), run.postmaster)
        alone, followed = (Case("", USUAL, 0, Pool(make)) for _ in range(2))
        play(meter, alone, run.size.requests)
        samples: list[tuple[Sample, Sample]] = []
        for _ in range(run.size.rounds):
            unseen = _followed(meter, streamed, alone, run.size.requests)
            followed.pool.renew()
            with watching(streamed.port, openings(followed.pool.tables)):
                samples.append((unseen, _followed(meter, streamed, followed, run.size.requests)))
    name, peer = "a move with two streams", "a move without"
    units = ("ms CPU, web that moves", "ms CPU, both web processes", "ms CPU, PostgreSQL")
    for number, unit in enumerate(units):
        ours, theirs = ([sample[side][number] for sample in samples] for side in (1, 0))
        if all(theirs):
            yield Line.of(name, unit, ours, peer, theirs, "less")


def _followed(meter: Meter, streamed: Web, case: Case, most: int) -> Sample:
    """Milliseconds of CPU for each move: of who makes it, of that and of who tells it, and of PostgreSQL."""
    before = streamed.cpu
    burst = play(meter, case, most)
    time.sleep(0.2)  # what was told last
    told = (streamed.cpu - before) / burst.count
    return burst.web_cpu * 1e3, (burst.web_cpu + told) * 1e3, (burst.database_cpu or 0) * 1e3


def idle_lines(run: Run) -> Iterable[Line]:
    """What streams cost while nothing happens, two at each table, beside as many at one table."""
    allow_files()
    many = openings(make_tables(run.database, GAMES[0], run.size.idle // 2))
    one = openings(make_tables(run.database, GAMES[0], 1)) * (run.size.idle // 2)
    spread, together = (_idle(run, each) for each in (many, one))
    name, peer = f"{run.size.idle:,} idle streams", "as many at one table"
    for unit, ours, theirs in zip(
        ("µs CPU a second each, web", "µs CPU a second each, PostgreSQL"),
        zip(*spread, strict=True),
        zip(*together, strict=True),
        strict=True,
    ):
        if all(theirs):
            yield Line.of(name, unit, ours, peer, theirs, "less")


def _idle(run: Run, asked: Sequence[bytes]) -> list[Sample]:
    """Microseconds of CPU for each stream and second: of the web process, and of PostgreSQL."""
    found: list[Sample] = []
    with serving(run.starting) as web, watching(web.port, asked):
        for _ in range(run.size.rounds):
            before, begun = (web.cpu, processes.cpu_or_none(run.postmaster) or 0), time.monotonic()
            time.sleep(IDLE_SECONDS)
            after, took = (web.cpu, processes.cpu_or_none(run.postmaster) or 0), time.monotonic() - begun
            share = 1e6 / took / len(asked)
            found.append(tuple((now - then) * share for now, then in zip(after, before, strict=True)))
    return found


def openings(tables: Sequence[Played]) -> list[bytes]:
    """A stream for each seat."""
    return [request("GET", f"{path_of(table)}/stream", token) for table in tables for token in table.tokens]


@contextmanager
def watching(port: int, asked: Sequence[bytes]) -> Iterator[Sequence[Watcher]]:
    """Streams that are open, and read in a thread of their own."""
    loop = asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        watchers = asyncio.run_coroutine_threadsafe(open_watchers(port, asked), loop).result()
        yield watchers
        loop.call_soon_threadsafe(close, watchers)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
