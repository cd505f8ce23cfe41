"""Statements that are written out, given to libpq without the wrapping of Django and psycopg.

Both are made for any statement and any value. Here values go out as text and rows come back as text, which
leaves of a question to the database little more than the waiting: a sixth of the processor time.
"""

from collections.abc import Sequence
from functools import cache
from itertools import count
from threading import local
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

from django.db import DEFAULT_DB_ALIAS, connections
from psycopg.errors import DataError, InvalidSqlStatementName, OperationalError, error_from_result
from psycopg.pq import ConnStatus, ExecStatus, TransactionStatus
from psycopg.pq.abc import PGconn, PGresult

Texts: TypeAlias = Sequence[bytes | None]

# As often a statement is asked before PostgreSQL is to keep it ready. There is no limit to how many are kept,
# since what is written out makes few that differ.
PREPARED_AFTER = 5
FINE = (ExecStatus.TUPLES_OK, ExecStatus.COMMAND_OK)

# What each connection has been asked: how often, or by which name it is prepared.
_asked: "WeakKeyDictionary[Any, dict[str, int | bytes]]" = WeakKeyDictionary()


class _Thread(local):
    """What belongs to this thread; to ask Django for its database is a third of what there is to do here."""

    def __init__(self) -> None:
        self.database: Any = connections[DEFAULT_DB_ALIAS]


_thread = _Thread()


def own() -> Any:
    """This thread's database, as Django has it."""
    return _thread.database


def run(statement: str, texts: Texts) -> PGresult:
    """What a statement leads to, on this thread's connection and in its transaction.

    There is a text for each `%s`, as PostgreSQL reads values, or None for null; the statement must tell its
    type where PostgreSQL can't infer it. Raises Django's database errors; DataError for a NUL, at which
    libpq would take a text to end.
    """
    database = _thread.database
    database.validate_no_broken_transaction()
    with database.wrap_database_errors:
        if b"\0" in b"".join(filter(None, texts)):
            raise DataError("a text holds NUL")
        if database.connection is None:
            database.connect()
        if _is_wrapped(database):
            return _by_cursor(database, statement, texts)
        return _ran(database.connection, statement, texts)


def _is_wrapped(database: Any) -> bool:
    """Whether somebody wants to see what is asked, or a transaction is to be kept, which psycopg does.

    In a transaction a statement that is not prepared any more could not be asked again.
    """
    if database.execute_wrappers or database.force_debug_cursor:
        return True
    connection = database.connection
    return not connection.autocommit or connection.pgconn.transaction_status != TransactionStatus.IDLE


def _by_cursor(database: Any, statement: str, texts: Texts) -> PGresult:
    with database.cursor() as cursor:
        cursor.execute(statement, [None if text is None else text.decode() for text in texts])
        found: PGresult = cursor.pgresult
        return found


def _ran(connection: Any, statement: str, texts: Texts) -> PGresult:
    try:
        return _given(connection, statement, texts)
    except InvalidSqlStatementName:
        # psycopg has PostgreSQL forget all that is prepared after a rollback: nothing was done yet. What was
        # prepared since is still there, so each statement finds out for itself.
        del _asked[connection][statement]
        return _given(connection, statement, texts)


def _given(connection: Any, statement: str, texts: Texts) -> PGresult:
    server: PGconn = connection.pgconn
    asked = _asked.get(connection)
    if asked is None:
        asked = _asked[connection] = {}
    known = asked.get(statement, 0)
    if isinstance(known, bytes):
        return _checked(server, server.exec_prepared(known, texts))  # type: ignore[arg-type]  # None is null here too
    # Behind a pooler, what is prepared on one connection is unknown on the next.
    if connection.prepare_threshold is not None:
        asked[statement] = known + 1
        if known + 1 == PREPARED_AFTER:
            _checked(server, server.prepare(_name(statement), _numbered(statement)))
            asked[statement] = _name(statement)
    return _checked(server, server.exec_params(_numbered(statement), texts))


def _checked(server: PGconn, result: PGresult) -> PGresult:
    if result.status in FINE:
        return result
    if server.status != ConnStatus.OK:
        raise OperationalError("the connection was lost")
    raise error_from_result(result)


@cache
def _numbered(statement: str) -> bytes:
    """With `$1`, `$2` and so on, as PostgreSQL has them."""
    first, *rest = statement.split("%s")
    return "".join([first, *(f"${number}{part}" for number, part in enumerate(rest, 1))]).encode()


_numbers = count(1)


@cache
def _name(statement: str) -> bytes:
    return b"straight_%d" % next(_numbers)
