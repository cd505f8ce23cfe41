"""Finding each other without a lobby dance: quick match, and the rematch of who just played."""

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from config import errors
from games import course, services
from games.ledger import Ledger
from games.lock import lock_table
from games.models import By, Seat, Table
from games.once import Once, claim, find_earlier
from games.opening import Done, hold_still, new_table, opened, what_is_wrong, written
from games.rules.registry import GAMES
from sessions.models import Player
from sessions.presence import MARK_SECONDS, present

SEATS_KEPT = timedelta(seconds=120)
HOST_SEEN = timedelta(seconds=60)
# Candidates that are looked at before a new table is opened.
MOST_TRIED = 20
MOST_LOOKED_AT = 200


def rematch(
    *, table_id: UUID, player: Player, client_seed: str | None = None, once: Once | None = None
) -> Done:
    """Play again with the same people: the first call opens the table, the others sit down at it.

    The order is turned by one, and for two minutes the seats are kept for who played before.
    Raises NotFound, NotSeated, NotFinished, TooManyTables, IdempotencyMismatch, what sitting down
    raises, and Invalid when the game is not played any more in that way.
    """
    with lock_table(table_id) as ledger:
        seat = services.own_seat(ledger, player)
        if earlier := _made_before(player, once):
            return earlier
        if not ledger.table.is_over or ledger.table.started_at is None:
            raise errors.NotFinished
        # A table's rematch is newer than the table: locked in this order, nobody waits in a circle.
        if again := _open_rematch(ledger.table):
            return services.sit_down(table_id=again, player=player, client_seed=client_seed, once=once)
        hold_still(player)
        table = _rematch_of(ledger)
        claim(once, player, table.pk)
        return Done(_begin_rematch(ledger, seat, table, player, client_seed))


def _open_rematch(table: Table) -> UUID | None:
    """The rematch that was opened, unless it closed before it began."""
    if table.rematch is None:
        return None
    with lock_table(table.rematch) as again:
        never_began = again.table.is_over and again.table.started_at is None
    return None if never_began else table.rematch


def _rematch_of(ledger: Ledger) -> Table:
    """A table like this one, under the rules that are current now."""
    played, order = ledger.table, len(ledger.seats)
    table = new_table(
        played.game, played.capacity, _options_kept(played), played.visibility, played.turn_seconds
    )
    table.hints = played.hints
    table.kept = {str(seat.player_id): _turned(seat, order) for seat in ledger.seats if seat.player_id}
    table.kept_until = ledger.now + SEATS_KEPT
    return table


def _options_kept(played: Table) -> dict[str, Any]:
    """The options that were played with, but for those that the current rules do not have any more."""
    wrong = what_is_wrong(played.game, None, played.options).get("options", {})
    return {name: value for name, value in played.options.items() if name not in wrong}


def _turned(seat: Seat, order: int) -> int:
    """Who was second is first, and who was first is last."""
    return (seat.number - 1) % order


def _begin_rematch(
    ledger: Ledger, seat: Seat, table: Table, player: Player, client_seed: str | None
) -> Ledger:
    order = len(ledger.seats)
    new = opened(table, player, _turned(seat, order), client_seed)
    for other in ledger.seats:
        if not other.is_human:
            course.take_seat(new, Seat.Kind.BOT, level=other.level, number=_turned(other, order))
    ledger.table.rematch = table.pk
    ledger.tell("rematch", by=By.PLAYER, data={"table": str(table.pk)})
    return written(new)


