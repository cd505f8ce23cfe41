"""Bad input: every address answers it with its documented code, changes nothing, and never fails."""

import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.conf import settings

from tests.conftest import Enter
from tests.people import Answer, Person, seat_all
from tests.rows import all_rows

pytestmark = pytest.mark.django_db


@dataclass
class World:
    """Ann, and tables at which she is host, plays, watches, or which she may not know."""

    ann: Person
    open: str
    playing: str
    watched: str
    private: str

    def post(self, address: str, body: Any, **headers: str) -> Answer:
        return self.ann.post(self.address(address), body, **headers)

    def address(self, template: str) -> str:
        return template.format(**vars(self))


@pytest.fixture
def world(enter: Enter) -> World:
    ann, bob, cid = enter("Ann"), enter("Bob"), enter("Cid")
    return World(
        ann=ann,
        open=ann.open("pickomino", capacity=3),
        playing=seat_all("7776", [ann, bob]),
        watched=seat_all("7776", [bob, cid]),
        private=bob.open("pickomino", capacity=3, visibility="private"),
    )


@pytest.fixture(autouse=True)
def nothing_changes(world: World) -> Iterator[None]:
    before = all_rows()
    yield
    assert all_rows() == before


def assert_refused(answer: Answer, code: str, about: object = None) -> None:
    status = {
        "invalid": 400,
        "malformed_json": 400,
        "bad_request": 400,
        "not_found": 404,
        "too_large": 413,
        "illegal_move": 422,
    }
    assert (answer.status, answer.code) == (status[code], code), (about, answer)


# A body that is right for each address that takes one.
BODIES: dict[str, dict[str, Any]] = {
    "sessions": {"name": "New", "secret": "correct horse"},
    "tables": {"game": "dominoes"},
    "tables/by-code": {"code": "00000000"},
    "tables/{watched}/seats": {},
    "tables/{open}/bots": {},
    "tables/{open}/start": {},
    "tables/{playing}/seats/me/return": {},
    "tables/{playing}/moves": {"move": "choose 1"},
}

each_address = pytest.mark.parametrize("address", BODIES)


# --- what is no JSON


MALFORMED = [
    b"{",
    b"}",
    b"[",
    b'{"game": "7776",}',
    b'{"game": "7776"} {}',
    b"{'game': '7776'}",
    b"{game: 1}",
    b'{"game" "7776"}',
    b'{"game": nul}',
    b'{"game": NaN}',
    b'{"game": Infinity}',
    b'{"game": -Infinity}',
    b'{"game": 1e999}',
    b'{"game": 01}',
    b'{"game": 0x10}',
    b'{"game": .5}',
    b'{"game": 1.}',
    b'{"game": "7776"}//',
    b'{"game": "\n"}',
    b'{"game": "\x00"}',
    rb'{"game": "\x41"}',
    rb'{"game": "\u12"}',
    rb'{"game": "\ud800"}',
    rb'{"game": "\udfff!"}',
    rb'{"\ud800": 1}',
    b'{"game": "\xff"}',
    b'{"game": "\xed\xa0\x80"}',
    b'{"game": "\xc0\x80"}',
    b"\x00",
    b" ",
    b"\xef\xbb\xbf{}",
    '{"game": "7776"}'.encode("utf-16"),
    b"game=7776",
    b"<game>7776</game>",
    b"[" * 60_000,
    b"[" * 30_000 + b"]" * 30_000,
    b'{"a":' * 10_000 + b"1" + b"}" * 10_000,
    b'{"game": ' + b"9" * 5_000 + b"}",
]


@each_address
def test_what_is_no_json_is_malformed(world: World, address: str) -> None:
    # Looks for a code are counted before they are read.
    most = settings.CODE_LOOKS_PER_MINUTE if address == "tables/by-code" else len(MALFORMED)
    for raw in MALFORMED[:most]:
        assert_refused(world.post(address, raw), "malformed_json", raw[:40])


