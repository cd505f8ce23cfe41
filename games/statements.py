"""The two statements of a move, written out: what the ORM builds anew each time costs more than all the rest.

One reads who asks, the table and its seats; the other writes a table and all that happened at it, if
nobody has written it since. With them a move is two round trips, and whatever its length none more.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from operator import itemgetter
from typing import Any, TypeAlias
from uuid import UUID

import msgspec
from psycopg.pq.abc import PGresult

from config import straight

Row: TypeAlias = Mapping[str, Any]


class TokenRow(msgspec.Struct, array_like=True, frozen=True):
    """What a token's player is asked for before it is let in."""

    digest: str
    last_used: datetime


class PlayerRow(msgspec.Struct, array_like=True, frozen=True):
    id: UUID
    name: str
    last_seen: datetime
    expires_at: datetime
    leaving: bool


class KeyRow(msgspec.Struct, array_like=True, frozen=True):
    digest: str
    number: int | None


class SeatRow(msgspec.Struct, array_like=True, frozen=True):
    """A seat, with the name and last act of who sits there."""

    number: int
    player_id: UUID | None
    kind: str
    level: str | None
    client_seed: str | None
    stand_in_since: datetime | None
    left_at: datetime | None
    name: str | None
    bot: bool | None
    last_seen: datetime | None


class TableRow(msgspec.Struct, array_like=True, frozen=True):
    """What views of a table and moves at it need, in the model's order; the rest of the row is not read."""

    id: UUID
    game: str
    rules_version: int
    options: dict[str, Any]
    status: str
    capacity: int
    host: int | None
    visibility: str
    code: str | None
    turn_seconds: int | None
    hints: bool
    version: int
    revision: int
    moves: int
    state: msgspec.Raw
    decisions: msgspec.Raw
    seed: str | None
    outcome: Any
    started_at: datetime | None
    over_at: datetime | None
    touched_at: datetime
    paused_at: datetime | None
    fill_at: datetime | None
    rematch: UUID | None
    wake_at: datetime | None
    looks: int


class ListedRow(msgspec.Struct, array_like=True, frozen=True):
    """What a list shows of a table, in the model's order."""

    id: UUID
    game: str
    options: dict[str, Any]
    status: str
    capacity: int
    visibility: str
    turn_seconds: int | None
    hints: bool
    version: int
    revision: int
    decisions: msgspec.Raw
    created_at: datetime
    over_at: datetime | None


class EventRow(msgspec.Struct, array_like=True, frozen=True):
    """An event, with what was told as it was written."""

    number: int
    kind: str
    seat: int | None
    by: str
    data: msgspec.Raw
    own: msgspec.Raw
    at: datetime


class Listed(msgspec.Struct, array_like=True, frozen=True):
    """A table in a list."""

    table: ListedRow
    seats: list[SeatRow] | None


class Looked(msgspec.Struct, array_like=True, frozen=True):
    """A table, whoever asks."""

    table: TableRow
    seats: list[SeatRow] | None
    events: list[EventRow] | None


class Found(msgspec.Struct, array_like=True, frozen=True):
    """What one reading finds; None for what is not there."""

    token: TokenRow
    player: PlayerRow
    key: KeyRow | None
    table: TableRow | None
    seats: list[SeatRow] | None
    events: list[EventRow] | None


SITTER = ("name", "bot", "last_seen")

_found = msgspec.json.Decoder(Found)
_listed = msgspec.json.Decoder(Listed)
_looked = msgspec.json.Decoder(Looked)


def _columns(alias: str, names: Iterable[str]) -> str:
    return ", ".join(f"{alias}.{name}" for name in names)


def _array(alias: str, row: type[msgspec.Struct], but: Sequence[str] = ()) -> str:
    """The columns of a row as one JSON array; nothing of PostgreSQL's is decoded faster."""
    return _columns(alias, [name for name in row.__struct_fields__ if name not in but])


# Who sits at a table, in a statement that reads it as `asked`.
SEATS = f"""(
    SELECT json_agg(json_build_array({_array("seat", SeatRow, but=SITTER)}, {_columns("sitter", SITTER)})
                    ORDER BY seat.number)
    FROM games_seat seat LEFT JOIN players_player sitter ON sitter.id = seat.player_id
    WHERE seat.table_id = asked.id
)"""


# The events after a version: the first so many, or the last.
def _events(order: str) -> str:
    return f"""(
    SELECT json_agg(json_build_array({_array("happened", EventRow)}) ORDER BY happened.number)
    FROM (
        SELECT * FROM games_event WHERE table_id = asked.id AND number > %s ORDER BY number {order} LIMIT %s
    ) happened
)"""


