"""How a person gets at a move on a board: with a pointer, or with keys alone. Looks only at what is drawn."""

from typing import Any

from playwright.sync_api import Page

from tests.browser.boards.positions import Position

# Where to press what matches: its middle, if that is what a press there would meet.
PLACE = """(selector) => {
    const item = document.querySelector(selector);
    if (!item) return null;
    item.scrollIntoView({ block: "nearest" });
    const box = item.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const met = document.elementFromPoint(x, y);
    return item.contains(met) ? [x, y] : null;
}"""
# Ends when nothing moves any more; even without motion a change of style may take a frame.
STILL = """async () => {
    for (let moving; (moving = document.getAnimations()).length; )
        await Promise.allSettled(moving.map((each) => each.finished));
}"""
# Which key brings the focus nearer to what matches; null when it is there.
KEY = """(selector) => {
    const now = document.activeElement;
    if (now.matches(selector)) return null;
    const group = now.closest(".walk, .combinations, .hand");
    return group?.querySelector(selector) ? "ArrowRight" : "Tab";
}"""
KEYS_AT_MOST = 60


def show(page: Page, position: Position, **how: Any) -> list[str | None]:
    """Puts a position on the board; says what the events mean in words."""
    said: list[str | None] = page.evaluate(
        "([table, events, how]) => show(table, events, how)", [position.table, position.events, how]
    )
    page.evaluate(STILL)
    return said


def sent(page: Page) -> list[str]:
    """The moves that were sent since the position was shown."""
    moves: list[str] = page.evaluate("sent")
    return moves


def point(page: Page, move: str) -> None:
    """Makes a move with the pointer: by what is there for it, or by way of its tile and its end."""
    if _press(page, f'[data-move="{move}"]'):
        return
    _, tile, *where = move.split()
    assert _press(page, f'[data-tile="{tile}"]'), move
    if not where or sent(page):
        return
    if not _press(page, f'.ghost[data-move="{move}"]'):
        assert _press(page, f'[data-end="{where[0]}"]'), move
        assert _press(page, f'.ghost[data-move="{move}"]'), move


def type_keys(page: Page, move: str) -> None:
    """Makes a move with Tab, arrows and Enter."""
    page.evaluate("document.activeElement.blur()")
    verb, *rest = move.split()
    if verb != "lay":
        _focus(page, f'[data-move="{move}"]')
        return page.keyboard.press("Enter")
    _focus(page, f'[data-tile="{rest[0]}"]')
    page.keyboard.press("Enter")
    if not rest[1:] or sent(page):
        return None
    for _ in range(KEYS_AT_MOST):
        if page.evaluate("(move) => document.activeElement.dataset.move === move", move):
            return page.keyboard.press("Enter")
        page.keyboard.press("ArrowRight")
    raise AssertionError(f"no keys lead to {move}")


def place_of(page: Page, selector: str) -> list[float] | None:
    """Where to press what matches, once it lies still; None if a press there would meet something else."""
    page.evaluate(STILL)
    place: list[float] | None = page.evaluate(PLACE, selector)
    return place


def _press(page: Page, selector: str) -> bool:
    place = place_of(page, selector)
    if place is None:
        return False
    page.mouse.click(*place)
    return True


def _focus(page: Page, selector: str) -> None:
    for _ in range(KEYS_AT_MOST):
        key = page.evaluate(KEY, selector)
        if key is None:
            return
        page.keyboard.press(key)
    raise AssertionError(f"no keys lead to {selector}")
