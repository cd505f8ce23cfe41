"""Whether requests can be served and the clocks are kept: each part by name, asked at most once a second."""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from threading import Lock
from typing import Any, TypeAlias

from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from config.valkey import valkey
from sessions.models import Sweep

KEPT_SECONDS = 1.0
# The tables' sweep runs each second, and tells of itself at least every other one.
TABLES_LATE_AFTER = timedelta(seconds=7)
PLAYERS_LATE_AFTER = 3 * settings.SESSION_RENEWAL + timedelta(seconds=5)
# A server that has just begun waits so long for the first sweep of its life.
FIRST_SWEEP_SECONDS = 30.0

_begun = time.monotonic()


@dataclass(frozen=True, slots=True)
class Check:
    """What was found of one part; `more` are figures about it."""

    ok: bool
    detail: str
    more: Mapping[str, Any]

    def json(self) -> dict[str, Any]:
        return {"ok": self.ok, "detail": self.detail, **self.more}


Checks: TypeAlias = dict[str, Check]


def _database() -> Check:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return Check(True, "it answers", {})


@cache
def _known_migrations() -> frozenset[tuple[str, str]]:
    return frozenset(MigrationLoader(None).graph.nodes)


def _migrations() -> Check:
    with connection.cursor() as cursor:
        cursor.execute("SELECT app, name FROM django_migrations")
        applied = set(cursor.fetchall())
    pending = sorted(f"{app}.{name}" for app, name in _known_migrations() - applied)
    if not pending:
        return Check(True, "all are applied", {})
    return Check(False, f"pending: {', '.join(pending)}", {"pending": pending})


def _bus() -> Check:
    answers = bool(valkey.ask(lambda client: client.ping(), False))
    return Check(answers, "Valkey answers" if answers else "Valkey is away", {})


def _sweep(name: str, late_after: timedelta) -> Check:
    ran_at = Sweep.objects.filter(name=name).values_list("ran_at", flat=True).first()
    if ran_at is None:
        waiting = time.monotonic() - _begun < FIRST_SWEEP_SECONDS
        return Check(waiting, "never ran: are worker and beat there?", {"age_seconds": None})
    age = max(timezone.now() - ran_at, timedelta())
    more = {"age_seconds": round(age.total_seconds(), 1)}
    if age <= late_after:
        return Check(True, "it runs", more)
    return Check(False, "late: beat or every worker has stopped, or they can't keep up", more)


CHECKS: dict[str, Callable[[], Check]] = {
    "database": _database,
    "migrations": _migrations,
    "bus": _bus,
    "tables_sweep": lambda: _sweep("tables", TABLES_LATE_AFTER),
    "players_sweep": lambda: _sweep("players", PLAYERS_LATE_AFTER),
}
IN_DATABASE = frozenset(CHECKS) - {"bus"}


def look() -> Checks:
    """All parts. A database that is away is waited for once."""
    found: Checks = {}
    for name, check in CHECKS.items():
        if name in IN_DATABASE and not found.get("database", Check(True, "", {})).ok:
            found[name] = Check(False, "not known, the database is away", {})
            continue
        try:
            found[name] = check()
        except Exception as error:
            found[name] = Check(False, f"it does not answer: {type(error).__name__}", {})
    return found


class Board:
    """What was found last, kept for a second, so that whoever asks often costs nothing."""

    def __init__(self) -> None:
        self._found: Checks = {}
        self._until = 0.0
        self._lock = Lock()

    def checks(self, names: Iterable[str] = ()) -> Checks:
        """Those of the names, or all."""
        with self._lock:
            if time.monotonic() >= self._until:
                self._found = look()
                self._until = time.monotonic() + KEPT_SECONDS
            found = self._found
        wanted = set(names) or set(found)
        return {name: check for name, check in found.items() if name in wanted}

    def forget(self) -> None:
        self._until = 0.0


board = Board()
