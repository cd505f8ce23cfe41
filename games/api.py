"""The games and their tables over HTTP: views authenticate, parse, call, answer."""

import re
from typing import Annotated, Any
from uuid import UUID

import msgspec
from django.conf import settings
from django.http import HttpResponse
from django.utils.http import parse_etags, quote_etag
from msgspec import Meta
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from config.errors import NotFound, Unavailable
from config.openapi import documented
from config.shapes import Choice, Flag, Nothing, Shape, Text, Whole, body, query, sent
from config.throttles import CODE_LOOKS, OPENINGS
from config.wire import reply
from games import matching, queries, schema, services
from games.bots import LEVELS
from games.catalogue import game_json
from games.models import Table
from games.once import Once, once_from
from games.opening import Done, what_is_wrong
from games.rules.registry import GAMES
from games.visits import visit
from sessions.models import Player
from sessions.views import OpenView, PlayerView, VisitorView


class Hex(Text):
    """1 to 64 hex digits, which become small ones."""

    def to_internal_value(self, data: Any) -> str:
        digits = super().to_internal_value(data)
        if not re.fullmatch(r"[0-9a-fA-F]{1,64}", digits):
            raise serializers.ValidationError("Must be 1 to 64 hex digits.")
        return digits.lower()


class OpenShape(Shape):
    game = Text()
    capacity = Whole(required=False)
    options = serializers.DictField(required=False)
    visibility = Choice(choices=Table.Visibility.values, required=False)
    turn_seconds = Whole(
        required=False,
        allow_null=True,
        min_value=settings.TURN_SECONDS[0],
        max_value=settings.TURN_SECONDS[1],
    )
    client_seed = Hex(required=False, allow_null=True)
    hints = Flag(required=False)

    def to_internal_value(self, data: Any) -> Any:
        """What the game refuses is said together with what no game would take."""
        try:
            return super().to_internal_value(data)
        except serializers.ValidationError as error:
            wrong = what_is_wrong(data.get("game"), data.get("capacity"), data.get("options"))
            raise serializers.ValidationError({**wrong, **dict(error.detail)}) from error  # type: ignore[arg-type]


class MatchShape(Shape):
    game = Text()
    capacity = Whole(required=False)
    options = serializers.DictField(required=False)
    fill_with_bots_after = Whole(required=False, allow_null=True, min_value=0, max_value=600)
    client_seed = Hex(required=False, allow_null=True)
    hints = Flag(required=False)


class RematchShape(Shape):
    client_seed = Hex(required=False, allow_null=True)


class LobbyShape(Shape):
    game = Choice(choices=list(GAMES), required=False)
    status = Choice(choices=Table.Status.values, required=False)
    mine = Choice(choices=["true", "false"], required=False)
    cursor = Text(required=False)


class CodeShape(Shape):
    code = Text(max_length=32)


class SitShape(Shape):
    code = Text(max_length=32, required=False, allow_null=True)
    client_seed = Hex(required=False, allow_null=True)


class BotShape(Shape):
    level = Choice(choices=LEVELS, required=False)


class AMove(msgspec.Struct, forbid_unknown_fields=True):
    """A move that any game could have."""

    move: Annotated[str, Meta(max_length=64, pattern="^[ -~]+$")]
    version: Annotated[int, Meta(ge=0)] | msgspec.UnsetType = msgspec.UNSET


class MoveShape(Shape):
    usual = AMove
    move = Text(max_length=64)
    version = Whole(required=False, min_value=0)


class Cursor(Text):
    """A version in a query, which is text; any that is not there yet lies in the future."""

    def to_internal_value(self, data: Any) -> int:  # type: ignore[override]  # the text is a number
        version = queries.number(super().to_internal_value(data))
        if version is None:
            raise serializers.ValidationError("A whole number is required.")
        return version


