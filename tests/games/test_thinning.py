"""Tables that were over long ago are deleted with all that is theirs; others are left alone."""

from datetime import timedelta
from uuid import UUID

import pytest
from django.db import connection, models, transaction
from django.utils import timezone
from pytest_django import Settings
from time_machine import TimeMachineFixture

from games import course
from games.lock import lock_table
from games.models import By, Event, IdempotencyKey, Move, Report, Seat, Table
from games.once import Once, key_row
from games.tasks import thin_tables as task
from games.thinning import thin_tables
from sessions.models import Sweep
from tests.conftest import Enter
from tests.games.situations import put_tables
from tests.people import Person, seat_all
from tests.together import together


@pytest.fixture(autouse=True)
def keep_for_a_month(settings: Settings) -> None:
    settings.TABLE_KEEP = timedelta(days=30)


def over(people: list[Person]) -> str:
    """A table that was played, and is over by forfeit."""
    table = seat_all("7776", people)
    assert (
        people[0].post(f"tables/{table}/moves", {"move": "choose 1"}, idempotency_key=f"k-{table}").status
        == 201
    )
    assert people[1].delete(f"tables/{table}/seats/me").status == 204
    assert people[0].see(table)["status"] == "finished"
    return table


def age(table: str, days: float) -> None:
    Table.objects.filter(pk=table).update(over_at=timezone.now() - timedelta(days=days))


@pytest.fixture
def people(enter: Enter) -> list[Person]:
    return [enter(), enter()]


OWNED: list[type[models.Model]] = [Seat, Move, Event, IdempotencyKey]


def test_a_table_that_was_over_long_ago_goes_with_all_that_is_its(people: list[Person]) -> None:
    old, young = over(people), over(people)
    age(old, 31)
    age(young, 29)
    for kind in OWNED:
        assert kind._default_manager.filter(table=UUID(old)).exists(), kind
    assert thin_tables() == 1
    assert [str(pk) for pk in Table.objects.values_list("pk", flat=True)] == [young]
    for kind in OWNED:
        assert not kind._default_manager.filter(table=UUID(old)).exists(), kind
        assert kind._default_manager.filter(table=UUID(young)).exists(), kind
    assert people[0].get(f"tables/{old}").code == "not_found"
    assert people[0].get(f"tables/{young}").status == 200


def test_nothing_is_written_at_a_table_that_has_gone(people: list[Person]) -> None:
    """No foreign key would refuse it."""
    with lock_table(UUID(seat_all("7776", people))) as ledger:
        course.move(ledger, 0, "choose 1", by=By.PLAYER)
        player = ledger.seats[0].player
        assert player
        key = key_row(Once("k", "0" * 64), player, ledger.table.pk, 1)
        Table.objects.filter(pk=ledger.table.pk).delete()
        assert not ledger.save()
        assert not ledger.save(key)
        ledger.events.clear()
        ledger.seats_changed.clear()
    for kind in OWNED:
        assert not kind._default_manager.exists(), kind


def test_whatever_a_table_owns_goes_with_it_in_the_database_too(people: list[Person]) -> None:
    """No model may keep a table from going without saying so, or be left behind."""
    fields = [each for each in Table._meta.get_fields(include_hidden=True) if each.one_to_many]
    assert set(OWNED) <= {each.related_model for each in fields}
    assert {each.on_delete for each in fields} <= {models.CASCADE, models.PROTECT}  # type: ignore[union-attr]


def test_a_table_that_is_not_over_stays_however_old(people: list[Person]) -> None:
    playing, open_one = seat_all("7776", people), people[0].open()
    Table.objects.update(created_at=timezone.now() - timedelta(days=900))
    assert thin_tables() == 0
    assert people[0].see(playing)["status"] == "playing"
    assert people[0].see(open_one)["status"] == "open"


def test_a_table_stays_while_a_report_about_it_waits_for_a_decision(people: list[Person]) -> None:
    table = over(people)
    body = {"seat": 1, "reason": "stalling"}
    assert people[0].post(f"tables/{table}/reports", body).status == 201
    age(table, 31)
    assert thin_tables() == 0
    Report.objects.update(decided_at=timezone.now(), decision=Report.Decision.DISMISSED)
    assert thin_tables() == 1
    assert not Report.objects.exists()


def test_with_no_days_set_all_tables_are_kept(people: list[Person], settings: Settings) -> None:
    settings.TABLE_KEEP = timedelta(0)
    age(over(people), 900)
    assert thin_tables() == 0
    assert Table.objects.count() == 1


def test_a_request_that_comes_again_after_its_table_has_gone_finds_nothing(people: list[Person]) -> None:
    body, key = {"game": "dominoes"}, {"idempotency_key": "again"}
    table = people[0].post("tables", body, **key)["id"]
    people[0].delete(f"tables/{table}/seats/me")
    age(table, 31)
    assert thin_tables() == 1
    again = people[0].post("tables", body, **key)
    assert (again.status, again["id"] != table) == (201, True)


def test_in_batches_all_go(people: list[Person]) -> None:
    put_tables(25, people, status="finished", over_at=timezone.now() - timedelta(days=40), wake_at=None)
    assert thin_tables(batch=10) == 25
    assert Sweep.objects.get(name="old_tables").size == 25


def test_when_its_time_is_over_the_rest_waits_for_the_next_run(people: list[Person]) -> None:
    put_tables(25, people, status="finished", over_at=timezone.now() - timedelta(days=40), wake_at=None)
    assert thin_tables(batch=10, seconds=0) == 10
    task()
    assert Table.objects.count() == 0


def test_the_oldest_go_first(people: list[Person], time_machine: TimeMachineFixture) -> None:
    [young] = put_tables(
        1, people, status="closed", over_at=timezone.now() - timedelta(days=40), wake_at=None
    )
    [old] = put_tables(1, people, status="closed", over_at=timezone.now() - timedelta(days=50), wake_at=None)
    assert thin_tables(batch=1, seconds=0) == 1
    assert [str(pk) for pk in Table.objects.values_list("pk", flat=True)] == [young]
    assert old != young


@pytest.mark.django_db(transaction=True)
def test_what_somebody_has_locked_is_passed_over(people: list[Person]) -> None:
    held, free = put_tables(
        2, people, status="closed", over_at=timezone.now() - timedelta(days=40), wake_at=None
    )
    with transaction.atomic():
        Table.objects.select_for_update().get(pk=held)
        [gone] = together(thin_tables)
    assert gone == 1
    assert [str(pk) for pk in Table.objects.values_list("pk", flat=True)] == [held]
    assert free != held


@pytest.mark.django_db(transaction=True)
def test_two_at_once_share_the_work(people: list[Person]) -> None:
    put_tables(60, people, status="closed", over_at=timezone.now() - timedelta(days=40), wake_at=None)
    assert sum(together(lambda: thin_tables(batch=5), lambda: thin_tables(batch=5))) == 60
    assert not Table.objects.exists()


def test_the_oldest_are_found_by_an_index(people: list[Person]) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("EXPLAIN SELECT id FROM games_table WHERE over_at < now() ORDER BY over_at LIMIT 50")
        plan = "\n".join(line for (line,) in cursor.fetchall())
    assert "table_over" in plan
