"""`make run` with the real server: its parts together, each of them killed, and the container's checks."""

import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.embedded.process import ROOT
from tests.config.running import (
    REAL,
    SECONDS,
    Running,
    environment,
    free_port,
    processes_about,
    running,
    wait_for,
)
from tests.config.test_compose import image_command

pytestmark = [
    pytest.mark.timeout(300),
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc"),
]

ANN = {"name": "Ann", "secret": "correct horse"}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Running]:
    with running(tmp_path, REAL) as server:
        server.wait_until_ready()
        yield server


def sweeps_run(server: Running) -> bool:
    return server.answers("/readyz?checks=tables_sweep")


def test_whatever_is_killed_comes_back_and_nothing_is_lost(server: Running, tmp_path: Path) -> None:
    token = server.post("/api/v1/sessions", ANN)["token"]
    table = server.post("/api/v1/tables", {"game": "7776"}, token)["id"]
    wait_for(lambda: sweeps_run(server))
    for part in ("web", "worker", "beat", "valkey", "postgres"):
        server.kill(part)
        wait_for(lambda: server.answers("/readyz"))
    assert server.get("/api/v1/sessions/current", token)["player"]["name"] == "Ann"
    server.process.kill()
    server.process.wait(SECONDS)
    with running(tmp_path, REAL) as second:
        second.wait_until_ready()
        assert second.get(f"/api/v1/tables/{table}", token)["id"] == table
        wait_for(lambda: sweeps_run(second))
        assert second.stop(signal.SIGINT) == 0
    assert processes_about(tmp_path) == []
    assert "Traceback" not in server.said() + second.said()


def test_web_processes_share_the_port_and_the_work(tmp_path: Path) -> None:
    with running(tmp_path, REAL, env={"WEB_PROCESSES": "2"}) as server:
        server.wait_until_ready()
        wait_for(lambda: counting(server) == {"web", "web-2"})
        before = asked(server)
        for _ in range(20):
            assert server.answers("/api/v1/games")
        assert asked(server) == before + 20
        for part in ("web", "web-2"):
            server.kill(part)
            wait_for(lambda: server.answers("/readyz"))
        assert asked(server) >= before + 20
        assert server.stop() == 0


def counting(server: Running) -> set[str]:
    """The parts that have counted an answer; each request may meet another one."""
    server.answers("/api/v1/games")
    pids = {file.stem.rpartition("_")[2] for file in (server.data / "metrics").glob("counter_*.db")}
    return {part for part in ("web", "web-2", "worker", "beat") if str(server.pid_of(part)) in pids}


def asked(server: Running) -> int:
    """How often the games were asked for, by what any of the processes tells of all."""
    with urllib.request.urlopen(server.url("/metrics"), timeout=10) as answer:
        told = answer.read().decode()
    found = re.search(r'^boneyard_requests_total.*route="/api/v1/games".* ([0-9.e+]+)$', told, re.MULTILINE)
    assert found, told
    return int(float(found[1]))


def test_make_run_says_three_lines_that_work_and_ends_on_ctrl_c(tmp_path: Path) -> None:
    with running(tmp_path, ["make", "run"]) as server:
        server.wait_until_ready()
        check_lines_to_try(server)
        check_moderator_can_be_made(server)
        os.killpg(server.process.pid, signal.SIGINT)  # as a terminal does
        server.process.wait(SECONDS)
        assert processes_about(tmp_path) == []
        assert "Traceback" not in server.said()


def check_lines_to_try(server: Running) -> None:
    lines = [line.strip() for line in server.said().splitlines() if line.startswith("  curl ")]
    assert len(lines) == 3
    for line in lines:
        done = subprocess.run(
            ["sh", "-c", line.replace("curl ", "curl -sf ", 1)], capture_output=True, text=True, check=True
        )
        assert json.loads(done.stdout)


def check_moderator_can_be_made(server: Running) -> None:
    """As docs/moderators.md has it, in another terminal beside the server."""
    env = environment(DATA_DIR=str(server.data), STAFF_PASSWORD="long enough a word")
    command = [*REAL, "manage", "make_moderator", "mo"]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("mo can log in at /admin/ as a moderator.\n", 0), done.stderr


def test_the_image_s_command_is_healthy_in_production(server: Running, tmp_path: Path) -> None:
    """What the Dockerfile starts and asks, with compose's variables, beside the services of a run."""
    environ = Path(f"/proc/{server.pid_of('web')}/environ").read_bytes().decode().split("\0")
    services = dict(entry.split("=", 1) for entry in environ if re.match("(DATABASE|REDIS)_URL=", entry))
    production = {
        "PRODUCTION": "true",
        "SECRET_KEY": "0123456789abcdef" * 4,
        "ALLOWED_HOSTS": "boneyard.example",
    }
    port = free_port()
    command = [sys.executable, "-m", *(word.replace("8000", str(port)) for word in image_command())]
    question = re.search(r'CMD \["python", "-c", "(.*)"\]', (ROOT / "Dockerfile").read_text())
    assert question
    asked = [sys.executable, "-c", question.group(1).replace("8000", str(port))]
    env = {**services, **production, "DJANGO_SETTINGS_MODULE": "config.settings"}
    with running(tmp_path, command, env=env):
        wait_for(lambda: subprocess.run(asked, capture_output=True, check=False).returncode == 0)
