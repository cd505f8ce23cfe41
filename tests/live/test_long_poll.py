"""Events that are waited for: one cursor for the long poll, the stream and the plain GET."""

import time
from collections.abc import Iterator

import pytest

from tests.live.guests import Guest, enter_all
from tests.live.listener import listen, watch
from tests.live.servers import Server, start_server
from tests.people import seat_all

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(scope="module")
def web(django_db_setup: None) -> Iterator[Server]:
    with start_server({"ENTRIES_PER_MINUTE": "1000000"}) as server:
        yield server


def two_at(web: Server) -> tuple[Guest, Guest, str, int]:
    ann, bob = enter_all(2, web.url)
    table = seat_all("7776", [ann, bob])
    return ann, bob, table, ann.see(table)["version"]


def test_it_is_held_until_there_is_an_event(web: Server) -> None:
    ann, bob, table, version = two_at(web)
    with listen(bob, f"tables/{table}/events?after={version}&wait=25") as poll:
        poll.listen(1)
        assert not poll.raw
        begun = time.monotonic()
        assert ann.move(table, "choose 1").status == 201
        told = poll.answer()
        assert time.monotonic() - begun < 10
    assert told.status == 200
    assert told.headers["Content-Type"] == "application/json"
    assert told.headers["Cache-Control"] == "no-store"
    assert told.json == bob.get(f"tables/{table}/events?after={version}").json
    assert [event["kind"] for event in told["events"]] == ["chose"]


def test_it_answers_empty_when_the_time_is_over(web: Server) -> None:
    ann, _, table, version = two_at(web)
    begun = time.monotonic()
    for wait in (0, 1):
        told = listen(ann, f"tables/{table}/events?after={version}&wait={wait}").answer()
        assert told.json == {"events": [], "version": version, "more": False, "reset": False}
    assert 1 <= time.monotonic() - begun < 10


def test_it_answers_at_once_with_what_is_there(web: Server) -> None:
    ann, _, table, version = two_at(web)
    for query in ("wait=25", "wait=25&after=0", "after=1&wait=25", f"after={version + 5}&wait=25"):
        told = listen(ann, f"tables/{table}/events?{query}").answer(10)
        plain = "&".join(part for part in query.split("&") if "wait" not in part)
        assert told.json == ann.get(f"tables/{table}/events?{plain}").json


def test_one_cursor_serves_poll_stream_and_get_in_turn(web: Server) -> None:
    ann, bob, table, _ = two_at(web)
    seen: list[int] = []
    for turn in range(12):
        who = (ann, bob)[turn % 2]
        assert who.move(table, who.see(table)["legal_moves"][0]).status == 201
        after = seen[-1] if seen else 0
        if turn % 3 == 0:
            events = listen(bob, f"tables/{table}/events?after={after}&wait=25").answer()["events"]
            seen += [event["version"] for event in events]
        elif turn % 3 == 1:
            with watch(bob, table, after=after) as stream:
                seen += stream.next().versions
        else:
            seen += [event["version"] for event in bob.events(table, after)]
    seen += [event["version"] for event in bob.events(table, seen[-1])]
    assert seen == list(range(1, bob.see(table)["version"] + 1))


@pytest.mark.parametrize(
    ("query", "fields"),
    [
        ("wait=26", {"wait"}),
        ("wait=-1", {"wait"}),
        ("wait=", {"wait"}),
        ("wait=soon&after=x", {"wait", "after"}),
        ("wait=1&before=2", {"before"}),
        # Not a long poll at all, and unknown to both.
        ("await=1", {"await"}),
        ("after=x", {"after"}),
    ],
)
def test_a_wrong_query_is_refused_with_every_field(web: Server, query: str, fields: set[str]) -> None:
    ann, _, table, _ = two_at(web)
    refused = ann.get(f"tables/{table}/events?{query}")
    assert (refused.status, refused.code) == (400, "invalid")
    assert refused["errors"].keys() == fields


def test_pain_25_other_refusals_are_problems_too(web: Server) -> None:
    ann, _, table, _ = two_at(web)
    path = f"tables/{table}/events?wait=1"
    assert Guest(url=web.url).get(path).code == "not_authenticated"
    assert ann.post(path).code == "method_not_allowed"
    assert ann.get(f"tables/{'0' * 8}-0000-7000-8000-{'0' * 12}/events?wait=1").code == "not_found"


def test_what_is_due_is_done_while_it_waits(web: Server) -> None:
    """The clock of the table goes on by itself, without any worker."""
    [ann] = enter_all(1, web.url)
    table = ann.open("7776", turn_seconds=None)
    assert ann.post(f"tables/{table}/bots", {}).status == 201
    version = ann.see(table)["version"]
    told = listen(ann, f"tables/{table}/events?after={version}&wait=25").answer()
    assert [(event["kind"], event["by"]) for event in told["events"]] == [("chose", "bot")]