class EventsShape(Shape):
    after = Cursor(required=False)
    # Waiting is for games.stream, which gets these requests under ASGI; here the answer comes at once.
    wait = serializers.RegexField(r"^(1?[0-9]|2[0-5])$", required=False)


def once(request: Request) -> Once | None:
    """The idempotency key of a request that makes something."""
    key = request.META.get("HTTP_IDEMPOTENCY_KEY")
    return None if key is None else once_from(key, request.method or "", request.path, sent(request))


def answer(player: Player, done: Done, status: int = 200) -> HttpResponse:
    """The table as the caller sees it after an act of its own, and what a move did."""
    queries.load_presence(done.ledger)
    shown = queries.table_json(done.ledger, player)
    if done.number is not None:
        shown["number"] = done.number
        shown["events"] = [queries.event_json(event, shown["you"]) for event in done.events]
    return reply(shown, status)


class GamesView(OpenView):
    @documented(schema.LIST_GAMES)
    def get(self, request: Request) -> Response:
        return Response({"results": [game_json(slug) for slug in GAMES]})


class GameView(OpenView):
    @documented(schema.GET_GAME)
    def get(self, request: Request, slug: str) -> Response:
        if slug not in GAMES:
            raise NotFound
        return Response(game_json(slug))


class TablesView(PlayerView):
    """The lobby."""

    @documented(schema.LIST_TABLES, query=LobbyShape)
    def get(self, request: Request) -> HttpResponse:
        given = query(request, LobbyShape)
        given["mine"] = given.get("mine") == "true"
        return reply(queries.lobby(self.player, **given))

    @documented(schema.OPEN_TABLE, body=OpenShape)
    def post(self, request: Request) -> HttpResponse:
        given = body(request, OpenShape)
        self.count(OPENINGS)
        done = services.open_table(player=self.player, once=once(request), **given)
        response = answer(self.player, done, 201)
        response["Location"] = f"/api/v1/tables/{done.ledger.table.pk}"
        return response


class TableView(VisitorView):
    """One table; unchanged for a client that names the ETag of what it has."""

    @documented(schema.GET_TABLE)
    def get(self, request: Request, table_id: UUID) -> HttpResponse:
        seen = self.admitted(visit(self.token, table_id))
        ledger = queries.up_to_date(seen.ledger)
        if not queries.may_read(ledger, seen.player):
            raise NotFound
        queries.load_presence(ledger)
        etag = quote_etag(queries.fingerprint(ledger, seen.player))
        headers = {"ETag": etag, "Cache-Control": "private, no-cache", "Vary": "Authorization"}
        if _has(request, etag):
            return Response(status=304, headers=headers)
        return reply(queries.table_json(ledger, seen.player), headers=headers)


def _has(request: Request, etag: str) -> bool:
    """Whether the client names this very body as the one it has; `W/` before it does not matter."""
    named = parse_etags(request.META.get("HTTP_IF_NONE_MATCH", ""))
    return "*" in named or etag in [each.removeprefix("W/") for each in named]


class ByCodeView(PlayerView):
    """One look at a private table."""

    @documented(schema.LOOK_BY_CODE, body=CodeShape)
    def post(self, request: Request) -> HttpResponse:
        self.count(CODE_LOOKS)
        ledger = queries.table_by_code(body(request, CodeShape)["code"])
        return answer(self.player, Done(ledger))


class SeatsView(PlayerView):
    """Sit down."""

    @documented(schema.SIT_DOWN, body=SitShape)
    def post(self, request: Request, table_id: UUID) -> HttpResponse:
        given = body(request, SitShape)
        done = services.sit_down(table_id=table_id, player=self.player, once=once(request), **given)
        return answer(self.player, done, 201 if done.made else 200)


class MySeatView(PlayerView):
    """Stand up."""

    @documented(schema.STAND_UP)
    def delete(self, request: Request, table_id: UUID) -> Response:
        services.stand_up(table_id=table_id, player=self.player)
        return Response(status=204)


