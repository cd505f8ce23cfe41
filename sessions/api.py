"""Entering, the current session, logging out: `/sessions`."""

from typing import Any

from django.dispatch import Signal
from rest_framework.request import Request
from rest_framework.response import Response

from config.openapi import documented
from config.shapes import Flag, Nothing, Shape, Text, body
from config.throttles import ENTRIES, throttle
from sessions import schema, services
from sessions.models import Player
from sessions.secrecy import hide_address
from sessions.signals import news_told, session_shown
from sessions.views import OpenView, PlayerView


class EnterShape(Shape):
    name = Text(help_text="1–24 characters; compared without regard to case and width")
    secret = Text(help_text="4–128 characters; gets you back in")
    bot = Flag(required=False)


def session_json(player: Player) -> dict[str, Any]:
    """A session as its player sees it, with what other apps know of it."""
    shown: dict[str, Any] = {
        "player": {"id": player.pk, "name": player.name, "bot": player.bot},
        "expires_at": player.expires_at,
    }
    return shown | _members(session_shown, player)


def _members(signal: Signal, player: Player) -> dict[str, Any]:
    """What other apps add for a player."""
    answers: list[tuple[Any, Any]] = signal.send(sender=Player, player=player)
    return {name: value for _, members in answers for name, value in members.items()}


def client_address(request: Request) -> str:
    """The address of the other end, or of the client when a trusted proxy told it to the server."""
    return str(request.META.get("REMOTE_ADDR") or "")


class SessionsView(OpenView):
    """Enter."""

    @documented(schema.ENTER, body=EnterShape)
    def post(self, request: Request) -> Response:
        address = client_address(request)
        throttle.admit(ENTRIES, hide_address(address))
        given = body(request, EnterShape)
        entered = services.enter(**given, address=address)
        answer = {"token": entered.token, **session_json(entered.player)}
        return Response(answer, status=201 if entered.new else 200, headers={"Cache-Control": "no-store"})


class CurrentSessionView(PlayerView):
    """The session of the token, and the way out of it."""

    @documented(schema.CURRENT_SESSION)
    def get(self, request: Request) -> Response:
        shown = {**session_json(self.player), "reports": []}
        # Asked for the headers alone, nobody would hear the news.
        if request.method == "GET":
            shown |= _members(news_told, self.player)
        return Response(shown, headers={"Cache-Control": "no-store"})

    @documented(schema.LOG_OUT)
    def delete(self, request: Request) -> Response:
        services.forget(self.player, by="player")
        return Response(status=204)


class TicketsView(PlayerView):
    """A ticket for a browser's EventSource."""

    @documented(schema.ISSUE_TICKET, body=Nothing)
    def post(self, request: Request) -> Response:
        body(request, Nothing)
        ticket, expires_at = services.issue_ticket(self.player)
        answer = {"ticket": ticket, "expires_at": expires_at}
        return Response(answer, status=201, headers={"Cache-Control": "no-store"})