# --- what is no object


ROOTS: list[object] = [None, [], [{}], "", "text", 0, 1.5, -1, 10**40, False, True]


@each_address
def test_a_body_that_is_no_object_is_invalid(world: World, address: str) -> None:
    for root in ROOTS:
        answer = world.post(address, json.dumps(root).encode())
        assert_refused(answer, "invalid", root)
        assert answer["errors"].keys() == {"body"}


# --- fields that nobody knows


UNKNOWN = ["extra", "Game", "", " ", "\x00", "__proto__", "é", "x" * 1_000, "a.b", "body"]


@each_address
def test_an_unknown_field_is_invalid(world: World, address: str) -> None:
    values: list[object] = [1, None, {}, "text"]
    for name, value in zip(UNKNOWN, itertools.cycle(values), strict=False):
        answer = world.post(address, {**BODIES[address], name: value})
        assert_refused(answer, "invalid", name)
        assert answer["errors"].keys() == {name}


@each_address
def test_all_that_is_wrong_is_told_by_field_at_once(world: World, address: str) -> None:
    wrong: dict[str, object] = {name: [] for name in BODIES[address]}
    answer = world.post(address, {**wrong, "extra": 1, "more": 2})
    assert_refused(answer, "invalid")
    assert answer["errors"].keys() == {*wrong, "extra", "more"}


# --- fields that are missing or of a wrong type


@pytest.mark.parametrize(
    ("address", "field"),
    [
        ("sessions", "name"),
        ("sessions", "secret"),
        ("tables", "game"),
        ("tables/by-code", "code"),
        ("tables/{playing}/moves", "move"),
    ],
)
def test_a_field_that_is_needed_is_missed(world: World, address: str, field: str) -> None:
    body = {name: value for name, value in BODIES[address].items() if name != field}
    answer = world.post(address, body)
    assert_refused(answer, "invalid")
    assert answer["errors"].keys() == {field}


@pytest.mark.parametrize("address", ["sessions", "tables", "tables/by-code", "tables/{playing}/moves"])
def test_an_absent_body_is_an_empty_object(world: World, address: str) -> None:
    answer = world.post(address, b"")
    assert_refused(answer, "invalid")
    assert answer["errors"].keys() == set(BODIES[address])


NO_TEXT: list[object] = [0, 1.5, True, False, [], ["a"], {}, {"a": 1}, 10**30]
NO_NUMBER: list[object] = ["2", "", 2.0, 2.5, 1e300, True, False, [], [2], {}]
CONTROL = ["\x00", "a\x00b"]

WRONG: dict[tuple[str, str], list[object]] = {
    ("sessions", "name"): [None, "", *NO_TEXT, *CONTROL],
    ("sessions", "secret"): [None, "", *NO_TEXT, *CONTROL],
    ("tables", "game"): [None, "", "chess", "7776 ", "Pickomino", *NO_TEXT, *CONTROL],
    ("tables", "capacity"): [None, -1, 0, 1, 99, 10**30, -(10**30), *NO_NUMBER],
    ("tables", "options"): [
        None,
        0,
        1.5,
        True,
        "",
        "{}",
        [],
        [{}],
        {"nonsense": 1},
        {"": 1},
        {"\x00": "\x00"},
        {"target": None},
        {"target": "100"},
        {"target": 10**30},
        {"target": -1},
        {"target": 1.5},
        {"target": [1]},
        {"target": {"target": 1}},
    ],
    ("tables", "visibility"): [None, "", "secret", "PUBLIC", "public ", *NO_TEXT, *CONTROL],
    ("tables", "turn_seconds"): [-1, 0, 9, 86_401, 10**30, *NO_NUMBER],
    ("tables/by-code", "code"): [None, "", "0" * 33, "0" * 10_000, *NO_TEXT, *CONTROL],
    ("tables/{private}/seats", "code"): ["", "0" * 33, *NO_TEXT, *CONTROL],
    ("tables/{open}/bots", "level"): [None, "", "EASY", "grandmaster", *NO_TEXT, *CONTROL],
    ("tables/{playing}/moves", "move"): [None, "", "x" * 65, "choose 1" * 1_000, *NO_TEXT, *CONTROL],
    ("tables/{playing}/moves", "version"): [None, -1, -(10**30), 10**30, 1_000, *NO_NUMBER],
}


