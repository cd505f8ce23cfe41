"""Streams of one table, of all one's tables and of the lobby, as clients hear them."""

import json
import re
import subprocess
import time
from collections.abc import Iterator

import httpx
import pytest
from httpx_sse import connect_sse
from uuid_utils.compat import uuid7

from games.models import Event, Seat, Table
from tests.live.guests import Guest, enter_all
from tests.live.listener import Listener, Message, listen, told, told_of, watch
from tests.live.servers import Server, free_port, start_server
from tests.live.stored import check_whole, events_of, row_of, seats_of
from tests.people import API, seat_all

pytestmark = pytest.mark.django_db(transaction=True)

ENV = {
    "ENTRIES_PER_MINUTE": "1000000",
    "STREAM_KEEP_ALIVE_SECONDS": "0.5",
    "REMATCH_SECONDS": "4",
    "CORS_ALLOW_ALL_ORIGINS": "false",
    "CORS_ALLOWED_ORIGINS": "https://games.example",
}
NOBODY = "00000000-0000-7000-8000-000000000000"


@pytest.fixture(scope="module")
def web(django_db_setup: None) -> Iterator[Server]:
    with start_server(ENV) as server:
        yield server


@pytest.fixture(scope="module")
def deaf(django_db_setup: None) -> Iterator[Server]:
    """A server without Valkey: nothing wakes its streams but the slow tick."""
    with start_server({**ENV, "REDIS_URL": f"redis://127.0.0.1:{free_port()}/0"}) as server:
        yield server


def two_at(web: Server, game: str = "7776") -> tuple[Guest, Guest, str]:
    ann, bob = enter_all(2, web.url)
    return ann, bob, seat_all(game, [ann, bob])


# One table.


def test_the_first_message_comes_at_once_with_every_event_and_the_table(web: Server) -> None:
    ann, _, table = two_at(web)
    with watch(ann, table) as stream:
        first = stream.next()
    assert first.data["events"] == ann.events(table)
    assert first.data["table"] == ann.see(table)
    assert first.id == first.data["table"]["version"]
    assert stream.messages[0].retry == 2000


def test_pain_32_no_proxy_holds_it_back(web: Server) -> None:
    ann, _, table = two_at(web)
    with watch(ann, table, accept_encoding="gzip, br", origin="https://games.example") as stream:
        assert stream.status == 200
        assert stream.headers["content-type"] == "text/event-stream; charset=utf-8"
        assert "no-store" in stream.headers["cache-control"]
        assert stream.headers["x-accel-buffering"] == "no"
        assert "content-encoding" not in stream.headers
        assert stream.headers["access-control-allow-origin"] == "https://games.example"
        assert "Retry-After" in stream.headers["access-control-expose-headers"]
        stream.wait_for(lambda message: message.comments == ["keep-alive"])
    with watch(ann, table, origin="https://evil.example") as stream:
        assert "access-control-allow-origin" not in stream.headers


def test_it_resumes_after_last_event_id_or_after(web: Server) -> None:
    ann, _, table = two_at(web)
    version = ann.see(table)["version"]
    for stream in (
        watch(ann, table, last_event_id="2"),
        watch(ann, table, after=2),
        # A browser that reopens by itself keeps the address and knows better.
        watch(ann, table, after=1, last_event_id="2"),
    ):
        with stream:
            assert stream.next().versions == list(range(3, version + 1))
    with watch(ann, table, after=version) as stream:
        first = stream.next()
        assert (first.id, first.versions) == (version, [])
        assert first.data["table"]["version"] == version


@pytest.mark.parametrize("cursor", ["1000", "-1", "two", "99999999999999999999"])
def test_pain_24_a_cursor_that_is_none_gets_a_reset(web: Server, cursor: str) -> None:
    ann, _, table = two_at(web)
    with watch(ann, table, last_event_id=cursor) as stream:
        first = stream.next("reset")
        shown = ann.see(table)
        assert first.data == {"table": shown}
        assert first.id == shown["version"]
        assert ann.move(table, "choose 1").status == 201
        assert stream.next().versions == [shown["version"] + 1]
        assert [message.name for message in stream.messages if message.name] == ["reset", "table"]


