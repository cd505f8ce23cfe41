"""The one port: requests are read whole here, then answered by Django under WSGI in bounded threads.

Django's own ASGI handler costs every synchronous request about two milliseconds; streams will come
beside the WSGI side, as an ASGI application of their own.
"""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, TypeAlias
from urllib.parse import quote_from_bytes

from a2wsgi import WSGIMiddleware
from django.conf import settings

from config.errors import BadRequest, Refusal, TooLarge
from config.problems import problem_response
from config.wsgi import application as django

Message: TypeAlias = MutableMapping[str, Any]
Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]

# Hashing a secret takes long: entering has threads of its own, so that it can't starve moves.
ENTRANCE = "/api/v1/sessions"
BODY_SECONDS = 30
ASCII = "".join(map(chr, range(0x21, 0x7F)))


class Gone(Exception):
    """The client left before its request was whole."""


class Front:
    """Reads each request to its end, so that a slow client holds no thread."""

    def __init__(self) -> None:
        wsgi: Any = django
        self._main = WSGIMiddleware(wsgi, workers=settings.WEB_THREADS)
        self._entrance = WSGIMiddleware(wsgi, workers=settings.ENTRANCE_THREADS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _lifespan(receive, send)
        elif scope["type"] == "http":
            await self._http(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1000})

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            _check_length(scope["headers"])
            body = await asyncio.wait_for(_read(receive), BODY_SECONDS)
        except TooLarge as refusal:
            await _refuse(refusal, send)
            return
        except TimeoutError:
            await _refuse(BadRequest("The body did not come in time."), send)
            return
        except Gone:
            return
        application = self._entrance if scope["path"] == ENTRANCE else self._main
        scope["headers"] = _plain(scope["headers"], len(body))
        scope["query_string"] = quote_from_bytes(scope["query_string"], safe=ASCII).encode()
        await application(scope, _replay(body, receive), send)  # type: ignore[arg-type]  # a2wsgi types scopes closer


async def _lifespan(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return


def _check_length(headers: list[tuple[bytes, bytes]]) -> None:
    """Raises TooLarge for a body that says so itself, before any of it is asked for."""
    for name, value in headers:
        if name == b"content-length" and int(value) > settings.BODY_LIMIT_BYTES:
            raise TooLarge


async def _read(receive: Receive) -> bytes:
    """Raises TooLarge as soon as it is, and Gone."""
    body = bytearray()
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Gone
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > settings.BODY_LIMIT_BYTES:
            raise TooLarge
    return bytes(body)


def _plain(headers: list[tuple[bytes, bytes]], length: int) -> list[tuple[bytes, bytes]]:
    """Headers as WSGI needs them.

    It knows no chunked bodies, only a length; and a name with an underscore would pass for the
    same name with a hyphen.
    """
    dropped = {b"content-length", b"transfer-encoding"}
    kept = [(name, value) for name, value in headers if name not in dropped and b"_" not in name]
    return [*kept, (b"content-length", str(length).encode())] if length else kept


def _replay(body: bytes, receive: Receive) -> Receive:
    told = False

    async def again() -> Message:
        nonlocal told
        if told:
            return await receive()
        told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


async def _refuse(refusal: Refusal, send: Send) -> None:
    response = problem_response(refusal)
    headers = [(name.lower().encode(), value.encode()) for name, value in response.items()] + [
        (b"content-length", str(len(response.content)).encode()),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": response.status_code, "headers": headers})
    await send({"type": "http.response.body", "body": response.content})


application = Front()
