"""Every screen, on a phone and a desktop, light and dark: axe finds nothing, and nothing sticks out.

With `SHOTS=folder make test-browser`, pictures of them are put there, to be looked at.
"""

import os
import re
from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Visit
from tests.browser.visitor import DESKTOP, GAMES, PHONE, Visitor

SHOTS = os.environ.get("SHOTS")
AXE = Axe()
RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]}}
LOOKS: list[dict[str, Any]] = [
    {"viewport": PHONE, "color_scheme": "light"},
    {"viewport": DESKTOP, "color_scheme": "dark"},
]
SMALLEST = 24  # pixels, by WCAG 2.2 AA; ours are 44 where there is room


def check(visitor: Visitor, name: str) -> None:
    """What is on the screen now."""
    page = visitor.page
    look = page.evaluate("[matchMedia('(prefers-color-scheme: dark)').matches, innerWidth].join('-')")
    visitor.shoot(SHOTS, f"{name}-{look.replace('true', 'dark').replace('false', 'light')}")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name} is too wide"
    found = AXE.run(page, options=RULES)
    assert not found.response["violations"], f"{name}:\n{found.generate_report()}"
    assert not _small(page.locator("button:visible, a.button:visible, input:visible, select:visible")), name


def _small(targets: Locator) -> list[str]:
    script = f"""(targets) => targets.filter((target) => {{
        const {{ width, height }} = target.getBoundingClientRect();
        return width && (width < {SMALLEST} || height < {SMALLEST}) && target.type !== "checkbox";
    }}).map((target) => target.outerHTML)"""
    return list(targets.evaluate_all(script))


@pytest.fixture(params=LOOKS, ids=["phone-light", "desktop-dark"])
def somebody(visit: Visit, request: pytest.FixtureRequest) -> Callable[..., Visitor]:
    return lambda **more: visit(**request.param, **more)


def test_the_way_in_and_the_lobby(somebody: Callable[..., Visitor]) -> None:
    visitor = somebody(enter=False)
    expect(visitor.heading("Come in and play")).to_be_visible()
    check(visitor, "enter")
    visitor.enter()
    visitor.page.get_by_text("Rules", exact=True).first.click()
    check(visitor, "lobby")
    visitor.button("Open a table…: Dominoes").click()
    check(visitor, "opening")
    visitor.button("Cancel").click()
    visitor.button("Log out").click()
    check(visitor, "logging-out")


def test_a_table_that_waits(somebody: Callable[..., Visitor], visit: Visit) -> None:
    host = somebody()
    guest = visit()
    link = host.open("pickomino", Seats="4", Who_can_come="private")
    host.button("Add a bot").click()
    host.page.get_by_text("Your share of the luck").click()
    check(host, "waiting-host")
    guest.page.goto(link)
    expect(guest.button("Sit down")).to_be_visible()
    guest.button("Sit down").click()
    if host.can_report:
        host.button("Report a player").click()
        check(host, "reporting")
        host.button("Cancel").click()
    host.button("Leave the table").click()
    check(host, "leaving")


@pytest.mark.parametrize("game", GAMES)
def test_a_board(somebody: Callable[..., Visitor], game: str) -> None:
    visitor = somebody()
    visitor.play_bots(game)
    for _ in range(3):
        visitor.act_when_lit()
    check(visitor, f"table-{game}")


def test_a_game_that_is_over(somebody: Callable[..., Visitor]) -> None:
    visitor = somebody()
    visitor.play_bots("7776")
    for _ in range(16):
        visitor.act_when_lit()
    expect(visitor.page.locator(".over")).to_be_visible()
    check(visitor, "over")
    visitor.button("To the start").click()
    expect(visitor.page.locator(".words")).not_to_be_empty()
    check(visitor, "replay")
    visitor.button("Verify this game").click()
    expect(visitor.page.get_by_text("All of it is true.")).to_be_visible()
    check(visitor, "verified")


def test_what_is_not_there(somebody: Callable[..., Visitor]) -> None:
    visitor = somebody()
    visitor.allowed = re.compile("404")
    visitor.page.goto("/#table/01a22e1b-293b-762a-9103-765e49305171")
    expect(visitor.heading("Not here")).to_be_visible()
    check(visitor, "lost")
