"""Idling: a session that nobody uses ends, by the sweep or by the first request that meets it."""

import logging
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings
from time_machine import TimeMachineFixture

from games.sweeps import sweep_tables
from sessions.models import Player, Sweep, Token
from sessions.services import sweep_players
from sessions.tasks import sweep_players as sweep_task
from tests.conftest import Enter
from tests.people import Person, on_move, seat_all
from tests.rows import all_rows
from tests.together import together

IDLE = timedelta(seconds=100)
RENEWAL = IDLE / 10
SECOND = timedelta(seconds=1)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def clock(settings: Settings, time_machine: TimeMachineFixture) -> TimeMachineFixture:
    """Sessions last 100 s, and time stands still unless it is moved."""
    settings.SESSION_IDLE, settings.SESSION_RENEWAL = IDLE, RENEWAL
    time_machine.move_to(timezone.now().replace(microsecond=0), tick=False)
    return time_machine


def names() -> list[str]:
    return sorted(Player.objects.values_list("name", flat=True))


def lives_until(person: Person) -> datetime:
    return Player.objects.get(name=person.name).expires_at


def statements(verb: str, captured: CaptureQueriesContext) -> list[str]:
    return [query["sql"] for query in captured.captured_queries if query["sql"].startswith(verb)]


def run(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


# --- the sweep


def test_a_session_that_idles_is_forgotten_by_the_sweep(ann: Person, clock: TimeMachineFixture) -> None:
    clock.shift(IDLE)
    assert sweep_players() == 1
    assert names() == []
    assert ann.get("sessions/current").code == "not_authenticated"
    assert Person("Ann", secret="another one").enter().status == 201


def test_not_a_second_before_its_time(ann: Person, clock: TimeMachineFixture) -> None:
    clock.shift(IDLE - SECOND)
    assert sweep_players() == 0
    assert ann.get("sessions/current").status == 200


def test_celery_runs_the_same_sweep(ann: Person, clock: TimeMachineFixture) -> None:
    clock.shift(IDLE)
    sweep_task()
    assert names() == []


def test_who_acts_lives_and_who_does_not_is_forgotten(
    ann: Person, bob: Person, clock: TimeMachineFixture
) -> None:
    for _ in range(3):
        clock.shift(IDLE / 2)
        assert ann.get("sessions/current").status == 200
        sweep_players()
    assert names() == ["Ann"]


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "tables"), ("POST", "tables"), ("GET", "sessions/current"), ("DELETE", "tables/{}/seats/me")],
)
def test_any_request_renews_even_one_that_is_refused(
    ann: Person, bob: Person, clock: TimeMachineFixture, method: str, path: str
) -> None:
    path = path.replace("{}", bob.open())
    clock.shift(IDLE / 2)
    ann.call(method, path, {} if method == "POST" else None)
    assert lives_until(ann) == timezone.now() + IDLE


def test_a_request_of_somebody_else_renews_nothing(
    ann: Person, bob: Person, clock: TimeMachineFixture
) -> None:
    before = lives_until(ann)
    clock.shift(IDLE / 2)
    bob.get("sessions/current")
    Person("Ann", secret="wrong guess").enter()
    assert lives_until(ann) == before


def test_a_sweep_again_does_nothing(ann: Person, bob: Person, clock: TimeMachineFixture) -> None:
    table = ann.open()
    bob.sit(table)
    clock.shift(IDLE)
    assert sweep_players() == 2
    before = all_rows()
    assert sweep_players() == 0
    # That it ran is remembered, with what it did, and nothing else is written.
    assert {**all_rows(), "players_sweep": []} == {**before, "players_sweep": []}


def test_a_sweep_that_comes_an_hour_late_does_the_same(ann: Person, clock: TimeMachineFixture) -> None:
    clock.shift(timedelta(hours=1))
    assert sweep_players() == 1
    assert names() == []


