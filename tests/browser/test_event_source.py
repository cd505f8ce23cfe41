"""A browser's EventSource follows a table with a ticket, by the very lines of the clients' guide."""

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import QUICK
from tests.live.guests import Guest, enter_all
from tests.live.servers import Server, start_server

GUIDE = Path(__file__).parents[2] / "docs" / "client.md"
Hear = Callable[[Callable[[Any], bool]], tuple[Any, list[int]]]


def example() -> str:
    """The script of the guide that follows a table."""
    (script,) = re.findall(r"```js\n(let last = 0;\n.*?)```", GUIDE.read_text(), flags=re.DOTALL)
    return str(script)


@pytest.fixture
def guests(server: Server) -> list[Guest]:
    return enter_all(2, server.url)


@pytest.fixture
def hear(browser: Browser, server: Server) -> Iterator[Callable[..., Hear]]:
    """Runs a script in a page of the server; its states are heard one after the other."""
    context = browser.new_context(base_url=server.url, bypass_csp=True)
    page = context.new_page()
    page.goto("/healthz")

    def run(script: str) -> Hear:
        page.evaluate(f"() => {{ window.told = []; const tell = (value) => told.push(value); {script} }}")

        def hear_until(wanted: Callable[[Any], bool]) -> tuple[Any, list[int]]:
            """The first state that is wanted, and the versions of all events that were heard up to then."""
            versions: list[int] = []
            while True:
                page.wait_for_function("() => told.length > 0")
                state = page.evaluate("() => told.shift()")
                versions += [event["version"] for event in state.get("events", [])]
                if wanted(state["table"]):
                    return state, versions

        return hear_until

    yield run
    context.close()


def test_an_event_source_with_a_ticket_follows_a_table_through_a_restart(
    guests: list[Guest], database: Mapping[str, str], hear: Callable[..., Hear]
) -> None:
    ann, bob = guests
    table = ann.open("7776")
    # One of its own, since it is killed; the page is of another origin.
    second = start_server({**database, **QUICK})
    port = second.port
    script = f"""
        const api = "{second.url}/api/v1", token = "{ann.token}";
        {example()}
        follow("{table}", tell);
    """
    try:
        hear_until = hear(script)
        state, versions = hear_until(lambda seen: seen["status"] == "open")
        assert versions == [1, 2]
        assert bob.sit(table).status == 201
        state, heard = hear_until(lambda seen: seen["status"] == "playing")
        assert len(state["table"]["view"]["throw"]) == 5
        versions += heard
        second.kill()
        assert bob.move(table, "choose 1").status == 201
        second = start_server({**database, **QUICK}, port=port)
        state, heard = hear_until(lambda seen: seen["view"]["locked"] == [False, True])
        versions += heard
        assert versions == list(range(1, 8))
    finally:
        second.kill()
