"""A moderator at the desk, in a real browser, by clicks alone.

With PICTURES set it also takes the pictures of docs/moderators.md.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission, User
from django.db import connections
from playwright.sync_api import Page, expect, sync_playwright

from config.acts import parts_of
from sessions.models import Player
from tests.desk.conftest import desk
from tests.desk.staff import PASSWORD
from tests.games.situations import begun, play, row, told
from tests.live.servers import Server, start_server
from tests.people import Person

# As root there is no sandbox.
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
NASTY = "<img src=x onerror=a()>"
BACKWARDS = "naB\u202enoM"


@pytest.fixture
def server(transactional_db: None) -> Iterator[Server]:
    with start_server() as server:
        yield server


@pytest.fixture(autouse=True)
def beside_a_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """Django sees the event loop of Playwright, which nothing of ours runs in."""
    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")


def browse(steps: Callable[[Page], None]) -> None:
    """Do these steps in a fresh browser, in a thread of their own, since other tests may have one open."""

    def run() -> None:
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
                page = browser.new_page(viewport={"width": 1280, "height": 860})
                page.set_default_timeout(30_000)
                steps(page)
                browser.close()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(run).result()


def chromium() -> str:
    """The browser's program. Raises LookupError when there is none."""
    for name in ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"):
        if found := shutil.which(name):
            return found
    raise LookupError("no Chromium is installed")


def picture(page: Page, name: str) -> None:
    if os.environ.get("PICTURES"):
        page.evaluate("document.fonts.ready.then(() => true)")
        PICTURES.mkdir(exist_ok=True)
        page.screenshot(path=PICTURES / f"{name}.png")


def people(*names: str) -> list[Person]:
    found = [Person(name) for name in names]
    for person in found:
        assert person.enter().status == 201
    return found


def moderator(*permissions: str) -> None:
    desk.make_groups(apps, None)
    user = User.objects.create_user("mo", password=PASSWORD, is_staff=True)
    user.groups.add(*apps.get_model("auth", "Group").objects.filter(name="moderator"))
    user.user_permissions.add(*Permission.objects.filter(codename__in=permissions))


def log_in(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/admin/")
    page.get_by_label("Username").fill("mo")
    page.get_by_label("Password").fill(PASSWORD)
    picture(page, "login")
    page.get_by_role("button", name="Log in").click()


def test_a_moderator_finds_a_table_voids_it_and_steps_through_it_as_a_seat(server: Server) -> None:
    ann, bob = people("Ann", "Bob")
    table = begun("dominoes", [ann, bob])
    play([ann, bob], table, 14)
    others = people("Cleo", "Dan", "Eve")
    play(others, begun("pickomino", others), 5)
    play([ann, others[0]], begun("7776", [ann, others[0]]), 5)
    others[1].open("pickomino", capacity=4)
    moderator()
    browse(partial(judge, server, table))
    assert [parts_of(entry)[0] for entry in LogEntry.objects.all()] == ["Voided the table"]


def judge(server: Server, table: str, page: Page) -> None:
    log_in(page, server)
    page.get_by_role("link", name="Tables").first.click()
    picture(page, "tables")
    page.get_by_role("searchbox").or_(page.locator("input[name=q]")).first.fill("bob")
    page.keyboard.press("Enter")
    page.get_by_role("link", name=table).click()
    expect(page.get_by_text("hidden").first).to_be_visible()
    picture(page, "table")

    page.locator("summary", has_text="Void the table").click()
    page.locator("details[open] textarea").fill("They showed each other their tiles")
    picture(page, "void")
    page.get_by_role("button", name="Void the table").click()
    expect(page.get_by_text("The table is voided")).to_be_visible()
    assert told(table)[-1] == ("finished", None, "moderator")

    page.get_by_label("Seen by").select_option("seat 1")
    expect(page.get_by_text("Told to seat 1 alone")).to_be_visible()
    last = row(table).version
    page.get_by_role("link", name="‹ Before").click()
    page.get_by_role("link", name="‹ Before").click()
    expect(page.get_by_text(f"{last - 2} of {last}")).to_be_visible()
    assert page.locator("svg.tile").count() > 0
    picture(page, "seat")
    page.get_by_label("Version").fill("7")
    expect(page.locator("output", has_text=f"7 of {last}")).to_be_visible()

    page.get_by_role("link", name="What staff did here").click()
    expect(page.get_by_text("They showed each other their tiles")).to_be_visible()
    page.get_by_role("link", name="Log entries").first.click()
    expect(page.get_by_text("They showed each other their tiles")).to_be_visible()
    picture(page, "log")


def test_who_may_look_sees_every_hand_once(server: Server) -> None:
    ann, bob = people("Ann", "Bob")
    table = begun("7776", [ann, bob])
    play([ann, bob], table, 4)
    throws = [person.see(table)["view"]["throw"] for person in (ann, bob)]
    moderator("look_at_hidden")
    browse(partial(look, server, table, sum(map(len, throws))))


def look(server: Server, table: str, dice: int, page: Page) -> None:
    log_in(page, server)
    page.goto(f"{server.url}/admin/games/table/{table}/change/")
    page.locator("summary", has_text="Look at what is hidden").click()
    page.locator("details[open] textarea").fill("Reported to choose by each other's dice")
    page.get_by_role("button", name="Look at what is hidden").click()
    expect(page.get_by_text("What is hidden, as it is now")).to_be_visible()
    shown = page.locator(".hidden-things > .board > .line svg.die")
    assert shown.count() == dice
    picture(page, "look")
    page.goto(page.url)
    assert page.locator(".hidden-things").count() == 0


def test_names_are_text_and_nothing_more(server: Server) -> None:
    ann, bob = people("Ann", "Bob")
    table = begun("pickomino", [ann, bob])
    play([ann, bob], table, 12)
    Player.objects.filter(name="Ann").update(name=NASTY)
    Player.objects.filter(name="Bob").update(name=BACKWARDS)
    moderator()
    browse(partial(read_names, server, table))


def read_names(server: Server, table: str, page: Page) -> None:
    log_in(page, server)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    player = Player.objects.get(name=NASTY)
    for path in ("games/table/", f"games/table/{table}/change/", "players/player/"):
        page.goto(f"{server.url}/admin/{path}")
        expect(page.get_by_text(NASTY).first).to_be_visible()
        expect(page.locator("bdi", has_text=BACKWARDS).first).to_be_visible()
    page.get_by_role("link", name=NASTY).click()
    expect(page.get_by_text(table)).to_be_visible()
    picture(page, "player")
    assert str(player.pk) in page.url
    assert not [url for url in asked if url.endswith("/x")]
    assert {url.split("/")[2] for url in asked if url.startswith("http")} == {server.url.split("/")[2]}