def test_a_process_that_has_not_heard_yet_takes_no_cursor_for_one_from_the_future(
    web: Server, deaf: Server
) -> None:
    ann, bob, table = two_at(web)
    with watch(bob.at(deaf.url), table):
        for turn in range(6):
            who = (ann, bob)[turn % 2]
            moved = who.move(table, who.see(table)["legal_moves"][0])
            with watch(bob.at(deaf.url), table, after=moved["version"]) as resumed:
                first = resumed.next()
            assert (first.id, first.versions) == (moved["version"], [])
    version = ann.see(table)["version"]
    told = listen(ann.at(deaf.url), f"tables/{table}/events?wait=0&after={version}").answer()
    assert not told["reset"]


def test_a_browser_may_ask_from_another_origin(web: Server) -> None:
    ann, _, table = two_at(web)
    asked = ann.call(
        "OPTIONS",
        f"tables/{table}/stream",
        origin="https://games.example",
        access_control_request_method="GET",
        access_control_request_headers="authorization,last-event-id",
    )
    assert asked.status == 200
    assert asked.headers["Access-Control-Allow-Origin"] == "https://games.example"
    assert "last-event-id" in asked.headers["Access-Control-Allow-Headers"]
    with Listener(web.url, "stream", origin="https://games.example") as stream:
        refused = stream.answer()
    assert refused.code == "not_authenticated"
    assert refused.headers["Access-Control-Allow-Origin"] == "https://games.example"


def test_pain_26_what_a_stream_tells_can_be_read(web: Server) -> None:
    """Told after the commit: a GET that a message causes never sees less."""
    ann, bob, table = two_at(web)
    with watch(bob, table) as stream:
        version = stream.next().id or 0
        for move in ("choose 1", "choose 2"):
            assert (ann if move == "choose 1" else bob).move(table, move).status == 201
            told = stream.wait_for_version(version + 1).data["table"]["version"]
            assert bob.see(table)["version"] >= told
            version = told
    check_whole(table)


def test_pain_21_a_join_between_snapshot_and_subscription_is_seen(web: Server) -> None:
    host, *others = enter_all(7, web.url)
    table = host.open(capacity=7)
    streams = []
    for other in others:
        # Asked for and not waited for: the seat is taken while the stream begins.
        streams.append(listen(host, f"tables/{table}/stream"))
        assert other.sit(table).status == 201
    version = host.see(table)["version"]
    for stream in streams:
        with stream:
            last = stream.wait_for_version(version)
            assert stream.versions == list(range(1, version + 1))
            assert len(last.data["table"]["seats"]) == 7


def test_two_tabs_of_one_player_both_get_everything(web: Server) -> None:
    ann, bob, table = two_at(web)
    with watch(ann, table) as one, watch(ann, table) as other:
        for who, move in ((bob, "choose 1"), (ann, "choose 2")):
            assert who.move(table, move).status == 201
        version = ann.see(table)["version"]
        for tab in (one, other):
            tab.wait_for_version(version)
            assert tab.versions == list(range(1, version + 1))
        assert [event for message in one.messages if message.data for event in message.data["events"]] == (
            ann.events(table)
        )


def test_a_watcher_of_a_public_table_sees_it_as_a_watcher(web: Server) -> None:
    ann, bob, table = two_at(web)
    [watcher] = enter_all(1, web.url)
    with watch(watcher, table) as stream:
        first = stream.next().data["table"]
        assert (first["you"], first["legal_moves"], first["view"]["throw"]) == (None, [], None)
        for who in (ann, bob):
            assert who.move(table, "choose 1").status == 201
        revealed = stream.wait_for(told("revealed"))
        assert revealed.data["table"]["view"]["history"]


def test_a_private_table_is_streamed_to_who_sits_there_only(web: Server) -> None:
    ann, bob, other = enter_all(3, web.url)
    table = ann.open(visibility="private", capacity=3)
    unknown = watch(other, NOBODY).answer()
    assert unknown.code == "not_found"
    for path in ("stream", "events?wait=1"):
        refused = listen(other, f"tables/{table}/{path}").answer()
        assert (refused.status, refused.json) == (404, unknown.json)
    code = ann.see(table)["code"]
    with watch(ann, table):
        # The table is in the server's memory; who has just sat down is not.
        for _ in range(5):
            assert bob.sit(table, code=code).status == 201
            with watch(bob, table) as stream:
                assert stream.next().data["table"]["you"] == 1
            assert bob.delete(f"tables/{table}/seats/me").status == 204
            with watch(bob, table) as stream:
                stream.wait_for_end()


