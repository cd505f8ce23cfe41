"""`DELETE /tables/{id}/seats/{n}`: the host, before the start, removes a player or a bot."""

import pytest

from tests.games.situations import begun, events_of, told, unchanged
from tests.people import Answer, Person


def remove(host: Person, table: str, seat: int | str) -> Answer:
    return host.delete(f"tables/{table}/seats/{seat}")


@pytest.fixture
def table(ann: Person, bob: Person) -> str:
    table = ann.open("dominoes")
    bob.sit(table)
    return table


def test_a_player_is_removed(ann: Person, bob: Person, table: str) -> None:
    answer = remove(ann, table, 1)
    assert (answer.status, answer.json) == (204, None)
    assert [seat["seat"] for seat in ann.see(table)["seats"]] == [0]
    assert bob.see(table)["you"] is None
    assert told(table, after=3) == [("removed", 1, "player")]
    assert events_of(table)[-1].data == {}


def test_a_bot_is_removed(ann: Person, table: str) -> None:
    ann.post(f"tables/{table}/bots", {})
    assert remove(ann, table, 2).status == 204
    assert told(table, after=4) == [("removed", 2, "player")]
    assert ann.post(f"tables/{table}/bots", {}).status == 201


def test_who_was_removed_cant_sit_at_that_table_again(ann: Person, bob: Person, table: str) -> None:
    remove(ann, table, 1)
    with unchanged(table):
        answer = bob.sit(table)
    assert (answer.status, answer.code) == (403, "removed")
    assert bob.sit(ann.open("dominoes")).status == 201


def test_who_was_removed_from_a_private_table_cant_sit_there_with_its_code(ann: Person, bob: Person) -> None:
    table = ann.open("dominoes", visibility="private")
    code = ann.see(table)["code"]
    bob.sit(table, code=code)
    remove(ann, table, 1)
    assert bob.sit(table, code=code).code == "removed"
    assert bob.sit(table).code == "not_found"


def test_the_seat_is_free_for_others(ann: Person, cid: Person, table: str) -> None:
    remove(ann, table, 1)
    assert cid.sit(table)["you"] == 1


def test_the_rest_keep_their_seats(ann: Person, cid: Person, table: str) -> None:
    cid.sit(table)
    remove(ann, table, 1)
    assert cid.see(table)["you"] == 2


def test_a_seat_that_nobody_has_is_not_found(ann: Person, table: str) -> None:
    for seat in (2, 3, 99, 10**30):
        assert remove(ann, table, seat).code == "not_found"
    for text in ("-1", "x", "1.0"):
        assert remove(ann, table, text).code == "not_found"


def test_a_host_does_not_remove_itself(ann: Person, table: str) -> None:
    with unchanged(table):
        answer = remove(ann, table, 0)
    assert (answer.status, answer.code) == (400, "invalid")


def test_only_the_host_removes(bob: Person, cid: Person, table: str) -> None:
    with unchanged(table):
        assert remove(bob, table, 0).code == "not_host"
        assert remove(bob, table, 1).code == "not_host"
        assert remove(cid, table, 1).code == "not_seated"


def test_at_a_private_table_a_stranger_learns_nothing(ann: Person, bob: Person) -> None:
    assert remove(bob, ann.open("7776", visibility="private"), 0).code == "not_found"


def test_before_the_start_only(ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    with unchanged(table):
        assert remove(ann, table, 1).code == "not_open"


def test_who_has_not_entered_removes_nobody(table: str) -> None:
    assert remove(Person(), table, 1).code == "not_authenticated"
