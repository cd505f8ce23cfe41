"""Each test gets a fresh bare page, on a phone or a desk."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.boards.serving import serving

PHONE = {"width": 360, "height": 740}
DESK = {"width": 1200, "height": 800}

Opens = Callable[..., Page]


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    with serving() as address:
        yield address


@pytest.fixture
def open_page(browser: Browser, address: str) -> Iterator[Opens]:
    """Opens the bare page, without motion unless asked; what it complains of fails the test."""
    said: list[str] = []

    def opened(*, phone: bool = True, dark: bool = False, motion: bool = False) -> Page:
        context = browser.new_context(
            viewport=PHONE if phone else DESK,  # type: ignore[arg-type]  # a dictionary of just these two
            has_touch=phone,
            color_scheme="dark" if dark else "light",
            reduced_motion="no-preference" if motion else "reduce",
        )
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(address)
        page.wait_for_function("window.ready")
        opened_pages.append(page)
        return page

    opened_pages: list[Page] = []
    yield opened
    for page in opened_pages:
        said += page.evaluate("problems")
        page.context.close()
    assert said == []
