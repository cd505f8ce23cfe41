"""`POST /tables`: open a table, take seat 0, be host."""

import re
from typing import Any

import pytest

from games.models import Event, Table
from games.rules.fair import commitment
from tests.conftest import Enter
from tests.games.situations import begun, events_of, put_tables, row
from tests.people import Person

MEMBERS = {
    "id", "game", "status", "version", "capacity", "options", "visibility", "code", "turn_seconds", "hints",
    "host", "seats", "you", "to_move", "deadline", "decision", "legal_moves", "view", "outcome", "rematch",
    "fairness",
}  # fmt: skip


def test_only_game_is_required(ann: Person) -> None:
    answer = ann.post("tables", {"game": "dominoes"})
    assert answer.status == 201
    shown = dict(answer.json)
    assert shown.pop("id") == str(Table.objects.get().pk)
    assert shown == {
        "game": "dominoes",
        "status": "open",
        "version": 2,
        "capacity": 4,
        "options": {"start": "rotate", "dead_row": "at_once", "target": 100, "corners": True},
        "visibility": "public",
        "code": None,
        "turn_seconds": 120,
        "hints": False,
        "host": 0,
        "seats": [
            {"seat": 0, "name": "Ann", "kind": "human", "connected": True, "stand_in": False, "left": False}
        ],
        "you": 0,
        "to_move": [],
        "deadline": None,
        "decision": None,
        "legal_moves": [],
        "view": None,
        "outcome": None,
        "rematch": None,
        "fairness": {
            "commitment": commitment(bytes(row(answer["id"]).seed)),
            "client_seeds": [],
            "server_seed": None,
        },
    }


@pytest.mark.parametrize(("game", "most"), [("pickomino", 7), ("7776", 2), ("dominoes", 4)])
def test_capacity_is_the_games_greatest_unless_given(ann: Person, game: str, most: int) -> None:
    assert ann.post("tables", {"game": game})["capacity"] == most
    assert ann.post("tables", {"game": game, "capacity": 2})["capacity"] == 2


def test_location_leads_to_the_table(ann: Person) -> None:
    answer = ann.post("tables", {"game": "7776"})
    assert answer.headers["Location"] == f"/api/v1/tables/{answer['id']}"
    assert ann.get(answer.headers["Location"]).json == answer.json


def test_the_answer_has_the_members_of_a_table(ann: Person) -> None:
    assert ann.post("tables", {"game": "7776"}).json.keys() == MEMBERS


def test_a_table_begins_with_opened_as_version_1_and_joined_as_2(ann: Person) -> None:
    table = ann.open("7776")
    assert [(event.number, event.kind) for event in events_of(table)] == [(1, "opened"), (2, "joined")]


def test_options_are_filled_in_with_their_defaults(ann: Person) -> None:
    table = ann.open("pickomino", options={"collect": "nearest"})
    assert ann.see(table)["options"] == {
        "first": "random",
        "collect": "nearest",
        "turn_over_returned": False,
        "turn_over_on_empty_bust": True,
    }


def test_options_are_what_is_played_by(ann: Person, bob: Person) -> None:
    table = begun("dominoes", [ann, bob], options={"target": 7})
    assert ann.see(table)["view"]["target"] == 7


def test_a_private_table_has_a_code_of_eight_characters_of_crockfords_base32(ann: Person) -> None:
    shown = ann.post("tables", {"game": "7776", "visibility": "private"}).json
    assert shown["visibility"] == "private"
    assert re.fullmatch(r"[0-9A-HJKMNP-TV-Z]{8}", shown["code"])


def test_codes_differ(ann: Person) -> None:
    codes = {ann.post("tables", {"game": "7776", "visibility": "private"})["code"] for _ in range(5)}
    assert len(codes) == 5


@pytest.mark.parametrize("seconds", [10, 86_400, None])
def test_turn_seconds_are_10_to_86400_or_null(ann: Person, seconds: int | None) -> None:
    assert ann.post("tables", {"game": "7776", "turn_seconds": seconds})["turn_seconds"] == seconds


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("game", "chess"), ("game", None), ("game", 7776), ("game", ["7776"]),
        ("game", "7776\x00"), ("game", ""),
        ("capacity", 1), ("capacity", 8), ("capacity", 0), ("capacity", -2), ("capacity", 10**30),
        ("capacity", "2"), ("capacity", 2.0), ("capacity", True), ("capacity", None),
        ("turn_seconds", 9), ("turn_seconds", 86_401), ("turn_seconds", "120"), ("turn_seconds", 10**30),
        ("turn_seconds", False), ("turn_seconds", 12.5),
        ("visibility", "secret"), ("visibility", None), ("visibility", 1),
        ("options", None), ("options", []), ("options", "collect"), ("options", {"colour": "red"}),
        ("options", {"collect": "all"}), ("options", {"collect": None}),
        ("options", {"turn_over_returned": 1}),
        ("options", {"\x00": 1}), ("hints", "yes"), ("host", 1), ("seats", []),
    ],
)  # fmt: skip
def test_a_field_of_the_wrong_shape_is_invalid(ann: Person, field: str, value: Any) -> None:
    answer = ann.post("tables", {"game": "pickomino", field: value})
    assert (answer.status, answer.code) == (400, "invalid")
    assert list(answer["errors"]) == [field]
    assert not Table.objects.exists()


