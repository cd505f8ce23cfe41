"""Statements that are written out, given to psycopg without the wrapping of Django's cursors."""

from collections.abc import Sequence
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections


def run(statement: str, values: Sequence[Any]) -> Any:
    """The cursor on which a statement has run, on this thread's connection and in its transaction.

    Django wraps a cursor and each of its calls several times over, which is as dear as half the statement.
    Whoever wants to see what is asked, a test or a debugger, still does. Raises Django's database errors.
    """
    database: Any = connections[DEFAULT_DB_ALIAS]
    if database.execute_wrappers or database.queries_logged:
        cursor = database.cursor()
        cursor.execute(statement, values)
        return cursor
    database.validate_no_broken_transaction()
    with database.wrap_database_errors:
        if database.connection is None:
            database.connect()
        return database.connection.execute(statement, values)
