"""What shows only over real HTTP: bodies in pieces, odd bytes, slow and vanishing clients, the end."""

import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from signal import SIGTERM
from typing import Any

import pytest
from django.conf import settings
from django.db import connection, transaction

from config import asgi
from games.models import Table
from sessions.models import Player
from tests.live.guests import Guest, enter_all, fresh_key, fresh_name, in_parallel
from tests.live.servers import Server, start_server
from tests.live.sockets import Wire, request, wire, wires
from tests.live.stored import check_whole, moves_of, row_of, wait_for, waiting_locks
from tests.people import Answer

pytestmark = pytest.mark.django_db(transaction=True)

LIMIT = settings.BODY_LIMIT_BYTES
ENTRANCE = "/api/v1/sessions"
# It ends by the signal that asked for it, once its work is done.
ENDED = {0, -SIGTERM}
ENV = {"ENTRIES_PER_MINUTE": "1000000"}


@pytest.fixture(scope="module")
def web(django_db_setup: None) -> Iterator[Server]:
    """One server process for all tests here that don't end it; idle between them."""
    with start_server(ENV) as server:
        yield server


def entry(name: str | None = None) -> bytes:
    return json.dumps({"name": name or fresh_name(), "secret": "correct horse"}).encode()


def roll(who: Guest, table: str, key: str) -> Answer:
    return who.post(f"tables/{table}/moves", {"move": "roll"}, idempotency_key=key)


def playing_pair(web: Server) -> tuple[str, Guest, Guest]:
    """A table of two, with the guest who is to roll before the one who is not."""
    guests = enter_all(2, web.url)
    table = guests[0].open(capacity=2, turn_seconds=None)
    shown = guests[1].sit(table).json
    [seat] = shown["to_move"]
    return table, guests[seat], guests[1 - seat]


# --- bodies --------------------------------------------------------------------------------------


