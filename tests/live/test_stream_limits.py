"""How much streams may take, and that they give it all back: places, memory, connections, time."""

import contextlib
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from signal import SIGTERM

import pytest
from django.conf import settings
from django.db import connection
from django.utils import timezone
from psycopg.conninfo import make_conninfo
from redis import Redis

from games.models import Event
from tests.live.guests import Guest, enter_all
from tests.live.listener import Listener, listen, watch
from tests.live.servers import Server, database_url, start_server
from tests.live.stored import row_of, wait_for
from tests.people import seat_all

pytestmark = pytest.mark.django_db(transaction=True)

PLACES = {"STREAMS_PER_PLAYER": "3", "STREAMS_PER_ADDRESS": "5"}
DROPPED, AT_ONCE = 5_000, 125
# Far fewer database connections than streams.
POOL = 4
NAME = f"wide {os.getpid()}"  # by which PostgreSQL knows its sessions
PLENTY = {
    "STREAMS_PER_PLAYER": "1000",
    "STREAMS_PER_ADDRESS": "1000",
    "STREAM_SLOW_SECONDS": "1",
    "DATABASE_POOL_SIZE": str(POOL),
}
ESTABLISHED = "01"
MEGABYTE = 1024 * 1024


@pytest.fixture(scope="module")
def narrow(django_db_setup: None) -> Iterator[Server]:
    with start_server({"ENTRIES_PER_MINUTE": "1000000", **PLACES}) as server:
        yield server


@pytest.fixture
def wide(transactional_db: None) -> Iterator[Server]:
    database = make_conninfo(database_url(), application_name=NAME)
    with start_server({"ENTRIES_PER_MINUTE": "1000000", **PLENTY, "DATABASE_URL": database}) as server:
        yield server


def test_streams_of_a_player_and_of_an_address_are_counted(narrow: Server) -> None:
    ann, bob = enter_all(2, narrow.url)
    table = seat_all("7776", [ann, bob])
    version = ann.see(table)["version"]
    poll = f"tables/{table}/events?wait=25&after={version}"
    with contextlib.ExitStack() as stack:
        mine = [stack.enter_context(watch(ann, table)), stack.enter_context(watch(ann, table))]
        stack.enter_context(listen(ann, poll)).listen(0.5)
        for path in (f"tables/{table}/stream", "stream", "lobby/stream", poll):
            refuse(listen(ann, path))
        others = [stack.enter_context(watch(bob, table)) for _ in range(2)]
        refuse(listen(bob, "stream"))
        assert all(stream.status == 200 for stream in others)
        # A place is free as soon as its stream was cut.
        mine[0].reset()
        wait_for(lambda: begins(listen(ann, "lobby/stream")), "a free place")


def refuse(stream: Listener) -> None:
    answer = stream.answer()
    assert (answer.status, answer.code) == (429, "throttled")
    assert int(answer.headers["Retry-After"]) > 0


def begins(stream: Listener) -> bool:
    with stream:
        stream.listen(5, messages=1)
        return stream.status == 200


class Deaf(Listener):
    """A client that takes next to nothing."""

    receive_buffer = 4096


def test_who_does_not_read_is_ended_and_catches_up_on_return(wide: Server) -> None:
    ann, bob = enter_all(2, wide.url)
    table = ann.open(capacity=3)
    assert bob.sit(table).status == 201
    version = write_much(table, 6_000)
    with watch(bob, table, after=version) as warm:
        warm.next()
        before = resident(wide)
        opened = connections_of(wide)
        header = {"authorization": f"Bearer {ann.token}"}
        deaf = [Deaf(wide.url, f"tables/{table}/stream", **header) for _ in range(20)]
        assert connections_of(wide) > opened
        grown = 0
        deadline = time.monotonic() + 60
        while connections_of(wide) > opened and time.monotonic() < deadline:
            grown = max(grown, resident(wide) - before)
            time.sleep(0.1)
        # Nothing is kept for them: neither memory, nor a connection that waits to be read.
        assert connections_of(wide) <= opened
        assert grown < 100 * MEGABYTE, f"{grown // MEGABYTE} MB for 240 MB that were not read"
        for stream in deaf:
            stream.close()
        assert not warm.is_ended
    assert "Traceback" not in wide.log
    with listen(ann, f"tables/{table}/stream") as again:
        again.wait_for_version(version)
        assert again.versions == list(range(1, version + 1))


