"""POST /matches: a seat at an open public table that fits and whose host is there, else at a new one."""

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.utils import timezone
from time_machine import TimeMachineFixture

from games.models import Table
from games.rules.registry import GAMES
from games.sweeps import sweep_tables
from sessions.models import Player
from tests.conftest import Enter
from tests.games.situations import be_away
from tests.people import Answer, Person, seat_all
from tests.rows import all_rows

SECOND = timedelta(seconds=1)
# A host counts as there for so long after its last sign of life, which is written down this often.
SEEN, WRITTEN = timedelta(seconds=60), settings.SESSION_RENEWAL

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def clock(time_machine: TimeMachineFixture) -> TimeMachineFixture:
    """Time stands still unless it is moved."""
    time_machine.move_to(timezone.now().replace(microsecond=0), tick=False)
    return time_machine


def match(person: Person, game: str = "pickomino", key: str | None = None, **fields: Any) -> Answer:
    headers = {} if key is None else {"idempotency_key": key}
    return person.post("matches", {"game": game, **fields}, **headers)


def new(answer: Answer) -> bool:
    """Whether it led to a table of its own."""
    assert answer.status == 201, answer
    kinds = [event for event in (answer["seats"]) if event["kind"] == "human"]
    return answer["status"] == "open" and answer["you"] == 0 and len(kinds) == 1


# --- a new table


@pytest.mark.parametrize("game", GAMES)
def test_without_a_table_that_fits_a_new_one_is_opened(ann: Person, game: str) -> None:
    answer = match(ann, game)
    assert answer.status == 201
    assert (answer["game"], answer["status"], answer["visibility"]) == (game, "open", "public")
    assert (answer["you"], answer["host"]) == (0, 0)
    assert answer["turn_seconds"] == settings.TURN_SECONDS_DEFAULT


def test_it_has_the_fewest_seats_so_that_two_begin_at_once(ann: Person, bob: Person) -> None:
    assert match(ann)["capacity"] == 2
    answer = match(bob)
    assert (answer.status, answer["status"], answer["you"]) == (201, "playing", 1)


def test_or_the_capacity_and_the_options_that_were_asked_for(ann: Person) -> None:
    answer = match(ann, "dominoes", capacity=3, options={"target": 0})
    assert (answer["capacity"], answer["options"]["target"]) == (3, 0)


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"game": "chess"}, ["game"]),
        ({"game": None}, ["game"]),
        ({"capacity": 0}, ["capacity"]),
        ({"capacity": 8}, ["capacity"]),
        ({"capacity": "2"}, ["capacity"]),
        ({"options": {"target": 1}}, ["options"]),
        ({"options": []}, ["options"]),
        ({"capacity": 99, "options": {"more": 1}}, ["capacity", "options"]),
        ({"fill_with_bots_after": -1}, ["fill_with_bots_after"]),
        ({"fill_with_bots_after": 601}, ["fill_with_bots_after"]),
        ({"visibility": "private"}, ["visibility"]),
    ],
)
def test_what_can_not_be_played_is_refused(ann: Person, fields: dict[str, Any], wrong: list[str]) -> None:
    before = all_rows()
    answer = ann.post("matches", {"game": "pickomino", **fields})
    assert (answer.code, sorted(answer["errors"])) == ("invalid", wrong)
    assert all_rows() == before


def test_it_wants_a_token() -> None:
    assert match(Person()).code == "not_authenticated"


# --- a table that fits


def test_who_asks_gets_a_seat_at_a_table_that_waits(ann: Person, bob: Person) -> None:
    table = ann.open(capacity=3)
    answer = match(bob)
    assert (answer.status, answer["id"], answer["you"]) == (201, table, 1)


def test_the_one_that_has_waited_longest_goes_first(ann: Person, bob: Person, cid: Person) -> None:
    tables = [ann.open(capacity=2), bob.open(capacity=2)]
    assert match(cid)["id"] == tables[0]
    assert match(cid)["id"] == tables[1]


def test_it_must_be_the_same_game(ann: Person, bob: Person) -> None:
    ann.open("dominoes")
    assert new(match(bob, "pickomino"))


def test_it_must_have_the_capacity(ann: Person, bob: Person) -> None:
    table = ann.open(capacity=3)
    assert new(match(bob, capacity=4))
    assert match(bob, capacity=3)["id"] == table


def test_it_must_have_the_options(ann: Person, bob: Person) -> None:
    table = ann.open("dominoes", capacity=3, options={"target": 0})
    assert new(match(bob, "dominoes", options={"target": 100}))
    assert match(bob, "dominoes", options={"target": 0})["id"] == table


def test_what_is_omitted_fits_any(ann: Person, bob: Person) -> None:
    table = ann.open("dominoes", capacity=4, options={"target": 0}, turn_seconds=None)
    assert match(bob, "dominoes", options={})["id"] == table


