"""The host: who it is, what only it may do, and how the place is passed on."""

import pytest

from tests.games.situations import begun, kinds, put_tables, row, told, unchanged
from tests.people import Answer, Person


def powers(person: Person, table: str) -> list[Answer]:
    """Everything that only a host may do."""
    return [
        person.post(f"tables/{table}/bots", {}),
        person.post(f"tables/{table}/start"),
        person.delete(f"tables/{table}/seats/0"),
    ]


def test_who_opens_is_host(ann: Person, bob: Person) -> None:
    table = ann.open("dominoes")
    bob.sit(table)
    assert (ann.see(table)["host"], ann.see(table)["you"]) == (0, 0)
    assert bob.see(table)["host"] == 0


def test_who_sits_there_and_is_not_host_may_not(ann: Person, bob: Person) -> None:
    table = ann.open("dominoes")
    bob.sit(table)
    with unchanged(table):
        answers = powers(bob, table)
    assert [(answer.status, answer.code) for answer in answers] == [(403, "not_host")] * 3


def test_a_watcher_is_not_even_seated(ann: Person, bob: Person) -> None:
    table = ann.open("dominoes")
    with unchanged(table):
        answers = powers(bob, table)
    assert [(answer.status, answer.code) for answer in answers] == [(403, "not_seated")] * 3


def test_a_stranger_at_a_private_table_finds_nothing(ann: Person, bob: Person) -> None:
    table = ann.open("dominoes", visibility="private")
    with unchanged(table):
        answers = powers(bob, table)
    assert [(answer.status, answer.code) for answer in answers] == [(404, "not_found")] * 3


def test_the_host_comes_before_the_status(ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    assert [answer.code for answer in powers(bob, table)] == ["not_host"] * 3


def test_who_was_host_and_came_back_is_one_of_the_others(ann: Person, bob: Person) -> None:
    table = ann.open("dominoes")
    bob.sit(table)
    ann.delete(f"tables/{table}/seats/me")
    assert ann.sit(table)["you"] == 0
    assert [answer.code for answer in powers(ann, table)] == ["not_host"] * 3
    assert bob.post(f"tables/{table}/start").status == 200


def test_a_host_who_logs_out_passes_the_place_on(ann: Person, bob: Person) -> None:
    table = ann.open("dominoes")
    bob.sit(table)
    ann.delete("sessions/current")
    assert told(table, after=3) == [("left", 0, "player"), ("host_changed", 1, "server")]
    assert bob.post(f"tables/{table}/bots", {}).status == 201


def test_a_removed_player_cant_become_host(ann: Person, bob: Person, cid: Person) -> None:
    table = ann.open("dominoes")
    bob.sit(table)
    cid.sit(table)
    ann.delete(f"tables/{table}/seats/1")
    ann.delete(f"tables/{table}/seats/me")
    assert row(table).host == 2
    assert bob.sit(table).code == "removed"


def test_there_is_no_host_change_once_the_game_began(ann: Person, bob: Person, cid: Person) -> None:
    table = begun("pickomino", [ann, bob, cid])
    ann.delete(f"tables/{table}/seats/me")
    assert "host_changed" not in kinds(table)


@pytest.mark.parametrize("status", ["finished", "abandoned", "closed"])
def test_a_table_that_is_over_takes_no_bots(ann: Person, status: str) -> None:
    (table,) = put_tables(1, [ann], status=status, wake_at=None)
    assert ann.post(f"tables/{table}/bots", {}).code == "not_open"
    assert ann.delete(f"tables/{table}/seats/1").code == "not_open"
