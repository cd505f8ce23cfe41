"""The way in and out, and what is loaded for it."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.visitor import Visitor

FIRST_LOAD_BYTES = 150_000


def test_the_first_table_is_three_clicks_away(visit: Visit) -> None:
    visitor = visit(enter=False)
    visitor.button("Enter").click()
    visitor.button("Play against 2 bots: Pickomino").click()
    expect(visitor.page.locator(".board")).to_be_visible()
    expect(visitor.page.locator(".seat")).to_have_count(3)


def test_the_first_load_is_small_and_comes_from_here(visit: Visit) -> None:
    visitor = visit(enter=False)
    script = """() => ["resource", "navigation"].flatMap((kind) => performance.getEntriesByType(kind))
        .map((entry) => [new URL(entry.name).pathname, entry.decodedBodySize])"""
    expect(visitor.heading("Come in and play")).to_be_visible()
    loaded = dict(visitor.page.evaluate(script))
    assert "/play/main.js" in loaded
    assert "/api/v1/games" in loaded
    assert sum(loaded.values()) < FIRST_LOAD_BYTES, loaded


def test_the_policy_stops_what_is_not_ours(visit: Visit) -> None:
    visitor = visit(enter=False)
    visitor.allowed = re.compile("Content Security Policy|blocked")
    visitor.page.evaluate(
        """() => {
            const script = document.createElement("script");
            script.textContent = "window.ran = true";
            document.body.append(script);
            document.body.setAttribute("onclick", "window.ran = true");
            document.body.click();
        }"""
    )
    assert not visitor.page.evaluate("() => window.ran")


def test_a_session_is_resumed_and_a_name_is_held_by_its_secret(visit: Visit) -> None:
    ann = visit(enter=False)
    ann.button(
        "Show",
    ).click()
    secret = ann.page.get_by_label("Secret", exact=True).input_value()
    assert re.fullmatch(r"[0-9a-f]{4}(-[0-9a-f]{4}){3}", secret)
    ann.enter()
    ann.page.reload()
    expect(ann.heading("Pick a game")).to_be_visible()

    other = visit(enter=False)
    other.allowed = re.compile("409")
    fill(other, ann.name, "another secret")
    expect(other.page.get_by_role("alert")).to_contain_text("Somebody holds this name")
    expect(other.page.get_by_label("Name", exact=True)).to_be_focused()
    fill(other, ann.name, secret)
    expect(other.heading("Pick a game")).to_be_visible()

    ann.button("Log out").click()
    ann.page.get_by_role("dialog").get_by_role("button", name="Log out").click()
    expect(ann.heading("Come in and play")).to_be_visible()
    other.allowed = re.compile("401")
    other.button("Play against a bot: 7776").click()
    expect(other.heading("Come in and play")).to_be_visible()


def test_who_enters_or_logs_out_does_so_in_every_tab(visit: Visit) -> None:
    ann = visit()
    ann.play_bots("7776")
    tab = ann.context.new_page()
    tab.goto(ann.page.url)
    expect(tab.locator(".board")).to_be_visible()
    ann.button("Log out").click()
    ann.page.get_by_role("dialog").get_by_role("button", name="Log out").click()
    expect(tab.get_by_role("heading", name="Come in and play")).to_be_visible()
    expect(tab.get_by_text("in another tab")).to_be_visible()
    ann.enter(f"{ann.name} anew")
    expect(tab.get_by_role("heading", name="Pick a game")).to_be_visible()
    expect(tab.locator(".person")).to_have_text(ann.name)


def fill(visitor: Visitor, name: str, secret: str) -> None:
    visitor.page.get_by_label("Name", exact=True).fill(name)
    visitor.page.get_by_label("Secret", exact=True).fill(secret)
    visitor.button("Enter").click()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_look_is_the_devices_until_it_is_chosen(visit: Visit, scheme: str) -> None:
    visitor = visit(enter=False, color_scheme=scheme)
    background = "() => getComputedStyle(document.body).backgroundColor"
    before = visitor.page.evaluate(background)
    visitor.button("Dark look").click()
    after = visitor.page.evaluate(background)
    assert before != after
    visitor.page.reload()
    assert visitor.page.evaluate(background) == after
