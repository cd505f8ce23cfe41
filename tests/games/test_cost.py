"""What a move and the lobby cost: so many queries, however long the game is."""

from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import Event, Move, Table
from tests.conftest import Enter
from tests.games.situations import TURN, begun, hands, let_pass, put_state, put_tables, row, turn
from tests.people import Person

# One reads, one writes, with no BEGIN or COMMIT around them.
MOST = 2
# Under the lock: BEGIN, the row, its seats, the write and COMMIT, beside what was read in vain.
LOCKED = 6


@pytest.fixture
def people(transactional_db: None, enter: Enter) -> list[Person]:
    """People at a database whose transactions are real, so that BEGIN and COMMIT count."""
    return [enter() for _ in range(3)]


def lengthen(table: str, moves: int) -> None:
    """So many moves and events of history."""
    long = row(table)
    at = long.created_at
    Move.objects.bulk_create(
        (
            Move(
                table=long,
                number=long.moves + n,
                seat=0,
                by="player",
                move="roll",
                chance=[["roll", [1, 2, 3, 4, 5, 6, 1, 2]]],
                first_version=long.version + n,
                last_version=long.version + n,
                at=at,
            )
            for n in range(1, moves + 1)
        ),
        batch_size=5_000,
    )
    Event.objects.bulk_create(
        (
            Event(
                table=long,
                number=long.version + n,
                kind="rolled",
                seat=0,
                by="player",
                data={"dice": [1, 2, 3, 4, 5, "W", 1, 2]},
                at=at,
            )
            for n in range(1, moves + 1)
        ),
        batch_size=5_000,
    )
    Table.objects.filter(pk=table).update(version=long.version + moves, moves=long.moves + moves)


def cost(person: Person, table: str, move: str, **headers: str) -> list[str]:
    """The queries of a move, all that reached the database."""
    with CaptureQueriesContext(connection) as queries:
        answer = person.post(f"tables/{table}/moves", {"move": move}, **headers)
    assert answer.status == 201, answer
    return [query["sql"] for query in queries]


def test_pain_33_a_move_is_two_queries_at_10_and_at_10_000_moves(people: list[Person]) -> None:
    counted = []
    for moves in (10, 10_000):
        table = begun("pickomino", people[:2])
        lengthen(table, moves)
        counted.append(cost(people[0], table, "roll"))
    assert [len(queries) for queries in counted] == [MOST, MOST], counted


def test_with_an_idempotency_key_it_is_no_more(people: list[Person]) -> None:
    for moves in (10, 10_000):
        table = begun("pickomino", people[:2])
        lengthen(table, moves)
        queries = cost(people[0], table, "roll", idempotency_key=f"key of {moves}")
        assert len(queries) == MOST, queries


def test_taking_the_seat_back_from_a_stand_in_takes_the_lock(people: list[Person]) -> None:
    ann, bob, _ = people
    table = begun("7776", [ann, bob])
    let_pass(table, TURN)
    assert [seat["stand_in"] for seat in bob.see(table)["seats"]] == [True, True]
    assert len(cost(ann, table, "choose 1")) == LOCKED


def test_one_statement_is_prepared_for_whatever_a_move_holds(people: list[Person]) -> None:
    """A number's size and a null would give a place another type, and PostgreSQL another statement."""
    seen: dict[str, set[tuple[type, ...]]] = {}

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if "UPDATE games_table" in sql:
            seen.setdefault(sql, set()).add(tuple(map(type, params)))
        return execute(sql, params, many, context)

    table = begun("7776", people[:2])
    with connection.execute_wrapper(note):
        for round_ in (1, 2):
            for person in people[:2]:
                cost(person, table, f"choose {round_}")
            Table.objects.filter(pk=table).update(moves=100_000, wake_at=None)
    types = {kind for each in seen.values() for kinds in each for kind in kinds}
    assert all(kind is UUID or issubclass(kind, (str, type(None))) for kind in types), types
    assert len(seen) == 2, seen  # the choice that reveals tells more


def test_what_a_move_writes_is_checked_by_keys_alone(db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT conname FROM pg_constraint WHERE contype IN ('c', 'f', 'x')"
            " AND conrelid IN ('games_table'::regclass, 'games_move'::regclass, 'games_event'::regclass)"
        )
        assert cursor.fetchall() == []


def test_a_repeated_move_costs_no_more(people: list[Person]) -> None:
    table = begun("pickomino", people[:2])
    lengthen(table, 10_000)
    cost(people[0], table, "roll", idempotency_key="k")
    # The move and its events are looked up.
    assert len(cost(people[0], table, "roll", idempotency_key="k")) == 3


def test_every_game_and_every_kind_of_step_costs_the_same(people: list[Person]) -> None:
    ann, bob, _ = people
    table = begun("7776", [ann, bob])
    assert len(cost(ann, table, "choose 1")) <= MOST
    assert len(cost(bob, table, "choose 1")) <= MOST
    table = begun("dominoes", [ann, bob])
    put_state(table, hands(["6-4"], ["6-5", "1-0"], stock=["5-5"]))
    assert len(cost(ann, table, "lay 6-4")) <= MOST
    table = begun("pickomino", people)
    put_state(table, turn(0, seats=3, face_up=[24, 30], stacks=[[21, 22], [], []], dice=[1] * 8))
    assert len(cost(ann, table, "save 1")) <= MOST
    put_state(table, turn(1, seats=3, face_up=[21], saved=[("W", 5)]))
    assert len(cost(bob, table, "collect 21")) <= MOST


def test_a_table_and_its_events_cost_the_same_at_any_length(people: list[Person]) -> None:
    counted = []
    for moves in (10, 10_000):
        table = begun("pickomino", people[:2])
        lengthen(table, moves)
        for path in (f"tables/{table}", f"tables/{table}/events?after={moves}"):
            with CaptureQueriesContext(connection) as queries:
                people[0].get(path)
            counted.append(len(queries))
    assert counted[:2] == counted[2:]
    assert counted[0] == 1
    assert max(counted) <= 4


@pytest.mark.parametrize("query", ["", "?mine=true", "?game=pickomino&status=open"])
def test_the_lobby_is_three_queries_with_50_tables_of_7_seats(enter: Enter, query: str) -> None:
    people = [enter() for _ in range(7)]
    put_tables(51, people)
    with CaptureQueriesContext(connection) as queries:
        answer = people[3].get(f"tables{query}")
    assert [len(summary["seats"]) for summary in answer["results"]] == [7] * 50
    assert len(queries) <= 3, [query["sql"] for query in queries]


def test_the_lobby_reads_no_states(enter: Enter) -> None:
    ann, bob = enter(), enter()
    begun("dominoes", [ann, bob])
    with CaptureQueriesContext(connection) as queries:
        ann.get("tables")
    assert not [query["sql"] for query in queries if '"state"' in query["sql"]]
