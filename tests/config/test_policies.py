"""What browsers are told about pages, and about cookies: in production nothing is left to their kindness."""

import json
import os
import subprocess

import pytest
from django.test import Client

from config.embedded.process import ROOT
from tests.config.test_settings import PRODUCTION, run
from tests.people import Person

PAGES = ["/admin/login/", "/api/docs", "/api/docs/errors"]


def policy(answer: object) -> dict[str, str]:
    text = answer.headers["Content-Security-Policy"]  # type: ignore[attr-defined]
    return dict(part.strip().partition(" ")[::2] for part in text.split(";"))


@pytest.mark.parametrize("page", PAGES)
def test_a_page_loads_scripts_from_this_server_alone_and_is_in_no_frame(db: None, page: str) -> None:
    answer = Client().get(page)
    assert answer.status_code == 200
    told = policy(answer)
    assert told["default-src"] == "'none'"
    assert set(told["script-src"].split()) <= {"'self'", "'unsafe-eval'"}
    assert told["frame-ancestors"] == told["base-uri"] == "'none'"
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "same-origin"


def test_the_api_s_answers_are_never_taken_for_something_else(ann: Person) -> None:
    for answer in (ann.get("tables"), ann.get("nowhere"), ann.get("/healthz")):
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_the_api_sets_no_cookies(ann: Person) -> None:
    for answer in (ann.get("tables"), ann.post("tables", {"game": "7776"}), Person().get("/api/docs")):
        assert "Set-Cookie" not in answer.headers


SHOW = """
import json, sys, django
django.setup()
from django.test import Client
client = Client(HTTP_HOST="play.example")
secure = client.get("/admin/login/", HTTP_X_FORWARDED_PROTO="https")
plain = client.get("/api/v1/", HTTP_HOST="play.example")
other = client.get("/api/v1/", HTTP_HOST="evil.example", HTTP_X_FORWARDED_PROTO="https")
alive = client.get("/healthz", HTTP_HOST="play.example")
from tests.served import ServedClient
api = ServedClient().get("/api/v1/", HTTP_HOST="play.example", HTTP_X_FORWARDED_PROTO="https")
json.dump({
    "headers": dict(secure.headers), "cookies": {n: dict(c) for n, c in secure.cookies.items()},
    "plain": [plain.status_code, plain.headers.get("Location")], "other": other.status_code,
    "alive": alive.status_code, "api": [api.status_code, dict(api.headers)],
}, sys.stdout)
"""


def test_in_production_browsers_come_by_https_alone_and_cookies_are_for_it() -> None:
    done = run("-c", SHOW, DJANGO_SETTINGS_MODULE="config.settings", **PRODUCTION)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["api"][0] == 200
    for headers in (found["headers"], found["api"][1]):
        assert "max-age=31536000" in headers["Strict-Transport-Security"]
    for cookie in found["cookies"].values():
        assert cookie["secure"]
        assert cookie["httponly"]
        assert cookie["samesite"] in ("Lax", "Strict")
    assert found["plain"] == [301, "https://play.example/api/v1/"]
    assert (found["other"], found["alive"]) == (400, 200)


@pytest.mark.parametrize(("online", "code"), [("", 0), ("1", 1)])
def test_packages_of_which_nothing_can_be_asked_are_not_said_to_be_checked(online: str, code: int) -> None:
    env = {**os.environ, "OSV_URL": "http://127.0.0.1:9", "AUDIT_ONLINE": online}
    done = subprocess.run(
        [ROOT / ".ci" / "audit", "packages"], env=env, capture_output=True, text=True, check=False
    )
    assert (done.returncode, "NOT CHECKED" in done.stderr) == (code, True), done.stdout + done.stderr
    assert "Nothing is known" not in done.stdout
