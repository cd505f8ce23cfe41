"""GET /sessions/current: who I am, until when, and where I sit."""

from datetime import datetime

from django.conf import settings
from django.utils import timezone
from time_machine import TimeMachineFixture

from tests.people import Person, seat_all


def test_it_shows_the_player_and_its_tables_and_no_token(ann: Person) -> None:
    table = ann.open()
    answer = ann.get("sessions/current")
    assert answer.status == 200
    assert answer.json.keys() == {"player", "expires_at", "tables", "reports"}
    assert answer["player"].keys() == {"id", "name", "bot"}
    assert answer["player"]["name"] == "Ann"
    assert [shown["id"] for shown in answer["tables"]] == [table]
    assert answer["reports"] == []
    assert str(ann.token) not in str(answer.json)


def test_it_is_what_entering_answered(ann: Person) -> None:
    ann.open()
    entered = Person("Ann").enter().json
    del entered["token"]
    assert ann.get("sessions/current").json == {**entered, "reports": []}


def test_each_table_is_a_summary(ann: Person) -> None:
    ann.open("dominoes", visibility="private")
    (summary,) = ann.get("sessions/current")["tables"]
    assert summary.keys() == {
        "id",
        "game",
        "status",
        "capacity",
        "options",
        "visibility",
        "turn_seconds",
        "hints",
        "seats",
        "created_at",
        "you",
        "your_turn",
    }


def test_it_shows_the_newest_table_first_and_none_that_is_over(ann: Person, bob: Person) -> None:
    over = seat_all("pickomino", [ann, bob])
    assert bob.delete(f"tables/{over}/seats/me").status == 204
    older, newer = ann.open(), ann.open()
    assert [shown["id"] for shown in ann.get("sessions/current")["tables"]] == [newer, older]


def test_it_shows_no_table_of_others(ann: Person, bob: Person) -> None:
    bob.open()
    assert ann.get("sessions/current")["tables"] == []


def test_asking_renews_the_session(ann: Person, time_machine: TimeMachineFixture) -> None:
    time_machine.move_to(timezone.now() + settings.SESSION_IDLE / 2, tick=False)
    shown = ann.get("sessions/current")["expires_at"]
    assert datetime.fromisoformat(shown) == timezone.now() + settings.SESSION_IDLE


def test_the_answer_is_never_stored_by_what_is_in_between(ann: Person) -> None:
    assert ann.get("sessions/current").headers["Cache-Control"] == "no-store"


def test_nobody_is_shown_without_a_token(db: None) -> None:
    answer = Person().get("sessions/current")
    assert answer.status == 401
    assert answer.code == "not_authenticated"
    assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_a_head_request_answers_without_a_body(ann: Person) -> None:
    answer = ann.call("HEAD", "sessions/current")
    assert (answer.status, answer.json) == (200, None)
