"""The one port: requests are read whole here, then answered by Django under WSGI in bounded threads.

Django's own ASGI handler costs every synchronous request about two milliseconds. Streams and long
polls wait beside the WSGI side, in an ASGI application of their own.
"""

import asyncio
import gc
import logging
import os
import signal
import time
from contextlib import suppress
from functools import partial
from types import FrameType
from typing import Any
from urllib.parse import quote_from_bytes

from django.conf import settings
from prometheus_client import multiprocess

from config import addresses, keeping, metrics, routes, trace
from config.answers import Receive, Scope, Send, answer, refuse
from config.bridge import Bridge
from config.errors import BadRequest, Refusal, TooLarge
from config.wire import dump
from config.wsgi import served  # sets Django up for what is imported next
from games.connection import Asked
from games.stream import Streams

log = logging.getLogger(__name__)

# Hashing a secret takes long: entering has threads of its own, so that it can't starve moves.
ENTRANCE = "/api/v1/sessions"
# So does staff's log-in, which anybody may try; and what that waits for must not keep players out.
STAFF_ENTRANCE = "/admin/login/"
# So does checking a record: no more than one at a time, and a longer body.
CHECK = "/api/v1/records/check"
# And so do odds, of whichever table: a bot thinks about them.
ODDS = "/odds"
ALIVE = "/healthz"
# Asked by who watches, and answered while every other thread waits.
WATCHED = ("/readyz", "/metrics")
BODY_SECONDS = 30
# Of a body that is too large, before its refusal is sent.
TAKEN_BYTES = 8 * 1024 * 1024
TAKEN_SECONDS = 5
SILENT_SECONDS = 1
# For what is still at work in a thread when the server ends: who asked for it has been given up by then.
END_SECONDS = 3
CLOSE = [("Connection", "close")]
ASCII = "".join(map(chr, range(0x21, 0x7F)))


class Gone(Exception):
    """The client left before its request was whole."""


class Front:
    """Reads each request to its end, so that a slow client holds no thread."""

    def __init__(self) -> None:
        self._streams = Streams()
        aside = partial(Bridge, served, first=keeping.keep_none)
        self._main = Bridge(served, settings.WEB_THREADS, "web")
        self._odds = aside(1, "odds")
        self._apart = {
            ENTRANCE: aside(settings.ENTRANCE_THREADS, "entrance"),
            STAFF_ENTRANCE: aside(1, "staff"),
            CHECK: aside(1, "check"),
            **dict.fromkeys(WATCHED, aside(1, "watch")),
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scope["request_id"] = trace.id_of(scope["headers"])
            addresses.settle(scope)
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http" and (scope["method"], scope["path"]) == ("GET", ALIVE):
            # Asked of the process alone: answered even while every thread waits for the database.
            headers = [("Content-Type", "application/json"), ("X-Request-Id", scope["request_id"])]
            await answer(send, 200, headers, dump({"status": "ok"}))
        elif scope["type"] == "http" and self._streams.takes(scope):
            await self._streams(scope, receive, send)
        elif scope["type"] == "http":
            await self._http(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1000})

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        logging.captureWarnings(True)
        self._end_streams_on_signals()
        # What has been imported stays for good: the collector need not go through it again and again.
        gc.collect()
        gc.freeze()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self._streams.hub.close()
        until = time.monotonic() + END_SECONDS
        for bridge in {self._main, self._odds, *self._apart.values()}:
            bridge.end(max(0.0, until - time.monotonic()))
        if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
            multiprocess.mark_process_dead(os.getpid())  # type: ignore[no-untyped-call]
        await send({"type": "lifespan.shutdown.complete"})

    def _end_streams_on_signals(self) -> None:
        """The server waits for open answers before it tells us that it stops: streams must know first."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            before = signal.getsignal(number)

            def end(number: int, frame: FrameType | None, before: Any = before) -> None:
                loop.call_soon_threadsafe(self._streams.hub.end_streams)
                if callable(before):
                    before(number, frame)

            signal.signal(number, end)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            limit = settings.RECORD_LIMIT_BYTES if scope["path"] == CHECK else settings.BODY_LIMIT_BYTES
            _check_length(scope["headers"], limit)
            async with asyncio.timeout(BODY_SECONDS):
                body = await _read(receive, limit)
        except TooLarge as refusal:
            await _take_the_rest(scope["headers"], receive)
            await _refuse(scope, send, refusal)
            return
        except TimeoutError:
            await _refuse(scope, send, BadRequest("The body did not come in time."))
            return
        except Gone:
            return
        bridge = self._bridge(scope["path"])
        scope["query_string"] = quote_from_bytes(scope["query_string"], safe=ASCII).encode()
        begun = time.perf_counter()
        status, route = await bridge(scope, body, send)
        _told(scope, route, status, time.perf_counter() - begun)

    def _bridge(self, path: str) -> Bridge:
        return self._odds if path.endswith(ODDS) else self._apart.get(path, self._main)


def _told(scope: Scope, route: str, status: int, seconds: float) -> None:
    """Count a request that was answered, and log it where that is wanted."""
    metrics.answered(scope["method"], route, status)
    if route == routes.MOVES:
        metrics.MOVE_SECONDS.observe(seconds)
    if settings.LOG_REQUESTS:
        trace.current.set(scope["request_id"])
        method = scope["method"] if scope["method"] in metrics.METHODS else metrics.OTHER
        fields = {"method": method, "route": route, "status": status, "ms": round(seconds * 1000, 1)}
        log.info("answered", extra={"fields": fields})


async def _refuse(scope: Scope, send: Send, refusal: Refusal) -> None:
    """What Django is not asked about; the connection ends with it."""
    route, asked = routes.of_path(scope["path"]), Asked(scope)
    await refuse(send, refusal, [*CLOSE, *asked.common], method=asked.method, route=route)


def _check_length(headers: list[tuple[bytes, bytes]], limit: int) -> None:
    """Raises TooLarge for a body that says so itself, before any of it is asked for."""
    for name, value in headers:
        if name == b"content-length" and int(value) > limit:
            raise TooLarge


async def _read(receive: Receive, limit: int) -> bytes:
    """Raises TooLarge as soon as it is, and Gone."""
    body = bytearray()
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Gone
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > limit:
            raise TooLarge
    return bytes(body)


async def _take_the_rest(headers: list[tuple[bytes, bytes]], receive: Receive) -> None:
    """Let a client send what it is sending: most read no answer before, and only see that the door closed."""
    announced = dict(headers)
    if b"expect" in announced or int(announced.get(b"content-length", 0)) > TAKEN_BYTES:
        return
    taken, more = 0, True
    with suppress(TimeoutError):
        async with asyncio.timeout(TAKEN_SECONDS):
            while more and taken <= TAKEN_BYTES:
                message = await asyncio.wait_for(receive(), SILENT_SECONDS)
                taken += len(message.get("body", b""))
                more = message.get("more_body", False)


application = Front()
