"""Refusals are problem documents on every path, and CORS lets browsers read them."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as configured
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path
from pytest_django import Settings
from rest_framework.request import Request
from rest_framework.response import Response

from config import urls
from config.errors import Refusal
from config.logs import JSON, Cut
from config.problems import STATUS
from sessions.views import OpenView
from tests.conftest import Enter
from tests.people import Answer, Person

handler400, handler403, handler404, handler500 = (
    urls.handler400,
    urls.handler403,
    urls.handler404,
    urls.handler500,
)


class BrokenView(OpenView):
    def get(self, request: Request) -> Response:
        raise ZeroDivisionError("xyzzy")


def broken(request: HttpRequest) -> HttpResponse:
    raise ZeroDivisionError("xyzzy")


def broken_too(request: HttpRequest, typed: str) -> HttpResponse:
    raise ZeroDivisionError("xyzzy")


urlpatterns = [
    *urls.urlpatterns,
    path("broken", broken),
    path("broken/<typed>", broken_too),
    path("api/v1/broken", BrokenView.as_view()),
]


@pytest.fixture
def fails_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault is answered instead of raised in the test."""
    monkeypatch.setattr("tests.people._client", Client(raise_request_exception=False))


# --- the document


@pytest.mark.parametrize("kind", STATUS)
def test_every_refusal_has_a_code_and_a_status_of_its_own_kind(kind: type[Refusal]) -> None:
    assert kind.code.isidentifier()
    assert kind.code.islower()
    assert 400 <= STATUS[kind] < 600
    assert not kind.title.endswith(".")


def test_no_code_means_two_things() -> None:
    assert len({kind.code for kind in STATUS}) == len(STATUS)


def test_every_refusal_that_there_is_has_a_status() -> None:
    kinds, left = set(), [Refusal]
    while left:
        found = left.pop().__subclasses__()
        kinds.update(found)
        left.extend(found)
    assert kinds == set(STATUS)


def test_the_type_leads_to_a_page_about_the_code(db: None) -> None:
    answer = Person().get("nowhere")
    assert answer["type"].endswith("/errors#not_found")
    page, _, code = answer["type"].partition("#")
    shown = Client().get(page)
    assert shown.status_code == 200
    assert f'id="{code}"' in shown.content.decode()


# --- 404


