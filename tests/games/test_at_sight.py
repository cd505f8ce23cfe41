"""Moves that are judged on a table as it was read: what happens when it is written in between."""

import pytest

from config import errors
from games import services
from games.models import Table
from games.once import Once
from games.visits import Visit, visit
from tests.conftest import Enter
from tests.games.situations import (
    TURN,
    begun,
    events_of,
    everything,
    kinds,
    let_pass,
    moves_of,
    player_of,
    put_state,
    row,
    turn,
)
from tests.people import Person

ONCE = Once("a key", "0" * 64)


@pytest.fixture
def ann(enter: Enter) -> Person:
    return enter()


@pytest.fixture
def bob(enter: Enter) -> Person:
    return enter()


def sight(person: Person, table: str, key: str | None = None) -> Visit:
    """The table as the person's request reads it just now."""
    return visit(person.token or "", row(table).pk, key)


def test_of_two_moves_that_were_judged_on_the_same_sight_one_is_made(ann: Person, bob: Person) -> None:
    table = begun("pickomino", [ann, bob])
    first, second = sight(ann, table), sight(ann, table)
    services.make_move_at_sight(visit=first, move="roll")
    with pytest.raises(errors.IllegalMove):
        services.make_move_at_sight(visit=second, move="roll")
    assert [move.move for move in moves_of(table)] == ["roll"]
    assert [event.number for event in events_of(table)] == list(range(1, row(table).version + 1))


def test_both_choices_of_7776_count_though_the_second_was_judged_before_the_first(
    ann: Person, bob: Person
) -> None:
    table = begun("7776", [ann, bob])
    first, second = sight(ann, table), sight(bob, table)
    services.make_move_at_sight(visit=first, move="choose 1")
    services.make_move_at_sight(visit=second, move="choose 2")
    assert kinds(table)[-5:] == ["chose", "chose", "revealed", "threw", "threw"]


def test_the_same_key_twice_on_the_same_sight_moves_once_and_answers_alike(ann: Person, bob: Person) -> None:
    table = begun("pickomino", [ann, bob])
    first, second = sight(ann, table, ONCE.key), sight(ann, table, ONCE.key)
    made = services.make_move_at_sight(visit=first, move="roll", once=ONCE)
    again = services.make_move_at_sight(visit=second, move="roll", once=ONCE)
    assert (made.number, again.number) == (1, 1)
    assert [event.number for event in again.events] == [event.number for event in made.events]
    assert len(moves_of(table)) == 1


def test_the_same_key_at_two_tables_at_the_same_moment_is_a_mismatch_and_no_fault_in_the_database(
    ann: Person, bob: Person
) -> None:
    one, other = begun("7776", [ann, bob]), begun("7776", [ann, bob])
    late = sight(ann, other, ONCE.key)
    services.make_move_at_sight(visit=sight(ann, one, ONCE.key), move="choose 1", once=ONCE)
    with pytest.raises(errors.IdempotencyMismatch):
        services.make_move_at_sight(visit=late, move="choose 1", once=Once(ONCE.key, "1" * 64))
    assert moves_of(other) == []


def test_who_left_in_between_moves_no_more(ann: Person, bob: Person, enter: Enter) -> None:
    table = begun("pickomino", [ann, bob, enter()])
    seen = sight(ann, table)
    services.stand_up(table_id=row(table).pk, player=player_of(ann))
    with pytest.raises(errors.NotSeated):
        services.make_move_at_sight(visit=seen, move="roll")
    assert moves_of(table) == []


def test_a_table_that_was_put_off_in_between_is_moved_at_all_the_same(ann: Person, bob: Person) -> None:
    table = begun("pickomino", [ann, bob])
    seen = sight(ann, table)
    Table.objects.filter(pk=table).update(wake_at=row(table).created_at)
    services.make_move_at_sight(visit=seen, move="roll")
    assert len(moves_of(table)) == 1


def test_what_is_due_is_done_before_a_move_at_sight(ann: Person, bob: Person) -> None:
    table = begun("pickomino", [ann, bob])
    let_pass(table, TURN)
    with pytest.raises(errors.NotYourTurn):
        services.make_move_at_sight(visit=sight(bob, table), move="roll")
    assert kinds(table)[-2:] == ["stand_in", "rolled"]


def test_a_table_that_is_not_there_is_not_found(ann: Person, bob: Person) -> None:
    table = begun("pickomino", [ann, bob])
    nowhere = visit(ann.token or "", player_of(ann).pk)
    with pytest.raises(errors.NotFound):
        services.make_move_at_sight(visit=nowhere, move="roll")
    assert moves_of(table) == []


# What two tables can't have in common.
OWN = {"id", "table_id", "seed", "start_chance", "decisions"} | {
    "created_at", "started_at", "touched_at", "over_at", "wake_at", "at",
}  # fmt: skip


@pytest.mark.parametrize(("saved", "move"), [([("W", 5)], "collect 24"), ([("W", 4), (1, 1)], "collect 21")])
def test_a_move_writes_the_same_fields_at_sight_and_under_the_lock(
    ann: Person, bob: Person, saved: list[tuple[str | int, int]], move: str
) -> None:
    written = []
    for at_sight in (True, False):
        table = begun("pickomino", [ann, bob])
        put_state(table, turn(0, face_up=[21, 24], saved=saved))
        if at_sight:
            services.make_move_at_sight(visit=sight(ann, table), move=move)
        else:
            services.make_move(table_id=row(table).pk, player=player_of(ann), move=move)
        rows = [each for kind in everything(table) for each in kind]
        written.append([{name: each[name] for name in each.keys() - OWN} for each in rows])
    assert written[0] == written[1]
