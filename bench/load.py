"""The load of the benchmarks: clients that send a request as soon as the answer to the last one is here.

Reads just enough of HTTP/1.1 for servers that say how long an answer is, so that its own cost stays small
beside theirs; what it was is told with each load.
"""

import asyncio
import itertools
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, TypeAlias

import uvloop

HOST = "127.0.0.1"
PATIENCE = 120.0  # seconds beyond a load's own time, after which something is broken
NO_BODY = (204, 304)

# A server's port, or those of several, which take clients in turn.
Port: TypeAlias = int | Sequence[int]


class Unreadable(Exception):
    """An answer that this reader was not made for."""


class Unexpected(Exception):
    """An answer with which a benchmark makes no sense."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back. `head` is the status line and the headers, in small letters."""

    status: int
    head: bytes
    body: bytes

    def header(self, name: str) -> str:
        """The value of a header named in small letters; "" without it."""
        _, found, rest = self.head.partition(b"\r\n" + name.encode() + b":")
        return rest.partition(b"\r\n")[0].decode().strip() if found else ""


class Script(Protocol):
    """What one client does."""

    def next(self, answer: Answer | None) -> bytes | None:
        """The next request, after this answer (None at first); None when there is nothing more to do."""
        ...


@dataclass(frozen=True, slots=True)
class Load:
    """What some clients did: seconds from the first request to the last answer, and for each request."""

    seconds: float
    latencies: Sequence[float]
    own_cpu: float  # seconds of this process, for all that ran at once

    @property
    def rate(self) -> float:
        return len(self.latencies) / self.seconds if self.latencies else 0.0


def parse(raw: bytes) -> Answer | None:
    """The answer that `raw` holds; None while it is not whole. Raises Unreadable without a length."""
    end = raw.find(b"\r\n\r\n")
    if end < 0:
        return None
    head, status = raw[: end + 2].lower(), int(raw[9:12])
    at = head.find(b"\r\ncontent-length:")
    if at < 0 and status not in NO_BODY:
        raise Unreadable(head.decode(errors="replace"))
    length = int(head[at + 17 : head.find(b"\r\n", at + 17)]) if at >= 0 and status not in NO_BODY else 0
    if len(raw) < end + 4 + length:
        return None
    return Answer(status, head, raw[end + 4 :])


def request(method: str, path: str, token: str = "", body: bytes = b"", headers: str = "") -> bytes:
    """The bytes of a request; `headers` are whole lines besides."""
    lines = f"{method} {path} HTTP/1.1\r\nHost: {HOST}\r\n{headers}"
    if token:
        lines += f"Authorization: Bearer {token}\r\n"
    if body:
        lines += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    return f"{lines}\r\n".encode() + body


class Client(asyncio.Protocol):
    """One connection that follows a script."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._buffer = b""
        self._begun = 0.0
        self.latencies: list[float] = []
        self.ended_at = 0.0
        self.until = float("inf")
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def begin(self, until: float) -> None:
        self.until = until
        self._go_on(None)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        try:
            if answer := parse(self._buffer):
                self._buffer = b""
                self.ended_at = time.monotonic()
                self.latencies.append(self.ended_at - self._begun)
                self._go_on(answer)
        except Exception as error:
            self._end(error)

    def _go_on(self, answer: Answer | None) -> None:
        following = self._script.next(answer)
        self._begun = time.monotonic()
        if following is None or self._begun > self.until:
            self._end(None)
        else:
            self.transport.write(following)

    def connection_lost(self, exc: Exception | None) -> None:
        self._end(exc or ConnectionError("the server closed a connection before its time"))

    def _end(self, error: Exception | None) -> None:
        if not self.done.done():
            if error:
                self.done.set_exception(error)
            else:
                self.done.set_result(None)


def drive(port: Port, scripts: Sequence[Script], seconds: float = float("inf")) -> Load:
    """Let these clients work at the same time until they have done all, or for so long."""
    return drive_groups(port, {"all": scripts}, seconds)["all"]


def drive_groups(
    port: Port, groups: Mapping[str, Sequence[Script]], seconds: float = float("inf")
) -> dict[str, Load]:
    """The same for clients of several kinds, each kind told apart. Raises what a script raises."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(_drive(port, groups, seconds))


async def _drive(port: Port, groups: Mapping[str, Sequence[Script]], seconds: float) -> dict[str, Load]:
    ports = itertools.cycle([port] if isinstance(port, int) else port)
    clients = {
        name: [await connected(next(ports), each) for each in scripts] for name, scripts in groups.items()
    }
    everyone = [client for some in clients.values() for client in some]
    cpu, begun = time.process_time(), time.monotonic()
    try:
        for client in everyone:
            client.begin(begun + seconds)
        limit = PATIENCE + (seconds if seconds < float("inf") else 0)
        await asyncio.wait_for(asyncio.gather(*(client.done for client in everyone)), limit)
    finally:
        for client in everyone:
            client.transport.abort()
    cpu = time.process_time() - cpu
    return {name: _load(some, begun, cpu) for name, some in clients.items()}


async def connected(port: int, script: Script) -> Client:
    """A client that waits for its beginning."""
    loop = asyncio.get_running_loop()
    _, client = await loop.create_connection(partial(Client, script), HOST, port)
    return client


def _load(clients: Sequence[Client], begun: float, cpu: float) -> Load:
    ended_at = max((client.ended_at for client in clients), default=begun)
    return Load(ended_at - begun, [each for client in clients for each in client.latencies], cpu)
