"""One open stream: what its client asked for, when it must end, and server-sent events on the wire."""

import asyncio
import random
import re
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qs

from django.conf import settings

from config import answers, metrics
from config.answers import Headers, Receive, Scope, Send
from games.feeds import Bell

KEEP_ALIVE_SECONDS = settings.STREAM_KEEP_ALIVE.total_seconds()
RETRY_MILLISECONDS = 2_000
SLOW_SECONDS = settings.STREAM_SLOW.total_seconds()
# Lifetimes differ by a tenth, so that streams opened together do not come back together.
SPREAD = 0.1
ID = re.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class Asked:
    """What a request under ASGI says; read again each time, since thousands of these are kept."""

    __slots__ = ("_scope",)

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    @property
    def method(self) -> str:
        return str(self._scope["method"])

    @property
    def path(self) -> str:
        return str(self._scope["path"])

    @property
    def address(self) -> str:
        return str((self._scope.get("client") or ("", 0))[0])

    @property
    def query(self) -> dict[str, str]:
        text = self._scope["query_string"].decode("latin-1")
        return {name: values[-1] for name, values in parse_qs(text, keep_blank_values=True).items()}

    def header(self, name: str) -> str | None:
        """The last one of that name, in small letters."""
        found = [value for key, value in self._scope["headers"] if key == name.encode()]
        return found[-1].decode("latin-1") if found else None

    @property
    def common(self) -> Headers:
        """What every answer carries besides: its request's id, who may read it, and how browsers are to."""
        known = ("X-Request-Id", self._scope["request_id"])
        return [known, *answers.SECURE, *answers.cors(self.header("origin"))]

    @property
    def route(self) -> str:
        """The path without the ids in it."""
        return ID.sub("{table_id}", self.path)


class Connection:
    """A client that listens. Used as a block, which ends the watch for its leaving."""

    __slots__ = (
        "_ends_at",
        "_loop",
        "_receive",
        "_send",
        "_task",
        "_watch",
        "_writing_since",
        "asked",
        "begun",
        "bell",
        "is_slow",
        "left",
    )

    def __init__(self, asked: Asked, receive: Receive, send: Send) -> None:
        self.asked = asked
        self.bell = Bell()
        self.begun = False
        self.left = False
        self.is_slow = False
        self._receive = receive
        self._send = send
        self._loop = asyncio.get_running_loop()
        self._task = asyncio.current_task()
        self._writing_since: float | None = None
        lifetime = settings.STREAM_LIFETIME.total_seconds() * random.uniform(1 - SPREAD, 1)  # noqa: S311
        self._ends_at = self._loop.time() + lifetime
        self._watch = asyncio.create_task(self._watch_for_leaving())

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._watch.cancel()
        self.bell.close()

    async def _watch_for_leaving(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass
        self.left = True
        self.bell.ring()

    @property
    def is_over(self) -> bool:
        """Whether the client left, or the stream has lasted long enough."""
        return self.left or self.seconds_left <= 0

    @property
    def seconds_left(self) -> float:
        return self._ends_at - self._loop.time()

    def end_within(self, seconds: float) -> None:
        """Have the stream end no later than that."""
        self._ends_at = min(self._ends_at, self._loop.time() + seconds)

    async def wait(self, seconds: float) -> bool:
        """True when something woke the stream before the seconds, or its life, were over."""
        return await self.bell.wait(min(seconds, self.seconds_left))

    async def begin(self) -> None:
        """The headers that keep every proxy from holding messages back."""
        self.begun = True
        headers = [
            ("Content-Type", "text/event-stream; charset=utf-8"),
            ("Cache-Control", "no-store, no-transform"),
            ("X-Accel-Buffering", "no"),
            *self.asked.common,
        ]
        metrics.answered(self.asked.method, self.asked.route, 200)
        await answers.begin(self._send, 200, headers)
        # A part of the first message: some clients take a lone `retry` for a message of its own.
        await self.write(b"retry: %d\n" % RETRY_MILLISECONDS)

    async def write(self, piece: bytes) -> None:
        """Returns when the client has room for more; `end_if_slow` ends what never does."""
        self._writing_since = self._loop.time()
        await self._send({"type": "http.response.body", "body": piece, "more_body": True})
        self._writing_since = None

    def write_now(self, piece: bytes) -> bool:
        """Write in this very step; False, with nothing written, when the client has no room for it.

        Sending is a coroutine that waits for room, if at all, before it writes. One that does not
        have to wait ends at its first step; to give up one that does leaves nothing half-sent.
        """
        sending: Any = self._send({"type": "http.response.body", "body": piece, "more_body": True})
        try:
            sending.send(None)
        except StopIteration:
            return True
        sending.close()
        return False

    def end_if_slow(self) -> None:
        """A client that does not take what it is sent must not fill the memory."""
        since = self._writing_since
        if since is not None and self._task and self._loop.time() - since > SLOW_SECONDS:
            self.left = self.is_slow = True
            self._task.cancel()

    def abort(self) -> None:
        """Let go of a connection whose client reads nothing: to close it would wait for the client.

        ASGI has no word for that, but the `send` of uvicorn is a method of what holds the transport.
        """
        transport = getattr(getattr(self._send, "__self__", None), "transport", None)
        if transport is not None:
            transport.abort()

    async def keep_alive(self) -> None:
        await self.write(b": keep-alive\n\n")

    async def finish(self) -> None:
        """End the stream politely, unless its client takes not even that."""
        if self.left:
            return
        try:
            async with asyncio.timeout(SLOW_SECONDS):
                await self._send({"type": "http.response.body", "body": b""})
        except TimeoutError:
            self.abort()

    async def answer(self, status: int, headers: Headers, body: bytes = b"") -> None:
        """Answer without a stream."""
        self.begun = self.left = True
        self._writing_since = self._loop.time()
        metrics.answered(self.asked.method, self.asked.route, status)
        await answers.answer(self._send, status, [*headers, *self.asked.common], body)


def message(event: str, data: bytes, number: int | None = None) -> bytes:
    """One server-sent event; compact JSON has no line breaks, so its data is one line."""
    head = b"" if number is None else b"id: %d\n" % number
    return head + b"event: " + event.encode() + b"\ndata: " + data + b"\n\n"
