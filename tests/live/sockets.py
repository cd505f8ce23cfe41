"""Requests written byte by byte, for what no HTTP library would send."""

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPResponse
from typing import Any

from tests.live.guests import PATIENCE
from tests.people import Answer


class Wire:
    """One connection to a server."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)

    def send(self, raw: bytes) -> None:
        self.socket.sendall(raw)

    def ask(self, method: str, target: bytes | str, body: bytes = b"", /, **headers: str) -> Answer:
        self.send(request(method, target, body, **headers))
        return self.answer(method)

    def answer(self, method: str = "GET") -> Answer:
        """Raises HTTPException when the other end closed without one."""
        response = HTTPResponse(self.socket, method=method)
        response.fp.close()
        # Unbuffered, so that nothing of the next answer is taken with this one.
        response.fp = self.socket.makefile("rb", buffering=0)  # type: ignore[assignment]  # it reads as well
        response.begin()
        raw = response.read()
        kind = response.getheader("Content-Type") or ""
        return Answer(response.status, _json(kind, raw), response.headers)

    def is_closed(self) -> bool:
        """Waits for the other end to close the connection."""
        try:
            return self.socket.recv(1) == b""
        except ConnectionResetError:
            return True

    def close(self) -> None:
        self.socket.close()


def _json(kind: str, raw: bytes) -> Any:
    return json.loads(raw) if "json" in kind and raw else None


def request(method: str, target: bytes | str, body: bytes = b"", /, **headers: str) -> bytes:
    """A whole request. Headers are given with underscores, which become hyphens."""
    target = target.encode() if isinstance(target, str) else target
    lines = [b"%s %s HTTP/1.1" % (method.encode(), target), b"Host: localhost"]
    if body:
        lines += [b"Content-Type: application/json", b"Content-Length: %d" % len(body)]
    lines += [f"{name.replace('_', '-')}: {value}".encode("latin1") for name, value in headers.items()]
    return b"\r\n".join([*lines, b"", body])


@contextmanager
def wire(port: int) -> Iterator[Wire]:
    connected = Wire(port)
    try:
        yield connected
    finally:
        connected.close()


@contextmanager
def wires(port: int, count: int) -> Iterator[list[Wire]]:
    connected: list[Wire] = []
    try:
        for _ in range(count):
            connected.append(Wire(port))
        yield connected
    finally:
        for one in connected:
            one.close()
