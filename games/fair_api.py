"""What proves the luck, and what was played, over HTTP: client seeds, records, replays, checks."""

import re
from typing import Any
from uuid import UUID

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from config.openapi import documented
from config.shapes import Shape, Text, body, query
from config.throttles import RECORD_CHECKS
from config.wire import JSONRenderer, RecordParser, TextRenderer
from games import fair_schema as schema
from games import queries, seeding
from games.api import Cursor, Hex
from games.records import record_of
from games.replay import table_at
from games.rules.record_text import as_text
from games.rules.verify import verify
from sessions.views import OpenView, PlayerView

NO_STORE = {"Cache-Control": "no-store"}


class ClientSeedShape(Shape):
    hex = Hex()


class SeatNumber(Text):
    """A seat in a query, which is text."""

    def to_internal_value(self, data: Any) -> int:  # type: ignore[override]  # the text is a number
        text = super().to_internal_value(data)
        if not re.fullmatch(r"[0-9]{1,3}", text):
            raise serializers.ValidationError("A whole number is required.")
        return int(text)


class ReplayShape(Shape):
    version = Cursor(required=False)
    seat = SeatNumber(required=False)


class AnyRecord(Shape):
    """An object; what is wrong with it otherwise is the answer, and no refusal."""

    def to_internal_value(self, data: Any) -> Any:
        return data


class ClientSeedView(PlayerView):
    """A player's share of the luck."""

    @documented(schema.PUT_CLIENT_SEED, body=ClientSeedShape)
    def put(self, request: Request, table_id: UUID) -> Response:
        digits = body(request, ClientSeedShape)["hex"]
        seeding.put_client_seed(table_id=table_id, player=self.player, digits=digits)
        return Response(status=204)


class RecordView(PlayerView):
    """The record of a table that is over, as JSON or as text."""

    renderer_classes = (JSONRenderer, TextRenderer)

    @documented(schema.GET_RECORD)
    def get(self, request: Request, table_id: UUID) -> Response:
        record = record_of(queries.table_for(table_id, self.player))
        as_json = isinstance(request.accepted_renderer, JSONRenderer)
        return Response(record if as_json else as_text(record), headers=NO_STORE)


class ReplayView(PlayerView):
    """A table that is over, as it was."""

    @documented(schema.REPLAY_TABLE, query=ReplayShape)
    def get(self, request: Request, table_id: UUID) -> Response:
        given = query(request, ReplayShape)
        ledger = queries.table_for(table_id, self.player)
        queries.load_presence(ledger)
        shown = table_at(ledger, self.player, given.get("version"), given.get("seat"))
        return Response(shown, headers=NO_STORE)


class CheckView(OpenView):
    """Whether a record is true."""

    parser_classes = (RecordParser,)

    @documented(schema.CHECK_RECORD)
    def post(self, request: Request) -> Response:
        self.count(RECORD_CHECKS)
        return Response(verify(body(request, AnyRecord)), headers=NO_STORE)