# A single statement, so a single snapshot: table, seats and events belong together without a lock.
@cache
def _read(keyed: bool, events: bool) -> str:
    """What is not asked for is not looked for: even an empty join costs a move."""
    made = f"CASE WHEN made.key IS NOT NULL THEN json_build_array({_array('made', KeyRow)}) END"
    return f"""SELECT json_build_array(
    json_build_array({_array("token", TokenRow)}),
    json_build_array({_array("player", PlayerRow)}),
    {made if keyed else "NULL"},
    CASE WHEN asked.id IS NOT NULL THEN json_build_array({_array("asked", TableRow)}) END,
    {SEATS},
    {_events("ASC") if events else "NULL"}
)::text
FROM players_token token
JOIN players_player player ON player.id = token.player_id
LEFT JOIN games_table asked ON asked.id = %s
{"LEFT JOIN games_idempotencykey made ON made.player_id = player.id AND made.key = %s" if keyed else ""}
WHERE token.digest = %s
"""


def text(value: object) -> bytes:
    """A value as PostgreSQL reads it, unless there is a way of its own among those of `write`."""
    return str(value).encode()


def array(values: Iterable[UUID]) -> str:
    """Ids as PostgreSQL reads an array of them."""
    return f"{{{','.join(map(str, values))}}}"


def _cell(found: PGresult, row: int = 0, column: int = 0) -> bytes:
    """A value that is not null."""
    return found.get_value(row, column) or b""


def read(
    token_digest: str, table_id: UUID, key: str | None = None, events: tuple[int, int] | None = None
) -> Found | None:
    """Whose token this is, what the player's key made before, and the table. None for no such token.

    `events`: those after this number, at most so many, are read with it.
    """
    asked = (*(events or ()), table_id.hex, *((key,) if key else ()), token_digest)
    found = straight.run(_read(bool(key), events is not None), [*map(text, asked)])
    return _found.decode(_cell(found)) if found.ntuples else None


LOOK = f"""SELECT json_build_array(
    json_build_array({_array("asked", TableRow)}),
    {SEATS},
    {_events("DESC")}
)::text
FROM games_table asked WHERE asked.id = %s
"""


def look(table_id: UUID, after: int, latest: int) -> Looked | None:
    """A table, with the latest so many of its events after a version. None for no such table."""
    found = straight.run(LOOK, [*map(text, (after, latest, table_id))])
    return _looked.decode(_cell(found)) if found.ntuples else None


def listed(conditions: Mapping[str, Any], limit: int) -> list[Listed]:
    """Tables for a list, newest first: those for which all the conditions hold, each with its value.

    A condition is a part of a statement, about `asked`, with one place for the value.
    """
    wanted = " AND ".join(conditions) or "TRUE"
    found = straight.run(
        f"SELECT json_build_array(json_build_array({_array('asked', ListedRow)}), {SEATS})::text"
        f" FROM games_table asked WHERE {wanted} ORDER BY asked.id DESC LIMIT %s",
        [*map(text, (*conditions.values(), limit))],
    )
    return [_listed.decode(_cell(found, row)) for row in range(found.ntuples)]


OPEN_NOW = """
SELECT id, version FROM games_table WHERE status = 'open' AND visibility = 'public' AND wake_at > %s
ORDER BY id DESC LIMIT %s
"""


def open_versions(now: datetime, limit: int) -> list[tuple[UUID, int]]:
    """The newest open public tables that are not due, and the version of each."""
    found = straight.run(OPEN_NOW, [text(now), text(limit)])
    return [(UUID(_cell(found, row).decode()), int(_cell(found, row, 1))) for row in range(found.ntuples)]


# The columns of what is written, with their types.
def _typed(**names: str) -> dict[str, str]:
    return {name: kind for kind, group in names.items() for name in group.split()}


TABLE = _typed(
    text="status",
    smallint="host",
    int="version moves looks",
    jsonb="state decisions start_chance outcome",
    timestamptz="started_at over_at touched_at paused_at wake_at fill_at",
    uuid="rematch",
) | {"removed": "uuid[]"}
MOVE = _typed(
    int="number first_version last_version", smallint="seat", text="by move", jsonb="chance", timestamptz="at"
)
EVENT = _typed(int="number", smallint="seat", text="kind by", jsonb="data own", timestamptz="at")
SEAT = _typed(smallint="number", uuid="player_id leaver_id", timestamptz="stand_in_since left_at")
CLAIM = _typed(uuid="player_id table_id", text="key digest", int="number", timestamptz="created_at")

MANY = 2  # rows, or more
_encode = msgspec.json.Encoder().encode
# How a value is handed over: always as text, so that a statement is prepared once, and not anew for each
# size of a number and each null.
_WRITTEN: Mapping[str, Callable[[Any], bytes]] = {
    "jsonb": _encode,
    "timestamptz": lambda value: _encode(value)[1:-1],
    "uuid[]": lambda values: text(array(values)),
    "uuid": lambda value: value.hex.encode(),
    "text": str.encode,
    "int": b"%d".__mod__,
    "smallint": b"%d".__mod__,
}


