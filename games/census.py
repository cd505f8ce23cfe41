"""How many tables and seats there are, without counting a million rows.

What is live is counted by the index of statuses, without a look at the rows; of what is over PostgreSQL's
statistics know enough. A small table, for which it has none, is counted.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction

from games.models import Table

# Rows that are counted one by one; beyond these an estimate does.
COUNTED = 50_000
# Live tables whose seats are looked at; the seats of more are in proportion.
LOOKED_AT = 1_000
MOST_MILLISECONDS = 1_000

LIVE = (Table.Status.OPEN.value, Table.Status.PLAYING.value)
STATES = ("human", "stand_in", "out", "bot")

ALL_TABLES = """
SELECT status, count(*) FROM (SELECT status FROM games_table LIMIT %s) counted GROUP BY status
"""
LIVE_TABLES = """
SELECT status, count(*) FROM (
    SELECT status FROM games_table WHERE status IN ('open', 'playing') LIMIT %s
) counted GROUP BY status
"""
ESTIMATE = """
SELECT kind.reltuples, known.most_common_vals::text::text[], known.most_common_freqs
FROM pg_class kind
LEFT JOIN pg_stats known ON known.schemaname = kind.relnamespace::regnamespace::text
    AND known.tablename = kind.relname AND known.attname = 'status'
WHERE kind.oid = 'games_table'::regclass
"""
SEATS = """
SELECT CASE WHEN kind = 'bot' THEN 'bot' WHEN left_at IS NOT NULL THEN 'out'
            WHEN stand_in_since IS NOT NULL THEN 'stand_in' ELSE 'human' END AS state, count(*)
FROM games_seat WHERE table_id IN (SELECT id FROM games_table WHERE wake_at IS NOT NULL LIMIT %s)
GROUP BY state
"""


@dataclass(frozen=True, slots=True)
class Census:
    """Tables by status; seats of live tables by state."""

    tables: dict[str, float]
    seats: dict[str, float]


def take() -> Census:
    """Raises DatabaseError, also when it takes longer than a second."""
    with transaction.atomic():
        _ask(f"SET LOCAL statement_timeout = {MOST_MILLISECONDS}")
        tables = _tables()
        live = sum(tables[status] for status in LIVE)
        seats = dict(_ask(SEATS, LOOKED_AT))
        _ask("SET LOCAL statement_timeout = 0")
    share = max(1.0, live / LOOKED_AT)
    return Census(tables, {state: round(seats.get(state, 0) * share) for state in STATES})


def _tables() -> dict[str, float]:
    [(rows, statuses, shares)] = _ask(ESTIMATE)
    if rows < COUNTED:
        return _each(_ask(ALL_TABLES, COUNTED))
    found = {status: rows * share for status, share in zip(statuses or (), shares or (), strict=True)}
    live = _each(_ask(LIVE_TABLES, COUNTED))
    if sum(live.values()) < COUNTED:
        found.update({status: live[status] for status in LIVE})
    return {status: round(found.get(status, 0)) for status in Table.Status.values}


def _each(counted: Sequence[tuple[str, int]]) -> dict[str, float]:
    return {status: dict(counted).get(status, 0) for status in Table.Status.values}


def _ask(statement: str, *values: Any) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.fetchall() if cursor.description else []
