"""`POST /tables/{id}/start`: the host starts, with at least the game's least seats."""

import pytest

from tests.games.situations import begun, events_of, kinds, put_tables, row, seats_of, told, unchanged
from tests.people import Answer, Person


def start(host: Person, table: str, body: object = None) -> Answer:
    return host.post(f"tables/{table}/start", body)


@pytest.fixture
def table(ann: Person, bob: Person) -> str:
    table = ann.open("pickomino", options={"first": "seat_0"})
    bob.sit(table)
    return table


def test_the_host_starts_with_the_least_seats(ann: Person, table: str) -> None:
    answer = start(ann, table)
    assert (answer.status, answer["status"]) == (200, "playing")
    assert answer.json == ann.see(table)
    assert told(table, after=3) == [("started", None, "player")]


def test_an_empty_object_will_do(ann: Person, table: str) -> None:
    assert start(ann, table, {}).status == 200


def test_one_seat_is_not_enough(ann: Person) -> None:
    table = ann.open("dominoes")
    with unchanged(table):
        answer = start(ann, table)
    assert (answer.status, answer.code) == (409, "not_enough_seats")


def test_a_bot_counts_as_a_seat(ann: Person) -> None:
    table = ann.open("dominoes")
    ann.post(f"tables/{table}/bots", {})
    assert start(ann, table)["status"] == "playing"


def test_already_started_is_200_and_nothing_happens(ann: Person, table: str) -> None:
    start(ann, table)
    with unchanged(table):
        assert start(ann, table)["status"] == "playing"


def test_started_by_itself_is_200_too(ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    with unchanged(table):
        assert start(ann, table).status == 200


def test_started_and_over_is_200_too(ann: Person, bob: Person, table: str) -> None:
    start(ann, table)
    bob.delete(f"tables/{table}/seats/me")
    assert start(ann, table)["status"] == "finished"


def test_a_table_that_was_closed_before_is_not_open(ann: Person) -> None:
    (table,) = put_tables(1, [ann], status="closed", wake_at=None)
    assert start(ann, table).code == "not_open"


def test_only_the_host_starts(ann: Person, bob: Person, cid: Person, table: str) -> None:
    with unchanged(table):
        assert start(bob, table).code == "not_host"
        assert start(cid, table).code == "not_seated"
    assert start(cid, ann.open("7776", visibility="private")).code == "not_found"
    assert start(Person(), table).code == "not_authenticated"


def test_a_body_with_anything_in_it_is_invalid(ann: Person, table: str) -> None:
    with unchanged(table):
        assert start(ann, table, {"force": True}).code == "invalid"


def test_at_the_start_the_seats_are_renumbered_in_their_order(
    ann: Person, bob: Person, cid: Person, table: str
) -> None:
    cid.sit(table)
    ann.post(f"tables/{table}/bots", {})
    bob.delete(f"tables/{table}/seats/me")
    ann.delete(f"tables/{table}/seats/me")
    assert cid.see(table)["host"] == 2
    assert start(cid, table)["you"] == 0
    started = events_of(table)[-1]
    assert (started.kind, started.data) == ("started", {"seats": [2, 3], "first": 0})
    assert [seat.number for seat in seats_of(table)] == [0, 1]
    shown = cid.see(table)
    assert shown["host"] == 0
    assert [seat["kind"] for seat in shown["seats"]] == ["human", "bot"]
    assert len(shown["view"]["stacks"]) == 2


def test_the_start_draws_luck_that_is_kept_with_the_table(ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    drawn = row(table).start_chance
    assert [(kind, len(values)) for kind, values in drawn] == [("roll", 5), ("roll", 5)]


def test_pain_20_two_clicks_on_start_deal_once(ann: Person, bob: Person) -> None:
    table = ann.open("dominoes")
    bob.sit(table)
    hands = [start(ann, table)["view"]["hand"] for _ in range(2)]
    assert hands[0] == hands[1]
    assert kinds(table, after=3) == ["started", "dealt", "dealt"]
