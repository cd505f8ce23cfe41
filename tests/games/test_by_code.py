"""`POST /tables/by-code`: the private table of that code, one look as a watcher; throttled."""

from typing import Any

import pytest
from django.conf import settings

from games.codes import read_code
from tests.conftest import Enter
from tests.games.conftest import Wait
from tests.games.situations import kinds, unchanged
from tests.people import Person


@pytest.fixture
def table(ann: Person) -> str:
    return ann.open("dominoes", visibility="private")


def look(person: Person, code: Any) -> Any:
    return person.post("tables/by-code", {"code": code})


def test_the_code_shows_the_table_as_to_a_watcher(ann: Person, bob: Person, table: str) -> None:
    code = ann.see(table)["code"]
    with unchanged(table):
        answer = look(bob, code)
    assert answer.status == 200
    assert answer.json == {**ann.see(table), "you": None, "code": None}


def test_one_look_opens_no_door(ann: Person, bob: Person, table: str) -> None:
    look(bob, ann.see(table)["code"])
    assert bob.get(f"tables/{table}").code == "not_found"
    assert bob.get(f"tables/{table}/events").code == "not_found"


def test_who_sits_there_sees_its_seat(ann: Person, table: str) -> None:
    shown = ann.see(table)
    assert look(ann, shown["code"]).json == shown


def test_a_code_is_read_as_people_write_it(ann: Person, bob: Person, table: str) -> None:
    code = ann.see(table)["code"]
    for typed in (code.lower(), f"{code[:4]}-{code[4:]}", f" {code[:4]} {code[4:]} "):
        assert look(bob, typed)["id"] == table
    assert read_code("oIl0-1abc") == "01101ABC"


@pytest.mark.parametrize("code", ["00000000", "", "x", "ABCDEFGHJKMN"])
def test_an_unknown_code_is_not_found(ann: Person, code: str) -> None:
    answer = look(ann, code)
    assert answer.code == ("not_found" if code else "invalid")


def test_unknown_codes_and_unknown_tables_are_alike_in_body(ann: Person) -> None:
    missing = ann.get("tables/00000000-0000-0000-0000-000000000000")
    assert look(ann, "00000000").json == missing.json


@pytest.mark.parametrize(
    "body", [{}, {"code": None}, {"code": 12345678}, {"code": "A" * 33}, {"code": "A\x00"}]
)
def test_a_code_is_a_short_string(ann: Person, body: dict[str, Any]) -> None:
    assert ann.post("tables/by-code", body).code == "invalid"


def test_public_tables_have_no_code(ann: Person) -> None:
    ann.open("7776")
    assert look(ann, "None").code == "not_found"


def test_looks_are_throttled_by_player(enter: Enter) -> None:
    ann, bob = enter(), enter()
    for _ in range(settings.CODE_LOOKS_PER_MINUTE):
        assert look(ann, "00000000").status == 404
    answer = look(ann, "00000000")
    assert (answer.status, answer.code) == (429, "throttled")
    assert 1 <= int(answer.headers["Retry-After"]) <= 60
    assert look(bob, "00000000").status == 404


def test_pain_25_a_throttled_answer_is_a_problem_with_retry_after(ann: Person) -> None:
    for _ in range(settings.CODE_LOOKS_PER_MINUTE):
        look(ann, "00000000")
    answer = look(ann, "00000000")
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert int(answer.headers["Retry-After"]) >= 1


def test_a_look_does_the_due_work_first(wait: Wait, enter: Enter) -> None:
    ann, bob = enter(), enter()
    table = ann.open("7776", visibility="private")
    code = ann.see(table)["code"]
    wait(settings.TABLE_OPEN.total_seconds())
    assert look(bob, code)["status"] == "closed"
    assert kinds(table)[-1] == "closed"


def test_who_has_not_entered_has_no_look(ann: Person, table: str) -> None:
    assert look(Person(), ann.see(table)["code"]).code == "not_authenticated"
