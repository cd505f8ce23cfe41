"""What the database holds of a table, and ways to make its clock run out."""

import time
from collections.abc import Callable
from datetime import datetime, timedelta
from uuid import UUID

from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from games.models import Event, Move, Seat, Table

PATIENCE = 60  # seconds, for what happens by itself on a machine with much else to do


def row_of(table: str) -> Table:
    return Table.objects.get(pk=table)


def seats_of(table: str) -> QuerySet[Seat]:
    return Seat.objects.filter(table=UUID(table)).order_by("number")


def moves_of(table: str) -> QuerySet[Move]:
    return Move.objects.filter(table=UUID(table)).order_by("number")


def events_of(table: str, *kinds: str) -> QuerySet[Event]:
    events = Event.objects.filter(table=UUID(table)).order_by("number")
    return events.filter(kind__in=kinds) if kinds else events


def numbers(rows: QuerySet[Event] | QuerySet[Move] | QuerySet[Seat]) -> list[int]:
    return list(rows.values_list("number", flat=True))


def check_whole(table: str) -> None:
    """No version is missing, no move, and no move lacks its events."""
    row, moves = row_of(table), moves_of(table)
    assert numbers(events_of(table)) == list(range(1, row.version + 1))
    assert numbers(moves) == list(range(1, row.moves + 1))
    for made in moves:
        assert made.first_version <= made.last_version <= row.version


def run_out(table: str, seconds: float = -1) -> None:
    """Move all times of a table back, so that something is due so many seconds from now."""
    with transaction.atomic():
        row = Table.objects.select_for_update().get(pk=table)
        assert row.wake_at
        by = row.wake_at - timezone.now() - timedelta(seconds=seconds)
        for asked in row.decisions.values():
            for which in ("since", "deadline"):
                if asked[which]:
                    asked[which] = (datetime.fromisoformat(asked[which]) - by).isoformat()
        row.wake_at -= by
        row.touched_at -= by
        row.paused_at = row.paused_at and row.paused_at - by
        row.save(update_fields=["decisions", "wake_at", "touched_at", "paused_at"])


def wait_for(happened: Callable[[], object], what: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < deadline, f"it never happened: {what}"
        time.sleep(0.05)


def waiting_locks() -> int:
    """How many queries at this database wait for somebody else's lock."""
    with connection.cursor() as cursor:
        # Within a transaction the first look would be remembered.
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity "
            "WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return int(cursor.fetchone()[0])
