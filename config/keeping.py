"""A database connection that stays with its thread from one request to the next.

To take it from the pool and give it back, or to connect to a pooler, costs a move as much as a statement
does. So the first threads keep theirs, and the others share at least half of what the pool may hold; where
it holds less than there are threads, nobody keeps one, for what is kept by who has nothing to do is missed.
"""

import select
import threading
import time
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.db import close_old_connections
from psycopg.pq import TransactionStatus

from config.straight import own


def most(pool: int, threads: int) -> int:
    """How many threads may keep one."""
    return pool // 2 if pool >= threads else 0


MOST = most(settings.DATABASE_POOL_SIZE, settings.WEB_THREADS)
# Then it goes back once, so that the pool renews it in its turn.
KEPT_SECONDS = 600.0


@dataclass(slots=True, eq=False)
class Kept:
    """A connection, until when it is kept, and a look at whether the server has said anything unasked."""

    connection: Any
    until: float
    poll: Any = field(default_factory=select.poll)

    def __post_init__(self) -> None:
        self.poll.register(self.connection.fileno(), select.POLLIN)

    @property
    def has_ended(self) -> bool:
        """Between requests a server only says that it ends, or why."""
        return bool(self.poll.poll(0))


class _Thread(threading.local):
    """What this thread has, and whether it is one of those that may keep it."""

    kept: Kept | None = None
    is_keeper: bool | None = None


_thread = _Thread()
_choosing = threading.Lock()
_keepers = 0
# The threads that keep a connection while they have no request.
idle: set[int] = set()


def begin() -> None:
    """Before a request: let go of a connection that has ended since, or is old, so that nobody meets it."""
    kept = _thread.kept
    if kept is None:
        return
    idle.discard(threading.get_ident())
    database = own()
    if database.connection is not kept.connection:
        _thread.kept = None
    elif kept.has_ended or time.monotonic() > kept.until:
        _thread.kept = None
        if kept.has_ended:
            kept.connection.close()  # or the pool would hand it to somebody else
        database.close()


def end() -> None:
    """After a request: keep its connection for the next, or give it back."""
    database = own()
    if database.connection is None:
        return
    if not _is_keeper() or not _is_fine(database):
        _thread.kept = None
        close_old_connections()
        return
    if _thread.kept is None or _thread.kept.connection is not database.connection:
        _thread.kept = Kept(database.connection, time.monotonic() + KEPT_SECONDS)
    idle.add(threading.get_ident())


def keep_none() -> None:
    """This thread has too little to do for a connection of its own."""
    _thread.is_keeper = False


def _is_keeper() -> bool:
    global _keepers
    if _thread.is_keeper is None:
        with _choosing:
            _thread.is_keeper = _keepers < MOST
            _keepers += _thread.is_keeper
    return _thread.is_keeper


def _is_fine(database: Any) -> bool:
    """Whether nothing happened to the connection, and nothing is left open on it."""
    status = database.connection.pgconn.transaction_status
    autocommit = database.get_autocommit() == database.settings_dict["AUTOCOMMIT"]
    return status == TransactionStatus.IDLE and autocommit and not database.errors_occurred