def test_a_body_may_come_in_chunks(web: Server) -> None:
    raw = entry()
    head = f"POST {ENTRANCE} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    with wire(web.port) as client:
        client.send(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
        for byte in raw:
            client.send(b"1\r\n%c\r\n" % byte)
        client.send(b"0\r\n\r\n")
        assert client.answer().status == 201


def test_a_body_of_no_chunks_is_an_absent_one(web: Server) -> None:
    with wire(web.port) as client:
        client.send(f"POST {ENTRANCE} HTTP/1.1\r\nHost: localhost\r\n".encode())
        client.send(b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
        answer = client.answer()
        assert answer.code == "invalid"
        assert answer["errors"].keys() == {"name", "secret"}


def test_a_body_may_be_as_long_as_the_limit_and_no_longer(web: Server) -> None:
    with wire(web.port) as client:
        longest = entry().ljust(LIMIT)
        assert client.ask("POST", ENTRANCE, longest).status == 201
        assert client.ask("POST", ENTRANCE, longest + b" ").code == "too_large"
        assert client.is_closed()


def test_a_body_that_says_it_is_too_long_is_refused_before_it_is_sent(web: Server) -> None:
    with wire(web.port) as client:
        client.send(
            f"POST {ENTRANCE} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10000000000\r\n\r\n".encode()
        )
        answer = client.answer()
        assert answer.status == 413
        assert answer.code == "too_large"
        assert client.is_closed()


def test_an_endless_body_is_refused_once_it_is_too_long(web: Server) -> None:
    with wire(web.port) as client:
        client.send(f"POST {ENTRANCE} HTTP/1.1\r\nHost: localhost\r\n".encode())
        client.send(b"Transfer-Encoding: chunked\r\n\r\n")
        for _ in range(LIMIT // 1_024 + 1):
            client.send(b"400\r\n%s\r\n" % (b" " * 1_024))
        assert client.answer().code == "too_large"
        assert client.is_closed()


def test_a_client_that_waits_to_be_told_to_go_on_is_told(web: Server) -> None:
    raw = entry()
    with wire(web.port) as client:
        client.send(request("POST", ENTRANCE, raw, expect="100-continue")[: -len(raw)])
        assert client.socket.recv(25) == b"HTTP/1.1 100 Continue\r\n\r\n"
        client.send(raw)
        assert client.answer().status == 201


@pytest.mark.parametrize("path", [ENTRANCE, "/api/v1/tables"])
def test_a_hundred_half_sent_requests_hold_nobody_up(web: Server, path: str) -> None:
    table, mover, other = playing_pair(web)
    raw = entry()
    token = {"authorization": f"Bearer {other.token}"}
    with wires(web.port, 100) as slow:
        for client in slow:
            client.send(request("POST", path, raw, **token)[:-1])
        assert mover.move(table, "roll").status == 201
        assert other.see(table)["version"] > 3
        assert len(enter_all(3, web.url)) == 3
        slow[50].send(raw[-1:])
        # What is no table to be opened is still an answer.
        assert slow[50].answer().status == (201 if path == ENTRANCE else 400)


def test_a_body_that_does_not_come_in_time_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asgi, "BODY_SECONDS", 0.01)
    sent: list[Any] = []

    async def receive() -> Any:
        await asyncio.sleep(60)

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": ENTRANCE, "headers": [], "query_string": b""}
    asyncio.run(asgi.Front()(scope, receive, send))
    assert sent[0]["status"] == 400
    assert (b"content-type", b"application/problem+json") in sent[0]["headers"]
    assert json.loads(sent[1]["body"])["code"] == "bad_request"


# --- odd bytes -----------------------------------------------------------------------------------

ODD_TARGETS = {
    b"/api/v1/%": 404,
    b"/api/v1/%zz": 404,
    b"/api/v1/%ff%fe": 404,
    b"/api/v1/%00": 404,
    b"/api/v1/%0d%0aSet-Cookie:%20a=b": 404,
    b"/api/v1/%2e%2e/%2e%2e/etc/passwd": 404,
    b"/api/v1/../../../etc/passwd": 404,
    b"/api/v1/%ED%A0%80": 404,
    b"/api/v1/games/%F0%9F%8E%B2": 404,
    b"/api/v1/games//": 404,
    b"//api/v1/games": 404,
    b"/api/v1/games;x=1": 404,
    b"/api/v1/" + b"a" * 20_000: 404,
    b"*": 404,
    b"/static/%ff%00": 404,
    b"/static/../../config/settings.py": 404,
    b"/static/%2e%2e/%2e%2e/config/settings.py": 404,
    b"/api/v1/games?x=%ff%zz%": 200,
    b"/api/v1/games?%00=%00&&&==": 200,
    b"/api/v1/%67ames": 200,
    b"http://elsewhere.example/api/v1/games": 200,
    b"/api/v1/tables?cursor=%00": 400,
    b"/api/v1/tables?cursor=%ff": 400,
    b"/api/v1/tables?cursor=%ED%A0%80": 400,
    b"/api/v1/tables?%ff=%ff": 400,
    b"/api/v1/tables?mine=%F0%9F%8E%B2": 400,
    b"/api/v1/tables?game=" + b"a" * 20_000: 400,
    b"/api/v1/tables?" + b"a&" * 2_000: 400,
    b"/api/v1/tables/%ff/events?after=%D9%A1": 404,
}


def test_odd_addresses_get_the_answer_that_is_written_for_them(web: Server) -> None:
    [guest] = enter_all(1, web.url)
    with wire(web.port) as client:
        for target, status in ODD_TARGETS.items():
            answer = client.ask("GET", target, authorization=f"Bearer {guest.token}")
            assert answer.status == status, (target, answer)
            assert status == 200 or answer.code, target
            assert "Set-Cookie" not in answer.headers


NOT_HTTP = [
    b"GET /api/v1/\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /api/v1/games?x=\xc3\xa9 HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /api/v1/games a HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /api/v1/ HTTP/1.1\r\nAuthorization: Bearer a\x00b\r\n\r\n",
    b"POST /api/v1/sessions HTTP/1.1\r\nContent-Length: -5\r\n\r\n",
    b"POST /api/v1/sessions HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
    b"POST /api/v1/sessions HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
    b"POST /api/v1/sessions HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"BREW /api/v1/ HTTP/1.1\r\nHost: x\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"\x00" * 100,
]


def test_what_is_no_http_is_refused_and_the_connection_closed(web: Server) -> None:
    for raw in NOT_HTTP:
        with wire(web.port) as client:
            client.send(raw)
            assert client.answer().status == 400, raw
            assert client.is_closed()


ODD_HEADERS = {
    ("GET", "Authorization: Bearer \xff\xc3"): 401,
    ("GET", "Authorization: Bearer "): 401,
    ("GET", "Authorization: \xff"): 401,
    ("GET", "Accept: \xff"): 406,
    ("GET", "Accept-Encoding: \xff, gzip;q=x"): 200,
    ("GET", "Accept-Language: \xff"): 200,
    ("GET", "Origin: \xff"): 200,
    ("GET", "Cookie: \xff=\xff; sessionid=\xff"): 200,
    ("GET", "If-None-Match: \xff"): 200,
    ("GET", "Range: bytes=0-0"): 200,
    ("GET", "X-Long: " + "a" * 60_000): 200,
    ("POST", "Content-Type: \xff;;;"): 415,
    ("POST", "Content-Type: application/json; charset=\xff"): 201,
    ("POST", "Content-Type: application/json; charset=utf-16"): 201,
    ("POST", "Content-Type: multipart/form-data"): 415,
    ("POST", "Content-Type: application/x-www-form-urlencoded"): 415,
}


def test_odd_headers_get_the_answer_that_is_written_for_them(web: Server) -> None:
    [guest] = enter_all(1, web.url)
    for (method, header), status in ODD_HEADERS.items():
        raw = entry() if method == "POST" else b""
        lines = [f"{method} {ENTRANCE if raw else '/api/v1/tables'} HTTP/1.1", header]
        if "Authorization" not in header:
            lines.append(f"Authorization: Bearer {guest.token}")
        lines += [f"Content-Length: {len(raw)}", "", ""]
        with wire(web.port) as client:
            client.send("\r\n".join(lines).encode("latin1") + raw)
            answer = client.answer()
            assert answer.status == status, (header, answer)
            assert status < 400 or answer.code


def test_a_header_with_an_underscore_is_not_the_one_with_a_hyphen(web: Server) -> None:
    [guest] = enter_all(1, web.url)
    raw, key = b'{"game":"pickomino"}', fresh_key()
    head = f"Content-Type: application/json\r\nContent-Length: {len(raw)}\r\nIdempotency_Key: {key}"
    with wire(web.port) as client:
        for number in (1, 2):
            line = f"POST /api/v1/tables HTTP/1.1\r\nAuthorization: Bearer {guest.token}\r\n"
            client.send(f"{line}{head}\r\n\r\n".encode() + raw)
            assert client.answer().status == 201
            assert Table.objects.count() == number
        # Nor does one smuggle in another's session, or a length.
        client.send(
            f"GET /api/v1/tables HTTP/1.1\r\nHTTP_AUTHORIZATION: Bearer {guest.token}\r\n\r\n".encode()
        )
        assert client.answer().code == "not_authenticated"


# --- connections ---------------------------------------------------------------------------------


def test_one_connection_carries_many_requests_and_refusals(web: Server) -> None:
    [guest] = enter_all(1, web.url)
    token = {"authorization": f"Bearer {guest.token}"}
    with wire(web.port) as client:
        for _ in range(3):
            assert client.ask("GET", "/api/v1/tables", **token).status == 200
            assert client.ask("GET", "/api/v1/tables").status == 401
            assert client.ask("POST", "/api/v1/tables", b"{", **token).code == "malformed_json"
            assert client.ask("POST", "/api/v1/nowhere", b"{}", **token).status == 404
            assert client.ask("PUT", "/api/v1/tables", b"{}", **token).status == 405
            assert client.ask("POST", "/api/v1/tables", b'{"game":"7776"}', **token).status == 201


def test_requests_sent_ahead_are_answered_in_their_order(web: Server) -> None:
    with wire(web.port) as client:
        client.send(
            request("POST", ENTRANCE, entry())
            + request("GET", "/api/v1/games/7776")
            + request("GET", "/api/v1/games/dominoes")
            + request("GET", "/healthz")
        )
        assert client.answer().status == 201
        assert client.answer()["game"] == "7776"
        assert client.answer()["game"] == "dominoes"
        assert client.answer()["status"] == "ok"


def test_head_is_get_without_the_body(web: Server) -> None:
    [guest] = enter_all(1, web.url)
    table = guest.open()
    token = {"authorization": f"Bearer {guest.token}"}
    with wire(web.port) as client:
        for path in ["/api/v1/", "/api/v1/games", "/api/v1/tables", f"/api/v1/tables/{table}"]:
            got = client.ask("GET", path, **token)
            asked = client.ask("HEAD", path, **token)
            assert (asked.status, asked.json) == (got.status, None)
            assert asked.headers["Content-Type"] == got.headers["Content-Type"]
            assert asked.headers["ETag"] == got.headers["ETag"]
        assert client.ask("HEAD", "/api/v1/nowhere").status == 404
        assert client.ask("HEAD", "/api/v1/tables").status == 401
        assert client.ask("HEAD", ENTRANCE).status == 405


def test_an_unchanged_table_is_answered_without_a_body(web: Server) -> None:
    [guest] = enter_all(1, web.url)
    path = f"/api/v1/tables/{guest.open()}"
    with wire(web.port) as client:
        token = f"Bearer {guest.token}"
        etag = client.ask("GET", path, authorization=token).headers["ETag"]
        for _ in range(2):
            assert client.ask("GET", path, authorization=token, if_none_match=etag).status == 304
        assert client.ask("GET", path, authorization=token).status == 200


def test_a_client_that_vanishes_half_way_has_done_nothing(web: Server) -> None:
    table, mover, _ = playing_pair(web)
    token = {"authorization": f"Bearer {mover.token}"}
    whole = request("POST", f"/api/v1/tables/{table}/moves", b'{"move":"roll"}', **token)
    for length in range(1, len(whole), 7):
        with wire(web.port) as client:
            client.send(whole[:length])
    assert mover.see(table)["version"] == 4
    assert mover.move(table, "roll").status == 201


def test_a_client_that_does_not_wait_for_its_answer_has_moved_once_or_not_at_all(web: Server) -> None:
    for _ in range(20):
        table, mover, _ = playing_pair(web)
        key = fresh_key()
        headers = {"authorization": f"Bearer {mover.token}", "idempotency_key": key}
        with wire(web.port) as client:
            client.send(request("POST", f"/api/v1/tables/{table}/moves", b'{"move": "roll"}', **headers))
        # It comes again, as the guide tells clients to do, and learns what became of it.
        assert roll(mover, table, key)["number"] == 1
        assert moves_of(table).count() == 1
        check_whole(table)


def test_clients_that_vanish_leave_no_thread_behind(web: Server) -> None:
    [guest] = enter_all(1, web.url)
    whole = request("GET", "/api/v1/tables", authorization=f"Bearer {guest.token}")
    with wires(web.port, 4 * settings.WEB_THREADS) as clients:
        for client in clients:
            client.send(whole)
    answers = in_parallel(lambda who: who.get("tables"), [guest] * (2 * settings.WEB_THREADS))
    assert {answer.status for answer in answers} == {200}


# --- many at once --------------------------------------------------------------------------------


def test_a_flood_of_log_ins_does_not_hold_up_moves(web: Server) -> None:
    table, mover, other = playing_pair(web)
    flood = [Guest(fresh_name(), url=web.url) for _ in range(50)]
    with ThreadPoolExecutor(50) as crowd:
        with transaction.atomic(), connection.cursor() as cursor:
            # None of them gets in before the moves are answered.
            cursor.execute("LOCK TABLE players_player IN SHARE MODE")
            entering = [crowd.submit(guest.enter) for guest in flood]
            wait_for(lambda: waiting_locks() == settings.ENTRANCE_THREADS, "log-ins that wait")
            shown = roll(mover, table, fresh_key())
            assert shown.status == 201
            for _ in range(10):
                assert other.see(table)["version"] == shown["version"]
            assert not any(entered.done() for entered in entering)
        assert {entered.result().status for entered in entering} == {201}


def test_nor_does_a_flood_of_guesses_of_staff_s_passwords(web: Server) -> None:
    table, mover, _ = playing_pair(web)
    sign = "x" * 32  # which the form has to repeat
    body = f"csrfmiddlewaretoken={sign}&username=mo&password=guess".encode()
    sent = {"content_type": "application/x-www-form-urlencoded", "content_length": str(len(body))}
    guess = request("POST", "/admin/login/", cookie=f"csrftoken={sign}", **sent) + body
    with wires(web.port, 2 * settings.WEB_THREADS) as clients:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("LOCK TABLE players_staffguess IN ACCESS EXCLUSIVE MODE")
            for client in clients:
                client.send(guess)
            wait_for(lambda: waiting_locks() == 1, "the one log-in that is tried")
            assert roll(mover, table, fresh_key()).status == 201
            assert waiting_locks() == 1
        # Each is a guess, or refused since there were too many.
        assert {client.answer().status for client in clients} == {200, 429}


def test_requests_that_wait_at_one_table_do_not_hold_up_another(web: Server) -> None:
    table, mover, other = playing_pair(web)
    free = other.open()
    with ThreadPoolExecutor(settings.WEB_THREADS) as crowd:
        with transaction.atomic():
            Table.objects.select_for_update().get(pk=table)
            waiting = [crowd.submit(roll, mover, table, "one") for _ in range(settings.WEB_THREADS - 1)]
            wait_for(lambda: waiting_locks() == len(waiting), "moves that wait")
            assert other.see(free)["status"] == "open"
            assert not any(moving.done() for moving in waiting)
        assert {moving.result()["number"] for moving in waiting} == {1}
    assert moves_of(table).count() == 1
    check_whole(table)


# --- the end -------------------------------------------------------------------------------------


def test_a_server_that_is_asked_to_end_finishes_what_it_has_begun(transactional_db: None) -> None:
    with start_server(ENV) as server, ThreadPoolExecutor(1) as client:
        table, mover, _ = playing_pair(server)
        with wires(server.port, 5) as idle:
            for one in idle:
                assert one.ask("GET", "/healthz").status == 200
            with transaction.atomic():
                Table.objects.select_for_update().get(pk=table)
                moving = client.submit(mover.move, table, "roll")
                wait_for(waiting_locks, "a move that waits")
                server.process.send_signal(SIGTERM)
                wait_for(lambda: not listens(server), "the end of listening")
                assert all(one.is_closed() for one in idle)
                assert not moving.done()
            answer = moving.result()
        assert answer.status == 201
        assert server.process.wait(20) in ENDED
        assert row_of(table).version == answer["version"]
    assert "Traceback" not in server.log


def listens(server: Server) -> bool:
    try:
        Wire(server.port).close()
    except ConnectionRefusedError:
        return False
    return True


def test_half_sent_requests_do_not_keep_a_server_from_ending(transactional_db: None) -> None:
    with start_server(ENV) as server, wires(server.port, 20) as slow:
        for number, client in enumerate(slow):
            client.send(request("POST", ENTRANCE, entry())[: 10 + 10 * number])
        assert Guest(url=server.url).get("/healthz").status == 200
        server.process.send_signal(SIGTERM)
        assert server.process.wait(20) in ENDED


# --- what is written down ------------------------------------------------------------------------


def test_no_log_holds_a_name_a_secret_or_a_token(transactional_db: None) -> None:
    name, secret, wrong = "Zwölfender", "geheimes Geweih", "falsches Geweih"
    with start_server({**ENV, "LOG_LEVEL": "DEBUG"}) as server:
        guest = Guest(name, secret=secret, url=server.url)
        assert guest.enter().status == 201
        token = str(guest.token)
        assert Guest(name, secret=wrong, url=server.url).enter().code == "name_taken"
        table = guest.open(visibility="private")
        code = guest.see(table)["code"]
        for answer in impolite(guest, table, name, secret):
            assert 400 <= answer.status < 500
        assert guest.delete("sessions/current").status == 204
    assert Player.objects.count() == 0
    for kept in (name, "wölfender", secret, wrong, "Geweih", token, token[:20], code):
        assert kept not in server.log
        assert json.dumps(kept)[1:-1] not in server.log


def impolite(guest: Guest, table: str, name: str, secret: str) -> Iterator[Answer]:
    """Requests that carry what nobody may read in places where it does not belong."""
    yield guest.post("sessions", {"name": name, "secret": secret, name: secret})
    yield guest.post("sessions", {"name": name * 9, "secret": secret * 9})
    yield guest.post("sessions", {"name": [name], "secret": {secret: name}})
    yield guest.post("sessions", f'{{"name": "{name}", "secret": "{secret}"'.encode())
    yield guest.post("tables", {"game": name, "options": {secret: guest.token}})
    yield guest.move(table, f"{name} {guest.token}"[:60])
    yield guest.get(f"tables/{name}")
    yield guest.get(f"tables?cursor={guest.token}")
    yield guest.get(f"nowhere?ticket={guest.token}&name={name}")
    yield guest.get("tables?" + "a&" * 2_000 + str(guest.token))
    yield guest.sit(table, code=secret[:32], secret=secret)
    with wire(int(guest.url.rpartition(":")[2])) as client:
        client.send(f"GET /api/v1/{guest.token} \xff {secret} HTTP/1.1\r\n\r\n".encode("latin1"))
        yield client.answer()