@pytest.mark.parametrize(("address", "field"), WRONG)
def test_a_value_of_the_wrong_kind_is_invalid(world: World, address: str, field: str) -> None:
    for value in WRONG[address, field]:
        answer = world.post(address, {**BODIES.get(address, {}), field: value})
        assert_refused(answer, "invalid", value)
        assert answer["errors"].keys() == {field}, value


def test_what_was_sent_is_not_sent_back(world: World) -> None:
    for address, field in WRONG:
        answer = world.post(address, {**BODIES.get(address, {}), field: ["xyzzy"]})
        assert "xyzzy" not in json.dumps(answer.json)


# About as deep as can be read at all: what is read must be refused without falling over it later.
DEPTHS = [10, 100, 500, *range(820, 1_000, 6)]


def test_nesting_that_is_deep_is_refused_however_deep(world: World) -> None:
    for depth in DEPTHS:
        raw = b'{"game": "dominoes", "options": {"target": ' + b"[" * depth + b"]" * depth + b"}}"
        for headers in ({}, {"idempotency_key": "deep"}):
            answer = world.post("tables", raw, **headers)
            assert answer.status == 400
            assert answer.code in ("invalid", "malformed_json")


def test_nesting_in_an_unknown_field_is_refused_however_deep(world: World) -> None:
    for depth in DEPTHS:
        raw = b'{"move": "choose 1", "extra": ' + b'{"a":' * depth + b"1" + b"}" * depth + b"}"
        answer = world.post("tables/{playing}/moves", raw, idempotency_key="deep")
        assert answer.status == 400
        assert answer.code in ("invalid", "malformed_json")


def test_of_a_field_that_is_given_twice_the_last_one_counts(world: World) -> None:
    assert_refused(world.post("tables", b'{"game": "7776", "game": "chess"}'), "invalid")
    assert_refused(
        world.post("tables/{playing}/moves", b'{"move": "choose 1", "move": "roll"}'), "illegal_move"
    )


# --- too much


@each_address
def test_a_body_that_is_too_long_is_refused(world: World, address: str) -> None:
    for length in (settings.BODY_LIMIT_BYTES + 1, 2 * settings.BODY_LIMIT_BYTES, 3_000_000):
        body = json.dumps(BODIES[address]).encode()
        assert_refused(world.post(address, body.ljust(length)), "too_large", length)
        assert_refused(world.post(address, b"[" * length), "too_large", length)


def test_a_body_as_long_as_the_limit_is_read(world: World) -> None:
    body = b'{"move": "roll"}'.ljust(settings.BODY_LIMIT_BYTES)
    assert_refused(world.post("tables/{playing}/moves", body), "illegal_move")


# --- tables that are not there, or not to be known


TABLE_CALLS = [
    ("GET", "tables/{}", None),
    ("GET", "tables/{}/events", None),
    ("POST", "tables/{}/seats", {}),
    ("POST", "tables/{}/seats", {"code": "00000000"}),
    ("DELETE", "tables/{}/seats/me", None),
    ("POST", "tables/{}/seats/me/return", {}),
    ("DELETE", "tables/{}/seats/0", None),
    ("POST", "tables/{}/bots", {}),
    ("POST", "tables/{}/start", {}),
    ("POST", "tables/{}/moves", {"move": "roll"}),
    ("POST", "tables/{}/moves", {"move": "roll", "version": 10**30}),
]


