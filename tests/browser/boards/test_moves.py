"""Whatever is legal can be played, by pointer and by keys alone; nothing else is ever sent."""

from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.boards import hands
from tests.browser.boards.conftest import Opens
from tests.browser.boards.positions import Position, positions, to_decide

TABLES: list[tuple[str, int, dict[str, Any]]] = [
    ("pickomino", 2, {}),
    ("pickomino", 7, {"collect": "nearest"}),
    ("7776", 2, {}),
    ("dominoes", 2, {}),
    ("dominoes", 4, {"corners": False}),
]
MOVES_AT_MOST = 20


def some_positions(slug: str, seats: int, options: dict[str, Any]) -> list[Position]:
    """Positions from all over a game, until they have enough moves; those with most to choose from first."""
    met = list(islice(to_decide(slug, seats, 1, options), 160))
    met.sort(key=lambda position: len({move.split()[0] for move in position.moves}), reverse=True)
    return met[:4] + met[4::7]


def plays_all(page: Page, chosen: list[Position], play: Callable[[Page, str], None]) -> int:
    """How many moves were played; each of them sent just itself."""
    played = 0
    for position in chosen:
        for move in position.moves:
            hands.show(page, position)
            play(page, move)
            assert hands.sent(page) == [move]
            played += 1
        if played >= MOVES_AT_MOST:
            break
    return played


@pytest.mark.parametrize(("slug", "seats", "options"), TABLES)
@pytest.mark.parametrize("phone", [True, False], ids=["phone", "desk"])
def test_every_legal_move_is_made_with_a_pointer(
    open_page: Opens, slug: str, seats: int, options: dict[str, Any], phone: bool
) -> None:
    assert (
        plays_all(open_page(phone=phone), some_positions(slug, seats, options), hands.point) >= MOVES_AT_MOST
    )


@pytest.mark.parametrize(("slug", "seats", "options"), TABLES)
def test_every_legal_move_is_made_with_keys_alone(
    open_page: Opens, slug: str, seats: int, options: dict[str, Any]
) -> None:
    assert plays_all(open_page(), some_positions(slug, seats, options), hands.type_keys) >= MOVES_AT_MOST


@pytest.mark.parametrize(("slug", "seats"), [("pickomino", 3), ("7776", 2), ("dominoes", 3)])
def test_pressing_everything_sends_nothing_but_legal_moves(open_page: Opens, slug: str, seats: int) -> None:
    page = open_page(phone=False)
    for seen in islice(positions(slug, seats, 2), 0, 60, 9):
        for position in seen:
            hands.show(page, position)
            moves = page.evaluate("""() => {
                for (const each of document.querySelectorAll("#board *"))
                    each.dispatchEvent(new MouseEvent("click", { bubbles: true }));
                return sent;
            }""")
            assert set(moves) <= set(position.moves)


def test_a_second_tap_waits_for_the_answer_to_the_first(open_page: Opens) -> None:
    page = open_page()
    position = next(to_decide("7776", 2, 1))
    hands.show(page, position)
    page.evaluate("""() => {
        for (const each of document.querySelectorAll("button[data-move]")) each.click();
    }""")
    assert len(hands.sent(page)) == 1


def test_a_replay_can_be_looked_at_but_not_played(open_page: Opens) -> None:
    page = open_page()
    for slug in ("pickomino", "7776", "dominoes"):
        position = next(to_decide(slug, 2, 1))
        hands.show(page, position, replaying=True)
        page.evaluate("""() => {
            for (const each of document.querySelectorAll("#board [data-move], #board [data-tile]"))
                each.dispatchEvent(new MouseEvent("click", { bubbles: true }));
        }""")
        assert hands.sent(page) == []


def test_a_tile_is_dragged_to_where_it_shall_lie(open_page: Opens) -> None:
    page = open_page(phone=False)
    position = next(each for each in to_decide("dominoes", 2, 1) if len(each.moves) > 5)
    for move in position.moves:
        hands.show(page, position)
        tile = f'[data-tile="{move.split()[1]}"]'
        x, y = hands.place_of(page, tile) or (0, 0)
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x, y - 30)
        place = hands.place_of(page, f'.ghost[data-move="{move}"]')
        if place:
            page.mouse.move(*place, steps=3)
        page.mouse.up()
        page.wait_for_function("!document.querySelector('.dragged')")
        if place:
            page.wait_for_function("sent.length > 0")
            assert hands.sent(page) == [move]


def test_the_focus_stays_on_the_board_when_it_is_drawn_anew(open_page: Opens) -> None:
    page = open_page()
    for slug in ("pickomino", "7776", "dominoes"):
        first = None
        for position in islice(to_decide(slug, 2, 3), 12):
            hands.show(page, position, fresh=first is None)
            if first is None:
                page.focus('#board [tabindex="0"]:not(svg), #board button:not([tabindex="-1"])')
                first = position
            assert page.evaluate("document.getElementById('board').contains(document.activeElement)"), slug


def test_the_focus_stays_on_the_board_when_what_was_pressed_becomes_a_picture(open_page: Opens) -> None:
    page = open_page()
    for slug in ("pickomino", "7776"):
        position = next(to_decide(slug, 2, 3))
        hands.show(page, position)
        page.focus(f'[data-move="{position.moves[-1]}"]')
        waiting = {**position.table, "legal_moves": [], "decision": None}
        hands.show(page, replace(position, table=waiting), fresh=False)
        assert page.evaluate("document.getElementById('board').contains(document.activeElement)"), slug
