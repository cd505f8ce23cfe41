"""Who is connected: told by any transport, without a version, and without a write for each request."""

import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection

from games.models import Table
from sessions.models import Player, Token
from sessions.presence import GRACE_SECONDS, MARK_SECONDS
from tests.live.guests import PATIENCE, enter_all
from tests.live.listener import Listener, Message, listen, watch
from tests.live.servers import Server, start_server
from tests.people import seat_all

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(scope="module")
def web(django_db_setup: None) -> Iterator[Server]:
    with start_server({"ENTRIES_PER_MINUTE": "1000000"}) as server:
        yield server


def test_pain_14_any_transport_counts_and_none_flaps(web: Server) -> None:
    watcher, *people = enter_all(6, web.url)
    streaming, polling, asking, reloading, gone = people
    table = seat_all("pickomino", [*people])
    version = watcher.see(table)["version"]
    rows = stored()
    with watch(watcher, table) as seen, watch(streaming, table):
        reload = watch(reloading, table)
        poll = listen(polling, f"tables/{table}/events?after={version}&wait=2")
        until = time.monotonic() + PATIENCE
        while connected(seen)[4]:
            assert time.monotonic() < until
            assert asking.get(f"tables/{table}/events?after={version}").status == 200
            reload.reset()
            reload = watch(reloading, table, after=version)
            if poll.is_ended:
                poll.close()
                poll = listen(polling, f"tables/{table}/events?after={version}&wait=2")
            poll.listen(1)
            seen.listen()
        assert connected(seen) == [True, True, True, True, False]
        # A request brings who was gone back, here and at every other look.
        assert gone.get("sessions/current").status == 200
        while not connected(seen)[4]:
            assert time.monotonic() < until
            seen.listen(0.5)
        assert all(seat["connected"] for seat in watcher.see(table)["seats"])
        reload.close()
        poll.close()
    shown = [message for message in seen.messages if message.data]
    assert not any(False in at_seats(message)[:4] for message in shown)
    # Without a version, and without a write.
    assert [message.versions for message in shown[1:]] == [[]] * (len(shown) - 1)
    assert {message.id for message in shown} == {version}
    assert stored() == rows


def test_who_is_gone_for_longer_than_the_grace_is_not_connected(web: Server) -> None:
    ann, bob = enter_all(2, web.url)
    table = ann.open(capacity=3)
    assert bob.sit(table).status == 201
    with watch(ann, table) as seen:
        begun = time.monotonic()
        with watch(bob, table) as stream:
            stream.next()
            stream.reset()
        while connected(seen)[1]:
            assert time.monotonic() - begun < PATIENCE
            seen.listen(0.5)
        # What is written down every few seconds only may be so much older.
        assert time.monotonic() - begun > GRACE_SECONDS - MARK_SECONDS - 1
        assert connected(seen)[0]


def connected(listener: Listener) -> list[bool]:
    """By seat, as the stream told last."""
    return at_seats([message for message in listener.messages if message.data][-1])


def at_seats(message: Message) -> list[bool]:
    return [seat["connected"] for seat in message.data["table"]["seats"]]


def stored() -> list[Any]:
    """Which transaction wrote each row of players, tokens and tables last."""
    found = []
    for model in (Player, Token, Table):
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT ctid::text, xmin::text FROM {model._meta.db_table} ORDER BY 1")
            found += cursor.fetchall()
    return found
