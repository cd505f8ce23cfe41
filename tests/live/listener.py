"""A client of streams on a plain socket: hears server-sent events, and can be cut at any moment."""

import json
import select
import socket
import struct
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Self

from tests.live.guests import PATIENCE, Guest
from tests.live.sockets import request
from tests.people import API, Answer

RESET = struct.pack("ii", 1, 0)


@dataclass
class Message:
    """A server-sent event; `name` is empty for a block of comments or of `retry` alone."""

    name: str = ""
    id: int | None = None
    data: Any = None
    retry: int | None = None
    comments: list[str] = field(default_factory=list)

    @property
    def versions(self) -> list[int]:
        return [event["version"] for event in (self.data or {}).get("events", [])]


class Listener:
    """One request whose answer is read as it comes. `raw` is every byte of it, chunk marks included."""

    receive_buffer: int | None = None

    def __init__(self, url: str, path: str, **headers: str) -> None:
        host, _, port = url.removeprefix("http://").partition(":")
        self.socket = socket.socket()
        if self.receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, self.receive_buffer)
        self.socket.settimeout(PATIENCE)
        try:
            self.socket.connect((host, int(port)))
            self.socket.sendall(request("GET", path if path.startswith("/") else f"{API}/{path}", **headers))
        except OSError:
            self.socket.close()
            raise
        self.raw = bytearray()
        self.messages: list[Message] = []
        self.is_ended = False
        self.status = 0
        self.headers: dict[str, str] = {}
        self.text = b""
        self._told = 0
        self._parsed = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.socket.close()

    def reset(self) -> None:
        """Cut the connection without a word, as a network does."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        self.socket.close()

    def listen(self, seconds: float = 0.0, messages: int = 1_000_000) -> None:
        """Take what comes until the seconds are over, or the answer, or so many messages are there."""
        deadline = time.monotonic() + seconds
        while not self.is_ended and len(self.messages) < messages:
            left = max(0.0, deadline - time.monotonic())
            if not select.select([self.socket], [], [], left)[0]:
                return
            self._take()

    def _take(self) -> None:
        try:
            piece = self.socket.recv(65_536)
        except ConnectionResetError:
            piece = b""
        self.raw += piece
        self._parse()
        self.is_ended = self.is_ended or not piece

    def _parse(self) -> None:
        if not self.status:
            head, ended, _ = bytes(self.raw).partition(b"\r\n\r\n")
            if not ended:
                return
            first, *lines = head.decode("latin-1").split("\r\n")
            self.status = int(first.split()[1])
            self.headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
            self._parsed = len(head) + 4
        if self.headers.get("transfer-encoding") == "chunked":
            self._parse_chunks()
        else:
            self.text = bytes(self.raw[self._parsed :])
            self.is_ended = len(self.text) >= int(self.headers.get("content-length", "0"))

    def _parse_chunks(self) -> None:
        while (line_end := self.raw.find(b"\r\n", self._parsed)) >= 0:
            size = int(self.raw[self._parsed : line_end], 16)
            if len(self.raw) < line_end + size + 4:
                break
            self.text += self.raw[line_end + 2 : line_end + 2 + size]
            self._parsed = line_end + size + 4
            self.is_ended = self.is_ended or size == 0
        *blocks, rest = self.text.split(b"\n\n")
        self.text = rest
        self.messages += map(_message, blocks)

    def wait_for(self, wanted: Callable[[Message], bool], seconds: float = PATIENCE) -> Message:
        """The next message that is wanted, of those not yet given; others are passed over."""
        deadline = time.monotonic() + seconds
        while True:
            while self._told < len(self.messages):
                self._told += 1
                if wanted(self.messages[self._told - 1]):
                    return self.messages[self._told - 1]
            left = deadline - time.monotonic()
            assert left > 0, f"it never came; the last: {self.messages[-1:]}"
            assert not self.is_ended, f"ended without it: {self.status} {self.messages[-1:]}"
            if select.select([self.socket], [], [], left)[0]:
                self._take()

    def next(self, name: str = "table", seconds: float = PATIENCE) -> Message:
        return self.wait_for(lambda message: message.name == name, seconds)

    def wait_for_version(self, version: int, seconds: float = PATIENCE) -> Message:
        """Of a table's stream."""
        return self.wait_for(lambda message: message.id is not None and message.id >= version, seconds)

    def wait_for_end(self, seconds: float = PATIENCE) -> None:
        """Raises AssertionError when the answer goes on."""
        self.listen(seconds)
        assert self.is_ended

    @property
    def ended_politely(self) -> bool:
        return self.raw.endswith(b"0\r\n\r\n")

    @property
    def versions(self) -> list[int]:
        """Of all events that came, in order."""
        return [version for message in self.messages if message.data for version in message.versions]

    def answer(self, seconds: float = PATIENCE) -> Answer:
        """An answer that is no stream."""
        self.wait_for_end(seconds)
        self.close()
        assert "transfer-encoding" not in self.headers
        kind = self.headers.get("content-type", "")
        names = {name.title(): value for name, value in self.headers.items()}
        return Answer(self.status, json.loads(self.text) if "json" in kind else None, names)


def told_of(table: str, *, again: str | None = None) -> Callable[[Message], bool]:
    """Whether a message is about a table; with `again`, about one that knows its rematch."""

    def wanted(message: Message) -> bool:
        shown = (message.data or {}).get("table", {})
        return shown.get("id") == table and again in (None, shown["rematch"])

    return wanted


def told(kind: str) -> Callable[[Message], bool]:
    """Whether a message tells of an event of that kind."""
    return lambda message: kind in [event["kind"] for event in (message.data or {}).get("events", [])]


def _message(block: bytes) -> Message:
    message, data = Message(), []
    for line in block.decode().split("\n"):
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        match name:
            case "":
                message.comments.append(value)
            case "event":
                message.name = value
            case "id":
                message.id = int(value)
            case "retry":
                message.retry = int(value)
            case "data":
                data.append(value)
            case _:
                raise AssertionError(f"no field of server-sent events: {line}")
    message.data = json.loads("\n".join(data)) if data else None
    return message


def listen(who: Guest, path: str, **headers: str) -> Listener:
    """Ask for a stream or a long poll as somebody."""
    return Listener(who.url, path, authorization=f"Bearer {who.token}", **headers)


def watch(who: Guest, table: str, after: int | None = None, **headers: str) -> Listener:
    """A table's stream, begun with its first message or what else came."""
    query = "" if after is None else f"?after={after}"
    listener = listen(who, f"tables/{table}/stream{query}", **headers)
    listener.listen(PATIENCE, messages=1)
    return listener
