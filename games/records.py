"""Makes the records of stored tables, with two queries however long the game was."""

from collections.abc import Iterator
from typing import Any

import msgspec

from config.errors import NotFinished, NotFound
from games.ledger import Ledger
from games.models import Event, Move, Table
from games.rules import record as records
from games.rules.fair import commitment
from games.rules.record import (
    Draws,
    Line,
    Record,
    RecordedEnd,
    RecordedFairness,
    RecordedLeave,
    RecordedMove,
    RecordedOutcome,
    RecordedSeat,
)


def record_of(ledger: Ledger) -> Record:
    """The record of a table that is over.

    Raises NotFinished, for a table that never started too, and NotFound where luck had no seed yet.
    """
    table = check_over(ledger)
    if table.seed is None:
        raise NotFound("This table was played before there were records.")
    seed = bytes(table.seed)
    client_seeds = tuple(seat.client_seed for seat in ledger.seats)
    return records.sealed(
        Record(
            format=records.FORMAT,
            table=str(table.pk),
            game=table.game,
            rules_version=table.rules_version,
            options=table.options,
            seats=seats_of(ledger),
            fairness=RecordedFairness(commitment(seed), seed.hex(), client_seeds),
            start=start_of(table),
            lines=tuple(lines_of(ledger)),
            outcome=msgspec.convert(table.outcome, RecordedOutcome),
            hash="",
        )
    )


def check_over(ledger: Ledger) -> Table:
    """A table whose game began and is over. Raises NotFinished."""
    if not ledger.table.is_over or ledger.table.started_at is None:
        raise NotFinished
    return ledger.table


def seats_of(ledger: Ledger) -> tuple[RecordedSeat, ...]:
    return tuple(RecordedSeat("human" if seat.is_human else "bot", seat.level) for seat in ledger.seats)


def start_of(table: Table) -> Draws:
    drawn: Any = table.start_chance
    return records.draws(drawn)


def lines_of(ledger: Ledger) -> Iterator[Line]:
    """What happened after the start of a table, up to the moment at which it was read."""
    leaves = _leaves(ledger)
    for first_version, moved in _moves(ledger.table):
        while leaves and leaves[0][0] < first_version:
            yield RecordedLeave(leaves.pop(0)[1])
        yield moved
    yield from (RecordedLeave(seat) for _, seat in leaves)
    yield from _ended(ledger)


def _moves(table: Table) -> Iterator[tuple[int, RecordedMove]]:
    made = Move.objects.filter(table=table, number__lte=table.moves).order_by("number")
    fields = ("first_version", "number", "seat", "by", "move", "chance")
    for first_version, number, seat, by, move, chance in made.values_list(*fields):
        yield first_version, RecordedMove(number, seat, by, move, records.draws(chance))


def _leaves(ledger: Ledger) -> list[tuple[int, int]]:
    """The versions at which players left the game, and their seats."""
    if not any(seat.is_out for seat in ledger.seats):
        return []
    left = Event.objects.filter(
        table=ledger.table,
        number__lte=ledger.table.version,
        kind="left",
        data__status=Table.Status.PLAYING,
    )
    return [(event.number, event.seat) for event in left.order_by("number") if event.seat is not None]


def _ended(ledger: Ledger) -> Iterator[RecordedEnd]:
    """The end that was made from outside: neither by the rules, nor by those who left."""
    reason = ledger.outcome.reason if ledger.outcome else None
    if reason == "voided":
        yield RecordedEnd("voided")
    elif reason == "abandoned" and any(seat.is_human for seat in ledger.in_game):
        yield RecordedEnd("abandoned")
