"""GET /healthz and /readyz: whether the process lives, whether it can serve, and whether clocks are kept."""

import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone
from time_machine import TimeMachineFixture

from config import readiness
from config.readiness import CHECKS, FIRST_SWEEP_SECONDS, TABLES_LATE_AFTER
from config.valkey import Valkey
from games.sweeps import sweep_tables
from sessions.models import Sweep
from sessions.services import record_sweep, sweep_players
from tests.config.test_problems import ask_without_database
from tests.people import Answer, Person


@pytest.fixture(autouse=True)
def just_begun(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A server that knows nothing yet."""
    monkeypatch.setattr(readiness, "_begun", time.monotonic())
    readiness.board.forget()
    yield
    readiness.board.forget()


def ready(checks: str = "") -> Answer:
    return Person().get(f"/readyz?checks={checks}" if checks else "/readyz")


def red(answer: Answer) -> list[str]:
    return [name for name, check in answer["checks"].items() if not check["ok"]]


def test_healthz_tells_that_the_process_answers() -> None:
    answer = Person().get("/healthz")
    assert answer.status == 200
    assert answer.json == {"status": "ok"}


def test_without_database_and_valkey_the_process_answers_and_is_not_ready(tmp_path: Path) -> None:
    alive, answer = ask_without_database(
        tmp_path,
        ("GET", "/healthz", ""),
        ("GET", "/readyz", ""),
        REDIS_URL=f"unix://{tmp_path}/none",
        DATABASE_POOLER="transaction",
    )
    assert (alive.status, alive.json) == (200, {"status": "ok"})
    assert (answer.status, answer.code) == (503, "unavailable")
    assert red(answer) == list(CHECKS)
    assert answer.headers["Retry-After"]


@pytest.mark.parametrize("address", ["/healthz", "/readyz"])
def test_neither_is_stored_by_what_is_in_between(db: None, address: str) -> None:
    assert Person().get(address).headers["Cache-Control"] == "no-store"


def test_readyz_tells_of_every_part_by_name(db: None) -> None:
    sweep_tables()
    sweep_players()
    answer = ready()
    assert (answer.status, answer["status"]) == (200, "ok")
    assert list(answer["checks"]) == ["database", "migrations", "bus", "tables_sweep", "players_sweep"]
    assert all(check["ok"] and check["detail"] for check in answer["checks"].values())
    assert answer["checks"]["tables_sweep"]["age_seconds"] >= 0


def test_a_server_that_has_just_begun_waits_for_its_first_sweep(db: None) -> None:
    answer = ready()
    assert answer.status == 200
    assert "never ran" in answer["checks"]["tables_sweep"]["detail"]


def test_a_server_that_waited_long_for_its_first_sweep_is_red(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readiness, "_begun", time.monotonic() - FIRST_SWEEP_SECONDS - 1)
    answer = ready()
    assert (answer.status, red(answer)) == (503, ["tables_sweep", "players_sweep"])


def test_sweeps_that_are_late_are_red_and_named(db: None, time_machine: TimeMachineFixture) -> None:
    time_machine.move_to(timezone.now(), tick=False)
    sweep_tables()
    sweep_players()
    time_machine.shift(TABLES_LATE_AFTER + timedelta(seconds=1))
    answer = ready()
    assert (answer.status, answer.code) == (503, "unavailable")
    assert red(answer) == ["tables_sweep"]
    assert "tables_sweep" in answer["detail"]
    assert "beat" in answer["checks"]["tables_sweep"]["detail"]
    time_machine.shift(timedelta(minutes=4))
    readiness.board.forget()
    assert red(ready()) == ["tables_sweep", "players_sweep"]


def test_of_two_workers_the_later_sweep_counts_whichever_writes_last(
    db: None, time_machine: TimeMachineFixture
) -> None:
    now = timezone.now()
    time_machine.move_to(now, tick=False)
    record_sweep("tables", 2)
    time_machine.move_to(now - timedelta(seconds=30), tick=False)
    record_sweep("tables", 1)
    assert list(Sweep.objects.values_list("ran_at", "size")) == [(now, 2)]


def test_without_valkey_the_bus_is_red(db: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(readiness, "valkey", Valkey(f"unix://{tmp_path}/none"))
    answer = ready()
    assert (answer.status, red(answer)) == (503, ["bus"])


def test_a_database_that_is_not_migrated_is_red_and_names_what_is_pending(db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'games' AND name = '0001_initial'")
    answer = ready()
    assert (answer.status, red(answer)) == (503, ["migrations"])
    assert answer["checks"]["migrations"]["pending"] == ["games.0001_initial"]


def test_some_of_the_parts_can_be_asked_for(
    db: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(readiness, "valkey", Valkey(f"unix://{tmp_path}/none"))
    answer = ready("database,migrations")
    assert answer.status == 200
    assert list(answer["checks"]) == ["database", "migrations"]
    assert ready("bus").status == 503
    assert ready("weather").code == "invalid"


def test_who_asks_often_is_told_what_was_found_within_the_last_second(
    db: None, django_assert_num_queries: Any
) -> None:
    ready()
    with django_assert_num_queries(0):
        assert [ready().status for _ in range(3)] == [200] * 3


@pytest.mark.parametrize("address", ["/healthz", "/readyz"])
def test_a_head_request_is_answered(db: None, address: str) -> None:
    answer = Person().call("HEAD", address)
    assert (answer.status, answer.json) == (200, None)
