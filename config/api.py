"""The root of the API, and whether the server lives and is ready."""

import math
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from redis import Redis
from redis.exceptions import RedisError
from rest_framework.request import Request
from rest_framework.response import Response

from config import schema
from config.errors import Unavailable
from config.openapi import documented
from sessions.models import Sweep
from sessions.views import OpenView

# Sweeps that have not run for so long are said to be late.
SWEEPS_LATE_AFTER = timedelta(seconds=30)


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
    """Whether requests can be served. Valkey and sweeps are told, and not waited for."""

    @extend_schema(exclude=True)
    def get(self, request: Request) -> Response:
        parts = {"database": _database(), "valkey": _valkey()}
        if parts["database"] != "ok":
            raise Unavailable("The database is away, or not migrated.", **parts)
        return Response({"status": "ok", **parts, **_sweeps()}, headers={"Cache-Control": "no-store"})


healthz = HealthView.as_view()
readyz = ReadinessView.as_view()


def _database() -> str:
    try:
        executor = MigrationExecutor(connection)
        pending = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except Exception:
        return "away"
    return "migrations pending" if pending else "ok"


def _valkey() -> str:
    try:
        with Redis.from_url(settings.REDIS_URL, socket_timeout=0.2, socket_connect_timeout=0.2) as valkey:
            valkey.ping()
    except (RedisError, OSError):
        return "away"
    return "ok"


def _sweeps() -> dict[str, str]:
    try:
        ran = dict(Sweep.objects.values_list("name", "ran_at"))
    except Exception:
        return {}
    late = timezone.now() - max(SWEEPS_LATE_AFTER, 3 * settings.SESSION_RENEWAL)
    return {
        f"{name}_sweep": "never ran" if name not in ran else "late" if ran[name] < late else "ok"
        for name in ("tables", "players")
    }
