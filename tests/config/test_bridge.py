"""Requests go to threads by what they ask for: what takes long is kept apart from what must be quick."""

import asyncio
from threading import Event
from typing import Any

import pytest
from django.conf import settings

from config import asgi

TABLE = "/api/v1/tables/00000000-0000-0000-0000-000000000000"


class Server:
    """Requests to the ASGI side, in front of an application that thinks about some addresses for long."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, slow: str) -> None:
        self._slow, self.thought = slow, Event()
        monkeypatch.setattr(asgi, "served", self._answer)
        self._front = asgi.Front()

    def _answer(self, environ: dict[str, Any], start_response: Any) -> list[bytes]:
        if environ["PATH_INFO"] == self._slow:
            self.thought.wait(60)
        start_response("200 OK", [])
        return [b""]

    async def ask(self, path: str) -> int:
        """The status of the answer."""
        sent: list[Any] = []

        async def receive() -> Any:
            return {"type": "http.request"}

        async def send(message: Any) -> None:
            sent.append(message)

        scope = {"type": "http", "method": "GET", "path": path, "headers": [], "query_string": b""}
        await self._front({**scope, "http_version": "1.1", "scheme": "http"}, receive, send)
        return int(sent[0]["status"])


@pytest.mark.parametrize("slow", [f"{TABLE}/odds", asgi.ENTRANCE, asgi.CHECK])
def test_however_many_ask_for_what_takes_long_others_are_answered(
    monkeypatch: pytest.MonkeyPatch, slow: str
) -> None:
    server = Server(monkeypatch, slow)

    async def run() -> list[int]:
        thinking = [asyncio.create_task(server.ask(slow)) for _ in range(2 * settings.WEB_THREADS)]
        await asyncio.sleep(0)
        try:
            quick = await asyncio.wait_for(server.ask(f"{TABLE}/moves"), 20)
        finally:
            server.thought.set()
        return [quick, *await asyncio.gather(*thinking)]

    assert asyncio.run(run()) == [200] * (2 * settings.WEB_THREADS + 1)
