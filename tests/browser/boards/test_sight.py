"""What people see and hear of the boards: nothing too small, too wide, too pale or without a name."""

from itertools import islice
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from games.rules.registry import GAMES
from tests.browser.boards import hands
from tests.browser.boards.conftest import Opens
from tests.browser.boards.positions import NAMES, Position, positions, to_decide

LARGEST = [("pickomino", 7), ("7776", 2), ("dominoes", 4)]
FINGER = 44
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
# What can be pressed, and how large it is; a place in a row as large as its tile.
TARGETS = """() => [...document.querySelectorAll("#board button, #board summary, #board .ghost")]
    .filter((each) => each.checkVisibility())
    .map((each) => [each.getBoundingClientRect(), each])
    .map(([box, each]) => [each.ariaLabel, Math.round(box.width), Math.round(box.height)])"""


def all_over(slug: str, seats: int) -> list[Position]:
    """Eight positions from the start to the end of a game, some as a watcher sees them."""
    seen = list(islice(positions(slug, seats, 4), 400))
    return [each[number % (seats + 1)] for number, each in enumerate(seen[:: len(seen) // 6])] + [seen[-1][0]]


def choose_widest(page: Page, position: Position) -> None:
    """Takes up the tile that can be laid in most ways, if this is dominoes."""
    tiles = [move.split()[1] for move in position.moves if move.startswith("lay")]
    if tiles and position.table["view"]["row"]:
        page.focus(f'[data-tile="{max(tiles, key=tiles.count)}"]')
        if tiles.count(max(tiles, key=tiles.count)) > 1:
            page.keyboard.press("Enter")
            page.evaluate(hands.STILL)


@pytest.mark.parametrize(("slug", "seats"), LARGEST)
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing(open_page: Opens, slug: str, seats: int, dark: bool) -> None:
    page = open_page(phone=not dark, dark=dark)
    for position in all_over(slug, seats)[3 + dark :: 4]:
        hands.show(page, position)
        choose_widest(page, position)
        found = Axe().run(page, options=RULES).response["violations"]
        assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []


@pytest.mark.parametrize(("slug", "seats"), LARGEST)
def test_a_phone_shows_all_without_moving_sideways(open_page: Opens, slug: str, seats: int) -> None:
    page = open_page()
    for position in all_over(slug, seats):
        hands.show(page, position)
        choose_widest(page, position)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        small = [each for each in page.evaluate(TARGETS) if min(each[1:]) < FINGER]
        assert small == []


def test_a_long_row_fits(open_page: Opens) -> None:
    page = open_page()
    met = to_decide("dominoes", 2, 1, {"corners": False})
    longest = max(islice(met, 200), key=lambda position: len(position.table["view"]["row"]))
    assert len(longest.table["view"]["row"]) > 12
    hands.show(page, longest)
    outside = page.evaluate("""() => {
        const area = document.querySelector(".row-area").getBoundingClientRect();
        return [...document.querySelectorAll(".laid")].filter((each) => {
            const box = each.getBoundingClientRect();
            return box.left < area.left || box.right > area.right;
        }).length;
    }""")
    assert outside == 0


def test_a_row_is_moved_and_zoomed_by_keys_wheel_and_buttons(open_page: Opens) -> None:
    page = open_page()
    hands.show(page, next(each for each in to_decide("dominoes", 2, 1) if each.table["view"]["row"]))
    view = "document.querySelector('.world').style.transform"
    fitting = page.evaluate(view)
    page.focus(".row-drawing")
    for key in ("ArrowLeft", "ArrowUp", "+", "-"):
        before = page.evaluate(view)
        page.keyboard.press(key)
        assert page.evaluate(view) != before
    page.keyboard.press("0")
    assert page.evaluate(view) == fitting
    page.hover(".row-drawing")
    page.mouse.wheel(0, -200)
    page.wait_for_function(f"{view} !== {fitting!r}")
    page.click("[data-key='lens-⤢']")
    assert page.evaluate(view) == fitting
    page.click("[data-key='lens-+']")
    assert page.evaluate(view) != fitting


def test_what_can_be_done_with_a_tile_is_in_its_name(open_page: Opens) -> None:
    page = open_page()
    position = next(each for each in to_decide("dominoes", 2, 1) if each.table["view"]["row"])
    hands.show(page, position)
    for tile in position.table["view"]["hand"]:
        ends = sorted({move.split()[2] for move in position.moves if move.split()[1] == tile})
        name = page.get_attribute(f'[data-tile="{tile}"]', "aria-label")
        assert name == (f"{tile}, can be laid {' or '.join(ends)}" if ends else f"{tile}, does not fit")


def test_a_bust_is_explained(open_page: Opens) -> None:
    page = open_page()
    game = list(islice(positions("pickomino", 3, 1), 200))
    at = next(number for number, seen in enumerate(game) if busts(seen[0]))
    hands.show(page, game[at - 1][0])
    hands.show(page, game[at][0], fresh=False)
    dice = " ".join(map(str, game[at][0].events[0]["data"]["dice"]))
    turned = game[at][0].events[1]["data"]["turned_over"]
    assert f"rolled {dice}: all saved already. {turned} is turned over." in page.inner_text(".news")


def busts(position: Position) -> bool:
    return any(
        event["kind"] == "busted"
        and event["data"]["reason"] == "nothing_new"
        and not event["data"]["returned"]
        for event in position.events
    )


@pytest.mark.parametrize(("slug", "seats"), LARGEST)
def test_every_event_is_told_in_words(open_page: Opens, slug: str, seats: int) -> None:
    page = open_page()
    told: dict[str, str | None] = {}
    for seen in islice(positions(slug, seats, 4), 150):
        if all(event["kind"] in told for event in seen[0].events):
            continue
        said = hands.show(page, seen[0])
        told |= {event["kind"]: words for event, words in zip(seen[0].events, said, strict=True)}
    assert told
    for words in told.values():
        assert words is None or not {"undefined", "null", "NaN", "object"} & set(words.split())


@pytest.mark.parametrize(("slug", "seats"), LARGEST)
def test_a_name_stays_text_in_a_direction_of_its_own(open_page: Opens, slug: str, seats: int) -> None:
    page = open_page()
    for position in all_over(slug, seats):
        hands.show(page, position)
        assert page.locator("#board img").count() == 0
        names = set(page.locator("#board bdi").all_inner_texts())
        others = {name for seat, name in enumerate(NAMES[:seats]) if seat != position.table["you"]}
        assert others <= names


@pytest.mark.parametrize(("slug", "seats"), [("7776", 2), ("dominoes", 2)])
def test_nothing_of_ones_own_stays_when_a_watcher_looks(open_page: Opens, slug: str, seats: int) -> None:
    """The same board first shows a seat's view, then a watcher's: it is as if only that had been shown."""
    page = open_page()
    for seen in islice(positions(slug, seats, 5), 3, 30, 6):
        pages = []
        for own_first in (False, True):
            if own_first:
                hands.show(page, seen[0])
                choose_widest(page, seen[0])
            hands.show(page, seen[-1], fresh=not own_first)
            pages.append(page.evaluate("document.getElementById('board').innerHTML"))
        for secret in secrets(slug, seen[0]):
            assert all(secret not in html for html in pages), secret


def secrets(slug: str, position: Position) -> list[str]:
    view = position.table["view"]
    if slug == "7776":
        return [f"Your dice: {' '.join(map(str, view['throw']))}"]
    last: dict[str, Any] = view["last_round"] or {"hands": []}
    shown = {placed["tile"] for placed in view["row"]} | {tile for hand in last["hands"] for tile in hand}
    return [f'"{tile}"' for tile in view["hand"] if tile not in shown]


def test_every_game_has_its_board(open_page: Opens) -> None:
    page = open_page()
    for slug in GAMES:
        hands.show(page, next(to_decide(slug, 2, 1)))
        assert page.locator("#board .prompt").count() == 1
