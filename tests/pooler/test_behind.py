"""What `make test-pooler` puts between the tests and PostgreSQL is there, and does what it is there for."""

from typing import LiteralString

import psycopg
import pytest
from django.conf import settings
from django.db import connection, transaction

from tests.live.servers import database_url

pytestmark = pytest.mark.django_db(transaction=True)

TRANSACTIONS = 8


def backend() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


def test_the_settings_know_of_the_pooler() -> None:
    assert settings.DATABASE_POOLER == "transaction"
    assert connection.settings_dict["OPTIONS"]["prepare_threshold"] is None


def test_one_transaction_after_the_other_meets_another_connection() -> None:
    assert len({backend() for _ in range(TRANSACTIONS)}) > 1


def test_a_transaction_stays_where_it_is() -> None:
    with transaction.atomic():
        assert len({backend() for _ in range(TRANSACTIONS)}) == 1


def test_what_is_prepared_in_one_transaction_is_not_there_in_the_next() -> None:
    with psycopg.connect(database_url(), autocommit=True) as database:
        database.execute("PREPARE looked AS SELECT 1")
        found = [knows(database, "EXECUTE looked") for _ in range(TRANSACTIONS)]
    assert False in found


def knows(database: psycopg.Connection, statement: LiteralString) -> bool:
    try:
        database.execute(statement)
    except psycopg.errors.InvalidSqlStatementName:
        return False
    return True
