"""Connections that stay with their threads between requests: as many as may, and none that has ended."""

from collections.abc import Callable, Iterator
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

import pytest
from django.db import ProgrammingError, connection, transaction

from config import keeping
from config.straight import run
from tests.config.test_straight import end_backend

T = TypeVar("T")
WHO = "SELECT pg_backend_pid()"
LEFT = "INSERT INTO players_refusedname (word, form, whole, created_at) VALUES ('left', 'left', false, now())"


class Worker:
    """A thread that answers requests, one after the other."""

    def __init__(self) -> None:
        self._work: SimpleQueue[Callable[[], Any] | None] = SimpleQueue()
        self._told: SimpleQueue[Any] = SimpleQueue()
        self._thread = Thread(target=self._go_on)
        self._thread.start()

    def _go_on(self) -> None:
        while work := self._work.get():
            try:
                self._told.put(work())
            except Exception as fault:
                self._told.put(fault)
        connection.close()

    def request(self, work: Callable[[], T]) -> T:
        def whole() -> T:
            keeping.begin()
            try:
                return work()
            finally:
                keeping.end()

        return self.do(whole)

    def do(self, work: Callable[[], T]) -> T:
        self._work.put(work)
        told = self._told.get(timeout=30)
        if isinstance(told, Exception):
            raise told
        return told  # type: ignore[no-any-return]

    def end(self) -> None:
        self._work.put(None)
        self._thread.join()


@pytest.fixture
def worker(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], Worker]]:
    """Makes threads, of which one may keep its connection."""
    monkeypatch.setattr(keeping, "MOST", keeping._keepers + 1)
    monkeypatch.setattr(keeping, "idle", set())
    made: list[Worker] = []

    def make() -> Worker:
        made.append(Worker())
        return made[-1]

    yield make
    for each in made:
        each.end()


Make = Callable[[], Worker]


def who() -> int:
    """The process of PostgreSQL that answers this thread."""
    return int(run(WHO, []).get_value(0, 0) or 0)


def has_connection() -> bool:
    return connection.connection is not None


def test_a_connection_stays_for_the_next_request(worker: Make) -> None:
    one = worker()
    first = one.request(who)
    assert one.do(has_connection)
    assert one.request(who) == first


def test_who_may_not_keep_one_gives_it_back(worker: Make) -> None:
    keeper, other = worker(), worker()
    kept = keeper.request(who)
    assert other.request(who) != kept
    assert not other.do(has_connection)
    assert keeper.do(has_connection)


def test_a_thread_with_little_to_do_leaves_the_place_to_another(worker: Make) -> None:
    seldom, other = worker(), worker()
    seldom.do(keeping.keep_none)
    seldom.request(who)
    assert not seldom.do(has_connection)
    other.request(who)
    assert other.do(has_connection)


def test_one_that_ended_between_requests_is_met_by_nobody(worker: Make) -> None:
    one, other = worker(), worker()
    first = one.request(who)
    end_backend(first)
    assert one.request(who) != first
    assert other.request(who) != first


def test_an_old_one_goes_back_to_the_pool(worker: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "KEPT_SECONDS", 0.0)
    one = worker()
    one.request(who)
    one.do(keeping.begin)
    assert not one.do(has_connection)


def test_after_an_error_it_is_not_kept(worker: Make) -> None:
    one = worker()
    with pytest.raises(ProgrammingError):
        one.request(lambda: run("SELECT nothing", []))
    assert not one.do(has_connection)
    one.request(who)
    assert one.do(has_connection)


def test_what_a_request_left_open_is_undone(worker: Make) -> None:
    def leave_open() -> None:
        transaction.set_autocommit(False)
        with connection.cursor() as cursor:
            cursor.execute(LEFT)

    one = worker()
    one.request(leave_open)
    assert not one.do(has_connection)
    assert one.request(lambda: run("SELECT FROM players_refusedname", []).ntuples) == 0


def test_which_threads_wait_with_a_connection_is_known(worker: Make) -> None:
    one = worker()
    assert one.request(lambda: (who(), len(keeping.idle))[1]) == 0
    assert len(keeping.idle) == 1
    assert one.request(lambda: len(keeping.idle)) == 0


@pytest.mark.parametrize(
    ("pool", "threads", "kept"), [(20, 16, 10), (8, 4, 4), (16, 16, 8), (15, 16, 0), (2, 16, 0), (1, 1, 0)]
)
def test_of_a_pool_that_is_too_small_for_all_threads_nothing_is_kept(
    pool: int, threads: int, kept: int
) -> None:
    assert keeping.most(pool, threads) == kept
