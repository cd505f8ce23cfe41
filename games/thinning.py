"""Tables that were over long ago go, with all that belongs to them, a few at a time."""

import time
from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, ProtectedError
from django.utils import timezone

from config import metrics
from games.models import Report, Table
from sessions.services import record_sweep

BATCH = 50
# So long at most at once: other tasks want the worker too.
SECONDS = 2.0


def thin_tables(now: datetime | None = None, batch: int = BATCH, seconds: float = SECONDS) -> int:
    """Delete tables that have been over for longer than TABLE_KEEP; how many.

    Each batch is a transaction of its own, and takes nothing that another has locked. What is left
    when the time is over waits for the next run, which may be at the same time elsewhere.
    """
    if not settings.TABLE_KEEP:
        return 0
    cutoff = (now or timezone.now()) - settings.TABLE_KEEP
    done, until, kept = 0, time.monotonic() + seconds, set[UUID]()
    with metrics.sweeping("old_tables") as count:
        while (gone := _delete_some(cutoff, batch, kept)) is not None:
            done += gone
            if time.monotonic() >= until:
                break
        count(done)
    record_sweep("old_tables", done)
    return done


def _delete_some(cutoff: datetime, batch: int, kept: set[UUID]) -> int | None:
    """Delete a batch, the oldest first; how many went, or None when there are no more.

    Adds to `kept` those that something holds on to.
    """
    with transaction.atomic():
        due = Table.objects.filter(~_wanted(), over_at__lt=cutoff).exclude(pk__in=kept).order_by("over_at")
        ids = list(due.select_for_update(skip_locked=True).values_list("pk", flat=True)[:batch])
        if not ids:
            return None
        if _deleted(ids):
            return len(ids)
        held = {table_id for table_id in ids if not _deleted([table_id])}
        kept |= held
        return len(ids) - len(held)


def _wanted() -> Exists:
    """A moderator has still to look at the table."""
    return Exists(Report.objects.filter(table=OuterRef("pk"), decided_at=None))


def _deleted(ids: list[UUID]) -> bool:
    """False, with nothing done, when something holds on to one of them."""
    try:
        with transaction.atomic():
            Table.objects.filter(pk__in=ids).delete()
    except ProtectedError:
        return False
    return True
