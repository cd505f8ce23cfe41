"""POST /tables/{id}/reports: a queue for moderators, whose decision the reporter is told once."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from time_machine import TimeMachineFixture

from config.errors import Invalid, NotFound
from config.throttles import HOUR, Limit
from config.valkey import valkey
from games.models import Report
from games.reports import AlreadyDecided, decide_report, sweep_texts
from tests.conftest import Enter
from tests.documented import Documented
from tests.games.situations import begun
from tests.people import Answer, Person
from tests.rows import all_rows
from tests.staff import moderator, player_of
from tests.together import together

pytestmark = pytest.mark.django_db


def report(who: Person, table: str, seat: int = 1, reason: str = "stalling", **rest: Any) -> Answer:
    key = rest.pop("key", None)
    headers = {"idempotency_key": key} if key else {}
    return who.post(f"tables/{table}/reports", {"seat": seat, "reason": reason, **rest}, **headers)


def decide(number: str, decision: str = "upheld", reason: str = "seen it") -> Report:
    return decide_report(report_id=number, by=moderator(), decision=decision, reason=reason)  # type: ignore[arg-type]  # Django takes text


@pytest.fixture
def table(ann: Person, bob: Person) -> str:
    return begun("pickomino", [ann, bob])


def test_it_is_kept_with_what_was_said_of_which_seat_at_which_version(
    ann: Person, bob: Person, table: str
) -> None:
    version = ann.see(table)["version"]
    answer = report(ann, table, text="Waits and waits.\nOn purpose.")
    assert answer.status == 201
    kept = Report.objects.get()
    assert answer.json == {
        "id": str(kept.pk),
        "table": table,
        "seat": 1,
        "version": version,
        "reason": "stalling",
        "created_at": answer["created_at"],
        "decision": None,
        "decided_at": None,
    }
    assert kept.text == "Waits and waits.\nOn purpose."
    assert (kept.reporter, kept.player) == (player_of(ann), player_of(bob))


def test_the_table_and_who_is_reported_notice_nothing(ann: Person, bob: Person, table: str) -> None:
    before = bob.get(f"tables/{table}"), bob.events(table)
    report(ann, table)
    after = bob.get(f"tables/{table}"), bob.events(table)
    assert before[0].json == after[0].json
    assert before[0].headers["ETag"] == after[0].headers["ETag"]
    assert before[1] == after[1]
    assert bob.get("sessions/current")["reports"] == []


# --- who, and whom


def test_watchers_of_a_public_table_may_too(table: str, cid: Person, bob: Person) -> None:
    assert report(cid, table).status == 201
    assert Report.objects.get().player == player_of(bob)


def test_a_private_table_is_reported_by_who_sits_there_or_has_left_the_game(enter: Enter) -> None:
    ann, bob, cid, stranger = enter(), enter(), enter(), enter()
    table = ann.open(capacity=3, visibility="private")
    for person in (bob, cid):
        assert person.sit(table, code=ann.see(table)["code"]).status == 201
    assert report(stranger, table).code == "not_found"
    assert report(ann, table).status == 201
    assert bob.delete(f"tables/{table}/seats/me").status == 204
    assert bob.get(f"tables/{table}").code == "not_found"
    assert report(bob, table, 2).status == 201
    assert report(bob, "00000000-0000-7000-8000-000000000000").code == "not_found"


def test_after_the_end_too_and_who_has_left_is_known_while_it_is_here(
    ann: Person, bob: Person, table: str
) -> None:
    assert bob.delete(f"tables/{table}/seats/me").status == 204
    assert ann.see(table)["status"] == "finished"
    assert report(ann, table).status == 201
    assert Report.objects.get().player == player_of(bob)
    bob.delete("sessions/current")
    assert Report.objects.get().player is None


def test_a_seat_whose_player_is_forgotten_can_be_reported(ann: Person, bob: Person, table: str) -> None:
    bob.delete("sessions/current")
    assert report(ann, table).status == 201
    assert Report.objects.get().player is None


def test_before_the_start_too_and_its_seats_are_others_after_it(
    ann: Person, bob: Person, cid: Person
) -> None:
    table = ann.open(capacity=3)
    for person in (bob, cid):
        person.sit(table)
        if person is bob:
            before = report(ann, table, 1)
    assert ann.see(table)["status"] == "playing"
    assert before.status == report(ann, table, 1).status == 201
    assert Report.objects.count() == 2


@pytest.mark.parametrize("seat", [0, 2, 5, 99])
def test_neither_ones_own_seat_nor_an_empty_one_nor_a_bot(ann: Person, bob: Person, seat: int) -> None:
    table = ann.open(capacity=4)
    bob.sit(table)
    ann.post(f"tables/{table}/bots", {})
    answer = report(ann, table, seat)
    assert (answer.status, answer.code) == (400, "invalid")
    assert answer["errors"].keys() == {"seat"}
    assert not Report.objects.exists()


def test_nor_the_seat_that_one_has_left(ann: Person, bob: Person, cid: Person) -> None:
    table = begun("pickomino", [ann, bob, cid])
    bob.delete(f"tables/{table}/seats/me")
    assert report(bob, table, 1)["errors"].keys() == {"seat"}
    assert report(bob, table, 0).status == 201


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ({}, {"seat", "reason"}),
        ({"seat": 1, "reason": "ugly"}, {"reason"}),
        ({"seat": "1", "reason": "name"}, {"seat"}),
        ({"seat": -1, "reason": "name"}, {"seat"}),
        ({"seat": 1, "reason": "name", "text": "x" * 1001}, {"text"}),
        ({"seat": 1, "reason": "name", "text": "a\u0000b"}, {"text"}),
        ({"seat": 1, "reason": "name", "text": None, "by": "me"}, {"text", "by"}),
    ],
)
def test_a_body_of_another_shape_is_refused(ann: Person, table: str, body: Any, wrong: set[str]) -> None:
    answer = ann.post(f"tables/{table}/reports", body)
    assert answer.code == "invalid"
    assert answer["errors"].keys() == wrong
    assert Person().post(f"tables/{table}/reports", body).code == "not_authenticated"


@pytest.mark.parametrize("text", ["", "😀" * 1000])
def test_a_text_may_be_empty_or_long(ann: Person, table: str, text: str) -> None:
    assert report(ann, table, text=text).status == 201
    assert Report.objects.get().text == text


# --- not twice, and not too often


def test_while_it_is_open_the_same_seat_is_reported_once(ann: Person, cid: Person, table: str) -> None:
    first = report(ann, table, text="one")
    again = report(ann, table, reason="cheating", text="two")
    assert (again.status, again.json) == (200, first.json)
    assert report(cid, table).status == 201
    decide(first["id"])
    fresh = report(ann, table)
    assert fresh.status == 201
    assert fresh["id"] != first["id"]


def test_a_key_makes_one_and_answers_with_it_as_it_is_now(ann: Person, table: str) -> None:
    first = report(ann, table, key="k")
    assert report(ann, table, key="k").json == first.json
    decide(first["id"], "dismissed")
    later = report(ann, table)
    again = report(ann, table, key="k")
    assert (again.status, again["id"], again["decision"]) == (201, first["id"], "dismissed")
    assert later["id"] != first["id"]
    assert report(ann, table, key="k", text="more").code == "idempotency_mismatch"
    assert Report.objects.count() == 2


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("keys", [[None] * 4, ["k"] * 4])
def test_at_the_same_instant_too(enter: Enter, keys: list[str | None]) -> None:
    ann, bob = enter(), enter()
    table = begun("pickomino", [ann, bob])
    answers = together(*(partial(report, ann, table, key=key) for key in keys))
    assert {answer["id"] for answer in answers} == {str(Report.objects.get().pk)}
    assert {answer.status for answer in answers} <= {200, 201}


def limit(monkeypatch: pytest.MonkeyPatch, player: int, address: int) -> None:
    monkeypatch.setattr("games.reports.REPORTS", Limit("test-report", player, HOUR))
    monkeypatch.setattr("games.reports.REPORTS_FROM_ADDRESS", Limit("test-report-address", address, HOUR))


def test_more_than_so_many_an_hour_are_refused_and_repetitions_are_not_counted(
    ann: Person, bob: Person, cid: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = [begun("pickomino", [ann, bob]) for _ in range(3)]
    limit(monkeypatch, player=2, address=100)
    for table in tables[:2]:
        assert report(ann, table, key=f"of {table}").status == 201
        assert report(ann, table).status == 200
    refused = report(ann, tables[2])
    assert (refused.status, refused.code) == (429, "throttled")
    assert int(refused.headers["Retry-After"]) > 0
    assert report(ann, tables[0], key=f"of {tables[0]}").status == 201
    assert report(cid, tables[2]).status == 201


def test_nor_more_from_one_address_under_whatever_name(
    ann: Person, bob: Person, enter: Enter, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = begun("pickomino", [ann, bob])
    crowd = [enter() for _ in range(3)]
    for person in crowd:
        person.address = crowd[0].address
    limit(monkeypatch, player=100, address=2)
    assert [report(person, table).status for person in crowd] == [201, 201, 429]
    assert Report.objects.count() == 2


# --- names


def test_the_names_of_who_plays_or_played_are_not_kept_in_the_text(enter: Enter) -> None:
    ann, bob, cid = enter("Ann"), enter("Bob B"), enter("C++")
    table = begun("pickomino", [ann, bob, cid])
    cid.delete(f"tables/{table}/seats/me")
    report(ann, table, text="ann says: BOB  B, and c++, but no Anna, no Bobby.")
    assert Report.objects.get().text == "[seat 0] says: [seat 1], and [seat 2], but no Anna, no Bobby."
    watcher = enter("Wat")
    report(watcher, table, text="Wat saw it")
    assert Report.objects.latest("pk").text == "[reporter] saw it"


def test_after_logging_out_nothing_of_either_is_left_but_what_happened(ann: Person, bob: Person) -> None:
    table = begun("pickomino", [ann, bob])
    pks = [player_of(person).pk for person in (ann, bob)]
    number = report(ann, table, text="Bob and Ann")["id"]
    decide(number, reason="Bob did, Ann did not")
    ann.delete("sessions/current")
    bob.delete("sessions/current")
    kept = Report.objects.get()
    assert (kept.reporter, kept.player) == (None, None)
    assert (kept.text, kept.decided_because) == ("[seat 1] and [seat 0]", "[seat 1] did, [reporter] did not")
    rows = str(all_rows())
    assert not [pk for pk in pks if str(pk) in rows]


# --- decisions


def test_the_next_look_at_the_session_tells_the_decision_and_no_later_one(
    ann: Person, bob: Person, table: str
) -> None:
    number = report(ann, table)["id"]
    assert ann.get("sessions/current")["reports"] == []
    decided = decide(number, "dismissed")
    assert decided.decided_by == moderator()
    assert ann.call("HEAD", "sessions/current").status == 200
    assert bob.get("sessions/current")["reports"] == []
    (told,) = ann.get("sessions/current")["reports"]
    assert (told["id"], told["seat"], told["decision"]) == (number, 1, "dismissed")
    assert told["decided_at"] is not None
    assert "seen it" not in str(told)
    assert ann.get("sessions/current")["reports"] == []


@pytest.mark.django_db(transaction=True)
def test_of_two_looks_at_the_same_instant_one_tells_it(enter: Enter) -> None:
    ann, bob = enter(), enter()
    decide(report(ann, begun("pickomino", [ann, bob]))["id"])
    answers = together(*[partial(ann.get, "sessions/current")] * 4)
    assert sum(len(answer["reports"]) for answer in answers) == 1


def test_it_is_decided_once_and_for_a_reason(ann: Person, table: str) -> None:
    number = report(ann, table)["id"]
    for wrong in ({"reason": " "}, {"reason": "x" * 501}, {"decision": "maybe"}):
        with pytest.raises(Invalid):
            decide(number, **wrong)
    decide(number)
    with pytest.raises(AlreadyDecided):
        decide(number, "dismissed")
    assert Report.objects.get().decision == "upheld"
    with pytest.raises(NotFound):
        decide("00000000-0000-7000-8000-000000000000")


def test_texts_are_deleted_after_their_time_in_batches_and_nothing_else(
    ann: Person, bob: Person, cid: Person, time_machine: TimeMachineFixture
) -> None:
    table = begun("pickomino", [ann, bob])
    report(ann, table, text="old")
    report(cid, table, text="old too")
    time_machine.move_to(timezone.now() + settings.REPORT_TEXT_KEPT - timedelta(minutes=1), tick=False)
    fresh = Report.objects.get(reporter=player_of(ann))
    fresh.pk, fresh.decided_at = "01998e3c-0000-7000-8000-000000000000", timezone.now()
    fresh.created_at, fresh.text = timezone.now(), "new"
    fresh.save(force_insert=True)
    assert sweep_texts() == 0
    time_machine.shift(timedelta(minutes=2))
    assert sweep_texts(batch=1) == 2
    assert sweep_texts() == 0
    assert sorted(Report.objects.values_list("text", flat=True), key=str) == [None, None, "new"]


# --- what it costs, and the document


def test_it_costs_a_read_a_look_a_row_and_its_key(ann: Person, bob: Person, table: str) -> None:
    def cost(act: Callable[[], Answer]) -> int:
        with CaptureQueriesContext(connection) as queries:
            act()
        return len([query for query in queries if "SAVEPOINT" not in query["sql"]])

    assert cost(lambda: report(ann, table, key="k")) == 5
    assert cost(lambda: report(ann, table)) == 2
    assert cost(lambda: report(ann, table, key="k")) == 3
    assert cost(lambda: ann.get("sessions/current")) == cost(lambda: bob.get("sessions/current"))


def test_every_answer_is_as_documented(db: None) -> None:
    ann, bob = Documented("Reader one"), Documented("Reader two")
    assert ann.enter().status == bob.enter().status == 201
    table = begun("7776", [ann, bob])
    number = report(ann, table)["id"]
    assert [report(ann, table).status, report(ann, table, 0).status] == [200, 400]
    decide(number)
    assert len(ann.get("sessions/current")["reports"]) == 1


def test_without_valkey_reports_get_through(ann: Person, table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(valkey, "_resting_until", float("inf"))
    assert report(ann, table).status == 201
