"""A migration of the tables that every move writes, while moves are made."""

import time
from collections.abc import Iterator
from threading import Thread

import pytest
from django.core.management import call_command
from django.db import connection, connections, transaction

pytestmark = pytest.mark.django_db(transaction=True)

BEFORE, UNCHECKED = "0010_report_lists", "0011_write_unchecked"
WAITING = "SELECT count(*) FROM pg_locks WHERE NOT granted"


@pytest.fixture
def earlier() -> Iterator[None]:
    """The database of a server before that migration."""
    call_command("migrate", "games", BEFORE, verbosity=0)
    yield
    call_command("migrate", "games", verbosity=0)


def migrate() -> None:
    try:
        call_command("migrate", "games", UNCHECKED, verbosity=0)
    finally:
        connections.close_all()


def test_a_move_that_holds_its_table_and_the_migration_do_not_wait_in_a_circle(earlier: None) -> None:
    """PostgreSQL would end one of them after a second: the migration, or the move."""
    work = Thread(target=migrate)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT id FROM games_table FOR NO KEY UPDATE")
        work.start()
        until = time.monotonic() + 60
        cursor.execute(WAITING)
        while cursor.fetchone() == (0,) and time.monotonic() < until:
            time.sleep(0.01)
            cursor.execute(WAITING)
        for table in ("games_move", "games_event"):
            # Nobody holds what a move writes next.
            cursor.execute(f"LOCK TABLE {table} IN ROW EXCLUSIVE MODE NOWAIT")
    work.join(60)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_constraint WHERE contype = 'f' AND conrelid IN"
            " ('games_move'::regclass, 'games_event'::regclass)"
        )
        assert cursor.fetchone() == (0,)