def test_the_stream_of_a_private_table_says_so_and_ends_for_who_is_removed(web: Server) -> None:
    ann, bob = enter_all(2, web.url)
    table = ann.open(visibility="private", capacity=3)
    assert bob.sit(table, code=ann.see(table)["code"]).status == 201
    with watch(bob, table) as stream, listen(bob, "stream") as mine:
        mine.wait_for(told_of(table))
        seen = len(stream.versions)
        assert ann.delete(f"tables/{table}/seats/1").status == 204
        stream.wait_for_end()
        assert stream.ended_politely
        assert (stream.messages[-1].name, stream.messages[-1].data) == ("gone", {"id": table})
        assert len(stream.versions) == seen
        assert mine.next("gone").data == {"id": table}
        assert not mine.is_ended


def test_after_the_end_it_stays_for_the_rematch_and_is_empty_later(web: Server) -> None:
    ann, bob, table = two_at(web)
    with watch(ann, table) as stream:
        assert bob.delete(f"tables/{table}/seats/me").status == 204
        over = stream.wait_for(told("finished"))
        assert over.data["table"]["status"] == "finished"
        again = ann.post(f"tables/{table}/rematch", {})
        assert again.status == 201
        rematch = stream.wait_for_version((over.id or 0) + 1)
        assert [event["kind"] for event in rematch.data["events"]] == ["rematch"]
        assert rematch.data["table"]["rematch"] == again["id"]
        stream.wait_for_end()
        assert stream.ended_politely
    last = ann.see(table)["version"]
    with watch(ann, table, after=last) as nothing:
        assert (nothing.status, nothing.text) == (204, b"")
    with watch(ann, table, after=last - 1) as rest:
        rest.wait_for_end()
        assert rest.versions == [last]


# What everybody may know.


def test_what_is_hidden_in_7776_reaches_nobody_else_byte_for_byte(web: Server) -> None:
    """Of two tables that differ in the hidden parts alone, the others hear the same bytes."""
    ann, bob, table = two_at(web)
    [watcher] = enter_all(1, web.url)
    twin = twin_of(table, throw=[1, 2, 3, 4, 5], instead=[6, 6, 6, 6, 6])
    here = listen(ann, "stream")  # so that her absence does not show in between
    heard = {one: Heard(one, bob, watcher) for one in (table, twin)}
    assert ann.see(table)["view"]["throw"] != ann.see(twin)["view"]["throw"]
    assert ann.move(table, "choose minor-straight").status == 201
    assert ann.move(twin, "choose poker").status == 201
    for each in heard.values():
        each.hear_of_the_choice()
    assert heard[table].plain() == heard[twin].plain()
    assert ann.see(table)["view"]["choice"] == "minor-straight"
    assert b"minor-straight" not in b"".join(heard[table].watched)
    here.close()
    for each in heard.values():
        each.close()


class Heard:
    """What an opponent and a watcher get of a table, by every road that there is."""

    def __init__(self, table: str, bob: Guest, watcher: Guest) -> None:
        self.table, self.bob, self.watcher = table, bob, watcher
        self.version = bob.see(table)["version"]
        roads = (f"tables/{table}/stream", f"tables/{table}/events?wait=25&after={self.version}")
        self.streams = [listen(who, road) for who in (bob, watcher) for road in roads]
        for stream in self.streams[::2]:
            stream.wait_for_version(self.version)
        self.told: list[bytes] = []
        self.watched: list[bytes] = []

    def hear_of_the_choice(self) -> None:
        for stream, poll in (self.streams[:2], self.streams[2:]):
            stream.wait_for_version(self.version + 1)
            assert [event["kind"] for event in poll.answer()["events"]] == ["chose"]
        for who in (self.bob, self.watcher):
            with watch(who, self.table, after=self.version) as late:
                self.streams.append(late)
        answers = [
            self.bob.move(self.table, "choose 7").json,
            self.bob.move(self.table, "choose 1", version=1).json,
            self.watcher.move(self.table, "choose 1").json,
            self.bob.see(self.table),
            self.watcher.see(self.table),
            self.bob.events(self.table),
        ]
        self.told = [bytes(stream.raw) for stream in self.streams] + [
            json.dumps(each).encode() for each in answers
        ]
        self.watched = [bytes(stream.raw) for stream in (*self.streams[2:4], self.streams[5])]

    def plain(self) -> list[bytes]:
        """All of it but what differs by itself: the ids of table and request, and times."""
        itself = rb"[-0-9a-f]{36}|20\d\d-[-0-9T:.]+Z|x-request-id: .*|date: .*|e\r\n: keep-alive\n\n\r\n"
        return [re.sub(itself, b"", text) for text in self.told]

    def close(self) -> None:
        for stream in self.streams:
            stream.close()


