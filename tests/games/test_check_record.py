"""POST /records/check and manage.py check_record: is a record true?"""

import json
import random
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.games.situations import begun, play
from tests.games.test_rematch import end
from tests.people import Answer, Person
from tests.records.tampering import TAMPERINGS, Tampering, true_record

TRUE = {"ok": True, "line": None, "problem": None, "whole": True, "rules": True, "seeds": True}


def check(record: Any, person: Person | None = None) -> Answer:
    return (person or Person()).post("records/check", record)


def test_a_record_as_it_was_got_is_true(ann: Person, bob: Person) -> None:
    table = begun("dominoes", [ann, bob])
    play([ann, bob], table, 12)
    end(table)
    answer = check(ann.get(f"tables/{table}/record").json)
    assert (answer.status, answer.json) == (200, TRUE)
    assert answer.headers["Cache-Control"] == "no-store"


def test_a_member_that_is_there_twice_is_malformed() -> None:
    raw = json.dumps(true_record("7776")).replace(
        '"format": 1', '"format": 1, "outcome": {"winners": [1]}', 1
    )
    assert '"outcome": {"winners": [1]}' in raw
    assert Person().post("records/check", raw.encode()).code == "malformed_json"


def test_no_token_is_needed_and_none_is_looked_at() -> None:
    answer = Person(token="wrong").post("records/check", true_record("7776"))
    assert answer.json == TRUE


def test_nothing_is_read_or_written_for_it() -> None:
    """It would fail without the database, which this test does not have."""
    assert check(true_record("pickomino")).json == TRUE


@pytest.mark.parametrize("tampering", TAMPERINGS[::6], ids=lambda tampering: tampering.name)
def test_what_was_tampered_with_is_found_and_named(tampering: Tampering) -> None:
    record, line = tampering.tampered()
    answer = check(record)
    assert answer.status == 200
    assert (answer["ok"], answer["line"], answer[tampering.part]) == (False, line, False)
    assert tampering.words in answer["problem"]


def test_any_object_is_answered() -> None:
    given: object
    for given in ({}, {"format": 1}, {"a": [[[{}]]]}, {"lines": [{"kind": "move"}]}):
        answer = check(given)
        assert (answer.status, answer["ok"], answer["whole"], answer["rules"]) == (200, False, False, None)


@pytest.mark.parametrize("given", [[], [{}], "record", 1, True, None])
def test_what_is_no_object_is_refused(given: object) -> None:
    raw = json.dumps(given).encode()
    assert check(raw).code == "invalid"


def test_no_bytes_make_it_fail() -> None:
    luck = random.Random("bytes")
    raw = json.dumps(true_record("7776")).encode()
    person = Person()
    for number in range(25):
        broken = bytearray(raw)
        for _ in range(luck.randint(1, 3)):
            broken[luck.randrange(len(broken))] = luck.choice(b'0{}[]",:\\x\x00\xff9-')
        person.address = f"192.0.2.{number}"
        assert check(bytes(broken), person).status in (200, 400)


def test_it_may_be_longer_than_other_bodies_but_not_without_end() -> None:
    record = true_record("7776")
    long = {**record, "note": "x" * settings.BODY_LIMIT_BYTES}
    assert check(long)["problem"].startswith("This is no record")
    too_long = {**record, "note": "x" * settings.RECORD_LIMIT_BYTES}
    answer = check(too_long)
    assert (answer.status, answer.code) == (413, "too_large")


def test_one_address_has_so_many_checked_in_a_minute() -> None:
    person = Person()
    answers = [check({}, person) for _ in range(settings.RECORD_CHECKS_PER_MINUTE + 1)]
    assert {answer.status for answer in answers[:-1]} == {200}
    assert (answers[-1].status, answers[-1].code) == (429, "throttled")
    assert int(answers[-1].headers["Retry-After"]) >= 1
    assert check({}).status == 200


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
def test_it_is_posted(method: str) -> None:
    answer = Person().call(method, "records/check")
    assert (answer.status, answer.code, answer.headers["Allow"]) == (405, "method_not_allowed", "POST")


# --- the command


def run(file: Path) -> str:
    out = StringIO()
    call_command("check_record", str(file), stdout=out)
    return out.getvalue()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "record.json"


def test_the_command_says_that_a_record_is_true(file: Path) -> None:
    file.write_text(json.dumps(true_record("dominoes"), indent=2))
    assert run(file) == "The record is whole, follows the rules, and follows its seeds.\n"


@pytest.mark.parametrize("tampering", TAMPERINGS[1::9], ids=lambda tampering: tampering.name)
def test_the_command_fails_with_the_first_line_that_goes_wrong(file: Path, tampering: Tampering) -> None:
    record, line = tampering.tampered()
    file.write_text(json.dumps(record))
    with pytest.raises(CommandError) as failed:
        run(file)
    assert tampering.words in str(failed.value)
    assert str(failed.value).startswith("line ") == (line is not None)


@pytest.mark.parametrize("raw", [b"", b"{", b"[1", b"\xff", b"NaN"])
def test_the_command_says_what_is_no_json(file: Path, raw: bytes) -> None:
    file.write_bytes(raw)
    with pytest.raises(CommandError, match="is no JSON"):
        run(file)


@pytest.mark.parametrize("raw", [b"null", b"[]", b"1", b'"text"', b"{}"])
def test_the_command_says_what_is_no_record(file: Path, raw: bytes) -> None:
    file.write_bytes(raw)
    with pytest.raises(CommandError, match="This is no record"):
        run(file)


def test_the_command_says_what_is_not_there(file: Path) -> None:
    with pytest.raises(CommandError, match="can't be read"):
        run(file)


def test_a_check_asks_no_query(db: None) -> None:
    with CaptureQueriesContext(connection) as queries:
        assert check(true_record("pickomino")).json == TRUE
    assert not queries.captured_queries