@pytest.mark.django_db(transaction=True)
def test_sweeps_in_parallel_forget_everybody_once(enter: Enter, clock: TimeMachineFixture) -> None:
    people = [enter() for _ in range(6)]
    tables = [
        seat_all(game, some, turn_seconds=None)
        for game, some in (("pickomino", people[:4]), ("7776", people[4:]))
    ]
    watcher = enter("Watcher")
    clock.shift(timedelta(hours=1))
    Player.objects.filter(name="Watcher").update(expires_at=timezone.now() + IDLE)
    together(*(sweep_players for _ in range(4)))
    sweep_players()
    assert names() == ["Watcher"]
    for table in tables:
        kinds = [event["kind"] for event in watcher.events(table)]
        assert (
            kinds.count("left") == len({1, 2, 3, 4} if table == tables[0] else {1, 2})
            or kinds[-1] == "finished"
        )
        assert kinds.count("finished") == 1


def test_a_sweep_takes_a_batch_and_the_next_one_the_rest(enter: Enter, clock: TimeMachineFixture) -> None:
    for _ in range(3):
        enter()
    clock.shift(IDLE)
    assert [sweep_players(batch=2) for _ in range(3)] == [2, 1, 0]
    assert names() == []


@pytest.fixture
def undeletable(transactional_db: None) -> Iterator[Callable[[UUID], None]]:
    """Makes the database refuse to delete a player, until the test ends."""

    def refuse(player: UUID) -> None:
        run(
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS "
            f"$$ BEGIN IF OLD.id = '{player}' THEN RAISE EXCEPTION 'not yet'; END IF; RETURN OLD; END $$"
        )
        run("CREATE TRIGGER stuck BEFORE DELETE ON players_player FOR EACH ROW EXECUTE FUNCTION refuse()")

    yield refuse
    run("DROP FUNCTION refuse CASCADE")


@pytest.mark.django_db(transaction=True)
def test_a_player_who_can_not_be_forgotten_keeps_no_other_from_it(
    enter: Enter,
    clock: TimeMachineFixture,
    undeletable: Callable[[UUID], None],
    caplog: pytest.LogCaptureFixture,
) -> None:
    ann = enter("Ann")
    enter("Bob")
    undeletable(Player.objects.get(name="Ann").pk)
    clock.shift(IDLE)
    with caplog.at_level(logging.ERROR):
        sweep_players()
    assert names() == ["Ann"]
    assert "could not be forgotten yet" in caplog.text
    assert "Ann" not in caplog.text
    assert ann.get("sessions/current").code == "not_authenticated"
    run("DROP TRIGGER stuck ON players_player")
    sweep_players()
    assert names() == []


def test_the_sweep_remembers_that_it_ran(db: None, clock: TimeMachineFixture) -> None:
    sweep_players()
    assert Sweep.objects.get(name="players").ran_at == timezone.now()
    clock.shift(RENEWAL)
    sweep_players()
    assert Sweep.objects.get(name="players").ran_at == timezone.now()


# --- without a sweep, as when Celery is down


def test_without_a_sweep_the_players_next_request_ends_the_session(
    ann: Person, bob: Person, clock: TimeMachineFixture
) -> None:
    table = ann.open(capacity=3)
    bob.sit(table)
    clock.shift(IDLE / 2)
    bob.get("sessions/current")
    clock.shift(IDLE / 2)
    assert ann.get(f"tables/{table}").code == "not_authenticated"
    assert names() == ["Bob"]
    assert [seat["name"] for seat in bob.see(table)["seats"]] == ["Bob"]


def test_without_a_sweep_the_name_is_free_for_who_enters(ann: Person, clock: TimeMachineFixture) -> None:
    clock.shift(IDLE)
    answer = Person("Ann", secret="another one").enter()
    assert answer.status == 201
    assert names() == ["Ann"]
    assert ann.get("sessions/current").status == 401


