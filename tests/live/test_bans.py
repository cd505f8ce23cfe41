"""A ban ends a session everywhere at once, as its streams, its polls and its next call tell."""

from collections.abc import Iterator

import pytest

from tests.live.guests import Guest, enter_all
from tests.live.listener import listen, watch
from tests.live.servers import Server, free_port, start_server
from tests.people import seat_all
from tests.staff import ban

pytestmark = pytest.mark.django_db(transaction=True)

ENV = {"ENTRIES_PER_MINUTE": "1000000"}


@pytest.fixture(scope="module")
def web(django_db_setup: None) -> Iterator[Server]:
    with start_server(ENV) as server:
        yield server


@pytest.fixture(scope="module")
def deaf(django_db_setup: None) -> Iterator[Server]:
    """A server without Valkey: nothing wakes its streams but the slow tick."""
    with start_server({**ENV, "REDIS_URL": f"redis://127.0.0.1:{free_port()}/0"}) as server:
        yield server


def three_at(web: Server) -> tuple[Guest, Guest, str]:
    ann, bob, cid = enter_all(3, web.url)
    return ann, bob, seat_all("pickomino", [ann, bob, cid])


def test_its_streams_end_at_every_process_and_those_of_others_tell_that_it_left(
    web: Server, deaf: Server
) -> None:
    ann, bob, table = three_at(web)
    far = ann.at(deaf.url)
    with (
        watch(ann, table) as stream,
        listen(ann, "stream") as mine,
        listen(ann, "lobby/stream") as lobby,
        watch(far, table) as distant,
        watch(bob, table) as other,
    ):
        streams = (stream, mine, lobby, distant)
        for each in streams:
            each.listen(10, messages=1)
            assert each.status == 200
        ban(ann, address=False)
        for each in streams:
            each.wait_for_end()
            assert each.ended_politely
        left = other.wait_for(lambda message: "left" in str(message.data))
        (event,) = (event for event in left.data["events"] if event["kind"] == "left")
        assert (event["seat"], event["by"]) == (0, "moderator")
        assert not other.is_ended


def test_the_next_call_gets_its_code_at_every_process(web: Server, deaf: Server) -> None:
    ann, _, table = three_at(web)
    ban(ann, address=False)
    for device in (ann, ann.at(deaf.url)):
        for answer in (
            device.get("sessions/current"),
            device.get(f"tables/{table}"),
            device.move(table, "roll"),
            listen(device, f"tables/{table}/stream").answer(),
            listen(device, "stream").answer(),
            listen(device, f"tables/{table}/events?wait=20&after=2").answer(),
            listen(device, "stream?no=such").answer(),
        ):
            assert (answer.status, answer.code, answer["ban"]) == (403, "banned", "session")
    assert Guest(ann.name, url=web.url).enter()["ban"] == "name"


def test_who_waits_for_events_of_a_table_where_nothing_happens_is_told_so_too(web: Server) -> None:
    ann, bob = enter_all(2, web.url)
    table = bob.open(capacity=3)
    with listen(ann, f"tables/{table}/events?after=2&wait=25") as poll:
        poll.listen(1)
        assert not poll.raw
        ban(ann, address=False)
        told = poll.answer()
    assert (told.status, told.code, told["ban"]) == (403, "banned", "session")
