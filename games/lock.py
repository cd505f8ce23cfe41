"""The one way to write a table: under its row lock, with what was due done first.

Or, for the move that nobody disturbs, by a statement that takes the lock itself, and writes only what was
judged on the row as it still is.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from config import metrics
from config.errors import NotFound
from games import clock
from games.ledger import Ledger
from games.models import Seat, Table
from games.statements import Row

REST = timedelta(minutes=1)


@contextmanager
def lock_table(table_id: UUID) -> Iterator[Ledger]:
    """A table to be written: locked, read, and saved with all that was told when the block ends well.

    What is due at the table is done and committed first, so a late request meets what the clock
    did, and a refusal takes none of it back. Raises NotFound.
    """
    while True:
        with transaction.atomic():
            ledger = _read(table_id)
            if ledger is None:
                raise NotFound
            if not clock.is_due(ledger):
                yield ledger
                if ledger.is_changed:
                    _save(ledger)
                return
            clock.act(ledger)
            _save(ledger)


def write_at_sight(ledger: Ledger, key: Row | None = None) -> bool:
    """Save a table that was read without the lock.

    False, with nothing done, if anybody has written it since, or the key was used.
    """
    clock.set_clock(ledger)
    return ledger.save(key)


def wake_table(table_id: UUID) -> bool:
    """Do one step of what is due at a table. False if nothing was, or another is at it just now."""
    with transaction.atomic():
        ledger = _read(table_id, skip_locked=True)
        if ledger is None or not clock.is_due(ledger):
            return False
        clock.act(ledger)
        _save(ledger)
    return True


def put_off(table_id: UUID) -> None:
    """Let a table that could not be woken rest for a while, so that a sweep gets to the others."""
    now = timezone.now()
    # Another may have done in the meantime what was due.
    Table.objects.filter(pk=table_id, wake_at__lte=now).update(wake_at=now + REST)


def _read(table_id: UUID, *, skip_locked: bool = False) -> Ledger | None:
    with metrics.timed(metrics.LOCK_SECONDS):
        found = Table.objects.select_for_update(no_key=True, skip_locked=skip_locked)
        table = found.filter(pk=table_id).first()
    if table is None:
        return None
    # A query of its own: joined to the locking one, seats taken while it waited would be missed.
    seats = Seat.objects.filter(table=table).select_related("player").order_by("number")
    return Ledger(table, list(seats), timezone.now())


def _save(ledger: Ledger) -> None:
    clock.set_clock(ledger)
    if not ledger.save():
        raise RuntimeError("a table was written without its lock")
