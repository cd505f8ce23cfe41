"""The peer of `bench.streams`: the least ASGI program that fans one message out to server-sent events."""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Message = MutableMapping[str, Any]

listeners: set["asyncio.Queue[bytes]"] = set()
HEADERS = [(b"content-type", b"text/event-stream"), (b"cache-control", b"no-store")]


async def application(
    scope: Message, receive: Callable[[], Awaitable[Message]], send: Callable[[Message], Awaitable[None]]
) -> None:
    """GET listens; POST sends its body to all who listen."""
    if scope["type"] == "lifespan":
        while True:
            message = await receive()
            await send({"type": f"{message['type']}.complete"})
            if message["type"] == "lifespan.shutdown":
                return
    if scope["method"] == "POST":
        body = b""
        more = True
        while more:
            message = await receive()
            body += message.get("body", b"")
            more = message.get("more_body", False)
        for listener in listeners:
            listener.put_nowait(body)
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})
        return
    queue: asyncio.Queue[bytes] = asyncio.Queue()
    listeners.add(queue)
    try:
        await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
        await send({"type": "http.response.body", "body": b"retry: 2000\n\n", "more_body": True})
        while True:
            await send({"type": "http.response.body", "body": await queue.get(), "more_body": True})
    finally:
        listeners.discard(queue)
