"""Deadlines, and the one clock of a table: whoever looks first does what is due, and nothing twice."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import UUID

import pytest
from django.conf import settings
from django.db import connection
from django.test import override_settings
from django.utils import timezone

from config.celery import app
from games import lock, sweeps
from games.models import Event, Table
from games.sweeps import sweep_tables
from games.tasks import sweep_tables as sweep_tables_task
from sessions.models import Sweep
from tests.conftest import Enter
from tests.games.conftest import Wait
from tests.games.situations import (
    NOON,
    PAUSE,
    TURN,
    begun,
    events_of,
    hands,
    kinds,
    last_domino,
    let_pass,
    moves_of,
    put_state,
    row,
    told,
    turn,
)
from tests.people import Answer, Person

ABANDON = settings.TABLE_ABANDON.total_seconds()
OPEN = settings.TABLE_OPEN.total_seconds()


def at(seconds: float) -> str:
    """So long after noon, as a client reads it."""
    return (NOON + timedelta(seconds=seconds)).isoformat().replace("+00:00", "Z")


def deadlines(table: str, *people: Person) -> list[str | None]:
    return [person.see(table)["deadline"] for person in people]


# --- turn_seconds runs for each seat that is to move, per decision ---


@pytest.mark.parametrize("seconds", [10, 120, 86_400])
def test_turn_seconds_run_from_the_start(wait: Wait, enter: Enter, seconds: int) -> None:
    ann, bob = enter(), enter()
    table = begun("7776", [ann, bob], turn_seconds=seconds)
    assert deadlines(table, ann, bob) == [at(seconds)] * 2
    wait(seconds)
    assert [seat["stand_in"] for seat in ann.see(table)["seats"]] == [True, True]


def test_an_alarm_before_the_deadline_only_looks_and_is_set_to_it(wait: Wait, enter: Enter) -> None:
    ann, bob = enter(), enter()
    table = begun("7776", [ann, bob], turn_seconds=86_400)
    early = row(table).wake_at
    assert early < NOON + timedelta(seconds=86_400)
    wait((early - NOON).total_seconds())
    version = row(table).version
    sweep_tables()
    assert (row(table).version, row(table).wake_at) == (version, NOON + timedelta(seconds=86_400))


def test_turn_seconds_run_per_decision(wait: Wait, enter: Enter) -> None:
    ann, bob = enter(), enter()
    table = begun("pickomino", [ann, bob])
    wait(50)
    ann.move(table, "roll")
    assert deadlines(table, ann) == [at(50 + TURN)]
    wait(60)
    ann.move(table, ann.see(table)["legal_moves"][0])
    assert deadlines(table, ann) == [at(110 + TURN)]


def test_turn_seconds_run_for_each_seat_that_is_to_move(wait: Wait, enter: Enter) -> None:
    ann, bob, cid = enter(), enter(), enter()
    table = begun("7776", [ann, bob])
    wait(50)
    ann.move(table, "choose 1")
    assert deadlines(table, ann, bob, cid) == [at(TURN)] * 3
    wait(50)
    bob.move(table, "choose 1")
    assert deadlines(table, ann, bob, cid) == [at(100 + TURN)] * 3


def test_deadline_is_mine_if_i_am_to_move_else_the_earliest(wait: Wait, enter: Enter) -> None:
    ann, bob, cid = enter(), enter(), enter()
    table = begun("7776", [ann, bob])
    ledger_decisions = row(table).decisions
    later = (NOON + timedelta(seconds=300)).isoformat()
    Table.objects.filter(pk=table).update(
        decisions={**ledger_decisions, "1": {**ledger_decisions["1"], "deadline": later}}
    )
    assert deadlines(table, ann, bob, cid) == [at(TURN), at(300), at(TURN)]


def test_deadline_is_the_movers_for_who_waits(wait: Wait, enter: Enter) -> None:
    ann, bob, cid = enter(), enter(), enter()
    assert deadlines(begun("pickomino", [ann, bob]), ann, bob, cid) == [at(TURN)] * 3


def test_turn_seconds_null_is_no_deadline(wait: Wait, enter: Enter) -> None:
    ann, bob = enter(), enter()
    table = begun("7776", [ann, bob], turn_seconds=None)
    assert deadlines(table, ann, bob) == [None, None]
    wait(3600)
    assert ann.see(table)["seats"][0]["stand_in"] is False


def test_an_open_and_a_finished_table_have_no_deadline(wait: Wait, enter: Enter) -> None:
    ann, bob = enter(), enter()
    table = ann.open("7776")
    assert deadlines(table, ann) == [None]
    bob.sit(table)
    ann.delete(f"tables/{table}/seats/me")
    assert deadlines(table, bob) == [None]
    assert row(table).wake_at is None


def test_a_moment_before_the_deadline_nothing_happens(wait: Wait, enter: Enter) -> None:
    ann, bob = enter(), enter()
    table = begun("pickomino", [ann, bob])
    version = row(table).version
    wait(TURN - 0.001)
    sweep_tables()
    assert bob.see(table)["version"] == version
    wait(0.001)
    assert bob.see(table)["version"] > version


# --- a request that meets a table whose time is due first does the due work ---


def test_a_get_does_the_due_work(wait: Wait, enter: Enter) -> None:
    ann, bob, cid = enter(), enter(), enter()
    for look in ("", "/events"):
        table = begun("pickomino", [ann, bob])
        wait(TURN)
        answer = cid.get(f"tables/{table}{look}")
        assert answer["version"] == row(table).version
        assert told(table, after=4)[:2] == [("stand_in", 0, "server"), ("rolled", 0, "stand_in")]


def test_a_get_by_one_who_may_not_read_the_table_does_it_too(wait: Wait, enter: Enter) -> None:
    ann, bob = enter(), enter()
    table = ann.open("7776", visibility="private")
    wait(OPEN)
    assert bob.get(f"tables/{table}").code == "not_found"
    assert row(table).status == "closed"


def test_a_move_that_comes_after_its_deadline_meets_what_the_stand_in_did(wait: Wait, enter: Enter) -> None:
    ann, bob = enter(), enter()
    table = begun("7776", [ann, bob])
    ann.move(table, "choose poker")
    version = bob.see(table)["decision"]
    wait(TURN)
    assert bob.move(table, "choose 1", version=version).code == "stale_version"
    assert told(table, after=7)[:2] == [("stand_in", 1, "server"), ("chose", 1, "stand_in")]


def test_the_due_work_is_kept_although_the_request_is_refused(wait: Wait, enter: Enter) -> None:
    ann, bob, cid = enter(), enter(), enter()
    refused: list[Callable[[str], Answer]] = [
        lambda table: cid.move(table, "roll"),
        lambda table: ann.move(table, "no such move"),
        lambda table: cid.sit(table),
        lambda table: cid.delete(f"tables/{table}/seats/me"),
        lambda table: cid.post(f"tables/{table}/start"),
        lambda table: ann.post(f"tables/{table}/bots", {}),
        lambda table: ann.delete(f"tables/{table}/seats/1"),
    ]
    for act in refused:
        table = begun("pickomino", [ann, bob])
        wait(TURN)
        assert 400 <= act(table).status < 500
        assert kinds(table, after=4)[:2] == ["stand_in", "rolled"]


def test_a_join_does_the_due_work(wait: Wait, enter: Enter) -> None:
    ann, bob, cid = enter(), enter(), enter()
    table = begun("pickomino", [ann, bob])
    wait(TURN)
    assert cid.sit(table).code == "not_open"
    assert kinds(table, after=4)[:2] == ["stand_in", "rolled"]


def test_a_return_does_the_due_work(wait: Wait, enter: Enter) -> None:
    ann, bob = enter(), enter()
    table = begun("pickomino", [ann, bob])
    wait(TURN)
    ann.post(f"tables/{table}/seats/me/return")
    assert kinds(table, after=4) == ["stand_in", "rolled", "returned"]


def test_leaving_does_the_due_work(wait: Wait, enter: Enter) -> None:
    ann, bob, cid = enter(), enter(), enter()
    table = begun("pickomino", [ann, bob, cid])
    wait(TURN)
    bob.delete(f"tables/{table}/seats/me")
    assert kinds(table, after=5) == ["stand_in", "rolled", "left"]


def test_several_due_steps_are_all_done_by_one_request(wait: Wait, enter: Enter) -> None:
    ann = enter()
    table = ann.open("pickomino", capacity=3, options={"first": "seat_0"})
    for _ in range(2):
        ann.post(f"tables/{table}/bots", {})
    wait(3600)
    ann.see(table)
    assert told(table, after=5) == [("stand_in", 0, "server")]
    wait(ABANDON)
    assert ann.see(table)["status"] == "abandoned"


def test_requests_alone_keep_a_table_going(wait: Wait, enter: Enter) -> None:
    ann, bob, cid = enter(), enter(), enter()
    table = begun("dominoes", [ann, bob], options={"target": 0}, turn_seconds=10)
    for _ in range(200):
        shown = cid.see(table)
        if shown["status"] != "playing":
            break
        if 0 in shown["to_move"]:
            ann.move(table, ann.see(table)["legal_moves"][0])
        else:
            wait(10)
    assert shown["outcome"]["reason"] == "played_out"
    assert {move.by for move in moves_of(table) if move.seat == 1} == {"stand_in"}
    assert not Sweep.objects.exists()


# --- the sweep ---


def test_the_sweep_does_what_is_due(wait: Wait, enter: Enter) -> None:
    ann, bob = enter(), enter()
    table = begun("pickomino", [ann, bob])
    wait(TURN)
    assert sweep_tables() == 1
    assert kinds(table, after=4) == ["stand_in", "rolled"]


def test_celery_sweeps_tables_each_second() -> None:
    schedule = {entry["task"]: entry["schedule"] for entry in app.conf.beat_schedule.values()}
    assert schedule["games.tasks.sweep_tables"] == 1.0
    assert schedule["sessions.tasks.sweep_players"] == settings.SESSION_RENEWAL.total_seconds()


def test_the_task_is_the_sweep(wait: Wait, enter: Enter) -> None:
    ann = enter()
    table = ann.open("7776")
    wait(OPEN)
    sweep_tables_task()
    assert row(table).status == "closed"


def test_pain_29_a_sweep_is_remembered_in_the_database(wait: Wait, enter: Enter) -> None:
    sweep_tables()
    assert Sweep.objects.get(name="tables").ran_at == timezone.now()


def test_pain_28_a_sweep_run_twice_does_nothing_twice(wait: Wait, enter: Enter) -> None:
    ann, bob = enter(), enter()
    table = begun("pickomino", [ann, bob])
    wait(TURN)
    assert [sweep_tables(), sweep_tables(), sweep_tables()] == [1, 0, 0]
    assert kinds(table, after=4) == ["stand_in", "rolled"]


def test_a_sweep_an_hour_late_finds_everything_still_due(wait: Wait, enter: Enter) -> None:
    ann, bob = enter(), enter()
    late, stale = begun("7776", [ann, bob]), ann.open("dominoes")
    ann.move(late, "choose poker")
    wait(3600)
    sweep_tables()
    assert told(late, after=7)[:2] == [("stand_in", 1, "server"), ("chose", 1, "stand_in")]
    shown = ann.see(late)
    assert (shown["status"], shown["deadline"]) == ("playing", at(3600 + TURN))
    assert kinds(stale)[-1] == "closed"


def test_a_sweep_hours_late_gives_those_who_are_back_a_fresh_time(wait: Wait, enter: Enter) -> None:
    ann, bob = enter(), enter()
    table = begun("pickomino", [ann, bob])
    wait(5 * 3600)
    sweep_tables()
    assert row(table).status == "playing"
    assert bob.see(table)["to_move"] == [0]
    wait(PAUSE)
    sweep_tables()
    assert row(table).status == "playing"


def test_pain_27_a_deadline_that_moved_does_not_fire(wait: Wait, enter: Enter) -> None:
    ann, bob = enter(), enter()
    table = begun("pickomino", [ann, bob])
    put_state(table, turn(0, dice=["W", "W", 1, 1, 2, 2, 3, 3]))
    wait(TURN - 1)
    ann.move(table, "save W")
    version = row(table).version
    wait(2)
    sweep_tables()
    assert row(table).version == version
    assert sweep_tables() == 0
    assert lock.wake_table(row(table).pk) is False


def test_pain_27_a_look_that_comes_too_early_does_nothing_and_sets_the_clock_right(
    wait: Wait, enter: Enter
) -> None:
    ann, bob = enter(), enter()
    waiting, playing = ann.open("dominoes"), begun("pickomino", [ann, bob])
    paused, untouched = begun("7776", [ann, bob]), begun("7776", [ann, bob], turn_seconds=None)
    wait(TURN)
    sweep_tables()
    for table in (waiting, playing, paused, untouched):
        before = row(table)
        set_to = []
        for _ in range(2):
            Table.objects.filter(pk=table).update(wake_at=timezone.now())
            assert lock.wake_table(before.pk)
            after = row(table)
            assert (after.status, after.version) == (before.status, before.version)
            set_to.append(after.wake_at)
        assert set_to[0] == set_to[1] > timezone.now()


def test_a_table_is_not_put_off_once_another_did_what_was_due(wait: Wait, enter: Enter) -> None:
    ann, bob = enter(), enter()
    table = begun("7776", [ann, bob])
    wait(TURN)
    ann.see(table)
    right = row(table).wake_at
    lock.put_off(row(table).pk)
    assert row(table).wake_at == right == timezone.now() + settings.TABLE_ABANDON


def test_a_look_at_a_table_that_is_gone_or_over_is_harmless(wait: Wait, enter: Enter) -> None:
    ann = enter()
    table = ann.open("7776")
    wait(OPEN)
    assert lock.wake_table(row(table).pk) is True
    assert lock.wake_table(row(table).pk) is False
    assert lock.wake_table(NO_TABLE) is False


NO_TABLE = UUID(int=0)


def test_a_sweep_takes_the_longest_due_first_and_no_more_than_its_batch(wait: Wait, enter: Enter) -> None:
    ann = enter()
    tables = []
    for _ in range(3):
        tables.append(ann.open("7776"))
        wait(1)
    wait(OPEN)
    assert sweep_tables(batch=2) == 2
    assert [row(table).status for table in tables] == ["closed", "closed", "open"]
    assert sweep_tables(batch=2) == 1


def test_a_sweep_does_not_go_round_again_where_nothing_is_due_any_more(
    wait: Wait, enter: Enter, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, asked = enter(), []
    tables = [ann.open("7776") for _ in range(2 * sweeps.MISSES)]
    wait(OPEN)

    def wake(table_id: UUID) -> bool:
        asked.append(table_id)
        return lock.wake_table(table_id)

    monkeypatch.setattr(sweeps, "wake_table", wake)
    assert sweep_tables() == len(tables)
    assert len(asked) == len(tables) + sweeps.MISSES


def test_a_sweep_leaves_what_another_is_faster_at_and_looks_for_the_rest(
    wait: Wait, enter: Enter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another goes through the same tables in the same order, and is always a few ahead."""
    ann, tables, asked = enter(), [], []
    for _ in range(12):
        tables.append(ann.open("7776"))
        wait(0.1)
    wait(OPEN)

    def wake(table_id: UUID) -> bool:
        asked.append(table_id)
        if len(asked) == 2:
            for each in tables[1:10]:
                lock.wake_table(UUID(each))
        return lock.wake_table(table_id)

    monkeypatch.setattr(sweeps, "wake_table", wake)
    assert sweep_tables() == 3
    assert {row(table).status for table in tables} == {"closed"}
    assert [str(each) for each in asked[:6]] == tables[:6]
    assert {str(each) for each in asked[6:]} == {*tables[10:]}


