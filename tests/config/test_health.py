"""GET /healthz and /readyz: whether the process lives, and whether it can serve."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone
from pytest_django import Settings
from time_machine import TimeMachineFixture

from config.api import SWEEPS_LATE_AFTER
from games.sweeps import sweep_tables
from sessions.services import sweep_players
from tests.config.test_problems import ask_without_database
from tests.people import Person


def test_healthz_tells_that_the_process_answers() -> None:
    answer = Person().get("/healthz")
    assert answer.status == 200
    assert answer.json == {"status": "ok"}


def test_without_database_and_valkey_the_process_answers_and_is_not_ready(tmp_path: Path) -> None:
    alive, ready = ask_without_database(
        tmp_path,
        ("GET", "/healthz", ""),
        ("GET", "/readyz", ""),
        REDIS_URL=f"unix://{tmp_path}/none",
        DATABASE_POOLER="transaction",
    )
    assert (alive.status, alive.json) == (200, {"status": "ok"})
    assert ready.status == 503
    assert ready.code == "unavailable"
    assert (ready["database"], ready["valkey"]) == ("away", "away")
    assert ready.headers["Retry-After"]


@pytest.mark.parametrize("address", ["/healthz", "/readyz"])
def test_neither_is_stored_by_what_is_in_between(db: None, address: str) -> None:
    assert Person().get(address).headers["Cache-Control"] == "no-store"


def test_readyz_tells_of_every_part(db: None) -> None:
    sweep_tables()
    sweep_players()
    answer = Person().get("/readyz")
    assert answer.status == 200
    assert answer.json == {
        "status": "ok",
        "database": "ok",
        "valkey": "ok",
        "tables_sweep": "ok",
        "players_sweep": "ok",
    }


def test_before_the_first_sweep_the_server_is_ready_and_says_so(db: None) -> None:
    answer = Person().get("/readyz")
    assert answer.status == 200
    assert answer["tables_sweep"] == answer["players_sweep"] == "never ran"


def test_sweeps_that_are_late_show_that_celery_is_away(db: None, time_machine: TimeMachineFixture) -> None:
    time_machine.move_to(timezone.now(), tick=False)
    sweep_tables()
    sweep_players()
    time_machine.shift(timedelta(minutes=3) + SWEEPS_LATE_AFTER)
    sweep_players()
    answer = Person().get("/readyz")
    assert answer.status == 200
    assert answer["tables_sweep"] == "late"
    assert answer["players_sweep"] == "ok"


def test_without_valkey_the_server_is_ready(db: None, settings: Settings, tmp_path: Path) -> None:
    settings.REDIS_URL = f"unix://{tmp_path}/none"
    answer = Person().get("/readyz")
    assert answer.status == 200
    assert answer["valkey"] == "away"


def test_a_database_that_is_not_migrated_is_not_ready(db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'games'")
    answer = Person().get("/readyz")
    assert answer.status == 503
    assert answer["database"] == "migrations pending"


@pytest.mark.parametrize("address", ["/healthz", "/readyz"])
def test_a_head_request_is_answered(db: None, address: str) -> None:
    answer = Person().call("HEAD", address)
    assert (answer.status, answer.json) == (200, None)