class _Columns:
    """Takes out of rows what is written of them."""

    def __init__(self, types: Mapping[str, str]) -> None:
        self._names = tuple(types)
        self._take = itemgetter(*types)
        self._written = tuple(_WRITTEN.get(kind, text) for kind in types.values())

    def of(self, rows: Sequence[Row]) -> list[bytes | None]:
        """The values of one row; more are one document, for few statements do for any number then."""
        if len(rows) != 1:
            return [_WRITTEN["jsonb"]([dict(zip(self._names, self._take(row), strict=True)) for row in rows])]
        taken = zip(self._take(rows[0]), self._written, strict=True)
        return [None if value is None else written(value) for value, written in taken]


@cache
def _table(names: Sequence[str]) -> _Columns:
    return _Columns({name: TABLE[name] for name in names})


_move, _event, _seat, _claim = _Columns(MOVE), _Columns(EVENT), _Columns(SEAT), _Columns(CLAIM)


def write(
    table_id: UUID,
    revision: int,
    table: Row,
    columns: Sequence[str],
    *,
    moves: Sequence[Row] = (),
    events: Sequence[Row] = (),
    seats: Sequence[Row] = (),
    key: Row | None = None,
) -> bool:
    """Write columns of a table and what happened at it, all or nothing; its revision is the next.

    False if its row has another revision by now, or the player has used the key. The row is locked first
    and then compared, so of two writers who read the same, one writes.
    """
    values = [
        text(table_id),
        text(revision),
        *(_claim.of((key,)) if key else ()),
        *_table(columns).of((table,)),
    ]
    for part, rows in ((_seat, seats), (_move, moves), (_event, events)):
        if rows:
            values += part.of(rows)
    counts = (min(len(rows), MANY) for rows in (seats, moves, events))
    ran = straight.run(_statement(columns, key is not None, *counts), values)
    return bool(ran.command_tuples)


@cache
def _statement(columns: Sequence[str], keyed: bool, seats: int, moves: int, events: int) -> str:
    """The last rows to be inserted are the statement itself: each part beside it costs a move."""
    written = ", ".join(f"{name} = %s::{TABLE[name]}" for name in columns)
    parts = [
        KEYED if keyed else UNKEYED,
        f"""changed AS (
    UPDATE games_table old SET revision = old.revision + 1, {written}
    FROM held{", claimed" if keyed else ""} WHERE old.id = held.id AND old.revision = held.revision
    RETURNING old.id
)""",
        *([f"seats AS ({_seats(seats)})"] if seats else ()),
    ]
    inserts = [
        *([("moves", _inserted("games_move", MOVE, moves))] if moves else ()),
        *([("events", _inserted("games_event", EVENT, events))] if events else ()),
    ]
    parts += [f"{name} AS ({insert})" for name, insert in inserts[:-1]]
    return f"WITH {', '.join(parts)} {inserts[-1][1] if inserts else 'SELECT 1 FROM changed'}"


def _places(types: Mapping[str, str]) -> str:
    return ", ".join(f"%s::{kind}" for kind in types.values())


UNKEYED = "held AS (SELECT %s::uuid AS id, %s::int AS revision)"

# The row is locked before the key is taken, and the table is written only if the key could be.
KEYED = f"""held AS MATERIALIZED (
    SELECT id, revision FROM games_table WHERE id = %s AND revision = %s::int FOR NO KEY UPDATE
),
claimed AS (
    INSERT INTO games_idempotencykey ({", ".join(CLAIM)}) SELECT {_places(CLAIM)} FROM held
    ON CONFLICT (player_id, key) DO NOTHING
    RETURNING 1
)"""


def _rows(types: Mapping[str, str], count: int) -> str:
    """One row or MANY, as `_Columns` hands them over."""
    if count == MANY:
        typed = ", ".join(f"{name} {kind}" for name, kind in types.items())
        return f"changed, jsonb_to_recordset(%s::jsonb) AS new({typed})"
    return f"changed, (VALUES ({_places(types)})) AS new({', '.join(types)})"


def _inserted(table: str, types: Mapping[str, str], count: int) -> str:
    return (
        f"INSERT INTO {table} (table_id, {', '.join(types)})"
        f" SELECT changed.id, {_columns('new', types)} FROM {_rows(types, count)}"
    )


def _seats(count: int) -> str:
    written = ", ".join(f"{name} = new.{name}" for name in SEAT if name != "number")
    return (
        f"UPDATE games_seat old SET {written} FROM {_rows(SEAT, count)}"
        " WHERE old.table_id = changed.id AND old.number = new.number"
    )