@pytest.mark.parametrize(("method", "address", "body"), TABLE_CALLS)
def test_a_private_table_of_others_is_answered_as_one_that_is_not_there(
    world: World, method: str, address: str, body: object
) -> None:
    for headers in ({}, {"idempotency_key": "key"}):
        unknown = world.ann.call(method, address.format(uuid4()), body, **headers)
        foreign = world.ann.call(method, address.format(world.private), body, **headers)
        assert_refused(unknown, "not_found")
        assert_refused(foreign, "not_found")
        assert foreign.json == unknown.json


NO_TABLES = [
    "0",
    "-1",
    "null",
    "me",
    "0197",
    str(UUID(int=0)),
    str(UUID(int=2**128 - 1)),
    "{0197f0a0-0000-7000-8000-000000000000}",
    "0197f0a0-0000-7000-8000-000000000000%00",
    "0197f0a0-0000-7000-8000-000000000000%0a",
    "0197f0a0-0000-7000-8000-00000000000é",
    "%",
    "%zz",
    "%ff",
    "%2e%2e",
    "%ED%A0%80",
    "..%2fsessions",
    "' OR 1=1 --",
    "x" * 5_000,
]


@pytest.mark.parametrize(("method", "address", "body"), TABLE_CALLS)
def test_an_id_that_nobody_gave_out_is_not_found(
    world: World, method: str, address: str, body: object
) -> None:
    for table in NO_TABLES:
        answer = world.ann.call(method, f"/api/v1/{address.format(table)}", body)
        assert_refused(answer, "not_found", table)


NO_SEATS = ["7", "2", "99999999999999999999999999", "-1", "1.0", "0x1", "you", "%00", "٣", " 1"]


def test_a_seat_that_is_not_there_is_not_found(world: World) -> None:
    for seat in NO_SEATS:
        assert_refused(world.ann.delete(f"tables/{world.open}/seats/{seat}"), "not_found")


NO_GAMES = ["chess", "PICKOMINO", "7776%00", "%ff", "é", "7776 ", "..", "x" * 5_000]


def test_a_game_that_is_not_there_is_not_found(world: World) -> None:
    for slug in NO_GAMES:
        assert_refused(world.ann.get(f"/api/v1/games/{slug}"), "not_found")


NO_CODES = ["00000000", "x", "😀", "' OR 1=1 --", "0" * 32, "\u202e", "ſ" * 8, "%00"]


def test_a_code_that_nobody_gave_out_is_not_found(world: World) -> None:
    for code in NO_CODES:
        assert_refused(world.post("tables/by-code", {"code": code}), "not_found")
        assert_refused(world.post("tables/{private}/seats", {"code": code}), "not_found")


# --- queries


LOBBY_QUERIES = [
    "game=",
    "game=chess",
    "game=7776%20",
    "game=%00",
    "game=%ff",
    "status=",
    "status=OPEN",
    "mine=",
    "mine=True",
    "mine=1",
    "cursor=",
    "cursor=x",
    "cursor=%00",
    "cursor=1",
    "cursor=-1",
    "cursor=%ED%A0%80",
    "cursor=" + "x" * 5_000,
    "limit=1000",
    "Game=7776",
    "=",
    "é=1",
    "%00=1",
    "%ff=%ff",
    "game=7776&game=chess",
]


def test_a_lobby_query_that_can_not_be_meant_is_invalid(world: World) -> None:
    for query in LOBBY_QUERIES:
        assert_refused(world.ann.get(f"tables?{query}"), "invalid")


def test_a_query_of_nothing_is_none(world: World) -> None:
    for query in ("", "&", "&&", "mine=false", f"cursor={UUID(int=1)}"):
        assert world.ann.get(f"tables?{query}").status == 200, query


NO_CURSORS = [
    "",
    "-1",
    "%2B1",
    "1.0",
    "1e3",
    "x",
    "0x1",
    "null",
    "%00",
    "1%00",
    "%ff",
    "1,2",
    "[1]",
]