@pytest.mark.parametrize(
    "address",
    [
        "/nowhere",
        "/api",
        "/api/v2",
        "/api/v1/nowhere",
        "/api/v1/sessions/",
        "/api/v1/games/whist",
        "/api/v1/tables/0197",
        "/api/v1/tables/by-code/ABCDEFGH",
        "/healthz/",
        "/metrics",
        "/static/nothing.js",
        "/.env",
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE", "PUT"])
def test_an_address_that_leads_nowhere_is_404_within_the_api_and_outside(
    ann: Person, method: str, address: str
) -> None:
    answer = ann.call(method, address, {} if method in ("POST", "PUT") else None)
    if answer.status == 405:
        assert address in ("/api/v1/games/whist", "/api/v1/tables/by-code/ABCDEFGH")
        return
    assert answer.status == 404
    assert answer.code == "not_found"


# --- 405


ALLOWED = {
    "": "GET",
    "/api/v1": "GET",
    "sessions": "POST",
    "sessions/current": "GET DELETE",
    "games": "GET",
    "games/7776": "GET",
    "tables": "GET POST",
    "tables/by-code": "POST",
    "tables/{}": "GET",
    "tables/{}/seats": "POST",
    "tables/{}/seats/me": "DELETE",
    "tables/{}/seats/me/return": "POST",
    "tables/{}/seats/0": "DELETE",
    "tables/{}/bots": "POST",
    "tables/{}/start": "POST",
    "tables/{}/moves": "POST",
    "tables/{}/events": "GET",
    "tables/{}/stream": "GET",
    "tables/{}/rematch": "POST",
    "matches": "POST",
    "stream": "GET",
    "lobby/stream": "GET",
    "stream-tickets": "POST",
    "/healthz": "GET",
    "/readyz": "GET",
}


@pytest.mark.parametrize("address", ALLOWED)
def test_a_wrong_method_is_405_with_the_right_ones(ann: Person, address: str) -> None:
    allowed = set(ALLOWED[address].split())
    allowed |= {"HEAD"} if "GET" in allowed else set()
    table = ann.open()
    for method in {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"} - allowed:
        answer = ann.call(method, address.replace("{}", table))
        assert answer.status == 405, method
        assert answer.code == "method_not_allowed"
        assert set(answer.headers["Allow"].split(", ")) == allowed


# --- 406 and 415


@pytest.mark.parametrize("accept", ["text/html", "application/xml", "image/*", "text/plain, text/html;q=0.9"])
@pytest.mark.parametrize("address", ["", "games", "sessions/current", "tables", "/healthz"])
def test_who_takes_no_json_gets_406_in_json(ann: Person, accept: str, address: str) -> None:
    answer = ann.get(address, accept=accept)
    assert answer.status == 406
    assert answer.code == "not_acceptable"


@pytest.mark.parametrize(
    "accept", ["*/*", "application/*", "application/json", "text/html, */*;q=0.1", "application/json;q=0.1"]
)
def test_who_takes_json_among_others_gets_it(ann: Person, accept: str) -> None:
    assert ann.get("tables", accept=accept).status == 200


@pytest.mark.parametrize(
    "content_type",
    [
        "",
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/xml",
        "text/json",
        "application/jsonp",
        "application",
        "/",
        ";",
        "application/json, text/plain",
    ],
)
def test_a_body_that_is_not_said_to_be_json_is_415(ann: Person, content_type: str) -> None:
    answer = ann.post("tables", b'{"game": "7776"}', content_type=content_type)
    assert answer.status == 415
    assert answer.code == "unsupported_media_type"


@pytest.mark.parametrize(
    "content_type", ["application/json; charset=utf-8", "APPLICATION/JSON", "application/json;"]
)
def test_json_may_be_said_in_any_way(ann: Person, content_type: str) -> None:
    assert ann.post("tables", b'{"game": "7776"}', content_type=content_type).status == 201


@pytest.mark.parametrize("content_type", ["", "text/plain", "application/x-www-form-urlencoded"])
def test_an_absent_body_needs_no_media_type(ann: Person, content_type: str) -> None:
    table = ann.open()
    assert ann.post(f"tables/{table}/bots", b"", content_type=content_type).status == 201


# --- 429


def test_too_many_looks_for_a_code_are_429_and_say_when_to_come_again(ann: Person) -> None:
    for _ in range(configured.CODE_LOOKS_PER_MINUTE):
        assert ann.post("tables/by-code", {"code": "00000000"}).code == "not_found"
    answer = ann.post("tables/by-code", {"code": "00000000"})
    assert answer.status == 429
    assert answer.code == "throttled"
    assert 1 <= int(answer.headers["Retry-After"]) <= 60


# --- 500


@pytest.mark.urls(__name__)
@pytest.mark.parametrize("address", ["/broken", "/api/v1/broken"])
def test_a_fault_is_500_and_tells_nothing_of_itself(
    db: None, fails_quietly: None, caplog: pytest.LogCaptureFixture, address: str
) -> None:
    answer = Person().get(address)
    assert answer.status == 500
    assert answer.code == "internal_error"
    assert "xyzzy" not in json.dumps(answer.json)
    assert "xyzzy" in caplog.text


@pytest.mark.urls(__name__)
def test_the_log_names_the_route_of_a_fault_and_not_what_was_typed(
    db: None, fails_quietly: None, caplog: pytest.LogCaptureFixture
) -> None:
    assert Person().get("/broken/Zoe?q=Zoe").status == 500
    [record] = [record for record in caplog.records if record.name == "django.request"]
    assert Cut().filter(record)
    line = json.loads(JSON().format(record))
    assert line["message"] == "Internal Server Error: /broken/{typed}"
    assert "Zoe" not in str(line)


# --- 503


ASK = """
import json, sys
import django
django.setup()
from django.test import Client
answers = []
for method, address, body in json.load(sys.stdin):
    answer = Client(raise_request_exception=False).generic(
        method, address, body, content_type="application/json", HTTP_AUTHORIZATION="Bearer nobodys"
    )
    answers.append([answer.status_code, dict(answer.headers), json.loads(answer.content)])
json.dump(answers, sys.stdout)
"""


def ask_without_database(folder: Path, *requests: tuple[str, str, str], **more: str) -> list[Answer]:
    """The answers of a process whose PostgreSQL is not there."""
    env = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": f"postgresql://nobody@/nothing?host={folder}",
        **more,
    }
    done = subprocess.run(
        [sys.executable, "-c", ASK],
        input=json.dumps(requests),
        env=env,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return [Answer(status, body, headers) for status, headers, body in json.loads(done.stdout)]


TABLE = "/api/v1/tables/0197f0a0-0000-7000-8000-000000000000"
NEEDS_DATABASE = [
    ("POST", "/api/v1/sessions", '{"name": "Ann", "secret": "correct horse"}'),
    ("GET", "/api/v1/sessions/current", ""),
    ("DELETE", "/api/v1/sessions/current", ""),
    ("GET", "/api/v1/tables", ""),
    ("POST", "/api/v1/tables", '{"game": "7776"}'),
    ("GET", TABLE, ""),
    ("POST", f"{TABLE}/seats", "{}"),
    ("POST", f"{TABLE}/moves", '{"move": "roll"}'),
    ("GET", f"{TABLE}/events", ""),
    ("GET", "/readyz", ""),
]


NEEDS_NONE = ["/api/v1/", "/api/v1/games", "/api/v1/games/7776", "/healthz", "/api/schema"]


def test_without_its_database_the_server_says_503_and_answers_what_needs_none(tmp_path: Path) -> None:
    others = [("GET", address, "") for address in NEEDS_NONE]
    answers = ask_without_database(tmp_path, *NEEDS_DATABASE, *others, DATABASE_POOLER="transaction")
    assert [answer.status for answer in answers[len(NEEDS_DATABASE) :]] == [200] * len(others)
    for (method, address, _), answer in zip(NEEDS_DATABASE, answers, strict=False):
        assert answer.status == 503, (method, address, answer)
        assert answer.code == "unavailable"
        assert int(answer.headers["Retry-After"]) >= 1


def test_it_says_so_too_when_connections_come_from_a_pool(tmp_path: Path) -> None:
    (answer,) = ask_without_database(tmp_path, NEEDS_DATABASE[0], DATABASE_POOLER="")
    assert answer.status == 503
    assert answer.code == "unavailable"
    assert int(answer.headers["Retry-After"]) >= 1


@pytest.mark.django_db(transaction=True)
def test_a_connection_that_breaks_is_one_503_and_then_all_goes_on(enter: Enter) -> None:
    ann = enter("Ann")
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (backend,) = cursor.fetchone()
    other = connection.copy()
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [backend])
    other.close()
    answer = ann.post("tables", {"game": "7776"})
    connection.close()
    assert answer.status == 503
    assert answer.code == "unavailable"
    assert answer.headers["Retry-After"]
    assert ann.post("tables", {"game": "7776"}).status == 201


# --- CORS


PAGE = "https://play.example"


@pytest.fixture
def listed(settings: Settings) -> None:
    settings.CORS_ALLOW_ALL_ORIGINS = False
    settings.CORS_ALLOWED_ORIGINS = [PAGE]


def preflight(address: str, origin: str = PAGE, method: str = "POST") -> Any:
    return Client().options(
        address,
        headers={
            "Origin": origin,
            "Access-Control-Request-Method": method,
            "Access-Control-Request-Headers": "authorization, idempotency-key",
        },
    )


def words(header: str) -> set[str]:
    return {word.strip().lower() for word in header.split(",")}


@pytest.mark.parametrize("address", ["/api/v1/tables", "/api/v1/sessions", "/api/schema", "/api/v1/nowhere"])
def test_a_preflight_names_the_headers_and_methods_that_the_api_takes(listed: None, address: str) -> None:
    answer = preflight(address)
    assert answer.status_code == 200
    assert answer["Access-Control-Allow-Origin"] == PAGE
    assert words(answer["Access-Control-Allow-Headers"]) == {
        "authorization",
        "content-type",
        "idempotency-key",
        "last-event-id",
    }
    assert {"get", "post", "put", "delete"} <= words(answer["Access-Control-Allow-Methods"])
    assert "Access-Control-Allow-Credentials" not in answer


def test_a_preflight_needs_no_token_and_no_database(listed: None) -> None:
    assert preflight("/api/v1/sessions/current", method="DELETE").status_code == 200


def test_answers_show_the_headers_that_clients_need(listed: None, ann: Person) -> None:
    answer = ann.get("tables", origin=PAGE)
    assert answer.headers["Access-Control-Allow-Origin"] == PAGE
    assert words(answer.headers["Access-Control-Expose-Headers"]) == {
        "retry-after",
        "etag",
        "date",
        "location",
    }
    assert "origin" in words(answer.headers["Vary"])


@pytest.mark.parametrize(
    ("method", "address", "status"),
    [("GET", "nowhere", 404), ("PUT", "games", 405), ("GET", "tables", 401), ("POST", "sessions", 400)],
)
def test_refusals_can_be_read_by_browsers_too(
    listed: None, db: None, method: str, address: str, status: int
) -> None:
    answer = Person().call(method, address, b"{", origin=PAGE)
    assert answer.status == status
    assert answer.headers["Access-Control-Allow-Origin"] == PAGE


@pytest.mark.urls(__name__)
def test_even_a_fault_can_be_read_by_browsers(listed: None, db: None, fails_quietly: None) -> None:
    answer = Person().get("broken", origin=PAGE)
    assert answer.status == 500
    assert answer.headers["Access-Control-Allow-Origin"] == PAGE


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "http://play.example", "null", f"{PAGE}.evil.example"]
)
def test_other_origins_are_not_let_in(listed: None, ann: Person, origin: str) -> None:
    assert "Access-Control-Allow-Origin" not in preflight("/api/v1/tables", origin)
    assert "Access-Control-Allow-Origin" not in ann.get("tables", origin=origin).headers


def test_all_origins_can_be_let_in(ann: Person, settings: Settings) -> None:
    settings.CORS_ALLOW_ALL_ORIGINS = True
    assert ann.get("tables", origin=PAGE).headers["Access-Control-Allow-Origin"] == "*"
    assert preflight("/api/v1/tables")["Access-Control-Allow-Origin"] == "*"


def test_nothing_outside_of_the_api_is_for_other_origins(settings: Settings, db: None) -> None:
    settings.CORS_ALLOW_ALL_ORIGINS = True
    for address in ("/healthz", "/admin/login/"):
        assert "Access-Control-Allow-Origin" not in Client().get(address, headers={"Origin": PAGE})


def test_a_form_without_its_token_is_refused_as_a_problem_too() -> None:
    client = Client(enforce_csrf_checks=True)
    response = client.post("/admin/login/", {"username": "x", "password": "y"})
    assert response.status_code == 403
    assert response.headers["Content-Type"] == "application/problem+json"
    assert response.json()["code"] == "forbidden"
