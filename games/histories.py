"""Do the stored tables agree with their histories? They are replayed, and every difference is told."""

import logging
import secrets
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from games.fairness import luck_of
from games.ledger import Ledger
from games.models import HistoryCheck, Seat, Table
from games.records import lines_of, seats_of, start_of
from games.rules.game import options_from
from games.rules.record import Line
from games.rules.trace import Trace
from games.rules.verify import luck_faults

log = logging.getLogger(__name__)

PAGE = 500
MARGIN = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Difference:
    """A table that is stored otherwise than its history leads to."""

    table: UUID
    problem: str

    def __str__(self) -> str:
        return f"table {self.table}: {self.problem}"


def started_tables(since: datetime | None = None) -> QuerySet[Table]:
    """Those that have a history, all or only those opened since."""
    started = Table.objects.filter(started_at__isnull=False).order_by("pk")
    return started.filter(pk__gte=_first_id(since), created_at__gte=since) if since else started


def _first_id(since: datetime) -> UUID:
    """What no table opened since has an id below: ids begin with the milliseconds at which they were made.

    A table's id is made with it, an instant apart from the time that is written down.
    """
    milliseconds = int((since - MARGIN).timestamp() * 1_000)
    return UUID(int=max(milliseconds, 0) << 80)


def each_id(tables: QuerySet[Table]) -> Iterator[UUID]:
    """Their ids in order, a page at a time."""
    page = list(tables.values_list("pk", flat=True)[:PAGE])
    while page:
        yield from page
        page = list(tables.filter(pk__gt=page[-1]).values_list("pk", flat=True)[:PAGE])


def sample_ids(tables: QuerySet[Table], size: int) -> list[UUID]:
    """So many of them, or fewer, picked at random over the time in which they were opened."""
    ids = tables.values_list("pk", flat=True)
    first, last = ids.first(), ids.last()
    if first is None or last is None:
        return []
    span = last.int - first.int + 1
    moments = [UUID(int=first.int + secrets.randbelow(span)) for _ in range(size)]
    return sorted({found for moment in moments for found in ids.filter(pk__gte=moment)[:1]})


def check_tables(table_ids: Iterable[UUID]) -> tuple[HistoryCheck, list[Difference]]:
    """Replay these tables, log each that differs, and write down how many there were."""
    check = HistoryCheck(at=timezone.now(), tables=0, moves=0, differing=0)
    differences = []
    for ledger in filter(None, map(_read, table_ids)):
        check.tables += 1
        check.moves += ledger.table.moves
        if problem := _what_differs(ledger):
            differences.append(Difference(ledger.table.pk, problem))
            log.error("a stored table differs from its history: %s", differences[-1])
    check.differing = len(differences)
    check.save()
    return check, differences


def _read(table_id: UUID) -> Ledger | None:
    """The row first: whatever comes after it is passed over by its version and its moves."""
    table = Table.objects.filter(pk=table_id).first()
    if table is None:
        return None
    return Ledger(table, list(Seat.objects.filter(table=table).order_by("number")), timezone.now())


def _what_differs(ledger: Ledger) -> str | None:
    try:
        return _difference(ledger)
    except Exception as error:
        # Whatever stands in a row that should not must not hide the other tables.
        return f"what is stored can't be read: {type(error).__name__}"


def _difference(ledger: Ledger) -> str | None:
    if not ledger.has_rules:
        return "its rules are not here"
    game, table = ledger.game, ledger.table
    start, lines = start_of(table), list(lines_of(ledger))
    trace = Trace(game, seats_of(ledger))
    for fault in trace.faults(options_from(game, table.options), start, lines):
        # What is wrong with the line may be a secret still.
        return f"line {fault.line}: {fault.problem}" if table.is_over else f"line {fault.line}"
    if ledger.state != trace.state:
        return "another state is stored"
    if ledger.outcome != trace.outcome:
        return "another outcome is stored"
    return _luck_differs(ledger, lines)


def _luck_differs(ledger: Ledger, lines: list[Line]) -> str | None:
    if luck := luck_of(ledger):
        for fault in luck_faults(luck, start_of(ledger.table), lines):
            return f"line {fault.line}: {fault.problem}"
    return None