def test_an_event_cursor_that_is_no_version_is_invalid(world: World) -> None:
    for after in NO_CURSORS:
        assert_refused(world.ann.get(f"tables/{world.playing}/events?after={after}"), "invalid")


def test_an_event_query_with_an_unknown_field_is_invalid(world: World) -> None:
    assert_refused(world.ann.get(f"tables/{world.playing}/events?after=0&before=3"), "invalid")


@pytest.mark.parametrize("address", ["tables", "tables/{playing}/events"])
def test_a_query_of_a_thousand_fields_is_refused(world: World, address: str) -> None:
    query = "&".join(f"a{number}=1" for number in range(2_000))
    answer = world.ann.get(f"{world.address(address)}?{query}")
    assert answer.status == 400
    assert answer.code in ("bad_request", "invalid")


# --- idempotency keys


NO_KEYS = ["", " ", "x" * 65, "x" * 5_000, "é", "a\tb", "\x7f", "a\x00", "😀", "\n", " a", "a "]


@pytest.mark.parametrize(
    "address", ["tables", "tables/{watched}/seats", "tables/{open}/bots", "tables/{playing}/moves"]
)
def test_a_key_that_is_not_1_to_64_printable_characters_is_invalid(world: World, address: str) -> None:
    for key in NO_KEYS:
        answer = world.post(address, BODIES[address], idempotency_key=key)
        assert_refused(answer, "invalid", key)
        assert answer["errors"].keys() == {"Idempotency-Key"}


# --- moves


ODD_MOVES = [
    "choose 1 ",
    " choose 1",
    "choose  1",
    "choose\t1",
    "choose 1\n",
    "choose\u00a01",
    "choose\u200b 1",
    "choose 1\u202e",
    "CHOOSE 1",
    "Choose 1",
    "choose １",
    "choose ①",
    "сhoose 1",
    "choose",
    "choose 0",
    "choose 01",
    "choose 1 2",
    "choose 7",
    "choose one",
    "choose POKER",
    "choose -1",
    "choose 1; choose 2",
    "roll",
    "lay 6-4",
    "{}",
    "null",
    "😀" * 64,
    "\x01",
    "\x7f",
]


def test_a_move_is_one_of_the_legal_ones_to_the_letter(world: World) -> None:
    seen = world.ann.see(world.playing)
    for move in ODD_MOVES:
        answer = world.post("tables/{playing}/moves", {"move": move})
        assert_refused(answer, "illegal_move", move)
        assert answer["legal_moves"] == seen["legal_moves"]
        assert answer["version"] == seen["version"]


def test_a_refused_move_keeps_no_key(world: World) -> None:
    assert_refused(
        world.post("tables/{playing}/moves", {"move": "roll"}, idempotency_key="key"), "illegal_move"
    )


# --- other headers


@pytest.mark.parametrize("version", ["W/", '"', '""', "*" * 5_000, "é", "\x00", '"a", "b'])
def test_an_etag_that_nobody_gave_out_is_ignored(world: World, version: str) -> None:
    assert world.ann.get(f"tables/{world.playing}", if_none_match=version).status == 200


@pytest.mark.parametrize("accept", ["", ";", "/", "é", "*", "application/json;q=x", "\x00", "a/b," * 2_000])
def test_an_accept_header_that_can_not_be_read_is_no_fault(world: World, accept: str) -> None:
    answer = world.ann.get("tables", accept=accept)
    assert answer.status == 200 or answer.code == "not_acceptable"


@pytest.mark.parametrize(
    "kind", ["application/json; charset=é", "application/json;;", "é", "\x00", "x" * 5_000]
)
def test_a_media_type_that_can_not_be_read_is_no_fault(world: World, kind: str) -> None:
    answer = world.post("tables/{playing}/moves", {"move": "roll"}, content_type=kind)
    assert answer.code in ("illegal_move", "unsupported_media_type")
