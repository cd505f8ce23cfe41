"""A browser's EventSource follows a table with a ticket, by the very lines of the clients' guide."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser.page import Page
from tests.live.servers import Server, start_server
from tests.people import Person, fresh_address

GUIDE = Path(__file__).parents[2] / "docs" / "client.md"


def example() -> str:
    """The script of the guide that follows a table."""
    (script,) = re.findall(r"```js\n(.*?)```", GUIDE.read_text(), flags=re.DOTALL)
    return str(script)


def hear_until(page: Page, wanted: Callable[[Any], bool]) -> tuple[Any, list[int]]:
    """The first state that is wanted, and the versions of all events that were heard up to then."""
    versions: list[int] = []
    while True:
        state = page.hear()
        versions += [event["version"] for event in state.get("events", [])]
        if wanted(state["table"]):
            return state, versions


@pytest.fixture
def people(transactional_db: None) -> list[Person]:
    people = [Person(name, address=fresh_address()) for name in ("Ann", "Bob")]
    for person in people:
        assert person.enter().status == 201
    return people


def test_an_event_source_with_a_ticket_follows_a_table_through_a_restart(people: list[Person]) -> None:
    ann, bob = people
    table = ann.open("7776")
    server: Server = start_server()
    port = server.port
    script = f"""
        const api = "{server.url}/api/v1", token = "{ann.token}";
        {example()}
        follow("{table}", tell);
    """
    try:
        with Page(script) as page:
            state, versions = hear_until(page, lambda seen: seen["status"] == "open")
            assert versions == [1, 2]
            assert bob.sit(table).status == 201
            state, heard = hear_until(page, lambda seen: seen["status"] == "playing")
            assert len(state["table"]["view"]["throw"]) == 5
            versions += heard
            server.kill()
            assert bob.move(table, "choose 1").status == 201
            server = start_server(port=port)
            state, heard = hear_until(page, lambda seen: seen["view"]["locked"] == [False, True])
            versions += heard
            assert versions == list(range(1, 8))
    finally:
        server.kill()