def against_bots(person: Person, bots: int = 2) -> str:
    """A table of 7776, or of pickomino with more bots, at which all wait for the bots now."""
    if bots == 1:
        table = person.open("7776")
        person.post(f"tables/{table}/bots")
        return table
    table = person.open("pickomino", capacity=bots + 1)
    for _ in range(bots):
        person.post(f"tables/{table}/bots")
    put_state(table, turn(1, seats=bots + 1))
    return table


def test_a_sweep_whose_time_is_over_leaves_the_rest_to_the_next_which_begins_with_it(
    wait: Wait, enter: Enter
) -> None:
    """However many tables are due, a sweep takes its time and no more; the longest due come first."""
    ann = enter()
    tables = []
    for _ in range(3):
        tables.append(against_bots(ann, 1))
        wait(0.1)
    wait(PAUSE)
    for served in range(1, 4):
        assert sweep_tables(seconds=0) == 1
        assert [len(moves_of(table)) for table in tables] == [1] * served + [0] * (3 - served)


def test_with_more_tables_than_can_be_served_the_pauses_grow_for_all_alike(wait: Wait, enter: Enter) -> None:
    """A sweep for one table each second, and three tables whose bots would like to move each second."""
    ann = enter()
    tables = [against_bots(ann) for _ in range(3)]
    for _ in range(12):
        wait(PAUSE)
        sweep_tables(batch=1)
    assert [len(moves_of(table)) for table in tables] == [4, 4, 4]


