"""The lobby with as many tables as a busy server has: its first page, one game's, and one far behind."""

from collections.abc import Iterable
from functools import partial

from bench.cases import GAMES, USUAL
from bench.load import request
from bench.meter import Meter
from bench.reads import Reading, read_by_turns, readers
from bench.run import Line, Run
from bench.tables import make_tables
from bench.web import serving

LOBBY = "/api/v1/tables"


def lines(run: Run) -> Iterable[Line]:
    """Pages of 50 tables, of which each has two players."""
    size = run.size
    tables = make_tables(run.database, GAMES[0], size.lobby)
    middle, token = sorted(table.id for table in tables)[size.lobby // 2], tables[0].tokens[0]
    paths = {
        f"the lobby of {size.lobby:,}": LOBBY,
        "the lobby, one game": f"{LOBBY}?game={GAMES[0]}",
        "the lobby, from its middle": f"{LOBBY}?cursor={middle}",
        "one's own tables": f"{LOBBY}?mine=true",
    }
    readings = [
        Reading(
            name, "lobby", partial(readers, [request("GET", path, token)], USUAL, max(size.requests // 4, 50))
        )
        for name, path in paths.items()
    ]
    with serving(run.starting) as web:
        yield from read_by_turns(run, Meter(web, run.postmaster), readings)