def twin_of(table: str, throw: list[int], instead: list[int]) -> str:
    """A copy of a table at which seat 0 threw something else; at the table itself it threw `throw`."""
    set_throw(table, throw)
    row, seats, events = row_of(table), list(seats_of(table)), list(events_of(table))
    row.pk = uuid7()
    row.save(force_insert=True)
    for seat in seats:
        seat.table_id = row.pk
    for event in events:
        event.table_id = row.pk
    Seat.objects.bulk_create(seats)
    Event.objects.bulk_create(events)
    set_throw(str(row.pk), instead)
    return str(row.pk)


def set_throw(table: str, throw: list[int]) -> None:
    row = row_of(table)
    assert row.state
    row.state["throws"][0] = throw
    row.save(update_fields=["state"])
    events_of(table, "threw").filter(seat=0).update(own={"dice": throw})


# All of one's tables.


def test_my_stream_sends_each_live_table_once_and_then_each_change(web: Server) -> None:
    ann, bob = enter_all(2, web.url)
    tables = {ann.open(capacity=2), ann.open("dominoes", capacity=3)}
    with listen(ann, "stream") as stream:
        first = [stream.next() for _ in tables]
        assert {message.data["table"]["id"] for message in first} == tables
        assert all(message.id is None and message.data["events"] == [] for message in first)
        for table in tables:
            assert bob.sit(table).status == 201
            joined = stream.wait_for(told_of(table))
            assert "joined" in [event["kind"] for event in joined.data["events"]]
        newer = bob.open(capacity=3)
        assert ann.sit(newer).status == 201
        assert stream.wait_for(told_of(newer)).data["table"]["you"] == 1


def test_a_table_that_is_over_lingers_in_my_stream_for_the_rematch(web: Server) -> None:
    for _ in range(3):
        ann, bob, table = two_at(web)
        with listen(ann, "stream") as stream:
            stream.next()
            assert bob.delete(f"tables/{table}/seats/me").status == 204
            stream.wait_for(told("finished"))
            again = str(ann.post(f"tables/{table}/rematch", {})["id"])
            stream.wait_for(told_of(table, again=again))
            if not any(map(told_of(again), stream.messages)):
                stream.wait_for(told_of(again))


def test_a_table_whose_rules_are_not_here_is_refused_alone(web: Server) -> None:
    ann, bob, stuck = two_at(web)
    Table.objects.filter(pk=stuck).update(rules_version=99)
    with listen(ann, f"tables/{stuck}/stream") as stream:
        assert stream.answer().code == "unavailable"
    other = seat_all("7776", [ann, bob])
    with listen(ann, "stream") as stream:
        stream.wait_for(told_of(other))
        assert bob.move(other, "choose 1").status == 201
        stream.wait_for(told("chose"))
    assert not any(map(told_of(stuck), stream.messages))


# The lobby.


def about(stream: Listener, kind: str, table: str) -> Message:
    """The next message of that kind about the table; the server may still know tables of another test."""
    while True:
        message = stream.next(kind)
        if message.data["id"] == table:
            return message


def test_the_lobby_tells_of_open_tables_as_they_appear_change_and_go(web: Server) -> None:
    ann, bob = enter_all(2, web.url)
    before = ann.open(capacity=3)
    with listen(bob, "lobby/stream") as every, listen(bob, "lobby/stream?game=dominoes") as dominoes:
        assert about(every, "summary", before).id is None
        private = ann.open("dominoes", visibility="private")
        other = ann.open("dominoes", capacity=2)
        shown = about(dominoes, "summary", other).data
        assert shown == about(every, "summary", other).data
        listed = bob.get("tables?game=dominoes")["results"][0]
        assert shown | {"seats": None} == listed | {"seats": None}
        assert bob.sit(before).status == 201
        assert len(about(every, "summary", before).data["seats"]) == 2
        assert bob.sit(other).status == 201
        for stream in (every, dominoes):
            assert about(stream, "gone", other).data == {"id": other}
        assert private.encode() not in every.raw + dominoes.raw
        assert before.encode() not in dominoes.raw
    refused = listen(bob, "lobby/stream?game=chess").answer()
    assert (refused.code, list(refused["errors"])) == ("invalid", ["game"])


# Sessions and tickets.


