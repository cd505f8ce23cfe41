"""Without a mouse: a game against a bot, from opening the page to its end, by keys alone."""

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.visitor import Visitor

FOCUSED = """() => {
    const focused = document.activeElement;
    if (focused === document.body) return "";
    return focused.getAttribute("aria-label") || focused.textContent;
}"""


def tab_to(visitor: Visitor, wanted: str, key: str = "Tab") -> None:
    """Go on with the key until what has the focus is called so."""
    for _ in range(80):
        if wanted in visitor.page.evaluate(FOCUSED):
            return
        visitor.page.keyboard.press(key)
    raise AssertionError(f"{wanted} is not reached by {key}")


def is_on_board(visitor: Visitor) -> bool:
    return bool(visitor.page.evaluate("() => !!document.activeElement.closest('.board [data-move]')"))


def test_a_bot_game_by_keyboard_alone(visit: Visit) -> None:
    visitor = visit(enter=False)
    keyboard = visitor.page.keyboard
    expect(visitor.heading("Come in and play")).to_be_visible()
    tab_to(visitor, "Enter")
    keyboard.press("Enter")
    expect(visitor.heading("Pick a game")).to_be_visible()
    tab_to(visitor, "Play against a bot: 7776")
    keyboard.press("Enter")
    expect(visitor.page.locator(".board")).to_be_visible()
    expect(visitor.heading("7776")).to_be_focused()
    for played in range(16):
        expect(visitor.page.locator(".board [data-move]")).to_have_count(16 - played)
        for _ in range(60):
            if is_on_board(visitor):
                break
            keyboard.press("Tab")
        keyboard.press("ArrowRight")
        assert is_on_board(visitor)
        keyboard.press("Enter" if played % 2 else "Space")
    expect(visitor.page.locator(".over")).to_be_visible()
    tab_to(visitor, "Verify this game")
    keyboard.press("Enter")
    expect(visitor.page.get_by_text("All of it is true.")).to_be_visible()
    keyboard.press("Escape")
    expect(visitor.page.get_by_role("dialog")).to_have_count(0)


def test_the_first_key_skips_to_the_content(visit: Visit) -> None:
    visitor = visit()
    visitor.page.reload()
    expect(visitor.heading("Pick a game")).to_be_visible()
    visitor.page.keyboard.press("Tab")
    assert visitor.page.evaluate(FOCUSED) == "Skip to the content"
    visitor.page.keyboard.press("Enter")
    assert visitor.page.evaluate("() => document.activeElement.id") == "main"
