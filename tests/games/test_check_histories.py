"""manage.py check_histories and its nightly task: are stored tables what their histories lead to?"""

import re
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from celery.schedules import crontab
from django.conf import LazySettings
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from config.celery import app
from games import histories
from games.histories import each_id, sample_ids, started_tables
from games.ledger import Ledger
from games.models import Event, HistoryCheck, Move, Seat, Table
from games.records import seats_of
from games.tasks import check_histories as nightly
from tests.conftest import Enter
from tests.games.situations import begun, moves_of, play, put_tables, row
from tests.games.test_play import play_out
from tests.games.test_rematch import end
from tests.people import Person, seat_all
from tests.rows import all_rows


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("check_histories", *arguments, stdout=out)
    return out.getvalue()


def differences(*arguments: str) -> list[str]:
    """What the command tells of each table that differs."""
    told = StringIO()
    with pytest.raises(CommandError):
        call_command("check_histories", *arguments, stderr=told)
    return told.getvalue().splitlines()


def change(table: str, **fields: Any) -> None:
    Table.objects.filter(pk=table).update(**fields)


def change_move(table: str, number: int, **fields: Any) -> None:
    Move.objects.filter(table_id=table, number=number).update(**fields)


def test_pain_34_tables_in_every_situation_agree_with_their_histories(enter: Enter) -> None:
    people = [enter() for _ in range(3)]
    ann, bob, _ = people
    ann.open("pickomino")  # without a history
    for game in ("pickomino", "7776", "dominoes"):
        play([ann, bob], begun(game, [ann, bob], options={"target": 0} if game == "dominoes" else {}), 15)
    left = seat_all("pickomino", people)
    play(people, left, 5)
    people[2].delete(f"tables/{left}/seats/me")
    play_out([ann, bob], begun("7776", [ann, bob]))
    forfeited = begun("dominoes", [ann, bob])
    bob.delete(f"tables/{forfeited}/seats/me")
    end(begun("7776", [ann, bob]), "abandoned")
    moves = Move.objects.count()
    assert run() == f"7 tables with {moves} moves were replayed, 0 of them differ.\n"


@pytest.fixture
def table(ann: Person, bob: Person) -> str:
    """A playing table of 7776 in its fourth round."""
    table = begun("7776", [ann, bob])
    play([ann, bob], table, 7)
    return table


def test_another_state_is_found(table: str) -> None:
    state = row(table).state
    state["throws"][0] = [face % 6 + 1 for face in state["throws"][0]]
    change(table, state=state)
    assert differences() == [f"table {table}: another state is stored"]


def test_another_move_is_found_and_not_repeated_while_the_table_goes_on(table: str) -> None:
    change_move(table, 3, move="choose nothing")
    assert differences() == [f"table {table}: line 3"]
    end(table)
    assert differences() == [
        f"table {table}: line 3: choose nothing is no legal move of seat {seat(table, 3)}."
    ]


def seat(table: str, number: int) -> int:
    return moves_of(table)[number - 1].seat


def test_luck_that_does_not_follow_from_the_seed_is_found(table: str) -> None:
    change(table, seed=b"x" * 32)
    assert differences() == [f"table {table}: line 0: What the start drew does not follow from the seeds."]


def test_a_client_seed_that_changed_after_the_start_is_found(table: str) -> None:
    Seat.objects.filter(table_id=table, number=0).update(client_seed="c0ffee")
    assert len(differences()) == 1


def test_another_outcome_is_found(table: str) -> None:
    end(table)
    change(table, outcome={**row(table).outcome, "winners": [0]})
    assert differences() == [f"table {table}: another outcome is stored"]


def test_a_missing_move_is_found(table: str) -> None:
    Move.objects.filter(table_id=table, number=4).delete()
    assert differences() == [f"table {table}: line 4"]


