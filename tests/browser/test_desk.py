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
from django.contrib.auth.models import Permission, User
from django.db import connections
from playwright.sync_api import Page, ViewportSize, expect, sync_playwright

from sessions.models import Player
from tests.desk.conftest import desk
from tests.desk.staff import PASSWORD
from tests.games.situations import begun, play, row, told
from tests.live.guests import Guest
from tests.live.listener import Listener, watch
from tests.live.listener import told as heard_of
from tests.live.servers import Server, start_server
from tests.people import Person

# As root there is no sandbox.
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
PHONE: ViewportSize = {"width": 390, "height": 860}
DESKTOP: ViewportSize = {"width": 1280, "height": 860}
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
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
            page = browser.new_page(viewport=DESKTOP)
            page.set_default_timeout(30_000)
            try:
                steps(page)
            finally:
                # In here, since outside Django no longer knows those that the steps opened.
                connections.close_all()
            browser.close()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(run).result()


def chromium() -> str:
    """The browser's program. Raises LookupError when there is none."""
    for name in ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"):
        if found := shutil.which(name):
            return found
    raise LookupError("no Chromium is installed")


def picture(page: Page, name: str) -> None:
    check_it_fits(page)
    if os.environ.get("PICTURES"):
        page.evaluate("document.fonts.ready.then(() => true)")
        PICTURES.mkdir(exist_ok=True)
        page.screenshot(path=PICTURES / f"{name}.png")


def check_it_fits(page: Page) -> None:
    """On a telephone nothing is beside the page."""
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"], page.url
    page.set_viewport_size(DESKTOP)


def guests(server: Server, *names: str) -> list[Guest]:
    """People who reach the server over HTTP."""
    found = [Guest(name, url=server.url) for name in names]
    for guest in found:
        assert guest.enter().status == 201
    return found


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


def test_a_moderator_goes_the_whole_way_from_a_report_to_the_log(server: Server) -> None:
    ann, bob = guests(server, "Ann", "Bob")
    others = people("Cleo", "Dan", "Eve")
    play(others, begun("pickomino", others), 5)
    play([ann, others[0]], begun("7776", [ann, others[0]]), 5)
    others[1].open("pickomino", capacity=4)
    table = begun("dominoes", [ann, bob])
    play([ann, bob], table, 14)
    told_of = {"seat": 1, "reason": "cheating", "text": "Bob knows which tiles I have."}
    assert ann.post(f"tables/{table}/reports", told_of).status == 201
    moderator()
    with watch(ann, table) as other, watch(bob, table) as accused:
        browse(partial(judge, server, table, bob, accused))
        voided = other.wait_for(heard_of("finished")).data["table"]
        assert voided["outcome"]["reason"] == ann.see(table)["outcome"]["reason"] == "voided"
        assert not other.is_ended
    (report,) = ann.get("sessions/current")["reports"]
    assert (report["table"], report["seat"], report["decision"]) == (table, 1, "upheld")


def judge(server: Server, table: str, bob: Guest, accused: Listener, page: Page) -> None:
    log_in(page, server)
    page.get_by_text("mo", exact=True).first.click()
    expect(page.get_by_role("link", name="Change password")).to_be_visible()
    find_table(page, table)
    void(page, table)
    step_through(page, row(table).version)
    ban(page)
    accused.wait_for_end()
    for refused in (bob.get(f"tables/{table}"), bob.move(table, "draw")):
        assert (refused.status, refused.code, refused["ban"]) == (403, "banned", "session")
    decide(page)
    read_log(page)


def find_table(page: Page, table: str) -> None:
    """By a search, and from the queue of reports."""
    page.get_by_role("link", name="Tables").first.click()
    picture(page, "tables")
    page.locator("input[name=q]").first.fill("bob")
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name=table)).to_be_visible()
    expect(page.get_by_text("pickomino")).not_to_be_visible()
    page.get_by_role("link", name="Reports").first.click()
    expect(page.get_by_role("link", name="Bob")).to_be_visible()
    page.locator("#result_list tbody a").first.click()
    expect(page.get_by_text("[seat 1] knows which tiles I have.")).to_be_visible()
    picture(page, "report")
    page.get_by_role("link", name=table).click()
    expect(page.get_by_text("hidden").first).to_be_visible()
    expect(page.get_by_label("Seen by").locator("option")).to_have_count(1)
    picture(page, "table")


def void(page: Page, table: str) -> None:
    page.locator("summary", has_text="Void the table").click()
    page.locator("details[open] textarea").fill("They showed each other their tiles")
    picture(page, "void")
    page.get_by_role("button", name="Void the table").click()
    expect(page.get_by_text("The table is voided")).to_be_visible()
    assert told(table)[-1] == ("finished", None, "moderator")


def step_through(page: Page, last: int) -> None:
    """As the accused seat saw it."""
    page.get_by_label("Seen by").select_option("seat 1")
    expect(page.get_by_text("Told to seat 1 alone")).to_be_visible()
    page.get_by_role("link", name="‹ Before").click()
    page.get_by_role("link", name="‹ Before").click()
    expect(page.get_by_text(f"{last - 2} of {last}")).to_be_visible()
    assert page.locator("svg.tile").count() > 0
    picture(page, "seat")
    page.get_by_label("Version").fill("7")
    expect(page.locator("output", has_text=f"7 of {last}")).to_be_visible()


def ban(page: Page) -> None:
    """The player, from the table."""
    page.locator(".seat", has_text="Bob").get_by_role("link", name="player").click()
    page.locator("summary", has_text="Ban this player").click()
    page.get_by_label("hours").fill("48")
    page.locator("details[open] textarea").fill("Bob was told the tiles of others")
    picture(page, "ban")
    page.get_by_role("button", name="Ban this player").click()
    expect(page.get_by_text("The player is banned")).to_be_visible()
    expect(page.get_by_role("link", name="Bob")).to_have_count(0)


def decide(page: Page) -> None:
    page.get_by_role("link", name="Reports").first.click()
    page.locator("#result_list tbody a").first.click()
    expect(page.get_by_text("(gone)")).to_be_visible()
    page.get_by_label("Upheld").check()
    page.get_by_label("Why").fill("The moves show it")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Nothing found")).to_be_visible()


def read_log(page: Page) -> None:
    """Who did what, why, the newest first; the name that was banned is in none of it."""
    page.get_by_role("link", name="Log entries").first.click()
    rows = page.locator("#result_list tbody tr")
    done = (
        ("upheld", "The moves show it", "report"),
        ("Banned for 48 hours", "[name] was told the tiles of others", "player"),
        ("Voided the table", "They showed each other their tiles", "table"),
    )
    expect(rows).to_have_count(len(done))
    for each, parts in zip(rows.all(), done, strict=True):
        for part in ("mo", *parts):
            expect(each.get_by_text(part).first).to_be_visible()
    picture(page, "log")
    rows.last.get_by_role("link").click()
    page.get_by_role("link", name="What staff did here").click()
    expect(page.get_by_text("They showed each other their tiles")).to_be_visible()


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
    check_it_fits(page)
    assert str(player.pk) in page.url
    assert not [url for url in asked if url.endswith("/x")]
    assert {url.split("/")[2] for url in asked if url.startswith("http")} == {server.url.split("/")[2]}
