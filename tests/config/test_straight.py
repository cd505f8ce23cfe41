"""Statements that are written out, as libpq gets them: real connections, transactions, and faults."""

from contextlib import suppress

import psycopg
import pytest
from django.db import DataError, OperationalError, connection, connections, transaction
from django.test.utils import CaptureQueriesContext

from config.straight import PREPARED_AFTER, own, run
from tests.live.servers import database_url

ASK = "SELECT %s::text, %s::int + 1, %s::bool"
COUNT = "SELECT count(*) FROM players_refusedname WHERE word = %s"
PREPARED = "SELECT count(*) FROM pg_prepared_statements WHERE name LIKE 'straight%'"
PUT = """
INSERT INTO players_refusedname (word, form, whole, created_at) VALUES (%s, %s, false, now())
ON CONFLICT DO NOTHING
"""


def values(statement: str, *texts: bytes | None) -> list[bytes | None]:
    found = run(statement, texts)
    return [found.get_value(0, column) for column in range(found.nfields)]


def prepared() -> int:
    with connection.cursor() as cursor:
        cursor.execute(PREPARED)
        return int(cursor.fetchone()[0])


def often(statement: str, *texts: bytes | None) -> None:
    for _ in range(PREPARED_AFTER):
        run(statement, texts)


def names_of_psycopg() -> None:
    """Have psycopg prepare something of its own: only then a rollback ends what is prepared."""
    for _ in range(8):
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 + %s::int", [1])


def put_and_undo() -> None:
    with suppress(ZeroDivisionError), transaction.atomic():
        run(PUT, [b"undone", b"undone"])
        assert values(COUNT, b"undone") == [b"1"]
        raise ZeroDivisionError


@pytest.fixture(autouse=True)
def fresh(transactional_db: None) -> None:
    """A connection on which nothing has been prepared."""
    connection.close()
    connection.close_pool()  # type: ignore[attr-defined]  # PostgreSQL's backend has it


@pytest.mark.parametrize("times", [1, 2 * PREPARED_AFTER])
def test_texts_go_out_and_come_back(times: int) -> None:
    for _ in range(times):
        assert values(ASK, "Zoë 🎲 'x' %s $1".encode(), b"41", b"true") == [
            "Zoë 🎲 'x' %s $1".encode(),
            b"42",
            b"t",
        ]
        assert values(ASK, None, b"-1", None) == [None, b"0", None]


def test_what_is_asked_often_is_prepared_once() -> None:
    run(ASK, [b"a", b"1", b"f"])
    assert prepared() == 0
    often(ASK, b"a", b"1", b"f")
    often(ASK, b"b", b"2", b"t")
    assert prepared() == 1


def test_behind_a_pooler_nothing_is_prepared(monkeypatch: pytest.MonkeyPatch) -> None:
    connection.ensure_connection()
    monkeypatch.setattr(connection.connection, "prepare_threshold", None)
    often(ASK, b"a", b"1", b"f")
    often(ASK, b"a", b"1", b"f")
    assert prepared() == 0


def test_what_a_rollback_made_postgresql_forget_is_prepared_anew() -> None:
    often(ASK, b"a", b"1", b"f")
    names_of_psycopg()
    put_and_undo()
    assert prepared() == 0
    # One of them is prepared after the rollback, before the other finds out.
    often(COUNT, b"x")
    assert prepared() == 1
    often(ASK, b"a", b"1", b"f")
    often(ASK, b"a", b"1", b"f")
    often(COUNT, b"x")
    assert values(ASK, b"a", b"1", b"f") == [b"a", b"2", b"f"]
    assert prepared() == 2


def test_in_a_transaction_it_is_undone_with_it() -> None:
    often(PUT, b"before", b"before")
    put_and_undo()
    assert values(COUNT, b"undone") == [b"0"]
    assert values(COUNT, b"before") == [b"1"]


def test_how_many_rows_were_written_is_told() -> None:
    assert run(PUT, [b"once", b"once"]).command_tuples == 1
    assert run(PUT, [b"once", b"once"]).command_tuples == 0


def test_whoever_looks_at_queries_sees_it() -> None:
    with CaptureQueriesContext(connection) as queries:
        assert values(ASK, b"a", b"1", None) == [b"a", b"2", None]
    assert len(queries) == 1


def test_a_text_with_a_nul_is_refused_and_not_cut_off() -> None:
    with pytest.raises(DataError):
        run(ASK, [b"cut\0off", b"1", b"f"])
    assert values(ASK, b"a", b"1", b"f") == [b"a", b"2", b"f"]


@pytest.mark.parametrize("times", [1, 2 * PREPARED_AFTER])
def test_what_postgresql_refuses_is_an_error_of_django_s(times: int) -> None:
    for _ in range(times):
        with pytest.raises(DataError, match="invalid input syntax"):
            run(ASK, [b"a", b"no number", b"f"])
    assert values(ASK, b"a", b"1", b"f") == [b"a", b"2", b"f"]


@pytest.mark.parametrize("times", [0, PREPARED_AFTER])
def test_a_lost_connection_is_one_more_error_and_then_a_new_connection(times: int) -> None:
    connection.ensure_connection()
    for _ in range(times):
        run(ASK, [b"a", b"1", b"f"])
    end_backend(connection.connection.info.backend_pid)
    with pytest.raises(OperationalError):
        run(ASK, [b"a", b"1", b"f"])
    connection.close_if_unusable_or_obsolete()
    assert values(ASK, b"a", b"1", b"f") == [b"a", b"2", b"f"]


def end_backend(pid: int) -> None:
    """Have PostgreSQL end a connection, as it does when it stops."""
    with psycopg.connect(database_url(), autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])


def test_a_thread_s_own_database_is_django_s() -> None:
    assert own() is connections["default"]
