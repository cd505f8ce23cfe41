"""What an operator sees of a real server: readiness, metrics and logs of all its processes."""

import json
import re
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
from django.db import connection
from prometheus_client.parser import text_string_to_metric_families

from config.run import parts
from sessions.models import Sweep
from tests.live import servers
from tests.live.guests import PATIENCE, Guest, enter_all
from tests.live.instances import Instance
from tests.live.listener import Listener
from tests.live.servers import Running, Server, free_port, start_part, start_server
from tests.live.stored import row_of, wait_for
from tests.people import seat_all

pytestmark = pytest.mark.django_db(transaction=True)

ENV = {"ENTRIES_PER_MINUTE": "1000000", "TRUSTED_PROXIES": "1", "LOG_FORMAT": "json"}
ADDRESS, FORGED = "203.0.113.77", "198.51.100.9"


@pytest.fixture
def valkey() -> Iterator[Instance]:
    """One of the test's own: messages in another would reach the workers of other tests."""
    with Instance("valkey") as instance:
        yield instance


def scrape(url: str, **headers: str) -> dict[str, list[Any]]:
    """Samples by name."""
    answer = httpx.get(f"{url}/metrics", headers=headers, trust_env=False, timeout=PATIENCE)
    assert answer.status_code == 200
    families = text_string_to_metric_families(answer.text)
    found: dict[str, list[Any]] = {}
    for sample in (each for family in families for each in family.samples):
        found.setdefault(sample.name, []).append(sample)
    return found


def value(samples: dict[str, list[Any]], name: str, **labels: str) -> float:
    return sum(float(each.value) for each in samples.get(name, []) if labels.items() <= each.labels.items())


def checks(url: str) -> Any:
    return Guest(url=url).get("/readyz")


def test_readyz_turns_red_when_beat_is_stopped_and_names_what_is_missing(valkey: Instance) -> None:
    port = free_port()
    # Players are swept each ten seconds.
    env = {**ENV, "REDIS_URL": valkey.url, "SESSION_IDLE_SECONDS": "100"}
    with (
        start_server(env) as web,
        start_part("worker", {**env, "WORKER_METRICS_PORT": str(port)}),
        start_part("beat", env) as beat,
    ):
        wait_for(lambda: Sweep.objects.filter(name="players").exists(), "a first sweep of players")
        wait_for(lambda: Sweep.objects.filter(name="tables").exists(), "a first sweep of tables")
        wait_for(lambda: checks(web.url).status == 200, "all green")
        worker = scrape(f"http://127.0.0.1:{port}")
        assert value(worker, "boneyard_sweep_seconds_count", sweep="tables") >= 1
        assert value(worker, "boneyard_check", check="tables_sweep") == 1
        beat.stop()
        begun = time.monotonic()
        wait_for(lambda: checks(web.url).status == 503, "red")
        sys.stdout.write(f"red {time.monotonic() - begun:.1f} s after beat was stopped\n")
        answer = checks(web.url)
        assert answer.code == "unavailable"
        assert [name for name, check in answer["checks"].items() if not check["ok"]] == ["tables_sweep"]
        # Requests can be served all the same, and whoever asks for no more is told so.
        assert Guest(url=web.url).get("/readyz?checks=database,migrations").status == 200
        assert value(scrape(web.url), "boneyard_check", check="tables_sweep") == 0
        with start_part("beat", env):
            wait_for(lambda: checks(web.url).status == 200, "green again")


def test_a_server_counts_what_it_does() -> None:
    with start_server(ENV) as web:
        ann, bob = enter_all(2, web.url)
        table = seat_all("7776", [ann, bob])
        stream = Listener(web.url, f"tables/{table}/stream", authorization=f"Bearer {ann.token}")
        assert stream.next().name == "table"
        assert ann.move(table, "choose 1").status == 201
        assert ann.move(table, "fly").code == "not_your_turn"
        assert bob.get("/Ann").status == 404
        found = scrape(web.url)
        moves = "/api/v1/tables/{table_id}/moves"
        requests = partial(value, found, "boneyard_requests_total")
        assert requests(method="POST", route=moves, status="201") == 1
        assert requests(method="POST", route=moves, status="409") == 1
        assert requests(method="GET", route="other", status="404") == 1
        assert value(found, "boneyard_move_seconds_count") == 2
        assert value(found, "boneyard_streams", route="/api/v1/tables/{table_id}/stream") == 1
        assert value(found, "boneyard_bus_up") == 1
        assert value(found, "boneyard_tables", status="playing") == 1
        assert value(found, "process_open_fds") > 0
        stream.reset()
        wait_for(lambda: value(scrape(web.url), "boneyard_streams") == 0, "the end of the stream")
        # Whoever comes through the proxy is somebody else.
        assert Guest(url=web.url).get("/metrics", x_forwarded_for=ADDRESS).status == 404
        assert Guest(url=web.url).get("/metrics", x_forwarded_for=f"127.0.0.1, {ADDRESS}").status == 404


