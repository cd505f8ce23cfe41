"""Settings come from the environment; nothing starts with an insecure or meaningless one."""

import json
import os
import subprocess
import sys
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.settings import number

SHOW = """
import json, sys
from config import settings
json.dump({name: getattr(settings, name) for name in sys.argv[1:]}, sys.stdout, default=str)
"""

PRODUCTION = {
    "PRODUCTION": "1",
    "SECRET_KEY": "0123456789-abcdefghijklmnopqrstuvwxyz-ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "ALLOWED_HOSTS": "play.example",
    "DATABASE_URL": "postgresql://boneyard:hidden@db.example/boneyard",
    "REDIS_URL": "redis://valkey.example/0",
}
# Empty counts as unset.
OURS = [*PRODUCTION, "DEBUG", "HTTPS", "CORS_ALLOWED_ORIGINS", "CORS_ALLOW_ALL_ORIGINS", "DATABASE_POOLER"]
NUMBERS = [
    "SESSION_IDLE_SECONDS",
    "TABLE_OPEN_SECONDS",
    "TABLE_ABANDON_SECONDS",
    "TABLE_UNTOUCHED_SECONDS",
    "BOT_PAUSE_SECONDS",
    "CODE_LOOKS_PER_MINUTE",
    "ENTRIES_PER_MINUTE",
    "RECORD_CHECKS_PER_MINUTE",
    "REPORTS_PER_HOUR",
    "REPORT_TEXT_DAYS",
    "HISTORIES_PER_NIGHT",
    "WEB_THREADS",
    "DATABASE_POOL_SIZE",
]


def run(*command: str, **given: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, **dict.fromkeys([*OURS, *NUMBERS], ""), **given}
    return subprocess.run(
        [sys.executable, *command], env=env, capture_output=True, text=True, check=False, timeout=60
    )


def settings(*names: str, **given: str) -> Any:
    done = run("-c", SHOW, *names, **given)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def refusal(**given: str) -> str:
    """Why it does not start."""
    done = run("-c", SHOW, **given)
    assert done.returncode != 0
    assert "ImproperlyConfigured" in done.stderr
    return done.stderr.strip().splitlines()[-1]


# --- production


def test_production_starts_with_what_it_needs() -> None:
    found = settings("DEBUG", "ALLOWED_HOSTS", "SECURE_SSL_REDIRECT", "CORS_ALLOW_ALL_ORIGINS", **PRODUCTION)
    assert found == {
        "DEBUG": False,
        "ALLOWED_HOSTS": ["play.example"],
        "SECURE_SSL_REDIRECT": True,
        "CORS_ALLOW_ALL_ORIGINS": False,
    }


@pytest.mark.parametrize(
    ("insecure", "named"),
    [
        ({"SECRET_KEY": ""}, "SECRET_KEY"),
        ({"SECRET_KEY": "insecure-development-key-that-production-refuses"}, "SECRET_KEY"),
        ({"SECRET_KEY": "short"}, "SECRET_KEY"),
        ({"SECRET_KEY": "x" * 60}, "SECRET_KEY"),
        ({"SECRET_KEY": PRODUCTION["SECRET_KEY"][:49]}, "SECRET_KEY"),
        ({"DEBUG": "1"}, "DEBUG"),
        ({"ALLOWED_HOSTS": ""}, "ALLOWED_HOSTS"),
        ({"ALLOWED_HOSTS": "*"}, "ALLOWED_HOSTS"),
        ({"ALLOWED_HOSTS": "play.example,*"}, "ALLOWED_HOSTS"),
        ({"ALLOWED_HOSTS": " , "}, "ALLOWED_HOSTS"),
        ({"DATABASE_URL": ""}, "DATABASE_URL"),
    ],
)
def test_production_refuses_to_start_insecure(insecure: dict[str, str], named: str) -> None:
    assert named in refusal(**{**PRODUCTION, **insecure})


@pytest.mark.parametrize("yes", ["1", "true", "True", "yes", "ON"])
def test_production_is_said_in_any_of_the_usual_words(yes: str) -> None:
    assert "SECRET_KEY" in refusal(PRODUCTION=yes)


@pytest.mark.parametrize("name", ["PRODUCTION", "DEBUG", "HTTPS", "CORS_ALLOW_ALL_ORIGINS"])
def test_a_word_that_says_neither_yes_nor_no_is_refused(name: str) -> None:
    assert name in refusal(**{name: "ture"})


def test_only_a_pooler_that_is_known_is_taken() -> None:
    assert "DATABASE_POOLER" in refusal(DATABASE_POOLER="session")


