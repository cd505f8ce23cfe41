"""The sweep that keeps the tables' clocks when no request does."""

import logging
import time
from functools import reduce
from operator import or_
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from config import metrics
from games.lock import put_off, wake_table
from games.models import Table
from games.rules.registry import known_rules
from sessions.services import record_sweep

log = logging.getLogger(__name__)

BATCH = 500
# One table may need several steps at once; more than so many wait for the next sweep.
STEPS = 50
TELL_SECONDS = 2.0


def sweep_tables(batch: int = BATCH) -> int:
    """Act at the tables that are due, longest first; how many steps were done.

    Two sweeps at once share the work, since each skips what the other has locked; a late sweep
    finds everything still due.
    """
    due = Table.objects.filter(_playable(), wake_at__lte=timezone.now()).order_by("wake_at")
    done, told = 0, time.monotonic()
    with metrics.sweeping("tables") as count:
        for table_id in due.values_list("pk", flat=True)[:batch]:
            done += _wake(table_id)
            if time.monotonic() - told > TELL_SECONDS:
                # One that has much to do is at work, and not late.
                record_sweep("tables", done)
                told = time.monotonic()
        count(done)
    record_sweep("tables", done)
    return done


def _playable() -> Q:
    """Tables whose rules are not here wait, and must not stand in the others' way."""
    rules = (Q(game=slug, rules_version=version) for slug, version in known_rules())
    return reduce(or_, rules)


def _wake(table_id: UUID) -> int:
    try:
        return next(step for step in range(STEPS + 1) if step == STEPS or not wake_table(table_id))
    except Exception:
        # It must not hold up the other tables.
        log.exception("table %s could not be woken", table_id)
        put_off(table_id)
        return 0
