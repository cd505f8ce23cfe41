"""The API's short way gives the answers of the long one, through Django's handler and middlewares."""

from io import BytesIO
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import override_settings
from django.test.utils import CaptureQueriesContext

from config.lane import Lane
from games.api import GamesView
from tests.people import Person, seat_all
from tests.served import asked, connection_kept, django, served

Request = tuple[str, str, bytes, dict[str, str]]
JSON = "application/json"
# No address of the API's.
ELSEWHERE = ("/api/v1/nowhere", "/api/v1/games/caf\xc3\xa9", "/api/schema")


def environ(method: str, path: str, body: bytes = b"", **headers: str) -> dict[str, Any]:
    """`headers` as WSGI names them."""
    path, _, query = path.partition("?")
    return {
        "REQUEST_METHOD": method,
        "SCRIPT_NAME": "",
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "SERVER_NAME": "testserver",
        "SERVER_PORT": "80",
        "REMOTE_ADDR": "10.9.8.7",
        "wsgi.url_scheme": "http",
        "wsgi.input": BytesIO(body),
        "CONTENT_LENGTH": str(len(body)),
        "CONTENT_TYPE": JSON,
        "HTTP_HOST": "testserver",
        **headers,
    }


def answered(way: Any, environ: dict[str, Any]) -> HttpResponse:
    with connection_kept():
        return asked(way, environ)


@pytest.fixture
def requests(ann: Person, bob: Person) -> list[Request]:
    """Every sort of answer; none of them changes anything."""
    table = seat_all("pickomino", [ann, bob])
    mine = {"HTTP_AUTHORIZATION": f"Bearer {ann.token}"}
    path = f"/api/v1/tables/{table}"
    etag = ann.get(f"tables/{table}").headers["ETag"]
    return [
        ("GET", "/api/v1/", b"", {}),
        ("GET", path, b"", mine),
        ("HEAD", path, b"", mine),
        ("GET", path, b"", {**mine, "HTTP_IF_NONE_MATCH": etag}),
        ("GET", f"{path}/events?after=2", b"", mine),
        ("GET", f"{path}/events?after=x", b"", mine),
        ("GET", path, b"", {**mine, "HTTP_ACCEPT": "text/html"}),
        ("GET", "/api/v1/tables?mine=true", b"", mine),
        ("GET", "/api/v1/tables", b"", {}),
        ("GET", "/api/v1/tables/0190b0b0-0000-7000-8000-000000000000", b"", mine),
        ("PATCH", path, b"", mine),
        ("POST", f"{path}/moves", b'{"move": "keep 9"}', mine),
        ("POST", f"{path}/moves", b'{"move": 9}', mine),
        ("POST", f"{path}/moves", b"{", mine),
        ("POST", f"{path}/moves", b"", {**mine, "CONTENT_TYPE": "text/plain"}),
        ("POST", f"{path}/moves", b"a=b", {**mine, "CONTENT_TYPE": "text/plain"}),
        ("GET", f"{path}/stream", b"", mine),
        ("GET", "/api/v1/games/senet", b"", {}),
        ("GET", "/api/v1/nowhere", b"", mine),
        ("GET", "/api/v1/games/caf\xc3\xa9", b"", mine),
        ("OPTIONS", path, b"", mine),
        ("GET", path, b"", {**mine, "HTTP_ORIGIN": "https://elsewhere.example"}),
        ("GET", "/api/schema", b"", {}),
    ]


def test_every_sort_of_answer_is_the_same_on_both_ways(requests: list[Request]) -> None:
    for method, path, body, headers in requests:
        short, long = (answered(way, environ(method, path, body, **headers)) for way in (served, django))
        told = (short.status_code, short.reason_phrase, short.content, sorted(short.items()))
        assert told == (long.status_code, long.reason_phrase, long.content, sorted(long.items())), path


def refuse(*_: Any) -> Any:
    raise AssertionError("this one went through Django")


def test_usual_requests_do_go_the_short_way(requests: list[Request]) -> None:
    for method, path, body, headers in requests[:-2]:
        if path not in ELSEWHERE and method != "OPTIONS":
            assert answered(Lane(refuse), environ(method, path, body, **headers)).status_code


def test_unknown_hosts_and_http_go_through_django(requests: list[Request]) -> None:
    method, path, body, headers = requests[1]
    with override_settings(ALLOWED_HOSTS=["elsewhere.example"]), pytest.raises(AssertionError):
        asked(Lane(refuse), environ(method, path, body, **headers))
    with override_settings(SECURE_SSL_REDIRECT=True):
        with pytest.raises(AssertionError):
            asked(Lane(refuse), environ(method, path, body, **headers))
        secure = environ(method, path, body, **headers, **{"wsgi.url_scheme": "https"})
        assert answered(Lane(refuse), secure).status_code == 200


@pytest.mark.parametrize("way", [served, django])
def test_a_view_that_fails_is_500_and_says_nothing(
    db: None, monkeypatch: pytest.MonkeyPatch, way: Any, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError("a secret")

    monkeypatch.setattr(GamesView, "get", fail)
    answer = answered(way, environ("GET", "/api/v1/games"))
    assert (answer.status_code, b"secret" in answer.content) == (500, False)
    assert answer.headers["Content-Type"] == "application/problem+json"


def test_who_watches_statements_sees_those_that_are_written_out(ann: Person, bob: Person) -> None:
    table = seat_all("pickomino", [ann, bob])
    with CaptureQueriesContext(connection) as queries:
        ann.see(table)
    assert any("json_build_array" in query["sql"] for query in queries)


@pytest.mark.parametrize(
    "kind",
    [
        f"{JSON}; charset=rot13",
        f"{JSON}; charset=idna",
        f"{JSON}; charset=undefined",
        f"{JSON}; x*=nonesuch''%41",
        f"{JSON}; x*=undefined''%41",
    ],
)
def test_encodings_that_can_not_be_read_are_passed_over(ann: Person, kind: str) -> None:
    """Django fails at them before it has a request; here all is UTF-8, whatever a request calls it."""
    mine = {"HTTP_AUTHORIZATION": f"Bearer {ann.token}"}
    headers = {**mine, "CONTENT_TYPE": kind}
    opened = answered(served, environ("POST", "/api/v1/tables", b'{"game": "7776"}', **headers))
    assert opened.status_code == 201
    for path in ("/api/v1/tables?mine=%ff%fe", "/api/v1/nowhere?x=%ff"):
        plain = answered(served, environ("GET", path, b"", **mine))
        odd = answered(served, environ("GET", path, b"", **headers))
        assert (odd.status_code, odd.content) == (plain.status_code, plain.content)


def test_a_server_may_leave_out_what_is_empty(ann: Person) -> None:
    """As PEP 3333 has it."""
    given = environ("GET", "/api/v1/tables", HTTP_AUTHORIZATION=f"Bearer {ann.token}")
    for name in ("SCRIPT_NAME", "QUERY_STRING", "CONTENT_TYPE", "CONTENT_LENGTH"):
        del given[name]
    assert answered(served, given).status_code == 200
