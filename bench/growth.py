"""What a move costs when there is much else: many open tables, and a long history.

The little and the much are two databases of the same PostgreSQL, played in by turns.
"""

import random
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from functools import partial

from bench.cases import GAMES, USUAL, Pool
from bench.load import drive
from bench.meter import Meter
from bench.place import another, working_in
from bench.play import ask, movers
from bench.run import Line, Run
from bench.scale import by_turns, compared, playing
from bench.tables import Played, lengthen, make_tables
from bench.web import serving

FEW_TABLES = 100
FEW_ROWS = 10_000
# Tables that share a history, and those that are played at in one load.
HISTORIES, AT_ONCE = 500, 300

Fill = Callable[[str], list[Played]]


class Sampled(Pool):
    """Other tables each time, out of all that are in play."""

    def renew(self) -> None:
        self._all = getattr(self, "_all", self.tables)
        going_on = [table for table in self._all if table.to_move]
        if len(going_on) < 0.8 * len(self._all):
            going_on = self._all = self._make()
        self.tables = random.sample(going_on, min(AT_ONCE, len(going_on)))


def tables_lines(run: Run) -> Iterable[Line]:
    """A hundred open tables, and as many as the lobby has at its fullest."""
    return _compared(run, "open tables", FEW_TABLES, run.size.lobby, _opened)


def history_lines(run: Run) -> Iterable[Line]:
    """Ten thousand rows of moves and events behind the tables, and very many."""
    return _compared(run, "rows of history", FEW_ROWS, run.size.rows, _with_history)


def _compared(
    run: Run, what: str, few: int, many: int, fill: Callable[[Run, int, str], list[Played]]
) -> Iterable[Line]:
    with ExitStack() as stack:
        plays = {}
        for count in (few, many):
            database = stack.enter_context(another(run.database, str(count)))
            pool = Sampled(partial(_within, database, partial(fill, run, count)))
            web = stack.enter_context(serving(run.starting, DATABASE_URL=database))
            plays[f"{count:,} {what}"] = playing(run, Meter(web, run.postmaster), pool)
        little, much = by_turns(plays, run.size.rounds).items()
    yield from compared(much[0], much[1], little[0], little[1])


def _within(database: str, fill: Fill) -> list[Played]:
    with working_in(database):
        return fill(database)


def _opened(run: Run, count: int, database: str) -> list[Played]:
    return make_tables(database, GAMES[0], count)


def _with_history(run: Run, rows: int, database: str) -> list[Played]:
    """Tables that have all these rows among them: half of them moves, half events."""
    tables = make_tables(database, GAMES[0], HISTORIES)
    with serving(run.starting, DATABASE_URL=database) as web:
        # A move is made at each, whose rows are then copied.
        drive(web.port, movers(ask(web.port, tables), USUAL, 1_000_000, 0))
    lengthen(database, tables, rows // 2 // HISTORIES)
    return tables