def test_a_private_table_never_fits(ann: Person, bob: Person) -> None:
    ann.open(visibility="private")
    assert new(match(bob))


def test_one_that_plays_never_fits(ann: Person, bob: Person, cid: Person) -> None:
    seat_all("pickomino", [ann, bob])
    assert new(match(cid))


def test_one_whose_host_went_away_does_not_fit(ann: Person, bob: Person, clock: TimeMachineFixture) -> None:
    ann.open()
    be_away(ann)
    clock.shift(SEEN + SECOND)
    assert new(match(bob))


def test_one_whose_host_was_seen_within_a_minute_fits(
    ann: Person, bob: Person, clock: TimeMachineFixture
) -> None:
    table = ann.open(capacity=2)
    clock.shift(WRITTEN - SECOND)
    # Too soon to be written down.
    assert ann.get("sessions/current").status == 200
    clock.shift(SEEN)
    assert match(bob)["id"] == table


def test_it_is_the_host_who_must_be_there_not_the_others(
    ann: Person, bob: Person, cid: Person, clock: TimeMachineFixture
) -> None:
    table = ann.open(capacity=4)
    bob.sit(table)
    be_away(ann)
    clock.shift(SEEN + SECOND)
    assert bob.get("sessions/current").status == 200
    assert new(match(cid))


def test_a_stale_one_is_not_taken(ann: Person, bob: Person, clock: TimeMachineFixture) -> None:
    table = ann.open()
    clock.shift(settings.TABLE_OPEN)
    assert ann.get("sessions/current").status == 200
    # Nobody has closed it yet.
    assert new(match(bob))
    assert bob.see(table)["status"] == "closed"


def test_one_that_is_due_to_start_with_bots_is_not_taken(
    ann: Person, bob: Person, clock: TimeMachineFixture
) -> None:
    table = match(ann, fill_with_bots_after=30)["id"]
    clock.shift(30 * SECOND)
    assert new(match(bob))
    assert ann.see(table)["status"] == "playing"


def test_whom_a_host_removed_is_not_put_back(ann: Person, bob: Person) -> None:
    table = ann.open(capacity=3)
    assert match(bob)["id"] == table
    assert ann.delete(f"tables/{table}/seats/1").status == 204
    assert new(match(bob))


def test_a_table_that_can_not_be_had_does_not_hide_the_next(ann: Person, bob: Person, cid: Person) -> None:
    # All free seats of the first are kept for who played before.
    over = seat_all("7776", [ann, bob])
    assert bob.delete(f"tables/{over}/seats/me").status == 204
    kept = ann.post(f"tables/{over}/rematch")["id"]
    Table.objects.filter(pk=kept).update(kept={"somebody": 0})
    table = bob.open("7776")
    assert match(cid, "7776")["id"] == table


# --- who waits already


def test_who_waits_already_gets_the_same_table_again(ann: Person) -> None:
    first = match(ann)
    again = match(ann)
    assert (again.status, again["id"], again["you"]) == (200, first["id"], 0)
    assert again["version"] == first["version"]


def test_so_does_who_waits_at_a_table_of_its_own(ann: Person) -> None:
    table = ann.open(capacity=4)
    assert (match(ann).status, match(ann)["id"]) == (200, table)


def test_and_who_waits_though_the_host_went_away(ann: Person, bob: Person, clock: TimeMachineFixture) -> None:
    table = ann.open(capacity=3)
    bob.sit(table)
    clock.shift(SEEN + WRITTEN + SECOND)
    assert (match(bob).status, match(bob)["id"]) == (200, table)


def test_who_waits_at_one_that_does_not_fit_gets_another(ann: Person) -> None:
    tables = {ann.open(capacity=4), ann.open("7776"), ann.open(visibility="private")}
    assert match(ann, capacity=3)["id"] not in tables


def test_who_waits_at_a_stale_one_gets_another(ann: Person, clock: TimeMachineFixture) -> None:
    table = match(ann)["id"]
    clock.shift(settings.TABLE_OPEN)
    answer = match(ann)
    assert new(answer)
    assert answer["id"] != table


def test_who_plays_already_waits_no_more(ann: Person, bob: Person) -> None:
    table = match(ann)["id"]
    assert match(bob)["id"] == table
    assert new(match(ann))


# --- bots for those who do not come


def test_bots_take_the_free_seats_after_so_long(ann: Person, clock: TimeMachineFixture) -> None:
    table = match(ann, capacity=4, fill_with_bots_after=30)["id"]
    clock.shift(29 * SECOND)
    assert ann.see(table)["status"] == "open"
    clock.shift(SECOND)
    shown = ann.see(table)
    assert shown["status"] == "playing"
    assert [seat["kind"] for seat in shown["seats"]] == ["human", "bot", "bot", "bot"]


