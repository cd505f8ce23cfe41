"""`version` and `decision`: a move made for an earlier decision is refused, and no other is."""

import pytest

from tests.conftest import Enter
from tests.games.conftest import Wait
from tests.games.situations import (
    PAUSE,
    TURN,
    begun,
    events_of,
    hands,
    last_domino,
    put_state,
    row,
    turn,
    unchanged,
)
from tests.people import Person


@pytest.fixture
def table(ann: Person, bob: Person) -> str:
    """7776, where both are to move."""
    return begun("7776", [ann, bob])


def decisions(table: str, *people: Person) -> list[int | None]:
    return [person.see(table)["decision"] for person in people]


def test_decision_is_the_version_at_which_the_present_decision_began(ann: Person, bob: Person) -> None:
    table = begun("pickomino", [ann, bob])
    assert decisions(table, ann, bob) == [row(table).version, None]
    ann.move(table, "roll")
    shown = ann.see(table)
    assert shown["decision"] in (shown["version"], None)


def test_a_decision_begins_after_the_step_that_caused_it_for_both_seats_of_7776_the_last_threw(
    ann: Person, bob: Person, table: str
) -> None:
    threw = [event.number for event in events_of(table) if event.kind == "threw"]
    assert decisions(table, ann, bob) == [threw[-1]] * 2
    ann.move(table, "choose 1")
    bob.move(table, "choose 1")
    threw = [event.number for event in events_of(table) if event.kind == "threw"]
    assert decisions(table, ann, bob) == [threw[-1]] * 2
    assert threw[-1] == row(table).version


def test_decision_is_null_when_one_is_not_to_move(ann: Person, bob: Person, table: str) -> None:
    ann.move(table, "choose 1")
    assert decisions(table, ann) == [None]


def test_version_is_optional(ann: Person, table: str) -> None:
    assert ann.move(table, "choose 1").status == 201


