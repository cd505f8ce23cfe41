"""Who asks, and the table that is asked for, read together: for what people do most."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any
from uuid import UUID

import msgspec
from msgspec.structs import asdict

from games import statements
from games.ledger import Decision, Ledger
from games.models import IdempotencyKey, Seat, Table, as_read
from games.statements import EventRow, ListedRow, SeatRow, TableRow
from sessions import banned, services
from sessions.models import Player
from sessions.secrecy import digest


@dataclass(frozen=True, slots=True)
class Visit:
    """A player who has been recognised, the table if there is one, and what the player's key made before."""

    player: Player
    ledger: Ledger | None
    earlier: IdempotencyKey | None = None
    events: Sequence[EventRow] = ()


def visit(token: str, table_id: UUID, key: str | None = None, events: tuple[int, int] | None = None) -> Visit:
    """Recognise a player by its token, and read a table as it stands; and its events, if asked for.

    `events`: after which version, and at most how many. Raises NotAuthenticated, Banned.
    """
    found = statements.read(digest(token), table_id, key, events)
    if found is None:
        banned.refuse(digest(token))
    player = as_read(Player, asdict(found.player))
    services.admit(player, found.token.digest, found.token.last_used)
    earlier = as_read(IdempotencyKey, asdict(found.key)) if found.key else None
    if found.table is None:
        return Visit(player, None, earlier)
    ledger = _ledger(found.table, found.seats)
    _complete(ledger, found.table)
    return Visit(player, ledger, earlier, found.events or ())


def look(table_id: UUID, after: int, latest: int) -> tuple[Ledger, Sequence[EventRow]] | None:
    """A table as it stands, whoever asks, with the latest so many of its events after a version."""
    found = statements.look(table_id, after, latest)
    if found is None:
        return None
    ledger = _ledger(found.table, found.seats)
    _complete(ledger, found.table)
    return ledger, found.events or ()


def _complete(ledger: Ledger, row: TableRow) -> None:
    """What came as text becomes what it is."""
    table = ledger.table
    table.seed = None if row.seed is None else bytes.fromhex(row.seed.removeprefix("\\x"))
    if ledger.has_rules:
        table.state = _states(ledger.game.state_type).decode(row.state)


def listed(conditions: Mapping[str, Any], limit: int) -> list[Ledger]:
    """Tables and seats as lists show them, newest first; `games.statements` says what conditions are."""
    return [_ledger(each.table, each.seats) for each in statements.listed(conditions, limit)]


def _ledger(row: TableRow | ListedRow, seats: Sequence[SeatRow] | None) -> Ledger:
    table = as_read(Table, asdict(row))
    ledger = Ledger(table, [_seat(table, each) for each in seats or ()], datetime.now(UTC))
    ledger.decisions = _decisions.decode(row.decisions)
    return ledger


_decisions = msgspec.json.Decoder(dict[int, Decision], strict=False)


@cache
def _states(kind: type) -> "msgspec.json.Decoder[Any]":
    return msgspec.json.Decoder(kind | None)


def _seat(table: Table, row: SeatRow) -> Seat:
    columns = asdict(row)
    sitter = {name: columns.pop(name) for name in statements.SITTER}
    seat = as_read(Seat, {"table_id": table.id, **columns})
    if row.player_id:
        Seat.player.field.set_cached_value(seat, as_read(Player, {"id": row.player_id, **sitter}))
    return seat
