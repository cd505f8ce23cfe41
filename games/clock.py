"""The one clock of a table: when the server itself must act, and what it does then."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from django.conf import settings

from games import course
from games.ledger import Decision, Ledger
from games.models import Table


def set_clock(ledger: Ledger) -> None:
    """Give the seats their deadlines, and the table its next moment to wake."""
    table = ledger.table
    table.paused_at = (table.paused_at or ledger.now) if ledger.is_paused else None
    ledger.decisions = {number: _timed(ledger, number, asked) for number, asked in ledger.decisions.items()}
    table.wake_at = _alarm(ledger)


def _alarm(ledger: Ledger) -> datetime | None:
    """When to look at the table next; while it is played, an alarm stays if nothing is due before it.

    What rings too early finds nothing to do, and is set anew; to move it at each move would make
    PostgreSQL write all the indexes of the row each time.
    """
    due, alarm = _wake_at(ledger), ledger.table.wake_at
    stays = ledger.table.status == Table.Status.PLAYING and due and alarm and ledger.now < alarm <= due
    return alarm if stays else due


def is_due(ledger: Ledger) -> bool:
    """The clock of a table whose rules are not here stands still until they are."""
    wake_at = ledger.table.wake_at
    return wake_at is not None and wake_at <= ledger.now and ledger.has_rules


def act(ledger: Ledger) -> None:
    """Do what is due, one step of it; what comes next is due at a time of its own.

    A moment to wake only says "look": when nothing is due by what the table says, nothing is done.
    """
    moment = _wake_at(ledger)
    if moment is None or moment > ledger.now:
        return
    if ledger.table.status == Table.Status.OPEN:
        _act_while_open(ledger)
    elif course.deserted_at(ledger):
        course.end_deserted(ledger)
    elif ledger.is_paused or _untouched_until(ledger) <= ledger.now:
        course.end(ledger, "abandoned")
    elif late := _late(ledger):
        _relieve(ledger, late)
    else:
        _let_move(ledger, _waiting_for_server(ledger)[:1])


def _act_while_open(ledger: Ledger) -> None:
    if ledger.table.fill_at and ledger.table.fill_at <= ledger.now:
        course.fill_with_bots(ledger)
    else:
        course.close(ledger, "stale")


def _timed(ledger: Ledger, number: int, asked: Decision) -> Decision:
    """A clock runs for a seat that somebody attends: the one it has, else a fresh one."""
    seconds = ledger.table.turn_seconds
    if seconds is None or not ledger.seat(number).is_attended:
        deadline = None
    else:
        deadline = asked.deadline or ledger.now + timedelta(seconds=seconds)
    return asked if asked.deadline == deadline else Decision(asked.version, asked.since, deadline)


def _wake_at(ledger: Ledger) -> datetime | None:
    table = ledger.table
    if table.is_over:
        return None
    if table.status == Table.Status.OPEN:
        stale_at: datetime = table.touched_at + settings.TABLE_OPEN
        return min(stale_at, table.fill_at or stale_at)
    if deserted_at := course.deserted_at(ledger):
        return deserted_at
    if table.paused_at:
        return table.paused_at + settings.TABLE_ABANDON
    return min(_moments(ledger))


def _moments(ledger: Ledger) -> list[datetime]:
    moments = [
        asked.deadline or asked.since + settings.BOT_PAUSE
        for number, asked in ledger.decisions.items()
        if asked.deadline or not ledger.seat(number).is_attended
    ]
    return [*moments, _untouched_until(ledger)]


def _untouched_until(ledger: Ledger) -> datetime:
    """Without turn times, a table that nobody touches for a day is abandoned."""
    if ledger.table.turn_seconds is not None:
        return datetime.max.replace(tzinfo=ledger.now.tzinfo)
    return ledger.table.touched_at + settings.TABLE_UNTOUCHED


def _late(ledger: Ledger) -> dict[int, datetime]:
    """The deadlines that are over, by seat."""
    decisions = sorted(ledger.decisions.items())
    return {
        number: asked.deadline
        for number, asked in decisions
        if asked.deadline and asked.deadline <= ledger.now
    }


def _relieve(ledger: Ledger, late: Mapping[int, datetime]) -> None:
    """Put stand-ins in all late seats first: if nobody is left who attends, nobody is moved for."""
    for number, deadline in late.items():
        course.stand_in(ledger, ledger.seat(number), since=deadline)
    if not ledger.is_paused:
        _let_move(ledger, late)


def _waiting_for_server(ledger: Ledger) -> list[int]:
    return [
        number
        for number, asked in sorted(ledger.decisions.items())
        if not ledger.seat(number).is_attended and asked.since + settings.BOT_PAUSE <= ledger.now
    ]


def _let_move(ledger: Ledger, numbers: Iterable[int]) -> None:
    for number in numbers:
        # An earlier move may have ended the game.
        if number in ledger.decisions:
            course.move_for(ledger, ledger.seat(number))
