"""Where a benchmark runs: PostgreSQL and Valkey, and a database that is thrown away."""

import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from bench.processes import parent_of
from config.embedded.folder import Folder
from config.embedded.supervisor import Requests, Supervisor
from config.run import services

NAME = "boneyard_bench"
# Nothing here is to be held up by what protects a server from its clients.
LIMITS = {
    "ENTRIES_PER_MINUTE": "1000000",
    "STREAMS_PER_PLAYER": "100000",
    "STREAMS_PER_ADDRESS": "100000",
    "LOG_LEVEL": "WARNING",
    "DJANGO_SETTINGS_MODULE": "config.settings",
}


@contextmanager
def place(*, fsync: bool = True) -> Iterator[str]:
    """A migrated database of its own, by its URL; the environment and Django are set up for it.

    It is on the PostgreSQL of DATABASE_URL, else on one that is started for it and keeps every commit as
    `make run` does: a limit that is measured without that would be none of practice. Without `fsync` it keeps
    none, which takes a disk that others use too out of the figures. Who ends the run by SIGTERM ends all that
    was started for it.
    """
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    with tempfile.TemporaryDirectory(prefix="boneyard-", ignore_cleanup_errors=True) as name:
        Path(name).chmod(0o711)  # for PostgreSQL's own user, should we be root
        with Supervisor(Folder(Path(name)), Requests()) as supervisor:
            urls = services(supervisor, os.environ, scratch=not fsync)
            with _database(urls["DATABASE_URL"], NAME) as database:
                os.environ.update({**LIMITS, **urls, "DATABASE_URL": database})
                _migrate()
                yield database


@contextmanager
def another(database: str, name: str) -> Iterator[str]:
    """Another migrated database at the same server, empty: to compare with, or to fill."""
    with _database(database, f"{NAME}_{name}") as url:
        with working_in(url):
            _migrate()
        yield url


@contextmanager
def working_in(database: str) -> Iterator[None]:
    """Have this process's Django work in another database of the same server for a while."""
    from django.db import connection

    before = str(connection.settings_dict["NAME"])
    _turn_to(str(conninfo_to_dict(database)["dbname"]))
    try:
        yield
    finally:
        _turn_to(before)


def _turn_to(name: str) -> None:
    from django.db import connection

    connection.close()
    connection.close_pool()  # type: ignore[attr-defined]  # PostgreSQL's backend has it
    connection.settings_dict["NAME"] = name


@contextmanager
def _database(url: str, name: str) -> Iterator[str]:
    drop = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(drop)
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            yield make_conninfo(url, dbname=name)
        finally:
            connection.execute(drop)


def _migrate() -> None:
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)


def postmaster(database: str) -> int | None:
    """The process above all of PostgreSQL's, if it runs on this machine and may be looked at."""
    with psycopg.connect(database) as connection:
        row = connection.execute("SELECT pg_backend_pid()").fetchone()
        assert row is not None
        try:
            name = Path(f"/proc/{row[0]}/comm").read_text()
        except OSError:
            return None
        return parent_of(row[0]) if name.startswith("postgres") else None