def test_coming_back_too_late_with_the_right_secret_is_a_new_player(
    ann: Person, clock: TimeMachineFixture
) -> None:
    before = ann.get("sessions/current")["player"]["id"]
    clock.shift(IDLE)
    answer = Person("Ann").enter()
    assert answer.status == 201
    assert answer["player"]["id"] != before


# --- what is written


def test_renewal_is_not_written_on_every_request(ann: Person, clock: TimeMachineFixture) -> None:
    clock.shift(RENEWAL - SECOND)
    with CaptureQueriesContext(connection) as captured:
        for _ in range(5):
            ann.get("sessions/current")
    assert statements("UPDATE", captured) == []
    assert statements("INSERT", captured) == []


def test_renewal_is_written_once_in_each_span(ann: Person, clock: TimeMachineFixture) -> None:
    clock.shift(RENEWAL)
    with CaptureQueriesContext(connection) as captured:
        for _ in range(5):
            ann.get("sessions/current")
    assert len([sql for sql in statements("UPDATE", captured) if "players_player" in sql]) == 1
    assert lives_until(ann) == timezone.now() + IDLE


def test_telling_who_asks_takes_one_query(ann: Person) -> None:
    with CaptureQueriesContext(connection) as captured:
        ann.get("tables/0197f0a0-0000-7000-8000-000000000000")
    assert len([sql for sql in statements("SELECT", captured) if "players_" in sql]) == 1


def test_each_device_counts_as_used_by_its_own_requests(ann: Person, clock: TimeMachineFixture) -> None:
    phone = Person("Ann")
    phone.enter()
    for _ in range(4):
        clock.shift(RENEWAL)
        phone.get("sessions/current")
        ann.get("sessions/current")
    assert list(Token.objects.values_list("last_used", flat=True)) == [timezone.now()] * 2


def test_no_renewal_shortens_a_session(ann: Person, bob: Person, clock: TimeMachineFixture) -> None:
    seat_all("pickomino", [ann, bob], turn_seconds=1_000)
    clock.shift(IDLE)
    sweep_players()
    needed = lives_until(ann)
    clock.shift(IDLE)
    ann.get("sessions/current")
    assert lives_until(ann) == needed


# --- at a table


def test_expiry_frees_the_seats_of_open_tables(ann: Person, bob: Person, clock: TimeMachineFixture) -> None:
    table = ann.open(capacity=3)
    clock.shift(IDLE / 2)
    bob.sit(table)
    clock.shift(IDLE / 2)
    sweep_players()
    assert [event["kind"] for event in bob.events(table)[-2:]] == ["left", "host_changed"]
    assert bob.events(table)[-2]["by"] == "server"


def test_who_plays_lives_until_the_next_deadline_and_then_as_long_as_one_may_idle(
    ann: Person, bob: Person, clock: TimeMachineFixture
) -> None:
    table = seat_all("pickomino", [ann, bob], turn_seconds=1_000)
    deadline = datetime.fromisoformat(ann.see(table)["deadline"])
    late = on_move([ann, bob], table)
    clock.shift(IDLE)
    sweep_players()
    assert names() == ["Ann", "Bob"]
    clock.move_to(deadline + IDLE - SECOND, tick=False)
    sweep_players()
    assert names() == ["Ann", "Bob"]
    clock.shift(SECOND)
    sweep_tables()
    sweep_players()
    assert late.name not in names()


def test_who_plays_may_come_back_late_with_celery_down(
    ann: Person, bob: Person, clock: TimeMachineFixture
) -> None:
    table = seat_all("pickomino", [ann, bob], turn_seconds=1_000)
    clock.shift(IDLE * 5)
    assert ann.see(table)["status"] == "playing"
    assert bob.see(table)["status"] == "playing"


