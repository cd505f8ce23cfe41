"""Reports: what players tell moderators of a seat, and what moderators make of it."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from config.errors import Invalid, NotFound, Unavailable
from config.throttles import REPORTS, REPORTS_FROM_ADDRESS, Limit, throttle
from games.ledger import Ledger
from games.models import Report, Seat
from games.once import Once, claim, find_earlier
from games.queries import may_read, up_to_date
from games.visits import Visit
from sessions.models import Player
from sessions.names import without
from sessions.secrecy import hide_address

BATCH = 1_000
REASON_LENGTH = 500

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Filed:
    """A report as it stands. `made`: it is new (again, for a repeated key); `headers` tell of limits."""

    report: Report
    made: bool
    headers: Mapping[str, str] = field(default_factory=dict)


class AlreadyDecided(Exception):
    """Another decision was faster; nothing has changed."""


def report_seat(
    *, visit: Visit, seat: int, reason: str, text: str, address: str, once: Once | None = None
) -> Filed:
    """Tell moderators of a seat of a table that one may see, or has left.

    As long as a reporter's report of a seat is open there is no other: that one is the answer. The names of
    who sits or sat there are taken out of the text. Raises NotFound, IdempotencyMismatch, Invalid, Throttled.
    """
    ledger, player = up_to_date(visit.ledger), visit.player
    leavers = _leavers(ledger)
    if not may_read(ledger, player) and player.pk not in [leaver.pk for leaver in leavers.values()]:
        raise NotFound
    if visit.earlier and (earlier := find_earlier(once, player)):
        return Filed(_known_by(player, earlier.table_id, seat, earlier.created_at), made=True)
    fresh = _report(ledger, leavers, player, seat, reason, text)
    headers: Mapping[str, str] = {}
    with transaction.atomic():
        filed = _open_one(fresh)
        if filed is None:
            headers = throttle.admit(_counted(fresh, address))
            filed = _filed(fresh)
        if earlier := claim(once, player, ledger.table.pk):
            filed = _known_by(player, earlier.table_id, seat, earlier.created_at)
    return Filed(filed, made=filed.pk == fresh.pk or earlier is not None, headers=headers)


def _leavers(ledger: Ledger) -> dict[int, Player]:
    """Who left the game and is still here, by the number of the seat."""
    if not any(seat.is_out for seat in ledger.seats):
        return {}
    left = Seat.objects.filter(table=ledger.table, leaver__isnull=False).select_related("leaver")
    return {seat.number: seat.leaver for seat in left if seat.leaver}


def _report(
    ledger: Ledger, leavers: dict[int, Player], reporter: Player, number: int, reason: str, text: str
) -> Report:
    """Raises Invalid for a seat that can't be reported."""
    people = {seat.number: seat.player for seat in ledger.seats if seat.player} | leavers
    humans = {seat.number for seat in ledger.seats if seat.is_human}
    reported = people.get(number)
    if number not in humans:
        raise Invalid({"seat": ["No player sits there."]})
    if reported is not None and reported.pk == reporter.pk:
        raise Invalid({"seat": ["That is your own seat."]})
    for seated, person in people.items():
        text = without(text, person.name, f"[seat {seated}]")
    return Report(
        table=ledger.table,
        seat=number,
        version=ledger.table.version,
        begun=ledger.table.started_at is not None,
        reason=reason,
        text=without(text, reporter.name, "[reporter]"),
        reporter=reporter,
        player=reported,
        created_at=timezone.now(),
    )


def _open_one(like: Report) -> Report | None:
    """The reporter's open report of the same seat."""
    return Report.objects.filter(
        reporter=like.reporter_id,
        table=like.table_id,
        seat=like.seat,
        begun=like.begun,
        decided_at__isnull=True,
    ).first()


def _counted(fresh: Report, address: str) -> Mapping[Limit, str]:
    return {REPORTS: str(fresh.reporter_id), REPORTS_FROM_ADDRESS: hide_address(address)}


def _filed(fresh: Report) -> Report:
    """Written, or the one that was written at the same instant."""
    Report.objects.bulk_create([fresh], ignore_conflicts=True)
    filed = _open_one(fresh)
    if filed is None:
        # That one was decided in between.
        raise Unavailable
    return filed


def _known_by(player: Player, table_id: UUID, seat: int, at: Any) -> Report:
    """What a key stood for when it was used: no later report was there then. Raises NotFound."""
    known = Report.objects.filter(reporter=player, table=table_id, seat=seat, created_at__lte=at)
    report = known.order_by("-pk").first()
    if report is None:
        raise NotFound
    return report


def report_json(report: Report) -> dict[str, Any]:
    """A report as its reporter sees it."""
    return {
        "id": report.pk,
        "table": report.table_id,
        "seat": report.seat,
        "version": report.version,
        "reason": report.reason,
        "created_at": report.created_at,
        "decision": report.decision,
        "decided_at": report.decided_at,
    }


def decide_report(*, report_id: UUID, by: Any, decision: str, reason: str) -> Report:
    """Uphold or dismiss a report, for a reason that only moderators see. Bans are decided apart from it.

    Raises NotFound, Invalid, AlreadyDecided.
    """
    if not reason.strip() or len(reason) > REASON_LENGTH:
        raise Invalid({"reason": [f"It must have 1 to {REASON_LENGTH} characters."]})
    if decision not in Report.Decision.values:
        raise Invalid({"decision": [f"Must be one of: {', '.join(Report.Decision.values)}."]})
    with transaction.atomic():
        report = Report.objects.select_for_update(no_key=True).filter(pk=report_id).first()
        if report is None:
            raise NotFound
        if report.decided_at is not None:
            raise AlreadyDecided
        for person, role in ((report.player, f"[seat {report.seat}]"), (report.reporter, "[reporter]")):
            reason = without(reason, person.name, role) if person else reason
        report.decision, report.decided_because = decision, reason[:REASON_LENGTH]
        report.decided_by, report.decided_at = by, timezone.now()
        report.save(update_fields=["decision", "decided_because", "decided_by", "decided_at"])
    log.info("report %s was decided: %s", report.pk, decision)
    return report


TELL = """
UPDATE games_report SET told_at = %s
WHERE reporter_id = %s AND decided_at IS NOT NULL AND told_at IS NULL RETURNING *
"""


def tell_decisions(player: Player) -> list[dict[str, Any]]:
    """The player's reports that were decided and not told of yet; who asks at the same time gets the rest."""
    decided = Report.objects.raw(TELL, [timezone.now(), player.pk])
    return [report_json(report) for report in sorted(decided, key=lambda each: each.pk)]


def sweep_texts(batch: int = BATCH) -> int:
    """Delete what was written in reports that are old enough, decided or not; of how many."""
    old = Report.objects.filter(text__isnull=False, created_at__lt=timezone.now() - settings.REPORT_TEXT_KEPT)
    done = 0
    while pks := list(old.order_by("created_at").values_list("pk", flat=True)[:batch]):
        done += Report.objects.filter(pk__in=pks).update(text=None)
    return done
