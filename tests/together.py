"""Things done at the same instant, each in a thread with a connection of its own."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

from django.db import connections

T = TypeVar("T")


def together(*acts: Callable[[], T]) -> list[T]:
    """What each act gave, in their order; the first error of any is raised."""
    barrier = Barrier(len(acts))

    def run(act: Callable[[], T]) -> T:
        try:
            barrier.wait(10)
            return act()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))
