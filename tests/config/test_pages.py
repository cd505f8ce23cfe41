"""`/` and `/play/…`: the page, file by file."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from config.pages import POLICY
from tests.people import Person

FOLDER = Path(settings.BASE_DIR / "play")
FILES = sorted(
    str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*") if path.suffix in (".js", ".css", ".svg")
)


def text_of(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def test_the_front_page_is_the_page() -> None:
    answer = Client().get("/")
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert answer.content == (FOLDER / "index.html").read_bytes()


@pytest.mark.parametrize("name", FILES)
def test_each_file_is_served_as_it_lies_there_under_the_strict_policy(name: str) -> None:
    answer = Client().get(f"/play/{name}")
    assert answer.content == (FOLDER / name).read_bytes()
    assert answer.headers["Content-Security-Policy"] == POLICY
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_the_policy_allows_nothing_but_our_own_files() -> None:
    rules = dict(rule.split(" ", 1) for rule in POLICY.split("; "))
    assert rules.pop("img-src") == "'self' data:"
    assert {rules.pop(name) for name in ("script-src", "style-src", "connect-src")} == {"'self'"}
    assert set(rules.values()) == {"'none'"}
    assert "default-src" in rules


@pytest.mark.parametrize("path", ["/", "/play/main.js", "/play/style.css"])
def test_who_has_the_file_is_told_that_it_is_the_same(path: str) -> None:
    first = Client().get(path)
    assert first.headers["Cache-Control"] == "public, no-cache"
    again = Client().get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert Client().get(path, headers={"If-None-Match": '"another"'}).content == first.content


@pytest.mark.parametrize(
    "path",
    [
        "/play/",
        "/play",
        "/play/none.js",
        "/play/index.html",
        "/play/../config/settings.py",
        "/play/..%2fconfig%2fsettings.py",
        "/play/boards/../main.js",
        "/play/%00.js",
        "/play/main.js/",
        "/play/Main.js%0a",
    ],
)
def test_there_is_nothing_else_to_be_had(path: str) -> None:
    answer = Person().get(path)
    assert (answer.status, answer.code) == (404, "not_found")


@pytest.mark.parametrize("path", ["/", "/play/main.js"])
def test_files_are_for_reading(path: str) -> None:
    answer = Client().post(path)
    assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")
    assert answer.headers["Allow"] == "GET, HEAD"
    assert Client().head(path).status_code == 200


@pytest.mark.parametrize("name", ["index.html", *FILES])
def test_no_file_names_a_foreign_host_or_says_what_the_policy_forbids(name: str) -> None:
    text = text_of(name).replace("http://www.w3.org/2000/svg", "")
    assert "//" not in re.sub(r"(^|\s)//", "", text.replace("https?://", "")) or name == "verify.js"
    assert not re.search(r"\b(innerHTML|outerHTML|insertAdjacentHTML|eval|document\.write)\b", text)
    if name.endswith(".html"):
        assert not re.search(r"<style|\sstyle=|\son[a-z]+=|<script>", text)


def test_whatever_index_and_the_modules_name_is_there() -> None:
    named = set(re.findall(r'(?:href|src)="/play/([^"]+)"', text_of("index.html")))
    for name in FILES:
        folder = Path(name).parent
        for found in re.findall(r'(?:from|import) ?\(?["`](\.{1,2}/[\w./-]+)["`]', text_of(name)):
            named.add(str((folder / found).as_posix()).replace("boards/../", ""))
    assert named
    for name in named:
        assert (FOLDER / name).is_file(), name


def test_the_guide_for_clients_quotes_the_page_as_it_is() -> None:
    guide = (settings.BASE_DIR / "docs" / "client.md").read_text(encoding="utf-8")
    quoted = [
        script for script in re.findall(r"```js\n(.*?)```", guide, re.DOTALL) if "let last" not in script
    ]
    assert len(quoted) == 6
    lines = [line.strip() for name in ("api.js", "follow.js") for line in text_of(name).splitlines()]
    code = "\n".join(lines)
    for script in quoted:
        assert "\n".join(line.strip() for line in script.splitlines()) in code, script
