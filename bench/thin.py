"""The peer of moves: the leanest DRF view around the bare transaction, on the same server as ours.

It knows no rules, no luck, no events, no hidden views, no clocks and no idempotency: a token and a state are
read by one statement, and the state is written back, with a row for the move, by one more.
"""

import hashlib
from typing import Any

import msgspec
from django.core.wsgi import get_wsgi_application
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.urls import path
from rest_framework.request import Request
from rest_framework.views import APIView

READ = """
SELECT asked.version, asked.state::text FROM bench.tokens token JOIN bench.tables asked ON asked.id = %s
WHERE token.digest = %s
"""
WRITE = """
WITH moved AS (
    UPDATE bench.tables SET version = version + 1, state = %s::jsonb WHERE id = %s AND version = %s
    RETURNING id, version
)
INSERT INTO bench.moves (table_id, number, move, at) SELECT id, version - 1, %s, now() FROM moved
"""


class MovesView(APIView):
    """Make a move: whatever it is, it is legal and changes nothing."""

    def post(self, request: Request, table_id: int) -> HttpResponse:
        move = msgspec.json.decode(request.body)["move"]
        shown = request.META["HTTP_AUTHORIZATION"].removeprefix("Bearer ")
        with connection.cursor() as cursor:
            cursor.execute(READ, (table_id, hashlib.sha256(shown.encode()).hexdigest()))
            version, text = cursor.fetchone()
            state = msgspec.json.decode(text)
            cursor.execute(WRITE, (msgspec.json.encode(state).decode(), table_id, version, move))
        body = msgspec.json.encode({"id": table_id, "version": version + 1, "state": state})
        return HttpResponse(
            body, status=201, content_type="application/json", headers={"Content-Length": len(body)}
        )


def readyz(request: HttpRequest) -> HttpResponse:
    return HttpResponse(b"{}", headers={"Content-Length": 2})


urlpatterns = [path("tables/<int:table_id>/moves", MovesView.as_view()), path("readyz", readyz)]


class Thin:
    """The view under ASGI, as ours is."""

    def __init__(self) -> None:
        from config.bridge import Bridge  # its parts look at the settings as they are loaded

        self._bridge = Bridge(get_wsgi_application(), 16, "web")

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            for step in ("startup", "shutdown"):
                await receive()
                await send({"type": f"lifespan.{step}.complete"})
            return
        body, more = b"", True
        while more:
            message = await receive()
            body += message.get("body", b"")
            more = message.get("more_body", False)
        scope["request_id"] = ""
        await self._bridge(scope, body, send)


application = Thin()