def test_the_present_decision_and_every_version_since_are_good(ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    ann.move(table, "choose 1")
    decision = bob.see(table)["decision"]
    assert decision < row(table).version
    with unchanged(table):
        for version in (decision, row(table).version):
            assert bob.move(table, "no", version=version).code == "illegal_move"
    assert bob.move(table, "choose 1", version=decision).status == 201


def test_a_lower_version_is_stale(ann: Person, table: str) -> None:
    decision = ann.see(table)["decision"]
    with unchanged(table):
        for version in (0, 1, decision - 1):
            answer = ann.move(table, "choose 1", version=version)
            assert (answer.status, answer.code) == (409, "stale_version")


def test_a_version_higher_than_the_tables_is_invalid(ann: Person, table: str) -> None:
    with unchanged(table):
        for version in (row(table).version + 1, 10**30):
            answer = ann.move(table, "choose 1", version=version)
            assert (answer.status, answer.code) == (400, "invalid")
            assert list(answer["errors"]) == ["version"]


def test_a_seat_that_is_not_to_move_gets_not_your_turn_before_that(ann: Person, bob: Person) -> None:
    table = begun("pickomino", [ann, bob])
    with unchanged(table):
        for version in (0, row(table).version, row(table).version + 1):
            assert bob.move(table, "roll", version=version).code == "not_your_turn"


def test_stale_comes_before_illegal(ann: Person, table: str) -> None:
    assert ann.move(table, "no", version=0).code == "stale_version"


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_pain_05_two_secret_choices_at_once_are_both_accepted_in_either_order(
    ann: Person, bob: Person, table: str, order: tuple[int, int]
) -> None:
    people, version = [ann, bob], row(table).version
    for seat in order:
        assert people[seat].move(table, f"choose {seat + 1}", version=version).status == 201
    assert ann.see(table)["view"]["history"][0]["choices"] == ["1", "2"]


def test_another_seats_choice_makes_no_version_stale(ann: Person, bob: Person, table: str) -> None:
    before = decisions(table, bob)
    ann.move(table, "choose 1")
    assert decisions(table, bob) == before


def test_a_second_choice_in_a_round_is_not_ones_turn(ann: Person, table: str) -> None:
    version = row(table).version
    ann.move(table, "choose 1", version=version)
    with unchanged(table):
        assert ann.move(table, "choose 2", version=version).code == "not_your_turn"
        assert ann.move(table, "choose 1").code == "not_your_turn"


def test_a_watcher_makes_no_version_stale(ann: Person, cid: Person, table: str) -> None:
    version = row(table).version
    cid.see(table)
    cid.events(table)
    cid.sit(table)
    assert row(table).version == version
    assert ann.move(table, "choose 1", version=version).status == 201


def test_a_stand_in_makes_nobodys_version_stale(wait: Wait, enter: Enter) -> None:
    ann, bob = enter(), enter()
    table = begun("7776", [ann, bob])
    version = row(table).version
    wait(TURN)
    shown = ann.see(table)
    assert [seat["stand_in"] for seat in shown["seats"]] == [True, True]
    assert shown["decision"] == version < shown["version"]
    assert bob.move(table, "choose 1", version=version).status == 201


def test_a_stand_ins_move_makes_its_seats_earlier_decision_stale(wait: Wait, enter: Enter) -> None:
    ann, bob = enter(), enter()
    table = begun("7776", [ann, bob])
    version = row(table).version
    ann.move(table, "choose 1", version=version)
    wait(TURN)
    answer = bob.move(table, "choose 1", version=version)
    assert answer.code == "stale_version"
    assert ann.see(table)["view"]["round"] == 2


def test_a_return_makes_no_version_stale(wait: Wait, enter: Enter) -> None:
    ann, bob = enter(), enter()
    table = begun("7776", [ann, bob])
    version = row(table).version
    wait(TURN)
    ann.post(f"tables/{table}/seats/me/return")
    assert ann.see(table)["decision"] == version
    assert ann.move(table, "choose 1", version=version).status == 201


def test_leaving_makes_no_version_stale(ann: Person, bob: Person, cid: Person) -> None:
    table = begun("pickomino", [ann, bob, cid])
    version = row(table).version
    bob.delete(f"tables/{table}/seats/me")
    assert ann.see(table)["decision"] == version
    assert ann.move(table, "roll", version=version).status == 201


def test_each_decision_within_a_turn_is_one_of_its_own(ann: Person, bob: Person) -> None:
    table = begun("pickomino", [ann, bob])
    put_state(table, turn(0, dice=[1, 1, "W"], saved=[(2, 5)]))
    version = row(table).version
    ann.move(table, "save W", version=version)
    assert ann.see(table)["decision"] == version + 1
    assert ann.move(table, "roll", version=version).code == "stale_version"


def test_a_seat_that_is_asked_again_at_once_has_a_fresh_decision(ann: Person, bob: Person) -> None:
    table = begun("dominoes", [ann, bob], options={"target": 0})
    put_state(table, hands(["6-4", "6-5", "1-0"], ["2-0", "3-0"], target=0))
    version = row(table).version
    answer = ann.move(table, "lay 6-4", version=version)
    assert [event["kind"] for event in answer["events"]] == ["laid", "passed"]
    assert answer["decision"] == version + 2
    assert ann.move(table, "lay 6-5 left", version=version).code == "stale_version"


def test_when_over_nobody_has_a_decision(ann: Person, bob: Person) -> None:
    table = begun("pickomino", [ann, bob])
    put_state(table, last_domino(0, [[], []]))
    ann.move(table, "collect 21")
    assert decisions(table, ann, bob) == [None, None]


def test_a_bots_move_is_no_decision_of_others(wait: Wait, enter: Enter) -> None:
    ann = enter()
    table = ann.open("7776")
    ann.post(f"tables/{table}/bots", {})
    (before,) = decisions(table, ann)
    wait(PAUSE)
    assert ann.see(table)["view"]["locked"] == [False, True]
    assert decisions(table, ann) == [before]
