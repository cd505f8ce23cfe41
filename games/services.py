"""What people do at tables: one function for each act, used by API, admin and tasks alike."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction

from config import errors
from games import clock, course
from games.bots import LEVELS
from games.codes import read_code
from games.ledger import Ledger
from games.lock import lock_table, write_at_sight
from games.models import By, Event, Move, Seat, Table
from games.once import Once, checked, claim, key_row
from games.opening import Done, check_room, hold_still, new_table, opened, written
from games.rules import game as rules
from games.visits import Visit
from sessions.models import Player


def open_table(
    *,
    player: Player,
    game: str,
    capacity: int | None = None,
    options: Mapping[str, Any] | None = None,
    visibility: str = Table.Visibility.PUBLIC,
    turn_seconds: int | None = settings.TURN_SECONDS_DEFAULT,
    client_seed: str | None = None,
    hints: bool = False,
    once: Once | None = None,
) -> Done:
    """Open a table, take seat 0, be its host.

    Raises Invalid, TooManyTables, IdempotencyMismatch.
    """
    table = new_table(game, capacity, options or {}, visibility, turn_seconds)
    table.hints = hints
    with transaction.atomic():
        hold_still(player)
        earlier = claim(once, player, table.pk)
        if earlier is None:
            return Done(written(opened(table, player, client_seed=client_seed)))
    with lock_table(earlier.table_id) as ledger:
        return Done(ledger)


def sit_down(
    *,
    table_id: UUID,
    player: Player,
    code: str | None = None,
    client_seed: str | None = None,
    once: Once | None = None,
) -> Done:
    """Take the lowest free seat. Who sits already keeps the same seat, and the client seed that it has.

    Raises NotFound (a private table without its code too), Removed, NotOpen, TableFull,
    TooManyTables, IdempotencyMismatch.
    """
    with lock_table(table_id) as ledger:
        hold_still(player)
        seated = ledger.seat_of(player) is not None
        if not seated and not _is_welcome(ledger, player, code):
            raise errors.NotFound
        if claim(once, player, table_id):
            return Done(ledger)
        if not seated:
            _check_may_sit(ledger, player)
            course.take_seat(ledger, Seat.Kind.HUMAN, player=player, client_seed=client_seed)
    return Done(ledger, made=not seated)


def _is_welcome(ledger: Ledger, player: Player, code: str | None) -> bool:
    """A private table wants its code, or that it is the rematch of a game the player was in."""
    table = ledger.table
    knows_code = table.code is None or (code is not None and read_code(code) == table.code)
    return knows_code or str(player.pk) in table.kept


def _check_may_sit(ledger: Ledger, player: Player) -> None:
    if player.pk in ledger.table.removed:
        raise errors.Removed
    _check_free(ledger, player)
    check_room(player)


def _check_free(ledger: Ledger, player: Player | None = None) -> None:
    if ledger.table.status != Table.Status.OPEN:
        raise errors.NotOpen
    if ledger.free_number(player) == ledger.table.capacity:
        raise errors.TableFull


def stand_up(*, table_id: UUID, player: Player) -> None:
    """Leave one's seat; during a game the seat is out from then on. Raises NotSeated."""
    with lock_table(table_id) as ledger:
        seat = own_seat(ledger, player)
        if not ledger.table.is_over:
            course.leave(ledger, seat, by=By.PLAYER)


def leave_everything(*, player: Player, by: By) -> None:
    """Leave every seat of a player who goes, those of tables that are over too."""
    for table_id in Seat.objects.filter(player=player).values_list("table_id", flat=True):
        with lock_table(table_id) as ledger:
            seat = ledger.seat_of(player)
            if seat and ledger.table.is_over:
                seat.player = None
                ledger.seats_changed.add(seat.number)
            elif seat:
                course.leave(ledger, seat, by=by)


def remove_seat(*, table_id: UUID, player: Player, number: int) -> None:
    """The host frees a seat before the start; who sat there can't come back.

    Raises NotSeated, NotHost, NotOpen, NotFound, Invalid for the host's own seat.
    """
    with lock_table(table_id) as ledger:
        host = _host_seat(ledger, player)
        if ledger.table.status != Table.Status.OPEN:
            raise errors.NotOpen
        if number == host.number:
            raise errors.Invalid({"seat": ["A host stands up instead of removing itself."]})
        try:
            seat = ledger.seat(number)
        except KeyError:
            raise errors.NotFound from None
        if seat.player_id:
            ledger.table.removed.append(seat.player_id)
        course.give_up_seat(ledger, seat, "removed", by=By.PLAYER)


