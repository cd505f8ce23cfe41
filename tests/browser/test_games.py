"""Two browsers play a whole table of each game against each other, through a reload and a cut connection."""

import os
import re
import time

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.visitor import Visitor

SHOTS = os.environ.get("SHOTS")
OPTIONS = {"pickomino": {"Seats": "2"}, "7776": {}, "dominoes": {"Seats": "2", "Points": "0"}}
GAME_SECONDS = 240
_cut = re.compile(r"ERR_INTERNET_DISCONNECTED|Failed to load resource")


def play(ann: Visitor, bob: Visitor, turns: int | None = None) -> None:
    """Until it is over, or for so many turns."""
    deadline = time.monotonic() + GAME_SECONDS
    acted = 0
    while not ann.is_over and acted != turns:
        assert time.monotonic() < deadline, "the game does not end"
        acts = [ann.act_if_lit(), bob.act_if_lit()]
        acted += any(acts)
        if not any(acts):
            ann.page.wait_for_timeout(40)


@pytest.mark.timeout(400)
@pytest.mark.parametrize("game", OPTIONS)
def test_two_browsers_play_a_whole_table(visit: Visit, game: str) -> None:
    ann, bob = visit(), visit()
    link = ann.open(game, **OPTIONS[game])
    bob.page.goto(link)
    bob.button("Sit down").click()
    expect(ann.page.locator(".board")).to_be_visible()
    expect(bob.page.locator(".board")).to_be_visible()
    play(ann, bob, turns=4)

    ann.page.reload()
    expect(ann.page.locator(".board")).to_be_visible()
    play(ann, bob, turns=4)

    bob.allowed = _cut
    bob.context.set_offline(True)
    expect(bob.page.locator("#offline")).to_be_visible()
    ann.act_if_lit()
    bob.context.set_offline(False)
    expect(bob.page.locator("#offline")).to_be_hidden()

    play(ann, bob)
    expect(bob.page.locator(".over")).to_be_visible()
    check_the_end(ann, bob)


def check_the_end(ann: Visitor, bob: Visitor) -> None:
    """The luck is verified, the game looked at again, and played again."""
    for person in (ann, bob):
        person.button("Verify this game").click()
        expect(person.page.get_by_text("All of it is true.")).to_be_visible()
        assert person.page.locator(".findings .bad").count() == 0
        assert person.page.locator(".findings .good").count() == 5
        person.button("Close").click()
    ann.button("To the start").click()
    slider = ann.page.get_by_label("Step of the game")
    expect(slider).not_to_have_value(slider.get_attribute("max") or "")
    assert ann.page.locator(".board [data-move]").count() == 0
    ann.button("One step on").click()
    ann.button("To the end").click()
    expect(slider).to_have_value(slider.get_attribute("max") or "")
    ann.button("Play again").click()
    bob.button("Join the rematch").click()
    for person in (ann, bob):
        expect(person.page.locator(".over")).to_have_count(0)
        expect(person.page.locator(".board")).to_be_visible()