@pytest.mark.parametrize("heard", ["web", "deaf"])
def test_streams_end_with_the_session(request: pytest.FixtureRequest, heard: str) -> None:
    server: Server = request.getfixturevalue(heard)
    ann, bob, table = two_at(server)
    streams = [watch(ann, table), listen(ann, "stream"), listen(ann, "lobby/stream")]
    poll = listen(ann, f"tables/{table}/events?wait=25&after={ann.see(table)['version']}")
    with watch(bob, table) as others:
        for stream in streams:
            stream.listen(5, messages=2)
        begun = time.monotonic()
        assert ann.delete("sessions/current").status == 204
        for stream in (*streams, poll):
            stream.wait_for_end(10)
            stream.close()
        # Two seconds, on a machine that has nothing else to do.
        assert time.monotonic() - begun < 4
        assert all(stream.ended_politely for stream in streams)
        others.wait_for(lambda message: "left" in [e["kind"] for e in (message.data or {}).get("events", [])])
        others.listen(0.2)
        assert not others.is_ended


def test_without_valkey_the_slow_tick_finds_what_is_new(deaf: Server) -> None:
    ann, bob, table = two_at(deaf)
    with watch(bob, table) as stream, listen(bob, "stream") as mine, listen(bob, "lobby/stream") as lobby:
        version = stream.next().id or 0
        assert ann.move(table, "choose 1").status == 201
        stream.wait_for_version(version + 1)
        newer = ann.open(capacity=3)
        assert lobby.next("summary").data["id"] == newer
        assert bob.sit(newer).status == 201
        mine.wait_for(told_of(newer))


def test_pain_32_a_ticket_opens_one_stream_and_is_in_no_log(web: Server) -> None:
    ann, bob, table = two_at(web)
    ticket = ann.post("stream-tickets").json["ticket"]
    path = f"tables/{table}/stream?after=2&ticket={ticket}"
    with Listener(web.url, path) as stream:
        first = stream.next()
        assert first.data["table"]["you"] == 0
        assert first.versions[0] == 3
    with Listener(web.url, path) as again:
        refused = again.answer()
    assert refused.code == "not_authenticated"
    assert refused.headers["Www-Authenticate"] == "Bearer"
    late = bob.post("stream-tickets").json["ticket"]
    assert bob.delete("sessions/current").status == 204
    with Listener(web.url, f"stream?ticket={late}") as refusal:
        assert refusal.answer().code == "not_authenticated"
    for secret in (ticket, late, ann.token or "", bob.token or ""):
        assert secret not in web.log


@pytest.mark.parametrize("path", ["stream", "lobby/stream", f"tables/{NOBODY}/stream"])
def test_pain_25_refusals_are_problem_documents(web: Server, path: str) -> None:
    for headers in ({}, {"authorization": "Bearer nothing"}, {"authorization": "Basic QQ=="}):
        with Listener(web.url, path, **headers) as stream:
            assert stream.answer().code == "not_authenticated"
    [ann] = enter_all(1, web.url)
    wrong = ann.post(path)
    assert (wrong.code, wrong.headers["Allow"]) == ("method_not_allowed", "GET")


# Clients that people have.


def test_curl_and_httpx_hear_it(web: Server) -> None:
    ann, bob, table = two_at(web)
    header = f"Authorization: Bearer {ann.token}"
    url = f"{web.url}{API}/tables/{table}/stream"
    curl = subprocess.Popen(["curl", "-sN", "-H", header, url], stdout=subprocess.PIPE, text=True)
    try:
        assert curl.stdout
        assert bob.move(table, "choose 1").status == 201
        version = bob.see(table)["version"]
        assert f"id: {version}\n" in curl.stdout
        assert curl.stdout.readline() == "event: table\n"
        assert json.loads(curl.stdout.readline().removeprefix("data: "))["table"]["version"] == version
    finally:
        curl.kill()
        curl.communicate()
    headers = {"Authorization": f"Bearer {ann.token}", "Accept": "text/event-stream"}
    with httpx.stream("GET", url, headers=headers, trust_env=False, timeout=20) as response:
        lines = response.iter_lines()
        assert f"id: {version}" in lines
        assert next(lines) == "event: table"


def test_httpx_sse_hears_it(web: Server) -> None:
    ann, bob, table = two_at(web)
    headers = {"Authorization": f"Bearer {ann.token}"}
    assert bob.move(table, "choose 1").status == 201
    version = bob.see(table)["version"]
    with (
        httpx.Client(base_url=web.url, headers=headers, trust_env=False, timeout=20) as client,
        connect_sse(client, "GET", f"{API}/tables/{table}/stream?after={version - 1}") as source,
    ):
        heard = next(source.iter_sse())
    assert (heard.event, heard.id, heard.retry) == ("table", str(version), 2000)
    assert [event["version"] for event in heard.json()["events"]] == [version]