@pytest.mark.parametrize("value", [-1, 1001, 1.5, "100", 10**30, None, True])
def test_an_option_out_of_its_range_is_named(ann: Person, value: Any) -> None:
    answer = ann.post("tables", {"game": "dominoes", "options": {"target": value}}, idempotency_key="k")
    assert answer.code == "invalid"
    assert list(answer["errors"]["options"]) == ["target"]


def test_all_that_is_wrong_is_told_at_once(ann: Person) -> None:
    wrong = {"capacity": "x", "turn_seconds": 1, "visibility": "no", "colour": 1}
    assert ann.post("tables", wrong)["errors"].keys() == {"game", *wrong}
    wrong = {"capacity": 9, "options": {"a": 1, "collect": 2}}
    errors = ann.post("tables", {"game": "pickomino", **wrong})["errors"]
    assert errors.keys() == wrong.keys()
    assert errors["options"].keys() == {"a", "collect"}


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"{", "malformed_json"), (b"", "invalid"), (b"[]", "invalid"), (b"null", "invalid"),
        (b'"7776"', "invalid"),
    ],
)  # fmt: skip
def test_a_body_that_is_no_object_is_refused(ann: Person, raw: bytes, code: str) -> None:
    answer = ann.call("POST", "tables", raw)
    assert (answer.status, answer.code) == (400, code)


def test_no_more_than_12_open_tables_a_player(ann: Person, bob: Person) -> None:
    tables = [ann.open("7776") for _ in range(11)]
    assert ann.sit(bob.open("dominoes")).status == 201
    answer = ann.post("tables", {"game": "7776"})
    assert (answer.status, answer.code) == (409, "too_many_tables")
    assert ann.delete(f"tables/{tables[0]}/seats/me").status == 204
    assert ann.post("tables", {"game": "7776"}).status == 201


def test_no_more_than_50_live_tables_a_player(ann: Person, bob: Person) -> None:
    first, *_ = put_tables(50, [ann], status="playing")
    assert ann.post("tables", {"game": "7776"}).code == "too_many_tables"
    assert ann.sit(bob.open("dominoes")).code == "too_many_tables"
    Table.objects.filter(pk=first).update(status="finished", wake_at=None)
    assert ann.post("tables", {"game": "7776"}).status == 201


def test_the_tables_that_are_over_do_not_count(ann: Person) -> None:
    for _ in range(12):
        ann.open("7776")
    assert ann.post("tables", {"game": "7776"}).code == "too_many_tables"
    Table.objects.update(status="closed", wake_at=None)
    assert ann.post("tables", {"game": "7776"}).status == 201


def test_a_refused_table_leaves_nothing(ann: Person) -> None:
    ann.post("tables", {"game": "7776", "capacity": 3}, idempotency_key="k")
    assert not Table.objects.exists()
    assert not Event.objects.exists()


def test_who_has_not_entered_opens_nothing(db: None) -> None:
    assert Person().post("tables", {"game": "7776"}).code == "not_authenticated"


def test_pain_34_a_table_keeps_the_version_of_the_rules_it_began_under(ann: Person) -> None:
    assert row(ann.open("7776")).rules_version == 1


def test_a_game_of_another_player_is_not_one_s_own(enter: Enter) -> None:
    ann, bob = enter(), enter()
    table = ann.open("7776")
    shown = bob.see(table)
    assert shown["you"] is None
    assert shown["host"] == 0


def test_all_that_is_wrong_is_said_at_once(ann: Person) -> None:
    fields = {
        "game": "dominoes",
        "options": {"x": 1, "target": -1},
        "capacity": 99,
        "turn_seconds": 1,
        "visibility": "q",
    }
    answer = ann.post("tables", fields)
    assert answer.code == "invalid"
    assert set(answer["errors"]) == {"options", "capacity", "turn_seconds", "visibility"}
    assert set(answer["errors"]["options"]) == {"x", "target"}
