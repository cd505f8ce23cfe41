"""The course of a table: how it starts, how a move carries it on, and the ways in which it ends."""

import logging
from collections.abc import Sequence
from datetime import datetime

from config import metrics
from games.bots import STAND_IN, choose
from games.fairness import chance_for
from games.ledger import Decision, Ledger
from games.models import By, Move, Seat, Table, as_read
from games.rules import game as rules
from games.rules.game import Event, Outcome, encode
from sessions.models import Player

log = logging.getLogger(__name__)

STATUS_AFTER = {
    "played_out": Table.Status.FINISHED,
    "forfeit": Table.Status.FINISHED,
    "abandoned": Table.Status.ABANDONED,
    "voided": Table.Status.CLOSED,
}


def take_seat(
    ledger: Ledger,
    kind: Seat.Kind,
    *,
    player: Player | None = None,
    level: str | None = None,
    client_seed: str | None = None,
    number: int | None = None,
    by: By = By.PLAYER,
) -> None:
    """The lowest free seat, or that one; the game starts by itself when it was the last."""
    if number is None:
        number = ledger.free_number(player)
    seat = Seat(
        table=ledger.table, number=number, player=player, kind=kind, level=level, client_seed=client_seed
    )
    seat.save(force_insert=True)
    ledger.seats.append(seat)
    if player:
        ledger.concerned.add(player.pk)
    ledger.seats.sort(key=lambda taken: taken.number)
    ledger.tell("joined", seat.number, by=by, data={"kind": kind})
    if len(ledger.seats) == ledger.table.capacity:
        start(ledger, by=By.SERVER)


def start(ledger: Ledger, *, by: By) -> None:
    """Number the seats 0…k−1 in their order, and begin."""
    table, game = ledger.table, ledger.game
    old_numbers = _close_ranks(ledger)
    chance = chance_for(ledger, 0)
    options = rules.options_from(game, table.options)
    state, events = game.start(len(ledger.seats), options, chance)
    to_move = game.to_move(state)
    table.status = Table.Status.PLAYING
    table.started_at = table.touched_at = ledger.now
    table.start_chance = encode(chance.drawn)
    first = next(iter(to_move)) if len(to_move) == 1 else None
    ledger.tell("started", by=by, data={"seats": old_numbers, "first": first})
    _go_on(ledger, state, events, mover=None, by=By.SERVER)


def _close_ranks(ledger: Ledger) -> list[int]:
    old_numbers = [seat.number for seat in ledger.seats]
    for number, seat in enumerate(ledger.seats):
        if seat.number != number:
            Seat.objects.filter(table=ledger.table, number=seat.number).update(number=number)
            seat.number = number
    if ledger.table.host is not None:
        ledger.table.host = old_numbers.index(ledger.table.host)
    return old_numbers


def move(ledger: Ledger, number: int, text: str, *, by: By) -> Move:
    """Judge a move and make it, with all that follows by itself.

    Raises what `games.rules.game.play` raises; the ledger must not be saved then.
    """
    table = ledger.table
    chance = chance_for(ledger, table.moves + 1)
    state, events = rules.play(ledger.game, ledger.state, number, text, chance)
    table.moves += 1
    first_version = table.version + 1
    _go_on(ledger, state, events, mover=number, by=by)
    columns = {
        "table_id": table.id,
        "number": table.moves,
        "seat": number,
        "by": by,
        "move": text,
        "chance": encode(chance.drawn),
        "first_version": first_version,
        "last_version": table.version,
        "at": ledger.now,
    }
    made = as_read(Move, columns)
    ledger.moves.append(made)
    return made


def move_for(ledger: Ledger, seat: Seat) -> None:
    """The server decides for a bot, or as the stand-in of a seat that is absent or out."""
    level, by = (seat.level or STAND_IN, By.BOT) if not seat.is_human else (STAND_IN, By.STAND_IN)
    move(ledger, seat.number, _choice(ledger, level, seat.number), by=by)


def _choice(ledger: Ledger, level: str, number: int) -> str:
    """What the bot chooses; a bot that fails must not stop the table, nor everybody who looks at it."""
    game, state = ledger.game, ledger.state
    view, legal_moves = game.view(state, number), game.legal_moves(state, number)
    try:
        options = rules.options_from(game, ledger.table.options)
        with metrics.timed(metrics.BOT_SECONDS, game.slug, level):
            chosen = choose(game.slug, level, view, legal_moves, options, number)
    except Exception:
        log.exception("a bot failed at table %s", ledger.table.pk)
        return legal_moves[0]
    if chosen not in legal_moves:
        log.error("a bot chose no legal move at table %s", ledger.table.pk)
        return legal_moves[0]
    return chosen