def test_who_got_a_stand_in_at_the_deadline_may_idle_from_then_on(
    ann: Person, bob: Person, clock: TimeMachineFixture
) -> None:
    table = seat_all("pickomino", [ann, bob], turn_seconds=1_000)
    deadline = datetime.fromisoformat(ann.see(table)["deadline"])
    late = on_move([ann, bob], table)
    clock.move_to(deadline, tick=False)
    sweep_tables()
    sweep_players()
    assert names() == ["Ann", "Bob"]
    clock.shift(IDLE - SECOND)
    sweep_tables()
    sweep_players()
    assert names() == ["Ann", "Bob"]
    clock.shift(SECOND)
    sweep_players()
    assert late.name not in names()


def test_while_a_bot_decides_its_opponent_is_kept(ann: Person, clock: TimeMachineFixture) -> None:
    table = ann.open("7776", turn_seconds=1_000)
    ann.post(f"tables/{table}/bots")
    clock.shift(IDLE - SECOND)
    ann.move(table, "choose 1")
    Player.objects.update(expires_at=timezone.now())
    sweep_players()
    assert names() == ["Ann"]


def test_the_deadline_of_any_seat_keeps_all_who_play(
    ann: Person, bob: Person, clock: TimeMachineFixture
) -> None:
    table = seat_all("pickomino", [ann, bob], turn_seconds=1_000)
    waiting = bob if on_move([ann, bob], table) is ann else ann
    clock.shift(IDLE * 5)
    sweep_players()
    assert waiting.name in names()


def test_an_open_table_keeps_nobody(ann: Person, bob: Person, clock: TimeMachineFixture) -> None:
    table = ann.open(capacity=3, turn_seconds=1_000)
    bob.sit(table)
    clock.shift(IDLE)
    sweep_players()
    assert names() == []


def test_a_table_without_turn_times_keeps_nobody(ann: Person, bob: Person, clock: TimeMachineFixture) -> None:
    seat_all("pickomino", [ann, bob], turn_seconds=None)
    clock.shift(IDLE)
    sweep_players()
    assert names() == []


def test_a_table_that_is_over_keeps_nobody(ann: Person, bob: Person, clock: TimeMachineFixture) -> None:
    table = seat_all("pickomino", [ann, bob], turn_seconds=1_000)
    bob.delete(f"tables/{table}/seats/me")
    clock.shift(IDLE)
    sweep_players()
    assert names() == []


def test_expiry_at_a_playing_table_puts_the_seat_out_in_order(
    ann: Person, bob: Person, cid: Person, clock: TimeMachineFixture
) -> None:
    table = seat_all("pickomino", [ann, bob, cid], turn_seconds=None)
    clock.shift(IDLE / 2)
    bob.get("sessions/current")
    cid.get("sessions/current")
    clock.shift(IDLE / 2)
    sweep_players()
    shown = bob.see(table)
    assert shown["status"] == "playing"
    assert shown["seats"][0]["left"]
    assert shown["seats"][0]["name"] is None
    (left,) = [event for event in bob.events(table) if event["kind"] == "left"]
    assert (left["seat"], left["by"]) == (0, "server")
    assert [event["version"] for event in bob.events(table)] == list(range(1, shown["version"] + 1))


def test_when_everybody_idles_the_table_is_abandoned(enter: Enter, clock: TimeMachineFixture) -> None:
    people = [enter() for _ in range(2)]
    table = seat_all("7776", people, turn_seconds=None)
    clock.shift(IDLE)
    sweep_players()
    watcher = enter("Watcher")
    shown = watcher.see(table)
    assert shown["outcome"] is not None
    assert [seat["name"] for seat in shown["seats"]] == [None, None]


def test_who_plays_on_with_a_short_idle_time_is_never_forgotten(
    ann: Person, bob: Person, clock: TimeMachineFixture
) -> None:
    table = seat_all("pickomino", [ann, bob], turn_seconds=None)
    for _ in range(20):
        for person in (ann, bob):
            person.see(table)
        mover = on_move([ann, bob], table)
        assert mover.move(table, mover.see(table)["legal_moves"][0]).status == 201
        clock.shift(IDLE / 3)
        sweep_players()
    assert names() == ["Ann", "Bob"]