def test_nobody_needs_to_look_for_that(ann: Person, clock: TimeMachineFixture) -> None:
    table = match(ann, fill_with_bots_after=30)["id"]
    clock.shift(30 * SECOND)
    assert sweep_tables() == 1
    assert Table.objects.get(pk=table).status == Table.Status.PLAYING
    joined = [event for event in ann.events(table) if event["kind"] == "joined"]
    assert [(event["by"], event["data"]) for event in joined] == [
        ("player", {"kind": "human"}),
        ("server", {"kind": "bot"}),
    ]


def test_whoever_comes_before_that_is_no_bot(ann: Person, bob: Person, clock: TimeMachineFixture) -> None:
    table = match(ann, capacity=3, fill_with_bots_after=30)["id"]
    clock.shift(20 * SECOND)
    assert match(bob)["id"] == table
    clock.shift(10 * SECOND)
    assert [seat["kind"] for seat in ann.see(table)["seats"]] == ["human", "human", "bot"]


def test_asking_again_does_not_put_it_off(ann: Person, clock: TimeMachineFixture) -> None:
    table = match(ann, fill_with_bots_after=30)["id"]
    clock.shift(20 * SECOND)
    assert match(ann, fill_with_bots_after=30)["id"] == table
    clock.shift(10 * SECOND)
    assert ann.see(table)["status"] == "playing"


def test_one_who_waits_gets_the_game_that_begins_with_bots(ann: Person, clock: TimeMachineFixture) -> None:
    table = match(ann, fill_with_bots_after=30)["id"]
    clock.shift(30 * SECOND)
    answer = match(ann, fill_with_bots_after=30)
    assert (answer.status, answer["id"], answer["status"]) == (200, table, "playing")


def test_no_seconds_at_all_begin_with_bots_at_once(ann: Person) -> None:
    answer = match(ann, fill_with_bots_after=0)
    assert (answer.status, answer["status"]) == (201, "playing")
    assert [seat["kind"] for seat in answer["seats"]] == ["human", "bot"]


@pytest.mark.parametrize("fields", [{}, {"fill_with_bots_after": None}])
def test_without_it_no_bot_comes(ann: Person, clock: TimeMachineFixture, fields: dict[str, Any]) -> None:
    table = match(ann, **fields)["id"]
    clock.shift(settings.TABLE_OPEN - SECOND)
    assert len(ann.see(table)["seats"]) == 1


# --- limits and keys


def test_it_counts_among_the_open_tables(ann: Person, bob: Person) -> None:
    table = bob.open(capacity=4)
    for _ in range(settings.OPEN_TABLES_PER_PLAYER):
        ann.open("7776")
    before = all_rows()
    assert match(ann).code == "too_many_tables"
    assert match(ann, "dominoes").code == "too_many_tables"
    assert all_rows() == before
    assert len(bob.see(table)["seats"]) == 1


def test_who_has_as_many_as_may_be_still_gets_the_one_where_it_waits(ann: Person) -> None:
    tables = [ann.open("7776") for _ in range(settings.OPEN_TABLES_PER_PLAYER)]
    answer = match(ann, "7776")
    assert (answer.status, answer["id"]) == (200, tables[0])


def test_a_key_that_comes_again_does_nothing_twice(ann: Person, bob: Person) -> None:
    table = match(ann, key="k")["id"]
    bob.sit(table)
    again = match(ann, key="k")
    assert (again.status, again["id"], again["status"]) == (201, table, "playing")
    assert Table.objects.count() == 1


def test_a_key_that_comes_again_calls_no_bots_to_a_table_that_one_left(
    ann: Person, bob: Person, clock: TimeMachineFixture
) -> None:
    table = bob.open(capacity=3)
    assert match(ann, key="k", fill_with_bots_after=30)["id"] == table
    ann.delete(f"tables/{table}/seats/me")
    clock.shift(10 * SECOND)
    before = all_rows()["games_table"]
    again = match(ann, key="k", fill_with_bots_after=30)
    assert (again.status, again["id"], again["you"]) == (201, table, None)
    assert all_rows()["games_table"] == before


def test_a_key_of_another_request_is_refused(ann: Person) -> None:
    match(ann, key="k")
    before = all_rows()
    assert match(ann, "7776", key="k").code == "idempotency_mismatch"
    assert all_rows() == before


def test_a_key_stands_for_where_it_led_though_other_tables_were_tried(
    ann: Person, bob: Person, clock: TimeMachineFixture
) -> None:
    due = match(ann, fill_with_bots_after=30)["id"]
    clock.shift(30 * SECOND)
    first = match(bob, key="k")
    assert first["id"] != due
    assert match(bob, key="k")["id"] == first["id"]


# --- a host who is forgotten


def test_a_host_who_was_forgotten_is_nobody_s_match(ann: Person, bob: Person, enter: Enter) -> None:
    ann.open()
    assert ann.delete("sessions/current").status == 204
    assert Player.objects.count() == 1
    assert new(match(bob))