def test_a_port_must_be_a_number() -> None:
    assert "port" in refusal(DATABASE_URL="postgresql:///boneyard?port=x")


def test_statements_are_never_logged() -> None:
    assert (
        settings("LOGGING", LOG_LEVEL="DEBUG")["LOGGING"]["loggers"]["django.db.backends"]["level"] == "INFO"
    )


def test_no_refusal_repeats_what_is_secret() -> None:
    for insecure in ({"SECRET_KEY": "xyzzy"}, {"DATABASE_URL": "postgresql://me:xyzzy@[::1/db"}):
        done = run("-c", SHOW, **{**PRODUCTION, **insecure})
        assert done.returncode != 0
        assert "xyzzy" not in done.stderr + done.stdout


def test_the_deploy_check_finds_nothing_in_production() -> None:
    done = run("manage.py", "check", "--deploy", "--fail-level", "WARNING", **PRODUCTION)
    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout


def test_no_migration_is_missing() -> None:
    done = run("manage.py", "makemigrations", "--check", "--dry-run", DATABASE_URL=os.environ["DATABASE_URL"])
    assert done.returncode == 0, done.stdout


# --- development


def test_development_starts_with_nothing_set() -> None:
    found = settings("PRODUCTION", "DEBUG", "ALLOWED_HOSTS", "CORS_ALLOW_ALL_ORIGINS", "SESSION_IDLE")
    assert found == {
        "PRODUCTION": False,
        "DEBUG": False,
        "ALLOWED_HOSTS": ["*"],
        "CORS_ALLOW_ALL_ORIGINS": True,
        "SESSION_IDLE": "1 day, 0:00:00",
    }


def test_the_origins_of_pages_that_may_call_are_listed() -> None:
    found = settings(
        "CORS_ALLOWED_ORIGINS", CORS_ALLOWED_ORIGINS="https://a.example, https://b.example,", **PRODUCTION
    )
    assert found == {"CORS_ALLOWED_ORIGINS": ["https://a.example", "https://b.example"]}


# --- numbers


@pytest.mark.parametrize("value", ["many", "0", "-1", "nan", "inf", "1e999", "1,5", "0x10"])
def test_what_is_no_number_or_too_low_is_refused(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("SOME_SECONDS", value)
    with pytest.raises(ImproperlyConfigured, match="SOME_SECONDS"):
        number("SOME_SECONDS", 5, least=1)


@pytest.mark.parametrize("name", NUMBERS)
def test_each_number_is_checked_before_anything_starts(name: str) -> None:
    assert name in refusal(**{name: "-1"})


def test_players_are_swept_ten_times_in_an_idle_span_and_at_least_each_minute() -> None:
    assert settings("SESSION_RENEWAL") == {"SESSION_RENEWAL": "0:01:00"}
    assert settings("SESSION_RENEWAL", SESSION_IDLE_SECONDS="5") == {"SESSION_RENEWAL": "0:00:00.500000"}


# --- the database


def database(**given: str) -> Any:
    return settings("DATABASES", **given)["DATABASES"]["default"]


def test_the_database_is_given_as_a_uri() -> None:
    entry = database(DATABASE_URL="postgresql://ann:p%40ss@db.example:6543/games?sslmode=require")
    assert {key: entry[key] for key in ("NAME", "USER", "PASSWORD", "HOST", "PORT")} == {
        "NAME": "games",
        "USER": "ann",
        "PASSWORD": "p@ss",
        "HOST": "db.example",
        "PORT": "6543",
    }
    assert entry["OPTIONS"]["sslmode"] == "require"


@pytest.mark.parametrize(
    "url",
    [
        "nonsense",
        "mysql://host/db",
        "postgresql://[::1/db",
        "postgresql://db/x?speed=1",
        "http://db.example",
        "sqlite:///db",
    ],
)
def test_a_database_that_is_no_postgresql_uri_is_refused(url: str) -> None:
    assert "DATABASE_URL" in refusal(DATABASE_URL=url)


def test_connections_come_from_a_bounded_pool_and_bind_on_the_server() -> None:
    options = database(DATABASE_POOL_SIZE="7")["OPTIONS"]
    assert options["pool"]["max_size"] == 7
    assert options["server_side_binding"] is True
    assert options["prepare_threshold"] is not None


def test_a_transaction_pooler_turns_pool_and_prepared_statements_off() -> None:
    entry = database(DATABASE_POOLER="transaction")
    assert "pool" not in entry["OPTIONS"]
    assert entry["OPTIONS"]["prepare_threshold"] is None
    assert entry["DISABLE_SERVER_SIDE_CURSORS"] is True
