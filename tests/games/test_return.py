"""`POST /tables/{id}/seats/me/return`: take my seat back from the stand-in (more in test_absence)."""

import pytest

from tests.conftest import Enter
from tests.games.conftest import Wait
from tests.games.situations import TURN, begun, row, told, unchanged
from tests.people import Answer, Person


def come_back(person: Person, table: str, body: object = None) -> Answer:
    return person.post(f"tables/{table}/seats/me/return", body)


@pytest.fixture
def relieved(wait: Wait, enter: Enter) -> tuple[str, Person, Person]:
    """A table of 7776 at which seat 0 chose and seat 1 got a stand-in."""
    ann, bob = enter(), enter()
    table = begun("7776", [ann, bob])
    ann.move(table, "choose poker")
    wait(TURN)
    assert ann.see(table)["seats"][1]["stand_in"]
    return table, ann, bob


def test_the_seat_is_ones_own_again(relieved: tuple[str, Person, Person]) -> None:
    table, _, bob = relieved
    version = row(table).version
    answer = come_back(bob, table)
    assert answer.status == 200
    assert answer.json == bob.see(table)
    assert answer["seats"][1]["stand_in"] is False
    assert told(table, after=version) == [("returned", 1, "player")]


def test_without_a_stand_in_it_is_200_and_no_event(relieved: tuple[str, Person, Person]) -> None:
    table, ann, bob = relieved
    come_back(bob, table)
    with unchanged(table):
        assert come_back(bob, table, {}).status == 200
        assert come_back(ann, table).status == 200


def test_reading_never_returns_a_seat(relieved: tuple[str, Person, Person]) -> None:
    table, _, bob = relieved
    with unchanged(table):
        bob.see(table)
        bob.events(table)
        bob.get("tables?mine=true")
        bob.get("sessions/current")
    assert bob.see(table)["seats"][1]["stand_in"]


def test_sitting_down_again_does_not_return_a_seat(relieved: tuple[str, Person, Person]) -> None:
    table, _, bob = relieved
    with unchanged(table):
        assert bob.sit(table).status == 200


def test_before_the_start_and_after_the_end_nothing_is_played(ann: Person, bob: Person) -> None:
    table = ann.open("7776")
    assert come_back(ann, table).code == "not_playing"
    bob.sit(table)
    ann.delete(f"tables/{table}/seats/me")
    assert come_back(bob, table).code == "not_playing"


def test_who_does_not_sit_there_is_not_seated(ann: Person, bob: Person) -> None:
    assert come_back(bob, ann.open("7776")).code == "not_seated"
    assert come_back(bob, ann.open("7776", visibility="private")).code == "not_found"


def test_who_left_has_no_seat_to_return_to(ann: Person, bob: Person, cid: Person) -> None:
    table = begun("pickomino", [ann, bob, cid])
    bob.delete(f"tables/{table}/seats/me")
    with unchanged(table):
        assert come_back(bob, table).code == "not_seated"


def test_a_body_with_anything_in_it_is_invalid(ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    assert come_back(ann, table, {"seat": 0}).code == "invalid"


def test_who_has_not_entered_has_no_seat(ann: Person) -> None:
    assert come_back(Person(), ann.open("7776")).code == "not_authenticated"