def by_uvicorn(env: Any, address: Any, *words: str) -> Any:
    """The processes as they are started, but that the web process is uvicorn's own command."""
    command = ["-m", "uvicorn", "config.asgi:application", "--no-proxy-headers", *words]
    at = ["--host", address.host, "--port", str(address.port)]
    return [
        replace(part, argv=[sys.executable, *command, *at]) if part.name == "web" else part
        for part in parts(env, address)
    ]


def two_workers(env: Any, address: Any) -> Any:
    return by_uvicorn(env, address, "--workers", "2")


def test_processes_that_share_a_port_tell_of_all_of_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(servers, "parts", two_workers)
    with start_server({**ENV, "PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}) as web:
        for _ in range(10):
            assert httpx.get(f"{web.url}/api/v1/games", trust_env=False).status_code == 200
        for _ in range(4):
            found = scrape(web.url)
            assert value(found, "boneyard_requests_total", route="/api/v1/games") == 10
            assert value(found, "boneyard_check", check="database") == 1
        assert len({file.name.rpartition("_")[2] for file in tmp_path.glob("counter_*.db")}) >= 2


def test_a_forged_address_changes_nothing_and_the_limit_is_the_client_s_own() -> None:
    with start_server({**ENV, "ENTRIES_PER_MINUTE": "3"}) as web:

        def enter(address: str) -> int:
            body = {"name": f"Guest {uuid4().hex[:8]}", "secret": "correct horse"}
            return Guest(url=web.url).post("sessions", body, x_forwarded_for=address).status

        address = f"203.0.113.{uuid4().int % 250}"
        forged = [f"198.51.100.{n}, {address}" for n in range(4)]
        assert [enter(each) for each in forged] == [201, 201, 201, 429]
        assert enter(f"{address}, 203.0.113.{uuid4().int % 4 + 251}") == 201


def test_each_answer_has_the_id_of_its_request_and_comes_from_a_host_of_ours() -> None:
    with start_server({**ENV, "ALLOWED_HOSTS": "127.0.0.1"}) as web:
        [ann] = enter_all(1, web.url)
        given = str(uuid4())
        for path in ("tables", "nowhere", "stream", "/healthz", "/readyz", "tables/0/moves"):
            answer = replace(ann, token=None).get(path, x_request_id=given)
            assert answer.headers["X-Request-Id"] == given, path
        for unwell in ("short", "Ann Ann Ann", "0123456g", "a" * 65, ann.token or ""):
            made = ann.get("tables", x_request_id=unwell).headers["X-Request-Id"]
            assert re.fullmatch("[0-9a-f]{16}", made)
        for path in ("tables", "stream"):
            assert ann.get(path, host="elsewhere.example").code == "bad_request"
        too_large = ann.post("tables", b" " * 70_000, x_request_id=given)
        assert (too_large.status, too_large.headers["X-Request-Id"]) == (413, given)


# --- logs


@pytest.fixture
def processes(valkey: Instance, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Server, list[Running]]]:
    monkeypatch.setattr(servers, "parts", by_uvicorn)  # which logs each request
    env = {**ENV, "REDIS_URL": valkey.url, "LOG_REQUESTS": "true", "LOG_LEVEL": "DEBUG"}
    with ExitStack() as stack:
        web = stack.enter_context(start_server(env))
        others = [stack.enter_context(start_part(name, env)) for name in ("worker", "beat")]
        yield web, [web, *others]


@contextmanager
def broken() -> Iterator[None]:
    """A database that lacks two tables: whatever is asked of them fails."""
    names = {"players_player": "players_elsewhere", "games_table": "games_elsewhere"}
    for old, new in names.items():
        _rename(old, new)
    try:
        yield
    finally:
        for old, new in names.items():
            _rename(new, old)


def _rename(old: str, new: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {old} RENAME TO {new}")


def live_a_full_life(ann: Guest, bob: Guest, worker: Running) -> tuple[list[str], str]:
    """Do all that could leave a trace; what must not be found, and the id of a request that fails."""
    through = {"x_forwarded_for": f"{FORGED}, {ADDRESS}"}
    for who in (ann, bob):
        answer = who.post("sessions", {"name": who.name, "secret": who.secret}, **through)
        who.token = answer["token"]
    assert ann.post("sessions", {"name": ann.name, "secret": "wrong secret"}, **through).status == 409
    table = seat_all("pickomino", [ann, bob])
    for _ in range(4):
        mover = [ann, bob][ann.see(table)["to_move"][0]]
        assert mover.move(table, mover.see(table)["legal_moves"][0]).status == 201
    assert ann.move(table, ann.name).status in (409, 422)
    for path in (f"/{ann.name}", f"games/{ann.name}", f"tables?game={ann.secret}", f"tables/{ann.token}"):
        assert ann.get(path, **through).status in (400, 404)
    ticket = ann.post("stream-tickets", {}, **through)["ticket"]
    with Listener(ann.url, f"tables/{table}/stream?ticket={ticket}", x_forwarded_for=ADDRESS) as stream:
        assert stream.next().name == "table"
    with broken():
        failing = uuid4().hex
        body = {"name": f"New {ann.name}", "secret": ann.secret}
        assert ann.post("sessions", body, x_request_id=failing, **through).status == 500
        wait_for(lambda: "a task failed" in worker.log, "a sweep that fails")
    assert ann.delete("sessions/current", **through).status == 204
    seed = bytes(row_of(table).seed or b"").hex()
    hidden = [*ann.name.split()[1:], ann.secret, str(ann.token), bob.name.split()[1], bob.secret]
    return [*hidden, str(bob.token), ticket, seed, ADDRESS, FORGED, "wrong secret"], failing


def test_logs_are_json_with_ids_and_hold_nothing_that_is_anybody_s(
    processes: tuple[Server, list[Running]],
) -> None:
    web, all_of_them = processes
    wait_for(lambda: Sweep.objects.filter(name="tables").exists(), "a first sweep")
    ann, bob = (
        Guest(f"Ann q{uuid4().hex[:8]}", url=web.url, secret=f"Secret {uuid4().hex}") for _ in range(2)
    )
    hidden, failing = live_a_full_life(ann, bob, all_of_them[1])
    for part in all_of_them:
        part.stop()
        for text in hidden:
            assert text.lower() not in part.log.lower(), (part.process.args, text)
    # What Celery writes from within a signal's handler is no line of a log; nothing can be logged there.
    logs = [re.sub(r"\nworker: \w+ shutdown \(MainProcess\)\n", "", part.log) for part in all_of_them]
    told = [line for log in logs for line in log.splitlines()]
    assert [line for line in told if not line.startswith("{")] == []
    lines = [json.loads(line) for line in told]
    assert all({"at", "level", "logger", "message"} <= line.keys() for line in lines)
    [error] = [line for line in lines if line.get("request_id") == failing and "error" in line]
    assert error["error"]["type"] == "django.db.utils.ProgrammingError"
    assert error["error"]["sqlstate"] == "42P01"
    answered = [line for line in lines if line.get("request_id") == failing and line["message"] == "answered"]
    assert [(line["method"], line["route"], line["status"]) for line in answered] == [
        ("POST", "/api/v1/sessions", 500)
    ]
    access = [line["message"] for line in lines if line["logger"] == "uvicorn.access"]
    assert any("/api/v1/tables/{table_id}/stream" in message for message in access)
    failed = [line for line in lines if line["message"] == "a task failed"]
    assert all(re.fullmatch("[0-9a-f]{16}", line["request_id"]) for line in failed)
    assert {line["error"]["type"] for line in failed} == {"django.db.utils.ProgrammingError"}


def test_lines_for_people_have_the_id_too(valkey: Instance) -> None:
    with start_server({**ENV, "LOG_FORMAT": "text", "LOG_REQUESTS": "true"}) as web:
        given = uuid4().hex
        assert Guest(url=web.url).get("games", x_request_id=given).status == 200
        wait_for(lambda: given in web.log, "the line")
    [line] = [line for line in web.log.splitlines() if given in line]
    assert "INFO config.asgi: answered method=GET route=/api/v1/games status=200" in line
