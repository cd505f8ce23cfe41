"""The peer of streams and long polls: the least ASGI program that fans one message out to all who wait."""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

listeners: set["asyncio.Queue[bytes]"] = set()
HEADERS = [(b"content-type", b"text/event-stream"), (b"cache-control", b"no-store")]


async def application(scope: Message, receive: Receive, send: Send) -> None:
    """GET listens, at /poll for one message alone; POST sends its body to all who listen."""
    if scope["type"] == "lifespan":
        await _live(receive, send)
    elif scope["method"] == "POST":
        await _tell(receive, send)
    elif scope["path"] == "/readyz":
        await _answer(send, 200, b"{}")
    else:
        await _listen(send, once=scope["path"] == "/poll")


async def _live(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return


async def _tell(receive: Receive, send: Send) -> None:
    body = b""
    more = True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    for listener in listeners:
        listener.put_nowait(body)
    await _answer(send, 204, b"")


async def _listen(send: Send, *, once: bool) -> None:
    queue: asyncio.Queue[bytes] = asyncio.Queue()
    listeners.add(queue)
    try:
        if once:
            await _answer(send, 200, await queue.get())
            return
        await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
        await send({"type": "http.response.body", "body": b"retry: 2000\n\n", "more_body": True})
        while True:
            await send({"type": "http.response.body", "body": await queue.get(), "more_body": True})
    finally:
        listeners.discard(queue)


async def _answer(send: Send, status: int, body: bytes) -> None:
    headers = [] if status == 204 else [(b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