def seat_bot(*, table_id: UUID, player: Player, level: str = LEVELS[0], once: Once | None = None) -> Done:
    """The host seats a built-in bot before the start.

    Raises NotSeated, NotHost, NotOpen, TableFull, IdempotencyMismatch.
    """
    with lock_table(table_id) as ledger:
        _host_seat(ledger, player)
        if claim(once, player, table_id):
            return Done(ledger)
        _check_free(ledger)
        course.take_seat(ledger, Seat.Kind.BOT, level=level)
    return Done(ledger)


def start_table(*, table_id: UUID, player: Player) -> Done:
    """The host starts the game; one that has started already stays as it is.

    Raises NotSeated, NotHost, NotOpen, NotEnoughSeats.
    """
    with lock_table(table_id) as ledger:
        _host_seat(ledger, player)
        if ledger.table.started_at is None:
            if ledger.table.status != Table.Status.OPEN:
                raise errors.NotOpen
            if len(ledger.seats) not in ledger.game.seats:
                raise errors.NotEnoughSeats
            course.start(ledger, by=By.PLAYER)
    return Done(ledger, made=False)


def return_to_seat(*, table_id: UUID, player: Player) -> Done:
    """Take the seat back from the stand-in. Raises NotSeated, NotPlaying."""
    with lock_table(table_id) as ledger:
        seat = own_seat(ledger, player)
        if ledger.table.status != Table.Status.PLAYING:
            raise errors.NotPlaying
        _ = ledger.game  # what is answered shows the game, so it is refused before anything is done
        course.come_back(ledger, seat)
    return Done(ledger, made=False)


def make_move(
    *, table_id: UUID, player: Player, move: str, version: int | None = None, once: Once | None = None
) -> Done:
    """Make a move; a stand-in gives the seat back first.

    Raises NotSeated, IdempotencyMismatch, NotPlaying, NotYourTurn, StaleVersion, Invalid for a
    version that is not there yet, IllegalMove.
    """
    with lock_table(table_id) as ledger:
        seat = own_seat(ledger, player)
        if earlier := claim(once, player, table_id, ledger.table.moves + 1):
            return _same_move(ledger, earlier.number or 0)
        return _move(ledger, seat, move, version)


def make_move_at_sight(
    *, visit: Visit, move: str, version: int | None = None, once: Once | None = None
) -> Done:
    """The same move by the same rules, judged on the table as a visit has just read it.

    That holds if nobody has written the table by the time the move is; else it is made under the lock.
    Raises what `make_move` does, and NotFound.
    """
    ledger, player = visit.ledger, visit.player
    if ledger is None:
        raise errors.NotFound
    seat = None if clock.is_due(ledger) else own_seat(ledger, player)
    if seat and not seat.stand_in:
        if earlier := checked(visit.earlier, once):
            return _same_move(ledger, earlier.number or 0)
        done = _move(ledger, seat, move, version)
        if write_at_sight(ledger, key_row(once, player, ledger.table.pk, ledger.table.moves)):
            return done
    return make_move(table_id=ledger.table.pk, player=player, move=move, version=version, once=once)


def _move(ledger: Ledger, seat: Seat, move: str, version: int | None) -> Done:
    if ledger.table.status != Table.Status.PLAYING:
        raise errors.NotPlaying
    _check_version(ledger, seat, version)
    seen = ledger.table.version
    course.come_back(ledger, seat)
    try:
        made = course.move(ledger, seat.number, move, by=By.PLAYER)
    except rules.IllegalMove as refused:
        raise errors.IllegalMove(legal_moves=list(refused.legal_moves), version=seen) from None
    # The seat's return belongs to the move: a repeated request gets the same events.
    made.first_version = seen + 1
    return Done(ledger, number=made.number, events=tuple(ledger.events))


def _check_version(ledger: Ledger, seat: Seat, version: int | None) -> None:
    """A version is stale when the seat has been asked anew since, and for no other reason."""
    decision = ledger.decisions.get(seat.number)
    if decision is None:
        raise errors.NotYourTurn
    if version is not None and version < decision.version:
        raise errors.StaleVersion
    if version is not None and version > ledger.table.version:
        raise errors.Invalid({"version": ["The table has no such version yet."]})


def _same_move(ledger: Ledger, number: int) -> Done:
    """The answer that a move had, with the table as it is now."""
    made = Move.objects.get(table=ledger.table, number=number)
    events = Event.objects.filter(
        table=ledger.table, number__range=(made.first_version, made.last_version)
    ).order_by("number")
    return Done(ledger, number=number, events=tuple(events))


def own_seat(ledger: Ledger, player: Player) -> Seat:
    """Raises NotSeated, or NotFound where even the table is not the player's to know."""
    seat = ledger.seat_of(player)
    if seat is None:
        raise errors.NotSeated if ledger.table.code is None else errors.NotFound
    return seat


def _host_seat(ledger: Ledger, player: Player) -> Seat:
    seat = own_seat(ledger, player)
    if seat.number != ledger.table.host:
        raise errors.NotHost
    return seat
