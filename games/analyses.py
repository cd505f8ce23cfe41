"""The analyses of games that are over: asked for by who reads them, made by Celery, kept for good."""

import logging
from collections.abc import Iterable, Mapping
from datetime import timedelta
from time import monotonic
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from config import errors, metrics
from games.bots import BOTS
from games.bots.analysis import History, Judged
from games.ledger import Ledger
from games.models import Analysis, By, Move, Seat
from games.rules.game import options_from

log = logging.getLogger(__name__)

# So long one run works; what is not finished then goes on in the next one, where it was.
SECONDS = 2.0
# So many decisions of a game are judged, the first ones; hardly any game has more.
MOST = 4_000
# One that fails rests for so long, and then for as long as it has been waiting already.
REST = timedelta(minutes=1)
DIGITS = 6


def find_analysis(ledger: Ledger) -> Analysis | None:
    """The analysis of a game that is over, finished or not; None if nobody has asked for it yet.

    Raises NotFinished, NotFound for a game whose moves nobody can value.
    """
    if not ledger.table.is_over or ledger.table.started_at is None:
        raise errors.NotFinished
    if ledger.table.game not in BOTS:
        raise errors.NotFound
    return Analysis.objects.select_related("table").filter(pk=ledger.table.pk).first()


def ask_for(ledger: Ledger) -> None:
    """Have the analysis made. Asking twice does nothing twice."""
    now = timezone.now()
    Analysis.objects.bulk_create(
        [Analysis(table=ledger.table, asked_at=now, due_at=now)], ignore_conflicts=True
    )


def make_analyses(seconds: float = SECONDS) -> int:
    """Go on with the analyses that are asked for, longest waiting first; how many were finished.

    One run at a time: a second one does nothing, so that the worker's threads are there for the tables.
    """
    until = monotonic() + seconds
    finished = 0
    with transaction.atomic():
        if not _alone():
            return 0
        while analysis := _next():
            finished += _go_on(analysis, until)
            if monotonic() >= until:
                break
    return finished


def _alone() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(hashtext('boneyard analyses'))")
        return bool(cursor.fetchone()[0])


def _next() -> Analysis | None:
    due = Analysis.objects.filter(due_at__lte=timezone.now()).order_by("due_at")
    return due.select_for_update(of=("self",), no_key=True).select_related("table").first()


def _go_on(analysis: Analysis, until: float) -> bool:
    """Work on one until the time is over. True when it is finished."""
    try:
        # What fails may be the saving too: that takes back this piece of work, and none of the others.
        with transaction.atomic(), metrics.timed(metrics.ANALYSIS_SECONDS, analysis.table.game, "analysis"):
            done = _judge(analysis, until)
            if done:
                analysis.due_at, analysis.made_at = None, timezone.now()
            analysis.save(update_fields=["due_at", "made_at", "made"])
    except Exception:
        # It must not hold up the others.
        log.exception("table %s could not be analysed", analysis.pk)
        now = timezone.now()
        Analysis.objects.filter(pk=analysis.pk).update(due_at=now + max(REST, now - analysis.asked_at))
        return False
    return done


def _judge(analysis: Analysis, until: float) -> bool:
    """Judge one decision after the other, at least one. True when there are no more."""
    table = analysis.table
    ledger = Ledger(table, list(Seat.objects.filter(table=table).order_by("number")), timezone.now())
    moves = list(Move.objects.filter(table=table).order_by("number")[:MOST])
    history = History(
        ledger.game, len(ledger.seats), options_from(ledger.game, table.options), table.start_chance or ()
    )
    made = analysis.made = analysis.made or {"start_luck": _rounded(history.start_luck()), "decisions": []}
    decisions = made["decisions"]
    steps = [(move.seat, move.move, move.chance) for move in moves]
    for judged in history.judged(steps, skip=len(decisions)):
        decisions.append(_decision(moves[len(decisions)], judged))
        if monotonic() >= until:
            break
    if len(decisions) < len(moves):
        return False
    made["seats"] = [_total(made, seat.number) for seat in ledger.seats]
    return True


def _decision(move: Move, judged: Judged) -> dict[str, Any]:
    value, best_value = _rounded([judged.value, judged.best_value])
    return {
        "number": move.number,
        "seat": move.seat,
        "by": move.by,
        "move": move.move,
        "value": value,
        "best": judged.best,
        "best_value": best_value,
        "luck": _rounded(judged.luck),
    }


def _total(made: Mapping[str, Any], seat: int) -> dict[str, Any]:
    """A seat's own decisions, not those of its stand-in, and all its luck."""
    own = [each for each in made["decisions"] if each["seat"] == seat and each["by"] != By.STAND_IN]
    luck = made["start_luck"][seat] + sum(each["luck"][seat] for each in made["decisions"])
    given_away = sum(each["best_value"] - each["value"] for each in own)
    total = dict(zip(("given_away", "luck"), _rounded([given_away, luck]), strict=True))
    return {"seat": seat, "decisions": len(own), **total}


def _rounded(values: Iterable[float]) -> list[float]:
    return [round(value, DIGITS) for value in values]


def analysis_json(analysis: Analysis) -> dict[str, Any]:
    """A finished analysis."""
    made: dict[str, Any] = analysis.made or {}
    return {
        "game": analysis.table.game,
        "unit": BOTS[analysis.table.game].UNIT,
        "made_at": analysis.made_at,
        "complete": len(made["decisions"]) == analysis.table.moves,
        **made,
    }
