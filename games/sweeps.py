"""The sweep that keeps the tables' clocks when no request does."""

import logging
import random
from collections import Counter, deque
from functools import reduce
from operator import or_
from time import monotonic
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
# What is due at more tables than can be served in that time waits for the next sweep, which begins with what
# has waited longest: with too many tables everybody's pauses grow, and no sweep grows with them.
SECONDS = 2.0
# After so many tables at which nothing is due any more a sweep looks again what is.
MISSES = 5


def sweep_tables(batch: int = BATCH, seconds: float = SECONDS) -> int:
    """Act at the tables that are due, longest first, and in turn; how many steps were done.

    Two sweeps at once share the work: each skips what another has locked or done, and when that happens again
    and again, looks for what is left, in any order. A late sweep finds everything still due.
    """
    until = monotonic() + seconds
    with metrics.sweeping("tables") as count:
        done = _sweep(batch, until)
        count(done)
    record_sweep("tables", done)
    return done


def _sweep(batch: int, until: float) -> int:
    steps: Counter[UUID] = Counter()
    waiting = deque(_due(batch))
    done = missed = looked_at = 0
    while waiting:
        table_id = waiting.popleft()
        if _wake(table_id):
            done += 1
            steps[table_id] += 1
            if steps[table_id] < STEPS:
                waiting.append(table_id)
        else:
            missed += 1
        # Without a step since the last look another one would find the same.
        if missed >= MISSES and done > looked_at:
            missed, looked_at = 0, done
            left = [each for each in _due(batch) if steps[each] < STEPS]
            waiting = deque(random.sample(left, len(left)))
        if monotonic() >= until:
            break
    return done


def _due(batch: int) -> list[UUID]:
    due = Table.objects.filter(_playable(), wake_at__lte=timezone.now()).order_by("wake_at")
    return list(due.values_list("pk", flat=True)[:batch])


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
