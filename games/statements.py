"""The two statements of a move, written out: what the ORM builds anew each time costs more than all the rest.

One reads who asks, the table and its seats; the other writes a table and all that happened at it, if
nobody has written it since. With them a move is two round trips, and whatever its length none more.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any, TypeAlias
from uuid import UUID

import msgspec
from django.db import connection

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
def _read(events: str) -> str:
    return f"""SELECT json_build_array(
    json_build_array({_array("token", TokenRow)}),
    json_build_array({_array("player", PlayerRow)}),
    CASE WHEN made.key IS NOT NULL THEN json_build_array({_array("made", KeyRow)}) END,
    CASE WHEN asked.id IS NOT NULL THEN json_build_array({_array("asked", TableRow)}) END,
    {SEATS},
    {events}
)::text
FROM players_token token
JOIN players_player player ON player.id = token.player_id
LEFT JOIN games_table asked ON asked.id = %s
LEFT JOIN games_idempotencykey made ON made.player_id = player.id AND made.key = %s
WHERE token.digest = %s
"""


READ, READ_EVENTS = _read("NULL"), _read(_events("ASC"))


def read(
    token_digest: str, table_id: UUID, key: str | None = None, events: tuple[int, int] | None = None
) -> Found | None:
    """Whose token this is, what the player's key made before, and the table. None for no such token.

    `events`: those after this number, at most so many, are read with it.
    """
    values = (table_id, key or "", token_digest)
    with connection.cursor() as cursor:
        if events is None:
            cursor.execute(READ, values)
        else:
            cursor.execute(READ_EVENTS, (*events, *values))
        row = cursor.fetchone()
    return _found.decode(row[0]) if row else None


LOOK = f"""SELECT json_build_array(
    json_build_array({_array("asked", TableRow)}),
    {SEATS},
    {_events("DESC")}
)::text
FROM games_table asked WHERE asked.id = %s
"""


def look(table_id: UUID, after: int, latest: int) -> Looked | None:
    """A table, with the latest so many of its events after a version. None for no such table."""
    with connection.cursor() as cursor:
        cursor.execute(LOOK, (after, latest, table_id))
        row = cursor.fetchone()
    return _looked.decode(row[0]) if row else None


def listed(conditions: Mapping[str, Any], limit: int) -> list[Listed]:
    """Tables for a list, newest first: those for which all the conditions hold, each with its value.

    A condition is a part of a statement, about `asked`, with one place for the value.
    """
    wanted = " AND ".join(conditions) or "TRUE"
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT json_build_array(json_build_array({_array('asked', ListedRow)}), {SEATS})::text"
            f" FROM games_table asked WHERE {wanted} ORDER BY asked.id DESC LIMIT %s",
            (*conditions.values(), limit),
        )
        return [_listed.decode(text) for (text,) in cursor.fetchall()]


OPEN_NOW = """
SELECT id, version FROM games_table WHERE status = 'open' AND visibility = 'public' AND wake_at > %s
ORDER BY id DESC LIMIT %s
"""


def open_versions(now: datetime, limit: int) -> list[tuple[UUID, int]]:
    """The newest open public tables that are not due, and the version of each."""
    with connection.cursor() as cursor:
        cursor.execute(OPEN_NOW, (now, limit))
        return list(cursor.fetchall())


# The columns of what is written, with the types in which they come out of JSON.
def _typed(**names: str) -> dict[str, str]:
    return {name: kind for kind, group in names.items() for name in group.split()}


TABLE = _typed(
    text="status",
    smallint="host",
    int="version revision moves looks",
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


def write(
    table_id: UUID,
    revision: int,
    table: Row,
    *,
    moves: Sequence[Row] = (),
    events: Sequence[Row] = (),
    seats: Sequence[Row] = (),
    key: Row | None = None,
) -> bool:
    """Write a table and what happened at it, all or nothing.

    False if its row has another revision by now, or the player has used the key. The row is locked first
    and then compared, so of two writers who read the same, one writes.
    """
    given = {"table": table, "moves": moves, "events": events, "seats": seats, "key": key}
    parts = tuple(name for name, rows in given.items() if rows)
    with connection.cursor() as cursor:
        document = msgspec.json.encode(given).decode()
        cursor.execute(_statement(tuple(table), parts), (document, table_id, revision))
        return bool(cursor.rowcount == 1)


@cache
def _statement(columns: Sequence[str], parts: Sequence[str]) -> str:
    """Everything is handed over as one document, for then the statement is prepared only once."""
    typed = ", ".join(f"{name} {TABLE[name]}" for name in columns)
    values = ", ".join(f"{name} = new.{name}" for name in columns)
    return f"""WITH given AS MATERIALIZED (SELECT %s::jsonb AS document),
{KEYED if "key" in parts else UNKEYED},
changed AS (
    UPDATE games_table old SET {values}
    FROM wanted, given, jsonb_to_record(given.document -> 'table') AS new({typed})
    WHERE old.id = wanted.id AND old.revision = wanted.revision
    RETURNING old.id, given.document
){"".join(_PARTS[part] for part in parts if part in _PARTS)}
SELECT 1 FROM changed
"""


UNKEYED = "wanted AS (SELECT %s::uuid AS id, %s::int AS revision)"

# The row is locked before the key is taken, and the table is written only if the key could be.
KEYED = f"""held AS MATERIALIZED (
    SELECT id, revision FROM games_table WHERE id = %s AND revision = %s FOR NO KEY UPDATE
),
wanted AS (
    INSERT INTO games_idempotencykey ({", ".join(CLAIM)})
    SELECT {_columns("new", CLAIM)}
    FROM held, given, jsonb_to_record(given.document -> 'key')
        AS new({", ".join(f"{name} {kind}" for name, kind in CLAIM.items())})
    ON CONFLICT (player_id, key) DO NOTHING
    RETURNING table_id AS id, (SELECT revision FROM held) AS revision
)"""


def _inserted(part: str, table: str, types: Mapping[str, str]) -> str:
    typed = ", ".join(f"{name} {kind}" for name, kind in types.items())
    return f""",
{part} AS (
    INSERT INTO {table} (table_id, {", ".join(types)})
    SELECT changed.id, {_columns("new", types)}
    FROM changed, jsonb_to_recordset(changed.document -> '{part}') AS new({typed})
)"""


_PARTS = {
    "moves": _inserted("moves", "games_move", MOVE),
    "events": _inserted("events", "games_event", EVENT),
    "seats": f""",
seats AS (
    UPDATE games_seat old
    SET player_id = new.player_id, leaver_id = new.leaver_id,
        stand_in_since = new.stand_in_since, left_at = new.left_at
    FROM changed, jsonb_to_recordset(changed.document -> 'seats')
        AS new({", ".join(f"{name} {kind}" for name, kind in SEAT.items())})
    WHERE old.table_id = changed.id AND old.number = new.number
)""",
}
