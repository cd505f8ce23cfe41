"""POST /tables/{id}/rematch: the same people again, on seats that are kept for them for two minutes."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.conf import settings
from django.utils import timezone
from time_machine import TimeMachineFixture

from games import course
from games.lock import lock_table
from games.models import Table
from games.rules.game import Reason
from tests.conftest import Enter
from tests.games.test_play import play_out
from tests.people import Answer, Person, seat_all
from tests.rows import all_rows

KEPT = timedelta(seconds=120)
SECOND = timedelta(seconds=1)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def clock(time_machine: TimeMachineFixture) -> TimeMachineFixture:
    """Time stands still unless it is moved."""
    time_machine.move_to(timezone.now().replace(microsecond=0), tick=False)
    return time_machine


def rematch(person: Person, table: str, **headers: str) -> Answer:
    return person.post(f"tables/{table}/rematch", **headers)


def end(table: str, reason: Reason = "voided") -> str:
    """The same table, which is over now."""
    with lock_table(UUID(table)) as ledger:
        course.end(ledger, reason)
    return table


def over(*people: Person, game: str = "pickomino", **fields: Any) -> str:
    """A table that is over, at which these people sit in this order."""
    return end(seat_all(game, list(people), **fields))


def seats(shown: Any) -> list[tuple[int, str | None]]:
    return [(seat["seat"], seat["name"]) for seat in shown["seats"]]


# --- when, and for whom


def test_a_game_that_goes_on_has_no_rematch(ann: Person, bob: Person) -> None:
    table = seat_all("7776", [ann, bob])
    assert rematch(ann, table).code == "not_finished"
    assert rematch(ann, table).status == 409


def test_neither_has_a_table_that_is_still_open(ann: Person) -> None:
    assert rematch(ann, ann.open()).code == "not_finished"


def test_neither_has_one_that_closed_before_it_began(ann: Person, clock: TimeMachineFixture) -> None:
    table = ann.open()
    clock.shift(settings.TABLE_OPEN)
    assert ann.see(table)["status"] == "closed"
    assert rematch(ann, table).code == "not_finished"


def test_only_who_sat_there_may_ask(ann: Person, bob: Person, cid: Person) -> None:
    answer = rematch(cid, over(ann, bob))
    assert (answer.status, answer.code) == (403, "not_seated")


def test_nobody_else_learns_whether_a_private_table_is_there(ann: Person, bob: Person, cid: Person) -> None:
    table = ann.open(capacity=2, visibility="private")
    bob.sit(table, code=ann.see(table)["code"])
    assert rematch(cid, end(table)).code == "not_found"


def test_whether_one_sits_there_is_asked_before_whether_it_is_over(
    ann: Person, bob: Person, cid: Person
) -> None:
    assert rematch(cid, seat_all("7776", [ann, bob])).code == "not_seated"


def test_a_refused_rematch_changes_nothing(ann: Person, bob: Person, cid: Person) -> None:
    playing, finished = seat_all("7776", [ann, bob]), over(ann, bob)
    before = all_rows()
    assert rematch(ann, playing).status == 409
    assert rematch(cid, finished).status == 403
    assert rematch(ann, finished, idempotency_key="x" * 65).status == 400
    assert ann.post(f"tables/{finished}/rematch", {"more": 1}).status == 400
    assert all_rows() == before


def test_who_left_during_the_game_may_not_ask(ann: Person, bob: Person, cid: Person) -> None:
    table = seat_all("pickomino", [ann, bob, cid])
    cid.delete(f"tables/{table}/seats/me")
    assert rematch(cid, end(table)).code == "not_seated"


@pytest.mark.parametrize("reason", ["abandoned", "voided"])
def test_a_game_that_ended_otherwise_can_be_played_again_too(
    ann: Person, bob: Person, reason: Reason
) -> None:
    table = end(seat_all("7776", [ann, bob]), reason)
    assert rematch(bob, table).status == 201


# --- the table that the first call opens


def test_who_was_second_is_first(ann: Person, bob: Person, cid: Person) -> None:
    table = over(ann, bob, cid)
    again = rematch(ann, table)["id"]
    for person in (cid, bob):
        assert rematch(person, table).status == 201
    assert seats(ann.see(again)) == [(0, "Bob"), (1, "Cid"), (2, "Ann")]


def test_the_first_who_asks_is_the_host_on_its_turned_seat(ann: Person, bob: Person, cid: Person) -> None:
    answer = rematch(cid, over(ann, bob, cid))
    assert answer.status == 201
    assert (answer["you"], answer["host"], answer["status"]) == (1, 1, "open")
    assert seats(answer) == [(1, "Cid")]
    kinds = [(event["kind"], event["seat"]) for event in cid.events(answer["id"])]
    assert kinds == [("opened", None), ("joined", 1)]


def test_it_is_like_the_table_before(ann: Person, bob: Person) -> None:
    table = seat_all("dominoes", [ann, bob], options={"target": 0}, turn_seconds=77)
    before = ann.see(table)
    again = rematch(ann, end(table))
    for member in ("game", "options", "capacity", "visibility", "turn_seconds"):
        assert again[member] == before[member], member
    assert again["options"]["target"] == 0


def test_a_table_without_a_clock_has_none_again(ann: Person, bob: Person) -> None:
    assert rematch(ann, over(ann, bob, turn_seconds=None))["turn_seconds"] is None


def test_it_has_the_same_capacity_though_not_every_seat_was_taken(ann: Person, bob: Person) -> None:
    table = ann.open(capacity=4)
    bob.sit(table)
    ann.post(f"tables/{table}/start")
    again = rematch(ann, end(table))
    assert (again["capacity"], again["you"]) == (4, 1)
    shown = rematch(bob, table)
    assert (shown["you"], shown["status"]) == (0, "open")
    assert ann.post(f"tables/{again['id']}/start").status == 200


def test_the_bots_come_along_on_their_turned_seats(ann: Person, bob: Person) -> None:
    table = ann.open(capacity=3)
    ann.post(f"tables/{table}/bots", {"level": "easy"})
    bob.sit(table)
    again = rematch(bob, end(table))
    assert [(seat["seat"], seat["kind"], seat.get("level")) for seat in again["seats"]] == [
        (0, "bot", "easy"),
        (1, "human", None),
    ]


def test_with_nobody_but_bots_besides_it_begins_at_once(ann: Person) -> None:
    table = ann.open(capacity=2)
    ann.post(f"tables/{table}/bots")
    again = rematch(ann, end(table))
    assert (again["status"], again["you"]) == ("playing", 1)


def test_it_begins_when_all_are_back(ann: Person, bob: Person) -> None:
    table = over(ann, bob)
    assert rematch(ann, table)["status"] == "open"
    shown = rematch(bob, table)
    assert (shown["status"], shown["you"]) == ("playing", 0)


def test_the_same_people_play_a_whole_game_twice_over(ann: Person, bob: Person) -> None:
    table = seat_all("dominoes", [ann, bob], options={"target": 0})
    play_out([ann, bob], table)
    assert ann.see(table)["status"] == "finished"
    again = rematch(ann, table)["id"]
    assert rematch(bob, table).status == 201
    play_out([bob, ann], again)
    third = rematch(ann, again)
    assert third.status == 201
    assert third["id"] not in (table, again)
    assert third["you"] == 0


# --- what the old table shows


def test_the_old_table_shows_the_new_one(ann: Person, bob: Person) -> None:
    table = over(ann, bob)
    assert ann.see(table)["rematch"] is None
    again = rematch(ann, table)["id"]
    assert bob.see(table)["rematch"] == again


def test_an_event_tells_it(ann: Person, bob: Person) -> None:
    table = over(ann, bob)
    version = ann.see(table)["version"]
    again = rematch(ann, table)["id"]
    rematch(bob, table)
    [event] = bob.events(table, version)
    assert (event["kind"], event["version"]) == ("rematch", version + 1)
    assert (event["seat"], event["by"], event["data"]) == (None, "player", {"table": again})


# --- the others


def test_calls_of_the_others_seat_them_where_they_belong(ann: Person, bob: Person, cid: Person) -> None:
    table = over(ann, bob, cid)
    again = rematch(ann, table)["id"]
    answer = rematch(cid, table)
    assert (answer.status, answer["id"], answer["you"]) == (201, again, 1)
    answer = rematch(bob, table)
    assert (answer.status, answer["id"], answer["you"]) == (201, again, 0)


def test_who_is_back_already_gets_the_same_seat(ann: Person, bob: Person, cid: Person) -> None:
    table = over(ann, bob, cid)
    first = rematch(ann, table)
    answer = rematch(ann, table)
    assert (answer.status, answer["id"], answer["you"]) == (200, first["id"], first["you"])
    assert answer["version"] == first["version"]


def test_sitting_down_at_the_new_table_itself_gives_the_kept_seat_too(ann: Person, bob: Person) -> None:
    again = rematch(ann, over(ann, bob))["id"]
    assert bob.sit(again)["you"] == 0


def test_a_private_table_lets_its_people_in_without_the_code(ann: Person, bob: Person, cid: Person) -> None:
    table = ann.open(capacity=2, visibility="private")
    bob.sit(table, code=ann.see(table)["code"])
    again = rematch(ann, end(table))
    assert again["visibility"] == "private"
    assert again["code"] not in (None, ann.see(table)["code"])
    assert cid.sit(again["id"]).code == "not_found"
    assert rematch(bob, table).status == 201


def test_a_private_one_can_be_looked_at_by_whom_a_seat_is_kept_for_so_that_the_commitment_comes_first(
    ann: Person, bob: Person, cid: Person
) -> None:
    table = ann.open(capacity=2, visibility="private")
    bob.sit(table, code=ann.see(table)["code"])
    again = rematch(ann, end(table))["id"]
    shown = bob.see(again)
    assert (shown["you"], shown["code"]) == (None, None)
    assert shown["fairness"]["commitment"]
    assert cid.get(f"tables/{again}").code == "not_found"


def test_while_only_kept_seats_are_free_others_find_it_full(ann: Person, bob: Person, cid: Person) -> None:
    again = rematch(ann, over(ann, bob))["id"]
    assert cid.sit(again).code == "table_full"
    assert ann.post(f"tables/{again}/bots").code == "table_full"
    assert cid.post("matches", {"game": "pickomino"})["id"] != again


def test_others_get_the_seats_that_are_kept_for_nobody(
    ann: Person, bob: Person, cid: Person, enter: Enter
) -> None:
    table = ann.open(capacity=3)
    bob.sit(table)
    ann.post(f"tables/{table}/start")
    again = rematch(ann, end(table))["id"]
    assert cid.sit(again)["you"] == 2
    assert enter().sit(again).code == "table_full"
    assert rematch(bob, table)["you"] == 0


def test_for_who_left_no_seat_is_kept(ann: Person, bob: Person, cid: Person, enter: Enter) -> None:
    table = seat_all("pickomino", [ann, bob, cid])
    bob.delete(f"tables/{table}/seats/me")
    again = rematch(ann, end(table))["id"]
    assert enter().sit(again)["you"] == 0
    assert bob.sit(again).code == "table_full"


def test_until_two_minutes_are_over(ann: Person, bob: Person, cid: Person, clock: TimeMachineFixture) -> None:
    again = rematch(ann, over(ann, bob))["id"]
    clock.shift(KEPT - SECOND)
    assert cid.sit(again).code == "table_full"
    clock.shift(SECOND)
    assert cid.sit(again)["you"] == 0


def test_after_that_its_people_get_what_is_left(
    ann: Person, bob: Person, cid: Person, clock: TimeMachineFixture
) -> None:
    table = over(ann, bob, cid)
    again = rematch(ann, table)["id"]
    clock.shift(KEPT)
    stranger = Person("Stranger")
    stranger.enter()
    assert stranger.sit(again)["you"] == 0
    assert rematch(bob, table)["you"] == 1
    assert rematch(cid, table).code == "not_open"


def test_who_does_not_come_keeps_nobody_from_starting(ann: Person, bob: Person, cid: Person) -> None:
    table = over(ann, bob, cid)
    again = rematch(ann, table)["id"]
    rematch(bob, table)
    assert ann.post(f"tables/{again}/start").status == 200
    assert rematch(cid, table).code == "not_open"
    assert seats(ann.see(again)) == [(0, "Bob"), (1, "Ann")]


def test_who_stands_up_from_the_new_table_finds_the_seat_still_kept(
    ann: Person, bob: Person, cid: Person
) -> None:
    table = over(ann, bob, cid)
    again = rematch(ann, table)["id"]
    rematch(bob, table)
    bob.delete(f"tables/{again}/seats/me")
    assert Person("Eve").enter().status == 201
    assert rematch(bob, table)["you"] == 0


def test_whom_the_host_removed_from_it_does_not_come_back(ann: Person, bob: Person, cid: Person) -> None:
    table = over(ann, bob, cid)
    again = rematch(ann, table)["id"]
    rematch(bob, table)
    assert ann.delete(f"tables/{again}/seats/0").status == 204
    assert rematch(bob, table).code == "removed"


# --- a rematch that came to nothing


def test_one_that_was_left_before_it_began_is_opened_anew(ann: Person, bob: Person) -> None:
    table = over(ann, bob)
    first = rematch(ann, table)["id"]
    ann.delete(f"tables/{first}/seats/me")
    second = rematch(bob, table)
    assert second.status == 201
    assert second["id"] != first
    assert ann.see(table)["rematch"] == second["id"]
    assert rematch(ann, table)["id"] == second["id"]


def test_so_is_one_to_which_nobody_came(ann: Person, bob: Person, clock: TimeMachineFixture) -> None:
    table = over(ann, bob)
    first = rematch(ann, table)["id"]
    # Nothing has looked at it since its time was over.
    clock.shift(settings.TABLE_OPEN)
    answers = [rematch(ann, table), rematch(bob, table)]
    assert [answer.status for answer in answers] == [201, 201]
    assert answers[0]["id"] == answers[1]["id"] != first
    assert Table.objects.get(pk=first).status == Table.Status.CLOSED


# --- limits and keys


def test_it_counts_among_the_open_tables(ann: Person, bob: Person) -> None:
    table = over(ann, bob)
    for _ in range(settings.OPEN_TABLES_PER_PLAYER):
        ann.open()
    before = all_rows()
    assert rematch(ann, table).code == "too_many_tables"
    assert all_rows() == before
    assert rematch(bob, table).status == 201
    assert rematch(ann, table).code == "too_many_tables"


def test_a_key_that_comes_again_opens_nothing_twice(ann: Person, bob: Person) -> None:
    table = over(ann, bob)
    first = rematch(ann, table, idempotency_key="k")
    again = rematch(ann, table, idempotency_key="k")
    assert (first.status, again.status) == (201, 201)
    assert again.json == first.json


def test_a_key_of_one_who_follows_seats_nobody_twice(ann: Person, bob: Person, cid: Person) -> None:
    table = over(ann, bob, cid)
    rematch(ann, table)
    first = rematch(bob, table, idempotency_key="k")
    bob.delete(f"tables/{first['id']}/seats/me")
    again = rematch(bob, table, idempotency_key="k")
    assert (again.status, again["id"], again["you"]) == (201, first["id"], None)


def test_a_key_stands_for_the_table_that_it_made(ann: Person, bob: Person) -> None:
    table = over(ann, bob)
    first = rematch(ann, table, idempotency_key="k")["id"]
    ann.delete(f"tables/{first}/seats/me")
    second = rematch(bob, table)["id"]
    again = rematch(ann, table, idempotency_key="k")
    assert (again.status, again["id"], again["status"]) == (201, first, "closed")
    assert seats(bob.see(second)) == [(0, "Bob")]


def test_a_key_of_another_request_is_refused_before_the_state_is_looked_at(ann: Person, bob: Person) -> None:
    playing, finished = seat_all("7776", [ann, bob]), over(ann, bob)
    rematch(ann, finished, idempotency_key="k")
    answer = rematch(ann, playing, idempotency_key="k")
    assert (answer.status, answer.code) == (422, "idempotency_mismatch")


def test_a_refused_call_does_not_use_up_its_key(ann: Person, bob: Person) -> None:
    table = seat_all("7776", [ann, bob])
    assert rematch(ann, table, idempotency_key="k").status == 409
    end(table)
    assert rematch(ann, table, idempotency_key="k").status == 201