def _go_on(ledger: Ledger, state: object, events: Sequence[Event], *, mover: int | None, by: By) -> None:
    """Tell what happened, take over the new state, and ask who is to move, or end."""
    for event in events:
        who = by if event.by_seat else By.SERVER
        ledger.tell(event.kind, event.seat, by=who, data=event.data, own=event.own)
    ledger.state = state
    out = frozenset(seat.number for seat in ledger.seats if seat.is_out)
    outcome = ledger.game.outcome(state, out)
    if outcome:
        _finish(ledger, outcome)
    else:
        _ask(ledger, ledger.game.to_move(state), mover)


def _ask(ledger: Ledger, to_move: frozenset[int], mover: int | None) -> None:
    """A seat whose decision this step did not touch keeps it, with its version and its clock."""
    before = ledger.decisions
    fresh = Decision(ledger.table.version, ledger.now)
    ledger.decisions = {
        number: before[number] if number in before and number != mover else fresh for number in to_move
    }


def end(ledger: Ledger, reason: rules.Reason, winners: tuple[int, ...] = (), *, by: By = By.SERVER) -> None:
    """End a game before its rules do."""
    ledger.state = state = ledger.game.halt(ledger.state)
    _finish(ledger, Outcome(winners, reason, ledger.game.scores(state)), by)


def _finish(ledger: Ledger, outcome: Outcome, by: By = By.SERVER) -> None:
    table = ledger.table
    table.status = STATUS_AFTER[outcome.reason]
    table.over_at = ledger.now
    table.outcome = encode(outcome)
    ledger.decisions = {}
    if table.looks:
        ledger.tell("looked", by=By.MODERATOR, data={"times": table.looks})
    ledger.tell("finished", by=by, data=table.outcome)


def close(ledger: Ledger, reason: str, *, by: By = By.SERVER) -> None:
    """Close a table that never started."""
    ledger.table.status = Table.Status.CLOSED
    ledger.table.over_at = ledger.now
    ledger.tell("closed", by=by, data={"reason": reason})


def fill_with_bots(ledger: Ledger) -> None:
    """Seat bots where nobody came; that starts the game."""
    while ledger.table.status == Table.Status.OPEN:
        take_seat(ledger, Seat.Kind.BOT, level=STAND_IN, number=ledger.any_free_number(), by=By.SERVER)


def leave(ledger: Ledger, seat: Seat, *, by: By) -> None:
    """Stand up from an open table, or leave a playing one: the seat is out, a bot moves for it."""
    if ledger.table.status == Table.Status.OPEN:
        give_up_seat(ledger, seat, "left", by=by)
    else:
        _put_out(ledger, seat, by=by)


def give_up_seat(ledger: Ledger, seat: Seat, kind: str, *, by: By) -> None:
    """Free a seat of an open table; `kind` says how: left or removed."""
    ledger.seats.remove(seat)
    if seat.player_id:
        ledger.concerned.add(seat.player_id)
    Seat.objects.filter(table=ledger.table, number=seat.number).delete()
    ledger.tell(kind, seat.number, by=by, data={"status": Table.Status.OPEN} if kind == "left" else {})
    humans = [other.number for other in ledger.seats if other.is_human]
    if not humans:
        ledger.table.host = None
        close(ledger, "empty")
    elif seat.number == ledger.table.host:
        # The next in turn order, round the table.
        ledger.table.host = min(humans, key=lambda number: (number < seat.number, number))
        ledger.tell("host_changed", ledger.table.host)


def _put_out(ledger: Ledger, seat: Seat, *, by: By) -> None:
    if seat.player_id:
        ledger.concerned.add(seat.player_id)
    seat.leaver_id = seat.player_id
    seat.player = None
    seat.left_at = ledger.now
    ledger.seats_changed.add(seat.number)
    ledger.tell("left", seat.number, by=by, data={"status": Table.Status.PLAYING})
    # One may leave a table whose rules are not here; once they are, its clock ends it at once.
    if deserted_at(ledger) and ledger.has_rules:
        end_deserted(ledger)


def deserted_at(ledger: Ledger) -> datetime | None:
    """Since when too few are left to go on: no human, or one seat alone. None while there are enough."""
    in_game = ledger.in_game
    if len(in_game) > 1 and any(seat.is_human for seat in in_game):
        return None
    return max((seat.left_at for seat in ledger.seats if seat.left_at), default=None)


def end_deserted(ledger: Ledger) -> None:
    """Without a human the game is abandoned; a seat that is left alone wins."""
    in_game = ledger.in_game
    if any(seat.is_human for seat in in_game):
        end(ledger, "forfeit", winners=(in_game[0].number,))
    else:
        end(ledger, "abandoned")


def stand_in(ledger: Ledger, seat: Seat, *, since: datetime) -> None:
    """From now on the server moves for the seat, whose time was over then, until its player is back."""
    seat.stand_in_since = since
    ledger.seats_changed.add(seat.number)
    ledger.tell("stand_in", seat.number)


def come_back(ledger: Ledger, seat: Seat) -> None:
    """The player takes the seat back. Nothing happens without a stand-in."""
    if seat.stand_in:
        seat.stand_in_since = None
        ledger.seats_changed.add(seat.number)
        ledger.tell("returned", seat.number, by=By.PLAYER)
