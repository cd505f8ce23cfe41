"""The root of the API, and whether the server lives and is ready."""

import math
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from config import exposition, readiness, schema
from config.addresses import may_see_metrics
from config.errors import Invalid, NotFound, Unavailable
from config.openapi import documented
from config.wire import NO_STORE, reply
from sessions.views import OpenView


class RootView(OpenView):
    """What this server is, what it allows, and where to go on."""

    @documented(schema.ROOT)
    def get(self, request: Request) -> Response:
        return Response(
            {"version": settings.VERSION, "limits": _limits(), "defaults": _defaults(), "links": _links()}
        )


def _limits() -> dict[str, Any]:
    def span(lengths: tuple[int, int]) -> dict[str, int]:
        return {"min": lengths[0], "max": lengths[1]}

    return {
        "name": span(settings.NAME_LENGTHS),
        "secret": span(settings.SECRET_LENGTHS),
        "body_bytes": settings.BODY_LIMIT_BYTES,
        "record_bytes": settings.RECORD_LIMIT_BYTES,
        "open_tables": settings.OPEN_TABLES_PER_PLAYER,
        "live_tables": settings.LIVE_TABLES_PER_PLAYER,
        "turn_seconds": span(settings.TURN_SECONDS),
        "devices": settings.TOKENS_PER_PLAYER,
        "entries_per_minute": settings.ENTRIES_PER_MINUTE,
        "codes_per_minute": settings.CODE_LOOKS_PER_MINUTE,
        "tables_per_minute": settings.TABLES_PER_MINUTE,
        "tickets_per_minute": settings.TICKETS_PER_MINUTE,
        "record_checks_per_minute": settings.RECORD_CHECKS_PER_MINUTE,
        "odds_per_minute": settings.ODDS_PER_MINUTE,
        "analyses_per_minute": settings.ANALYSES_PER_MINUTE,
        "reports_per_hour": settings.REPORTS_PER_HOUR,
        "streams_per_player": settings.STREAMS_PER_PLAYER,
        "streams_per_address": settings.STREAMS_PER_ADDRESS,
    }


def _defaults() -> dict[str, Any]:
    return {
        "turn_seconds": settings.TURN_SECONDS_DEFAULT,
        "session_idle_seconds": _seconds(settings.SESSION_IDLE),
        "table_open_seconds": _seconds(settings.TABLE_OPEN),
        "table_abandon_seconds": _seconds(settings.TABLE_ABANDON),
        "idempotency_key_seconds": _seconds(settings.IDEMPOTENCY_KEYS_LIVE),
        "ticket_seconds": _seconds(settings.TICKET_LIVES),
        "stream_seconds": _seconds(settings.STREAM_LIFETIME),
    }


def _seconds(span: timedelta) -> int:
    """Whole seconds, rounded up."""
    return math.ceil(span.total_seconds())


def _links() -> dict[str, str]:
    return {
        "sessions": "/api/v1/sessions",
        "games": "/api/v1/games",
        "tables": "/api/v1/tables",
        "matches": "/api/v1/matches",
        "stream": "/api/v1/stream",
        "lobby_stream": "/api/v1/lobby/stream",
        "stream_tickets": "/api/v1/stream-tickets",
        "record_check": "/api/v1/records/check",
        "schema": "/api/schema",
        "docs": "/api/docs",
    }


class HealthView(OpenView):
    """The process answers."""

    @extend_schema(exclude=True)
    def get(self, request: Request) -> Response:
        return Response({"status": "ok"}, headers={"Cache-Control": "no-store"})


class ReadinessView(OpenView):
    """Whether requests can be served and clocks are kept, part by part; `?checks=` asks for some of them."""

    default_response_headers = NO_STORE

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponse:
        names = [name for name in request.query_params.get("checks", "").split(",") if name]
        if not readiness.CHECKS.keys() >= set(names):
            raise Invalid({"checks": [f"Must be some of: {', '.join(readiness.CHECKS)}."]})
        found = readiness.board.checks(names)
        checks = {name: check.json() for name, check in found.items()}
        if red := [name for name, check in found.items() if not check.ok]:
            raise Unavailable(f"Red: {', '.join(red)}.", checks=checks)
        return reply({"status": "ok", "checks": checks})


class MetricsView(OpenView):
    """What is counted and timed, for Prometheus; to others it is not there."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        if not may_see_metrics(request.META):
            raise NotFound
        super().initial(request, *args, **kwargs)

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponse:
        content, kind = exposition.told()
        return HttpResponse(content, content_type=kind, headers=NO_STORE)

    def perform_content_negotiation(self, request: Request, force: bool = False) -> Any:
        # Prometheus asks for formats of its own, and takes this one.
        return super().perform_content_negotiation(request, force=True)


healthz = HealthView.as_view()
readyz = ReadinessView.as_view()
metrics = MetricsView.as_view()