def quick_match(
    *,
    player: Player,
    game: str,
    capacity: int | None = None,
    options: Mapping[str, Any] | None = None,
    fill_with_bots_after: int | None = None,
    client_seed: str | None = None,
    hints: bool = False,
    once: Once | None = None,
) -> Done:
    """A seat at an open public table that fits and whose host is there, else at a new one.

    What is omitted fits any table, but for `hints`: who does not ask for them gets none. A new table then
    has the game's fewest seats, so that two people who ask at the same moment begin at once. Who waits at
    such a table already gets it again. With `fill_with_bots_after` seconds, bots take the seats to which
    nobody came by then.
    Raises Invalid, TooManyTables, IdempotencyMismatch.
    """
    table = _new_match(game, capacity, options or {})
    table.hints = hints
    fits = Q(game=game, hints=hints, options__contains={name: table.options[name] for name in options or {}})
    if capacity is not None:
        fits &= Q(capacity=capacity)
    with transaction.atomic():
        _one_at_a_time(game)
        if earlier := _made_before(player, once):
            return earlier
        done = _seat_anywhere(player, table, fits, client_seed)
        claim(once, player, done.ledger.table.pk)
        if fill_with_bots_after is not None:
            done = _filled_later(done, timedelta(seconds=fill_with_bots_after))
    return done


def _new_match(game: str, capacity: int | None, options: Mapping[str, Any]) -> Table:
    if capacity is None and game in GAMES:
        capacity = GAMES[game].seats[0]
    return new_table(game, capacity, options, Table.Visibility.PUBLIC, settings.TURN_SECONDS_DEFAULT)


def _one_at_a_time(game: str) -> None:
    """Two who ask at the same moment must meet, so the second sees what the first got."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", [f"quick match {game}"])


def _made_before(player: Player, once: Once | None) -> Done | None:
    """The table that this key led to before, as it is now."""
    earlier = find_earlier(once, player)
    if earlier is None:
        return None
    with lock_table(earlier.table_id) as ledger:
        return Done(ledger)


def _seat_anywhere(player: Player, table: Table, fits: Q, client_seed: str | None) -> Done:
    """Where the player waits already, else at the table that has waited longest, else at a new one."""
    current = fits & Q(rules_version=table.rules_version)
    for table_id in [*_waiting(player, fits), *_candidates(player, current)]:
        try:
            return services.sit_down(table_id=table_id, player=player, client_seed=client_seed)
        except (errors.NotOpen, errors.TableFull, errors.Removed):
            continue
    hold_still(player)
    return Done(written(opened(table, player, client_seed=client_seed)))


def _open(fits: Q) -> QuerySet[Table]:
    """Those that fit, the longest waiting first, without the stale ones that nobody has closed yet."""
    fresh = Q(status=Table.Status.OPEN, touched_at__gt=timezone.now() - settings.TABLE_OPEN)
    return Table.objects.filter(fits & fresh, visibility=Table.Visibility.PUBLIC).order_by("pk")


def _waiting(player: Player, fits: Q) -> Iterable[UUID]:
    return _open(fits).filter(seats__player=player).values_list("pk", flat=True)[:1]


def _candidates(player: Player, fits: Q) -> Iterable[UUID]:
    """The tables whose host is there: connected now, or seen within a minute."""
    hosted = Seat.objects.filter(table__in=_open(fits), number=F("table__host"), player__isnull=False)
    others = hosted.exclude(table__removed__contains=[player.pk]).order_by("table_id")
    seats = [seat for seat in others.select_related("player")[:MOST_LOOKED_AT] if seat.player]
    now = timezone.now()
    lately = HOST_SEEN.total_seconds() + MARK_SECONDS
    here = present({seat.player.pk: seat.player for seat in seats if seat.player}, now, lately)
    # What a player did last is written once in a while only, so the connected are asked for besides.
    return [
        seat.table_id
        for seat in seats
        if seat.player and (seat.player_id in here or seat.player.last_seen >= now - HOST_SEEN)
    ][:MOST_TRIED]


def _filled_later(done: Done, wait: timedelta) -> Done:
    with lock_table(done.ledger.table.pk) as ledger:
        if ledger.table.status == Table.Status.OPEN:
            at = ledger.now + wait
            ledger.fill_by(min(ledger.table.fill_at or at, at))
        if wait == timedelta():
            course.fill_with_bots(ledger)
    return Done(ledger, made=done.made)