class ReturnView(PlayerView):
    """Take one's seat back from the stand-in."""

    @documented(schema.RETURN_TO_SEAT, body=Nothing)
    def post(self, request: Request, table_id: UUID) -> HttpResponse:
        body(request, Nothing)
        return answer(self.player, services.return_to_seat(table_id=table_id, player=self.player))


class SeatView(PlayerView):
    """The host frees a seat."""

    @documented(schema.REMOVE_SEAT)
    def delete(self, request: Request, table_id: UUID, number: int) -> Response:
        services.remove_seat(table_id=table_id, player=self.player, number=number)
        return Response(status=204)


class BotsView(PlayerView):
    """The host seats a bot."""

    @documented(schema.SEAT_BOT, body=BotShape)
    def post(self, request: Request, table_id: UUID) -> HttpResponse:
        given = body(request, BotShape)
        done = services.seat_bot(table_id=table_id, player=self.player, once=once(request), **given)
        return answer(self.player, done, 201)


class StartView(PlayerView):
    """The host starts the game."""

    @documented(schema.START_TABLE, body=Nothing)
    def post(self, request: Request, table_id: UUID) -> HttpResponse:
        body(request, Nothing)
        return answer(self.player, services.start_table(table_id=table_id, player=self.player))


class MatchesView(PlayerView):
    """Quick match."""

    @documented(schema.QUICK_MATCH, body=MatchShape)
    def post(self, request: Request) -> HttpResponse:
        given = body(request, MatchShape)
        self.count(OPENINGS)
        done = matching.quick_match(player=self.player, once=once(request), **given)
        return answer(self.player, done, 201 if done.made else 200)


class RematchView(PlayerView):
    """Play again with the same people."""

    @documented(schema.REMATCH, body=RematchShape)
    def post(self, request: Request, table_id: UUID) -> HttpResponse:
        given = body(request, RematchShape)
        self.count(OPENINGS)
        done = matching.rematch(table_id=table_id, player=self.player, once=once(request), **given)
        return answer(self.player, done, 201 if done.made else 200)


class MovesView(VisitorView):
    """Make a move."""

    @documented(schema.MAKE_MOVE, body=MoveShape)
    def post(self, request: Request, table_id: UUID) -> HttpResponse:
        given, key = body(request, MoveShape), once(request)
        seen = self.admitted(visit(self.token, table_id, key.key if key else None))
        done = services.make_move_at_sight(visit=seen, once=key, **given)
        return answer(seen.player, done, 201)


class EventsView(VisitorView):
    """What happened after a cursor."""

    @documented(schema.LIST_EVENTS, query=EventsShape)
    def get(self, request: Request, table_id: UUID) -> HttpResponse:
        after = query(request, EventsShape).get("after", 0)
        seen = self.admitted(visit(self.token, table_id, events=queries.stretch(after)))
        ledger = queries.up_to_date(seen.ledger)
        if not queries.may_read(ledger, seen.player):
            raise NotFound
        events = seen.events if ledger is seen.ledger else None
        shown: dict[str, Any] = queries.events_json(ledger, seen.player, after, events)
        return reply(shown)


class StreamView(PlayerView):
    """The address of a stream where there is no ASGI side, games.stream, to answer in its place."""

    def perform_content_negotiation(self, request: Request, force: bool = False) -> Any:
        # Who wants events is told why there are none.
        return super().perform_content_negotiation(request, force=True)

    def refuse(self) -> Response:
        raise Unavailable("Streams are served by the ASGI side of the server, which is not running here.")


class TableStreamView(StreamView):
    @documented(schema.STREAM_TABLE)
    def get(self, request: Request, table_id: UUID) -> Response:
        return self.refuse()


class MyStreamView(StreamView):
    @documented(schema.STREAM_MINE)
    def get(self, request: Request) -> Response:
        return self.refuse()


class LobbyStreamView(StreamView):
    @documented(schema.STREAM_LOBBY)
    def get(self, request: Request) -> Response:
        return self.refuse()
