"""The sweep that keeps the tables' clocks when no request does."""

import logging
from collections import deque
from functools import reduce
from operator import or_
from time import monotonic
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from games.lock import put_off, wake_table
from games.models import Table
from games.rules.registry import known_rules
from sessions.services import record_sweep

log = logging.getLogger(__name__)

BATCH = 500
# One table may need several steps at once; more than so many wait for the next sweep.
STEPS = 50
# What is due at more tables than can be served in that time waits for the next sweep, which begins with what
# has waited longest: with too many tables everybody's pauses grow, and no sweep grows with them.
SECONDS = 2.0


def sweep_tables(batch: int = BATCH, seconds: float = SECONDS) -> int:
    """Act at the tables that are due, longest first, and in turn; how many steps were done.

    Two sweeps at once share the work, since each skips what the other has locked; a late sweep
    finds everything still due.
    """
    until = monotonic() + seconds
    due = Table.objects.filter(_playable(), wake_at__lte=timezone.now()).order_by("wake_at")
    waiting = deque((table_id, STEPS) for table_id in due.values_list("pk", flat=True)[:batch])
    done = 0
    while waiting:
        table_id, steps = waiting.popleft()
        if _wake(table_id):
            done += 1
            if steps > 1:
                waiting.append((table_id, steps - 1))
        if monotonic() >= until:
            break
    record_sweep("tables")
    return done


def _playable() -> Q:
    """Tables whose rules are not here wait, and must not stand in the others' way."""
    rules = (Q(game=slug, rules_version=version) for slug, version in known_rules())
    return reduce(or_, rules)


def _wake(table_id: UUID) -> bool:
    try:
        return wake_table(table_id)
    except Exception:
        # It must not hold up the other tables.
        log.exception("table %s could not be woken", table_id)
        put_off(table_id)
        return False