def write_much(table: str, count: int) -> int:
    """A long history, of 2 KB for each event; the version after it."""
    row = row_of(table)
    numbers = range(row.version + 1, row.version + count + 1)
    fat, now = {"kind": "x" * 2_000}, timezone.now()
    Event.objects.bulk_create(
        [Event(table=row, number=n, kind="joined", by="server", data=fat, at=now) for n in numbers]
    )
    row.version = numbers[-1]
    row.save(update_fields=["version"])
    return row.version


@dataclass(frozen=True)
class Held:
    """What a server process holds, in numbers."""

    files: int
    threads: int
    sessions: int
    memory: int


@pytest.mark.timeout(300)
def test_pain_30_and_31_what_is_dropped_leaves_nothing_behind(wide: Server) -> None:
    """Streams and long polls, dropped before the first byte and after it, by reset and in order."""
    ann, bob = enter_all(2, wide.url)
    table = seat_all("7776", [ann, bob])
    poll = f"tables/{table}/events?wait=25&after={ann.see(table)['version']}"
    paths = [f"tables/{table}/stream", poll, "stream", "lobby/stream"]
    topics = [f"table:{table}", f"player:{ann.get('sessions/current')['player']['id']}"]
    drop(ann, paths, 4 * AT_ONCE)
    before = settled(wide, topics)
    drop(ann, paths, DROPPED)
    after = settled(wide, topics)
    assert after.files <= before.files + POOL
    assert after.threads <= before.threads + 2
    # A pooler in between lets go of what nobody uses.
    assert after.sessions or settings.DATABASE_POOLER
    assert after.sessions <= POOL
    assert after.memory < before.memory + 30 * MEGABYTE
    assert begins(listen(ann, paths[0]))
    assert "Traceback" not in wide.log


def drop(who: Guest, paths: list[str], count: int) -> None:
    for _ in range(count // AT_ONCE):
        streams = [listen(who, paths[number % len(paths)]) for number in range(AT_ONCE)]
        # A third of each kind before the first byte.
        for stream in streams[::3]:
            stream.reset()
        for end, later in ((Listener.reset, streams[1::3]), (Listener.close, streams[2::3])):
            for stream in later:
                # A long poll says nothing before it answers.
                stream.listen(0.02, messages=1)
                end(stream)


def settled(server: Server, topics: list[str]) -> Held:
    """When its connections have ended, and it has told Valkey that it listens to them no more."""
    wait_for(lambda: connections_of(server) == 0, "the end of its connections")
    wait_for(lambda: not any(map(subscribers, topics)), "the end of its subscriptions")
    process = Path("/proc", str(server.process.pid))
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE application_name = %s", [NAME])
        [sessions] = cursor.fetchone()
    threads = len(list((process / "task").iterdir()))
    return Held(len(list((process / "fd").iterdir())), threads, sessions, resident(server))


def subscribers(topic: str) -> int:
    with Redis.from_url(settings.REDIS_URL, decode_responses=True) as valkey:
        [(_, count)] = valkey.pubsub_numsub(f"boneyard:{topic}")
    return int(count)


def connections_of(server: Server) -> int:
    """How many clients it is connected with."""
    lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    mine = [line for line in lines if int(line[1].rpartition(":")[2], 16) == server.port]
    return sum(line[3] == ESTABLISHED for line in mine)


def resident(server: Server) -> int:
    """Bytes of memory."""
    pages = Path("/proc", str(server.process.pid), "statm").read_text().split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def test_streams_end_politely_at_the_end_of_their_life_and_of_the_process(wide: Server) -> None:
    ann, bob = enter_all(2, wide.url)
    table = seat_all("7776", [ann, bob])
    version = ann.see(table)["version"]
    with start_server({"STREAM_LIFETIME_SECONDS": "4"}) as ending:
        there = ann.at(ending.url)
        with watch(there, table) as stream:
            stream.wait_for_end(20)
            assert stream.ended_politely
        streams = [watch(there, table), listen(there, "stream"), listen(there, "lobby/stream")]
        poll = listen(there, f"tables/{table}/events?wait=25&after={version}")
        poll.listen(0.5)
        begun = time.monotonic()
        ending.process.terminate()
        assert poll.answer().json == {"events": [], "version": version, "more": False, "reset": False}
        for stream in streams:
            stream.wait_for_end()
            stream.close()
            assert stream.ended_politely
        assert ending.process.wait(20) in (0, -SIGTERM)
        # Within the five seconds, with room for a machine that has much else to do.
        assert time.monotonic() - begun < 10
        assert bob.move(table, "choose 1").status == 201
        with watch(ann, table, last_event_id=str(version)) as resumed:
            assert resumed.wait_for_version(version + 1).versions == [version + 1]
        assert "Traceback" not in ending.log
