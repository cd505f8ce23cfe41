"""What moderators do at tables: each act with its reason, logged in the transaction that does it.

Of those who sit there no name gets into the log by way of a reason.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction

from config import errors
from config.acts import LONGEST_REASON, reason_of, write_down
from games import course
from games.ledger import Ledger
from games.lock import lock_table
from games.models import By, Seat, Table
from sessions import names
from sessions.devices import Whereabouts, enters_from
from sessions.models import Player

MODERATE = "games.moderate_table"
LOOK = "games.look_at_hidden"
LONGEST_EXTENSION = settings.TURN_SECONDS[1]


class PlaysHere(Exception):
    """Somebody at the table enters from where the moderator looks."""


def close_table(*, table_id: UUID, moderator: User, reason: str) -> None:
    """Close a table that has not started. Raises NotFound, NotOpen, Invalid without a reason."""
    with _acting(table_id, moderator, "Closed the table", reason) as ledger:
        if ledger.table.status != Table.Status.OPEN:
            raise errors.NotOpen
        course.close(ledger, "moderator", by=By.MODERATOR)


def void_table(*, table_id: UUID, moderator: User, reason: str) -> None:
    """End a game that nobody is to have won. Raises NotFound, NotPlaying, Invalid without a reason."""
    with _acting(table_id, moderator, "Voided the table", reason) as ledger:
        _check_playing(ledger)
        course.end(ledger, "voided", by=By.MODERATOR)


def remove_seat(
    *, table_id: UUID, number: int, moderator: User, reason: str, player: Player | None = None
) -> None:
    """Free a seat of an open table, for good; at a playing one the seat is out, and a bot moves for it.

    With `player` only if that one sits there. Raises NotFound, NotPlaying, Invalid for a seat that nobody
    plays any more, or without a reason.
    """
    with _acting(table_id, moderator, f"Removed seat {number}", reason) as ledger:
        seat = _seat(ledger, number)
        if player and seat.player_id != player.pk:
            raise errors.NotFound
        if ledger.table.status == Table.Status.OPEN:
            if seat.player_id:
                ledger.table.removed.append(seat.player_id)
            course.give_up_seat(ledger, seat, "removed", by=By.MODERATOR)
            return
        _check_playing(ledger)
        if not seat.is_human or seat.is_out:
            raise errors.Invalid({"seat": ["No player sits there who could be put out."]})
        course.leave(ledger, seat, by=By.MODERATOR)


def extend_deadline(*, table_id: UUID, number: int, seconds: int, moderator: User, reason: str) -> None:
    """Give a seat that is to move more time.

    Raises NotFound, NotPlaying, Invalid for a seat whose clock does not run, for too many seconds, or
    without a reason.
    """
    if not 1 <= seconds <= LONGEST_EXTENSION:
        raise errors.Invalid({"seconds": [f"Must be 1 to {LONGEST_EXTENSION}."]})
    what = f"Gave seat {number} {seconds} more seconds"
    with _acting(table_id, moderator, what, reason) as ledger:
        _check_playing(ledger)
        asked = ledger.decisions.get(number)
        if asked is None or asked.deadline is None:
            raise errors.Invalid({"seat": ["Its clock does not run."]})
        later = replace(asked, deadline=asked.deadline + timedelta(seconds=seconds))
        ledger.decisions = {**ledger.decisions, number: later}
        ledger.tell("extended", number, by=By.MODERATOR, data={"seconds": seconds})


def remove_player(*, player: Player, moderator: User, reason: str) -> int:
    """Take a player off every table that is not over; from how many. Raises Invalid without a reason."""
    reason = _nameless(reason_of(reason), player)
    removed = 0
    live = Seat.objects.filter(player=player, table__status__in=[Table.Status.OPEN, Table.Status.PLAYING])
    for table_id, number in live.values_list("table_id", "number"):
        # Whoever leaves, or whose table ends, at this very moment is gone all the same; and another who
        # sits down there stays.
        with suppress(errors.NotFound, errors.NotPlaying, errors.Invalid):
            remove_seat(table_id=table_id, number=number, moderator=moderator, reason=reason, player=player)
            removed += 1
    write_down(who=moderator, about=player, what=f"Removed from {removed} tables", why=reason)
    return removed


def look_at_hidden(*, table_id: UUID, moderator: User, reason: str, where: Whereabouts) -> Ledger:
    """The running table with all that is hidden, for this one look, which is told when the table is over.

    Raises PermissionDenied, NotFound, NotPlaying, Invalid without a reason, and PlaysHere where somebody at
    the table enters from the same browser or address; that is logged too.
    """
    if not moderator.has_perm(LOOK):
        raise PermissionDenied
    try:
        with _acting(table_id, moderator, "Looked at what is hidden", reason) as ledger:
            _check_playing(ledger)
            if enters_from([seat.player_id for seat in ledger.seats if seat.player_id], where):
                raise PlaysHere
            ledger.count_look()
    except PlaysHere:
        what = "Was refused a look: a player enters from the same place"
        with transaction.atomic():
            write_down(who=moderator, about=ledger.table, what=what, why=_without_names(reason, ledger))
        raise
    return ledger


@contextmanager
def _acting(table_id: UUID, moderator: User, what: str, reason: str) -> Iterator[Ledger]:
    """The locked table; the act is logged with what it changes, or neither."""
    reason = reason_of(reason)
    with lock_table(table_id) as ledger:
        reason = _without_names(reason, ledger)
        yield ledger
        write_down(who=moderator, about=ledger.table, what=what, why=reason)


def _without_names(reason: str, ledger: Ledger) -> str:
    """The reason as it may outlive the names of who sits there."""
    for player in [seat.player for seat in ledger.seats if seat.player]:
        reason = _nameless(reason, player)
    return reason


def _nameless(reason: str, player: Player) -> str:
    """The reason as it may outlive the player's name."""
    return names.without(reason, player.name, "[name]", LONGEST_REASON)


def _check_playing(ledger: Ledger) -> None:
    if ledger.table.status != Table.Status.PLAYING:
        raise errors.NotPlaying


def _seat(ledger: Ledger, number: int) -> Seat:
    try:
        return ledger.seat(number)
    except KeyError:
        raise errors.NotFound from None
