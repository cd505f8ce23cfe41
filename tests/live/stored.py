"""What the database holds of a table, and ways to make its clock run out."""

import time
from collections.abc import Callable
from datetime import timedelta
from uuid import UUID

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


def set_deadline(table: str, seconds: float) -> None:
    """Let the present decisions, or the stay of an open table, end so many seconds from now."""
    moment = timezone.now() + timedelta(seconds=seconds)
    row = row_of(table)
    for asked in row.decisions.values():
        asked["deadline"] = moment.isoformat()
    row.wake_at = moment
    row.save(update_fields=["decisions", "wake_at"])


def wait_for(happened: Callable[[], object], what: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < deadline, f"it never happened: {what}"
        time.sleep(0.05)
