"""What clients of a table read: the whole of it, that it is unchanged, and pages of its events."""

from collections.abc import Iterable, Sequence
from functools import partial

from bench.cases import GAMES, USUAL, long_tables
from bench.load import Answer, Script, drive, request
from bench.meter import Meter
from bench.play import path_of
from bench.reads import Reading, read_by_turns, readers
from bench.run import Line, Run
from bench.tables import Played, make_tables
from bench.web import serving

LONG_TABLES = 8


def lines(run: Run) -> Iterable[Line]:
    """Tables whole and unchanged, the newest events of a long history and its first 500."""
    size = run.size
    with serving(run.starting) as web:
        meter = Meter(web, run.postmaster)
        tables = make_tables(run.database, GAMES[0], size.tables)
        long = long_tables(meter, run.database, GAMES[0], LONG_TABLES, size.history)
        newest, first = pages(long, size.history), pages(long, 0)
        readings = [
            Reading("a table", "look", partial(readers, looks(tables), USUAL, size.requests)),
            Reading("a table, 304", "look", partial(_unchanged, web.port, tables, size.requests)),
            Reading("the newest events", "look", partial(readers, newest, USUAL, size.requests)),
            Reading("500 events", "page", partial(readers, first, USUAL, size.requests // 4)),
        ]
        yield from read_by_turns(run, meter, readings)


def looks(tables: Sequence[Played], headers: Sequence[str] = ("",)) -> list[bytes]:
    """Requests for each of the tables as its first player, with lines of headers for each in turn."""
    return [
        request("GET", path_of(table), table.tokens[0], headers=headers[number % len(headers)])
        for number, table in enumerate(tables)
    ]


def pages(tables: Sequence[Played], after: int) -> list[bytes]:
    return [request("GET", f"{path_of(table)}/events?after={after}", table.tokens[0]) for table in tables]


class Tags:
    """One client that looks at each table once and notes the header by which it may ask again."""

    def __init__(self, tables: Sequence[Played]) -> None:
        self.headers: list[str] = []
        self._requests = iter(looks(tables))

    def next(self, answer: Answer | None) -> bytes | None:
        if answer is not None:
            self.headers.append(f"If-None-Match: {answer.header('etag')}\r\n")
        return next(self._requests, None)


def _unchanged(port: int, tables: Sequence[Played], most: int) -> Sequence[Script]:
    # Asked anew for each load, since who is connected is part of what a table shows.
    tags = Tags(tables)
    drive(port, [tags])
    return readers(looks(tables, tags.headers), USUAL, most, 304)
