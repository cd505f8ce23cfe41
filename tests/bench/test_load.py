"""The load: answers are read to their last byte and no further, and what is not expected is told."""

import contextlib
from collections.abc import Iterator
from contextlib import contextmanager
from socket import IPPROTO_TCP, TCP_NODELAY
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Thread

import pytest

from bench.load import Answer, Script, Unexpected, Unreadable, drive, drive_groups, parse, request
from bench.reads import readers

OK = b'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\nETag: "a"\r\n\r\nhello'


def test_an_answer_is_read() -> None:
    answer = parse(OK)
    assert answer is not None
    assert (answer.status, answer.body) == (200, b"hello")
    assert answer.header("etag") == '"a"'
    assert answer.header("location") == ""


def test_an_answer_is_waited_for_until_it_is_whole() -> None:
    assert [parse(OK[:size]) for size in range(len(OK))] == [None] * len(OK)


@pytest.mark.parametrize("status", [b"204 No Content", b"304 Not Modified"])
def test_some_answers_have_no_body_and_need_no_length(status: bytes) -> None:
    assert parse(b"HTTP/1.1 " + status + b"\r\nETag: x\r\n\r\n") is not None


def test_an_answer_without_a_length_is_not_guessed_at() -> None:
    with pytest.raises(Unreadable):
        parse(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")


def test_a_request_is_whole() -> None:
    assert request("POST", "/a", "t", b"{}", "X: y\r\n") == (
        b"POST /a HTTP/1.1\r\nHost: 127.0.0.1\r\nX: y\r\nAuthorization: Bearer t\r\n"
        b"Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
    )


@contextmanager
def answering(answer: bytes, *, pieces: int = 1, close: bool = False) -> Iterator[int]:
    """A server that gives every request without a body this answer, in so many pieces; its port."""

    class Talk(StreamRequestHandler):
        def handle(self) -> None:
            self.connection.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)
            size = -(-len(answer) // pieces)
            with contextlib.suppress(ConnectionError):
                while self.rfile.readline():
                    while self.rfile.readline().strip():
                        pass
                    for at in range(0, len(answer), size):
                        self.wfile.write(answer[at : at + size])
                    if close:
                        return

    with ThreadingTCPServer(("127.0.0.1", 0), Talk) as server:
        thread = Thread(target=server.serve_forever, args=[0.01])
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()


ASKING = [request("GET", "/")]


@pytest.mark.parametrize("pieces", [1, 3, 40])
def test_every_request_is_answered_and_timed(pieces: int) -> None:
    with answering(OK, pieces=pieces) as port:
        load = drive(port, readers(ASKING, 4, 50))
    assert len(load.latencies) == 50
    assert all(seconds > 0 for seconds in load.latencies)
    assert load.rate == pytest.approx(50 / load.seconds)


def test_kinds_of_clients_are_told_apart() -> None:
    with answering(OK) as port:
        loads = drive_groups(port, {"few": readers(ASKING, 1, 3), "many": readers(ASKING, 2, 30)})
    assert {name: len(load.latencies) for name, load in loads.items()} == {"few": 3, "many": 30}


class Endless:
    def next(self, answer: Answer | None) -> bytes | None:
        return ASKING[0]


def test_a_load_ends_with_its_time() -> None:
    with answering(OK) as port:
        load = drive(port, [Endless(), Endless()], seconds=0.05)
    assert load.latencies


def test_another_status_than_the_wanted_one_ends_the_load() -> None:
    with answering(OK) as port, pytest.raises(Unexpected, match="200: hello"):
        drive(port, readers(ASKING, 2, 10, status=304))


def test_a_server_that_hangs_up_ends_the_load() -> None:
    scripts: list[Script] = [Endless()]
    with answering(OK, close=True) as port, pytest.raises(ConnectionError):
        drive(port, scripts)
