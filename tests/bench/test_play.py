"""Tables made in bulk are tables that can be played to their end, however long they are made."""

import pytest
from django.db.models import Count, Max, Min

from bench.cases import GAMES
from bench.load import drive
from bench.play import ask, movers
from bench.tables import Played, lengthen, make_tables
from games.models import Event, Move, Table
from tests.live.conftest import server as server
from tests.live.servers import Server, database_url

LOADS = 5_000  # more than any game has turns: dominoes at random had up to 541 in 150 games


def played_out(port: int, tables: list[Played], keyed: float = 0.5) -> int:
    """How many moves were made until all these tables were over."""
    made = 0
    for _ in range(LOADS):
        turns = ask(port, tables)
        if not turns:
            return made
        made += len(drive(port, movers(turns, 2, 10_000, keyed)).latencies)
    raise AssertionError("the games do not end")


@pytest.mark.parametrize("game", GAMES)
def test_copied_tables_are_played_to_their_end(server: Server, game: str) -> None:
    tables = make_tables(database_url(), game, 2)
    assert played_out(server.port, tables) == Move.objects.count()
    over = Table.objects.filter(pk__in=[table.id for table in tables])
    assert {table.status for table in over} == {"finished"}


def test_only_so_many_moves_are_made_as_asked_for(server: Server) -> None:
    tables = make_tables(database_url(), "7776", 5)
    turns = ask(server.port, tables)
    assert len(turns) == 10
    assert len(drive(server.port, movers(turns, 3, 7, 1)).latencies) == 7
    assert Move.objects.count() == 7


def test_a_history_put_behind_a_table_has_no_gaps_and_the_game_goes_on(server: Server) -> None:
    tables = make_tables(database_url(), "pickomino", 2)
    drive(server.port, movers(ask(server.port, tables), 1, 10_000, 0))
    lengthen(database_url(), tables, 500)
    drive(server.port, movers(ask(server.port, tables), 1, 10_000, 0))
    for table in Table.objects.filter(pk__in=[table.id for table in tables]):
        assert table.moves > 500
        assert numbers(Move, table) == (1, table.moves, table.moves)
        assert numbers(Event, table) == (1, table.version, table.version)


def numbers(model: type[Move] | type[Event], table: Table) -> tuple[int, ...]:
    """The least, the greatest, and how many."""
    found = model.objects.filter(table=table)
    told = found.aggregate(least=Min("number"), greatest=Max("number"), count=Count("number"))
    return told["least"], told["greatest"], told["count"]