def test_a_missing_leave_is_found(ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    bob.delete(f"tables/{table}/seats/me")
    Event.objects.filter(table_id=table, kind="left").delete()
    assert differences() == [f"table {table}: another state is stored"]


@pytest.mark.parametrize(
    "broken", [{"state": None}, {"state": {"x": 1}}, {"options": {"x": 1}}, {"start_chance": [["spin"]]}]
)
def test_what_can_not_be_read_is_told_and_hides_nothing_else(
    table: str, ann: Person, bob: Person, broken: Any
) -> None:
    other = begun("7776", [ann, bob])
    change(table, **broken)
    change(other, seed=b"x" * 32)
    told = differences()
    assert [line.split()[1] for line in told] == [f"{table}:", f"{other}:"]


def test_rules_that_are_not_here_are_told(table: str) -> None:
    change(table, rules_version=99)
    assert differences() == [f"table {table}: its rules are not here"]


def test_a_table_without_a_seed_is_compared_by_its_rules(table: str) -> None:
    change(table, seed=None)
    assert run().endswith(", 0 of them differ.\n")


def test_nothing_but_the_count_is_written(table: str) -> None:
    change(table, seed=b"x" * 32)
    before = all_rows()
    assert differences()
    after = all_rows()
    assert {name for name in after if after[name] != before[name]} == {"games_historycheck"}


def test_each_run_is_counted_in_the_database(table: str) -> None:
    run()
    change(table, seed=b"x" * 32)
    differences()
    counted = HistoryCheck.objects.order_by("pk").values_list("tables", "moves", "differing")
    assert list(counted) == [(1, 7, 0), (1, 7, 1)]
    assert str(HistoryCheck.objects.last()) == "1 of 1 tables differ"


def test_each_difference_is_logged(table: str, caplog: pytest.LogCaptureFixture) -> None:
    change(table, seed=b"x" * 32)
    assert differences()
    assert [record.levelname for record in caplog.records] == ["ERROR"]
    assert table in caplog.text


def test_a_table_that_moves_on_meanwhile_is_compared_as_it_was_read(
    table: str, ann: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The moves and leaves that come after its row was read are passed over."""

    def meanwhile(ledger: Ledger) -> Any:
        play([ann, bob], table, 2)
        bob.delete(f"tables/{table}/seats/me")
        return seats_of(ledger)

    monkeypatch.setattr("games.histories.seats_of", meanwhile)
    assert run() == "1 tables with 7 moves were replayed, 0 of them differ.\n"
    assert len(moves_of(table)) == 9


# --- which tables


def test_all_tables_are_gone_through_page_by_page(
    ann: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(histories, "PAGE", 2)
    tables = [begun("7776", [ann, bob]) for _ in range(5)]
    assert [str(found) for found in each_id(started_tables())] == sorted(tables)


def test_a_sample_has_no_table_twice_and_only_those_that_started(ann: Person, bob: Person) -> None:
    put_tables(3, [])
    tables = {begun("7776", [ann, bob]) for _ in range(4)}
    for size in (1, 3, 50):
        found = [str(each) for each in sample_ids(started_tables(), size)]
        assert len(found) == len(set(found)) <= size
        assert set(found) <= tables
    assert run("--sample", "1").startswith("1 tables")


def test_a_sample_of_nothing_is_nothing(db: None) -> None:
    assert sample_ids(started_tables(), 10) == []
    assert run("--sample", "10").startswith("0 tables")


def test_only_those_opened_since(ann: Person, bob: Person) -> None:
    old, _ = begun("7776", [ann, bob]), begun("7776", [ann, bob])
    change(old, created_at=timezone.now().replace(year=2020))
    assert run("--since", "2021-01-01").startswith("1 tables")
    assert run("--since", "2019-12-31T12:00").startswith("2 tables")


def test_those_opened_since_are_found_without_a_look_at_those_before(ann: Person, bob: Person) -> None:
    begun("7776", [ann, bob])
    recent = started_tables(timezone.now() - timedelta(days=1)).values_list("pk")
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
    assert recent.count() == 1
    assert re.search(r"Index Cond: \(id >= '[0-9a-f-]+'::uuid\)", recent.explain())


def test_a_bad_date_is_refused() -> None:
    with pytest.raises(CommandError, match="a date is needed"):
        run("--since", "yesterday")


# --- every night


def test_the_nightly_task_checks_a_sample(table: str, settings: LazySettings) -> None:
    settings.HISTORIES_PER_NIGHT = 5
    nightly()
    assert HistoryCheck.objects.get().tables == 1


def test_it_can_be_turned_off(table: str, settings: LazySettings) -> None:
    settings.HISTORIES_PER_NIGHT = 0
    nightly()
    assert not HistoryCheck.objects.exists()


def test_it_is_sent_once_a_night() -> None:
    [entry] = [each for each in app.conf.beat_schedule.values() if each["task"] == nightly.name]
    assert entry["schedule"] == crontab(hour="3", minute="17")