def test_a_sweep_goes_round_the_tables_that_are_due_step_by_step(wait: Wait, enter: Enter) -> None:
    """Bots that need no pause make one move at each table before they make the next."""
    ann = enter()
    with override_settings(BOT_PAUSE=timedelta(0)):
        tables = []
        for _ in range(2):
            tables.append(against_bots(ann))
            wait(0.1)
        for _ in tables:
            assert sweep_tables(seconds=0) == 1
            wait(0.1)
    assert [len(moves_of(table)) for table in tables] == [1, 1]


def test_a_bots_move_that_was_begun_and_not_kept_is_made_later(
    wait: Wait, enter: Enter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As by a worker that crashes in the middle of it: nothing of the move is there, and it is due still."""
    table = against_bots(enter(), 1)
    wait(PAUSE)
    with monkeypatch.context() as crashing:
        crashing.setattr(lock, "_save", crash)
        with pytest.raises(KeyboardInterrupt):
            sweep_tables()
    assert moves_of(table) == []
    wait(60)
    assert sweep_tables() == 1
    assert [made.by for made in moves_of(table)] == ["bot"]


def crash(*_: Any) -> None:
    raise KeyboardInterrupt


def test_a_table_that_cant_be_woken_holds_up_no_other(
    wait: Wait, enter: Enter, caplog: pytest.LogCaptureFixture
) -> None:
    ann, bob = enter(), enter()
    broken, other = begun("pickomino", [ann, bob]), begun("pickomino", [bob, ann])
    Table.objects.filter(pk=broken).update(state={"nonsense": 1})
    wait(TURN)
    sweep_tables()
    assert kinds(other, after=4) == ["stand_in", "rolled"]
    assert [record.levelname for record in caplog.records] == ["ERROR"]
    assert row(broken).wake_at == timezone.now() + lock.REST
    assert sweep_tables() == 0


# --- bots, stand-ins and pauses between their moves ---


def test_the_server_waits_a_pause_before_each_move_of_a_bot(wait: Wait, enter: Enter) -> None:
    ann = enter()
    table = ann.open("pickomino", capacity=2, options={"first": "seat_0"})
    ann.post(f"tables/{table}/bots", {})
    put_state(table, turn(1, face_up=[21, 22, 23, 24, 30]))
    for moves in range(4):
        wait(PAUSE - 0.001)
        sweep_tables()
        assert len(moves_of(table)) == moves
        wait(0.001)
        sweep_tables()
        sweep_tables()
        assert len(moves_of(table)) == moves + 1
        if ann.see(table)["to_move"] == [0]:
            break


def test_a_players_own_deadline_is_kept_while_bots_move(wait: Wait, enter: Enter) -> None:
    ann = enter()
    table = ann.open("7776")
    ann.post(f"tables/{table}/bots", {})
    wait(PAUSE)
    sweep_tables()
    assert deadlines(table, ann) == [at(TURN)]


# --- everything at once ---


def in_parallel(*acts: Callable[[], Any]) -> list[Any]:
    """What they answer; each in a thread and on a connection of its own."""

    def run(act: Callable[[], Any]) -> Any:
        try:
            return act()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


@pytest.mark.django_db(transaction=True)
def test_sweeps_in_parallel_do_nothing_twice(enter: Enter) -> None:
    ann, bob = enter(), enter()
    tables = [begun("pickomino", [ann, bob]) for _ in range(6)] + [ann.open("7776") for _ in range(4)]
    for table in tables:
        let_pass(table, OPEN)
    in_parallel(*[sweep_tables] * 4)
    for table in tables[:6]:
        assert told(table, after=4) == [("stand_in", 0, "server"), ("rolled", 0, "stand_in")]
    for table in tables[6:]:
        assert kinds(table) == ["opened", "joined", "closed"]


@pytest.mark.django_db(transaction=True)
def test_requests_and_sweeps_in_parallel_do_nothing_twice(enter: Enter) -> None:
    ann, bob = enter(), enter()
    table = begun("7776", [ann, bob])
    ann.move(table, "choose poker")
    let_pass(table, TURN)
    version = row(table).version
    looks = [lambda: bob.see(table), lambda: ann.events(table), sweep_tables, sweep_tables]
    in_parallel(*looks)
    assert kinds(table, after=version) == ["stand_in", "chose", "revealed", "threw", "threw"]
    numbers = Event.objects.filter(table_id=table).values_list("number", flat=True)
    assert sorted(numbers) == list(range(1, row(table).version + 1))


@pytest.mark.django_db(transaction=True)
def test_pain_38_a_move_and_its_deadline_at_the_same_moment_are_one_or_the_other(enter: Enter) -> None:
    ann, bob = enter(), enter()
    for _ in range(5):
        table = begun("7776", [ann, bob])
        ann.move(table, "choose poker")
        version = bob.see(table)["decision"]
        let_pass(table, TURN)
        moved, _ = in_parallel(partial(bob.move, table, "choose 1", version=version), sweep_tables)
        # The deadline was over for both.
        assert moved.status == 409
        assert [move.by for move in moves_of(table)] == ["player", "stand_in"]


@pytest.mark.django_db(transaction=True)
def test_the_sweep_passes_over_a_table_that_another_holds(enter: Enter) -> None:
    ann = enter()
    table = ann.open("7776")
    with lock.lock_table(row(table).pk):
        Table.objects.filter(pk=table).update(wake_at=NOON.replace(year=2020))
        assert in_parallel(lambda: lock.wake_table(row(table).pk)) == [False]


@pytest.mark.django_db(transaction=True)
def test_due_work_outlives_the_refusal_that_met_it(enter: Enter) -> None:
    ann, bob, cid = enter(), enter(), enter()
    table = begun("pickomino", [ann, bob])
    let_pass(table, TURN)
    assert cid.move(table, "roll").code == "not_seated"
    assert kinds(table, after=4) == ["stand_in", "rolled"]


def test_a_game_that_ends_while_work_is_due_needs_no_more(wait: Wait, enter: Enter) -> None:
    ann, bob = enter(), enter()
    table = begun("pickomino", [ann, bob])
    put_state(table, last_domino(0, [[], []]))
    wait(TURN)
    sweep_tables()
    assert told(table, after=4) == [
        ("stand_in", 0, "server"), ("collected", 0, "stand_in"), ("finished", None, "server"),
    ]  # fmt: skip
    assert row(table).wake_at is None
    assert sweep_tables() == 0


def test_an_event_has_the_time_at_which_it_was_done(wait: Wait, enter: Enter) -> None:
    ann, bob = enter(), enter()
    table = begun("dominoes", [ann, bob])
    put_state(table, hands(["6-4", "1-0"], ["4-3", "2-0"], stock=["5-5"]))
    wait(TURN + 7)
    sweep_tables()
    assert (events_of(table)[-1].at - NOON).total_seconds() == TURN + 7
