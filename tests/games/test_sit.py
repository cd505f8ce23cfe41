"""`POST /tables/{id}/seats`: sit down."""

from typing import Any

import pytest
from django.conf import settings

from tests.conftest import Enter
from tests.games.conftest import Wait
from tests.games.situations import begun, kinds, put_tables, seats_of, told, unchanged
from tests.people import Person, seat_all


def test_a_newcomer_gets_the_lowest_free_seat(ann: Person, bob: Person, cid: Person, enter: Enter) -> None:
    table = ann.open("pickomino")
    answer = bob.sit(table)
    assert (answer.status, answer["you"]) == (201, 1)
    assert cid.sit(table)["you"] == 2
    bob.delete(f"tables/{table}/seats/me")
    assert enter().sit(table)["you"] == 1
    assert bob.sit(table)["you"] == 3


def test_the_answer_is_the_table(ann: Person, bob: Person) -> None:
    table = ann.open("pickomino")
    assert bob.sit(table).json == bob.see(table)


def test_already_seated_is_200_and_the_same_seat(ann: Person, bob: Person) -> None:
    table = ann.open("pickomino")
    bob.sit(table)
    with unchanged(table):
        answer = bob.sit(table)
    assert (answer.status, answer["you"]) == (200, 1)


def test_already_seated_is_200_at_a_playing_and_at_a_full_table_too(ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    assert bob.sit(table).status == 200


def test_a_body_is_not_needed(ann: Person, bob: Person) -> None:
    assert bob.post(f"tables/{ann.open('7776')}/seats").status == 201
    assert bob.post(f"tables/{ann.open('7776')}/seats", {"code": None}).status == 201


def test_the_game_starts_by_itself_when_the_capacity_is_reached(ann: Person, bob: Person) -> None:
    table = ann.open("7776")
    answer = bob.sit(table)
    assert answer["status"] == "playing"
    assert told(table, after=2)[:2] == [("joined", 1, "player"), ("started", None, "server")]


def test_a_private_table_wants_its_code(ann: Person, bob: Person) -> None:
    table = ann.open("dominoes", visibility="private")
    code = ann.see(table)["code"]
    with unchanged(table):
        for wrong in ({}, {"code": None}, {"code": "00000000"}, {"code": ""}, {"code": code[:7]}):
            assert bob.post(f"tables/{table}/seats", wrong).status in (400, 404)
    assert bob.sit(table, code=code.lower()).status == 201


def test_a_private_table_without_its_code_is_as_unknown_as_one_that_is_not_there(
    ann: Person, bob: Person
) -> None:
    table = ann.open("dominoes", visibility="private")
    missing = bob.sit("00000000-0000-0000-0000-000000000000", code="00000000")
    assert missing.code == "not_found"
    assert bob.sit(table, code="00000000").json == missing.json
    assert bob.sit(table).json == missing.json


def test_who_sits_at_a_private_table_needs_the_code_no_more(ann: Person) -> None:
    assert ann.sit(ann.open("dominoes", visibility="private")).status == 200


def test_a_public_table_takes_any_code(ann: Person, bob: Person) -> None:
    assert bob.sit(ann.open("dominoes"), code="00000000").status == 201


def test_a_full_table_that_is_playing_is_not_open(ann: Person, bob: Person, cid: Person) -> None:
    table = begun("7776", [ann, bob])
    with unchanged(table):
        assert cid.sit(table).code == "not_open"


def test_a_full_open_table_is_full(ann: Person, bob: Person) -> None:
    (table,) = put_tables(1, [ann], capacity=1)
    answer = bob.sit(table)
    assert (answer.status, answer.code) == (409, "table_full")


def test_a_table_that_is_over_is_not_open(ann: Person, bob: Person) -> None:
    table = ann.open("7776")
    ann.delete(f"tables/{table}/seats/me")
    assert bob.sit(table).code == "not_open"


def test_who_stood_up_may_sit_down_again(ann: Person, bob: Person) -> None:
    table = ann.open("dominoes")
    bob.sit(table)
    bob.delete(f"tables/{table}/seats/me")
    assert bob.sit(table).status == 201


def test_no_more_than_12_open_tables(ann: Person, bob: Person) -> None:
    put_tables(12, [ann])
    table = bob.open("7776")
    with unchanged(table):
        assert ann.sit(table).code == "too_many_tables"


@pytest.mark.parametrize("body", [{"code": 1}, {"code": "A" * 33}, {"seat": 1}, {"code": "A\x00"}, []])
def test_a_body_of_another_shape_is_invalid(ann: Person, bob: Person, body: Any) -> None:
    table = ann.open("dominoes")
    with unchanged(table):
        assert bob.post(f"tables/{table}/seats", body).code == "invalid"


def test_a_stale_table_is_closed_by_the_join_that_meets_it(wait: Wait, enter: Enter) -> None:
    ann, bob = enter(), enter()
    table = ann.open("7776")
    wait(settings.TABLE_OPEN.total_seconds())
    assert bob.sit(table).code == "not_open"
    assert kinds(table) == ["opened", "joined", "closed"]


def test_who_has_not_entered_does_not_sit(ann: Person) -> None:
    assert Person().sit(ann.open("7776")).code == "not_authenticated"


def test_pain_19_one_client_takes_one_seat(ann: Person, bob: Person) -> None:
    table = ann.open("pickomino")
    elsewhere = Person(bob.name)
    elsewhere.enter()
    assert {person.sit(table)["you"] for person in (bob, elsewhere, bob, elsewhere)} == {1}
    assert len(seats_of(table)) == 2


def test_pain_11_an_empty_token_joins_as_nobody(ann: Person) -> None:
    table = ann.open("pickomino")
    with unchanged(table):
        for token in ("", " ", "undefined"):
            assert Person(token=token).sit(table).code == "not_authenticated"


def test_a_joined_seat_tells_its_kind(ann: Person, bob: Person) -> None:
    table = seat_all("pickomino", [ann, bob])
    assert ann.events(table)[2]["data"] == {"kind": "human"}
