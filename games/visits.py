"""Who asks, and the table that is asked for, read together: for what people do most."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar
from uuid import UUID

import msgspec
from django.db.models import Model
from django.utils import timezone
from msgspec.structs import astuple

from games import statements
from games.ledger import Decision, Ledger
from games.models import IdempotencyKey, Seat, Table
from games.statements import EventRow, ListedRow, SeatRow, TableRow
from sessions import banned, services
from sessions.models import Player
from sessions.secrecy import digest

M = TypeVar("M", bound=Model)


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
    player = _model(Player, found.player)
    services.admit(player, found.token.digest, found.token.last_used)
    earlier = _model(IdempotencyKey, found.key) if found.key else None
    if found.table is None:
        return Visit(player, None, earlier)
    ledger = _ledger(found.table, found.seats)
    _complete(ledger, found.table)
    return Visit(player, ledger, earlier, found.events or ())


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
    table = _model(Table, row)
    ledger = Ledger(table, [_seat(table, each) for each in seats or ()], timezone.now())
    ledger.decisions = _decisions.decode(row.decisions)
    return ledger


_decisions = msgspec.json.Decoder(dict[int, Decision], strict=False)


@cache
def _states(kind: type) -> "msgspec.json.Decoder[Any]":
    return msgspec.json.Decoder(kind | None)


def _seat(table: Table, row: SeatRow) -> Seat:
    number, player_id, *rest, name, last_seen = astuple(row)
    seat = Seat.from_db(None, SEAT, (table.pk, number, player_id, *rest))
    if player_id:
        sitter = Player.from_db(None, SITTER, (player_id, name, last_seen))
        Seat.player.field.set_cached_value(seat, sitter)
    return seat


SEAT = ("table_id", *SeatRow.__struct_fields__[:-2])
SITTER = ("id", *statements.SITTER)


def _model(of: type[M], row: msgspec.Struct) -> M:
    """An instance of which only the columns of the row were read."""
    return of.from_db(None, row.__struct_fields__, astuple(row))
