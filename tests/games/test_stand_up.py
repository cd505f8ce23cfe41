"""`DELETE /tables/{id}/seats/me`: stand up; at a playing table this is leaving (test_leaving)."""

import pytest

from tests.conftest import Enter
from tests.games.situations import begun, last_domino, put_state, seats_of, told, unchanged
from tests.people import Answer, Person


def stand_up(person: Person, table: str) -> Answer:
    return person.delete(f"tables/{table}/seats/me")


def test_an_open_table_loses_the_seat(ann: Person, bob: Person) -> None:
    table = ann.open("dominoes")
    bob.sit(table)
    answer = stand_up(bob, table)
    assert (answer.status, answer.json) == (204, None)
    assert [seat["seat"] for seat in ann.see(table)["seats"]] == [0]
    assert told(table, after=3) == [("left", 1, "player")]


def test_the_hosts_place_goes_to_the_next(ann: Person, bob: Person, cid: Person) -> None:
    table = ann.open("dominoes")
    bob.sit(table)
    cid.sit(table)
    stand_up(ann, table)
    assert told(table, after=4) == [("left", 0, "player"), ("host_changed", 1, "server")]
    assert cid.see(table)["host"] == 1
    assert bob.delete(f"tables/{table}/seats/2").status == 204


def test_the_next_host_is_a_player_and_not_a_bot(ann: Person, bob: Person) -> None:
    table = ann.open("dominoes")
    ann.post(f"tables/{table}/bots", {})
    bob.sit(table)
    stand_up(ann, table)
    assert bob.see(table)["host"] == 2


def test_the_next_is_the_next_round_the_table(enter: Enter) -> None:
    ann, bob, cid, dan = (enter() for _ in range(4))
    table = ann.open("pickomino")
    for person in (bob, cid, dan):
        person.sit(table)
    stand_up(ann, table)
    ann.sit(table)
    stand_up(bob, table)
    assert cid.see(table)["host"] == 2
    stand_up(cid, table)
    stand_up(dan, table)
    assert ann.see(table)["host"] == 0


def test_who_is_not_host_leaves_the_host_in_place(ann: Person, bob: Person) -> None:
    table = ann.open("dominoes")
    bob.sit(table)
    stand_up(bob, table)
    assert ann.see(table)["host"] == 0


@pytest.mark.parametrize("bots", [0, 2])
def test_an_open_table_without_players_closes(ann: Person, bob: Person, bots: int) -> None:
    table = ann.open("dominoes")
    for _ in range(bots):
        ann.post(f"tables/{table}/bots", {})
    stand_up(ann, table)
    assert told(table, after=2 + bots) == [("left", 0, "player"), ("closed", None, "server")]
    shown = bob.see(table)
    assert (shown["status"], shown["outcome"], shown["host"]) == ("closed", None, None)


def test_at_a_table_that_is_over_nothing_happens(ann: Person, bob: Person) -> None:
    table = begun("pickomino", [ann, bob])
    put_state(table, last_domino(0, [[], []]))
    ann.move(table, "collect 21")
    with unchanged(table):
        assert stand_up(ann, table).status == 204
        assert stand_up(ann, table).status == 204
    assert ann.see(table)["you"] == 0


def test_who_does_not_sit_there_is_not_seated(ann: Person, bob: Person) -> None:
    table = ann.open("dominoes")
    with unchanged(table):
        answer = stand_up(bob, table)
    assert (answer.status, answer.code) == (403, "not_seated")


def test_standing_up_twice_is_not_seated(ann: Person, bob: Person) -> None:
    table = ann.open("dominoes")
    bob.sit(table)
    assert stand_up(bob, table).status == 204
    assert stand_up(bob, table).code == "not_seated"


def test_at_a_private_table_a_stranger_learns_nothing(ann: Person, bob: Person) -> None:
    table = ann.open("dominoes", visibility="private")
    missing = stand_up(bob, "00000000-0000-0000-0000-000000000000")
    assert missing.code == "not_found"
    assert stand_up(bob, table).json == missing.json


def test_who_has_not_entered_has_no_seat(ann: Person) -> None:
    assert stand_up(Person(), ann.open("7776")).code == "not_authenticated"


def test_logging_out_stands_up_everywhere(ann: Person, bob: Person) -> None:
    theirs, own = ann.open("dominoes"), bob.open("dominoes")
    bob.sit(theirs)
    assert bob.delete("sessions/current").status == 204
    assert [seat.number for seat in seats_of(theirs)] == [0]
    assert told(theirs, after=3) == [("left", 1, "player")]
    assert told(own, after=2) == [("left", 0, "player"), ("closed", None, "server")]
