"""Somebody who uses the page in a browser, as people do: by what can be seen and pressed."""

import itertools
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Locator, Request, expect

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PATIENCE_MS = 60_000
PHONE = {"width": 360, "height": 740}
DESKTOP = {"width": 1280, "height": 860}
SCREENS = {"phone": PHONE, "desktop": DESKTOP}
GAMES = {"pickomino": "Pickomino", "7776": "7776", "dominoes": "Dominoes"}

expect.set_options(timeout=PATIENCE_MS)
_numbers = itertools.count(1)


def chromium() -> str:
    """The browser's program. Raises LookupError when there is none."""
    for name in NAMES:
        if found := shutil.which(name):
            return found
    raise LookupError(f"none of {', '.join(NAMES)} is installed")


class Visitor:
    """A browser profile with one page. Whatever the console complains of is a mishap."""

    def __init__(self, browser: Browser, url: str, **profile: Any) -> None:
        profile = {"viewport": DESKTOP, "reduced_motion": "reduce", "base_url": url, **profile}
        self.url = url
        self.mishaps: list[str] = []
        self.requested: list[str] = []
        self.allowed = re.compile(r"^$")  # complaints that the test itself causes
        self.context = browser.new_context(**profile)
        self.context.set_default_timeout(PATIENCE_MS)
        self.page = self.context.new_page()
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.mishaps.append(str(error)))
        self.page.on("request", self._see)
        self.page.goto("/")

    def _hear(self, message: ConsoleMessage) -> None:
        text = f"{message.text} {message.location.get('url', '')}"
        if message.type in ("error", "warning") and not self.allowed.search(text):
            self.mishaps.append(text)

    def _see(self, request: Request) -> None:
        self.requested.append(request.url)
        if not request.url.startswith((self.url, "data:", "blob:")):
            self.mishaps.append(f"a foreign host: {request.url}")

    def leave(self) -> None:
        self.context.close()

    def enter(self, name: str | None = None) -> None:
        self.name = name or f"Visitor {next(_numbers)}"
        self.page.get_by_label("Name", exact=True).fill(self.name)
        self.button("Enter").click()
        expect(self.heading("Pick a game")).to_be_visible()

    def button(self, name: str | re.Pattern[str]) -> Locator:
        return self.page.get_by_role("button", name=name, exact=isinstance(name, str))

    def heading(self, name: str) -> Locator:
        return self.page.get_by_role("heading", name=name)

    def play_bots(self, game: str) -> None:
        self.button(re.compile(rf"Play against .*: {GAMES[game]}$")).click()
        expect(self.page.locator(".board")).to_be_visible()

    def open(self, game: str, **fields: str) -> str:
        """Open a table by the dialog; its address for others."""
        self.button(f"Open a table…: {GAMES[game]}").click()
        dialog = self.page.get_by_role("dialog")
        for label, value in fields.items():
            field = dialog.get_by_label(label.replace("_", " "), exact=False)
            if field.evaluate("field => field.tagName") == "SELECT":
                field.select_option(value)
            else:
                field.fill(value)
        dialog.get_by_role("button", name="Open the table").click()
        return self.page.get_by_label("Invite others with this link").input_value()

    def post(self, path: str, body: Any) -> Any:
        """Ask the API from the page, for what the page itself does not offer."""
        script = """async ([path, body]) => {
            const Authorization = `Bearer ${localStorage.getItem("boneyard.token")}`;
            const headers = { Authorization, "Content-Type": "application/json" };
            const request = { method: "POST", headers, body: JSON.stringify(body) };
            return (await fetch(`/api/v1/${path}`, request)).json();
        }"""
        return self.page.evaluate(script, [path, body])

    @property
    def can_report(self) -> bool:
        """Whether this server takes reports."""
        script = "async () => 'reports_per_hour' in (await (await fetch('/api/v1/')).json()).limits"
        return bool(self.page.evaluate(script))

    @property
    def is_over(self) -> bool:
        return self.page.locator(".over").is_visible()

    def act_if_lit(self) -> bool:
        """Press the first thing on the board that is lit; whether there was one."""
        for place in (".board [data-move]", ".board .held.lit"):
            lit = self.page.locator(place)
            if lit.count():
                try:
                    lit.first.click(timeout=3_000)
                except Exception:
                    return False  # it went away under the finger
                return True
        return False

    def act_when_lit(self) -> None:
        """Wait until it is one's turn, and press what is lit until the move is made."""
        said = self.page.locator(".lines li")
        before = said.count()
        for _ in range(PATIENCE_MS // 50):
            self.act_if_lit()
            if said.count() > before or self.is_over:
                return
            self.page.wait_for_timeout(50)
        raise AssertionError("nothing is lit")

    def wait_until(self, is_so: Callable[[], bool]) -> None:
        for _ in range(PATIENCE_MS // 50):
            if is_so():
                return
            self.page.wait_for_timeout(50)
        raise AssertionError("it does not come to that")

    def shoot(self, folder: str | None, name: str) -> None:
        if folder:
            Path(folder).mkdir(parents=True, exist_ok=True)
            self.page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)
