"""Rows made in bulk from rows that the server made: tables, their players, and long histories."""

import contextlib
from collections.abc import Mapping, Sequence
from typing import Any, LiteralString

import psycopg
from psycopg import sql

Database = psycopg.Connection[Any]


def copy_rows(
    database: Database, table: str, changed: Mapping[LiteralString, LiteralString], rest: LiteralString
) -> int:
    """Insert rows of a table, read as `old`, into the same again; how many.

    `changed` gives columns other values than those of the old row, by SQL that may name what `rest`
    joins and filters. Columns are asked for, so that a new one is copied without a word here.
    """
    names = _columns(database, table)
    values = [sql.SQL(changed[name]) if name in changed else sql.Identifier("old", name) for name in names]
    done = database.execute(
        sql.SQL("INSERT INTO {table} ({names}) SELECT {values} FROM {table} AS old {rest}").format(
            table=sql.Identifier(table),
            names=sql.SQL(", ").join(map(sql.Identifier, names)),
            values=sql.SQL(", ").join(values),
            rest=sql.SQL(rest),
        )
    )
    return done.rowcount


def _columns(database: Database, table: str) -> list[Any]:
    known = database.execute(
        "SELECT column_name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = %s"
        " AND is_generated = 'NEVER' ORDER BY ordinal_position",
        [table],
    )
    return [name for (name,) in known.fetchall()]


def put(
    database: Database, name: LiteralString, columns: LiteralString, rows: Sequence[Sequence[Any]]
) -> None:
    """A temporary table that holds these rows until the transaction ends: a pooler may lie in between."""
    database.execute(
        sql.SQL("CREATE TEMPORARY TABLE {} ({}) ON COMMIT DROP").format(
            sql.Identifier(name), sql.SQL(columns)
        )
    )
    with database.cursor().copy(sql.SQL("COPY pg_temp.{} FROM STDIN").format(sql.Identifier(name))) as copy:
        for row in rows:
            copy.write_row(row)
    database.execute(sql.SQL("ANALYZE pg_temp.{}").format(sql.Identifier(name)))


def trust(database: Database) -> None:
    """Have what is copied in this transaction not be looked up where it refers to, if we may."""
    with contextlib.suppress(psycopg.errors.InsufficientPrivilege), database.transaction():
        database.execute("SET LOCAL session_replication_role = replica")


def settle(database: Database) -> None:
    """Have done now what autovacuum would do in the middle of a measurement."""
    database.execute("VACUUM ANALYZE")
    with contextlib.suppress(psycopg.errors.InsufficientPrivilege):
        database.execute("CHECKPOINT")
