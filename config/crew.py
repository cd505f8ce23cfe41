"""Threads that work off what an event loop hands them, and tell it what came of it.

What the standard library's pool does besides, for those who wait in other threads, or give up what has not
begun, costs as much as the rules of a move.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

T = TypeVar("T")


@dataclass(slots=True)
class Task:
    """Some work, and where its end is awaited."""

    work: Callable[..., Any]
    given: tuple[Any, ...]
    loop: asyncio.AbstractEventLoop
    turn: "asyncio.Future[Any]"


class Crew:
    """At most so many threads, begun when they are needed. Belongs to one event loop.

    Each calls `first` before it does anything else.
    """

    def __init__(self, most: int, name: str, first: Callable[[], None] | None = None) -> None:
        self._most, self._name, self._first = most, name, first
        self._tasks: SimpleQueue[Task | None] = SimpleQueue()
        self._threads: list[Thread] = []
        self._unfinished = 0

    async def run(self, work: Callable[..., T], *given: Any) -> T:
        """Call `work` in one of the threads. It is done to its end, whether or not anybody still waits.

        Raises what it raises.
        """
        loop = asyncio.get_running_loop()
        turn: asyncio.Future[T] = loop.create_future()
        if len(self._threads) < min(self._unfinished + 1, self._most):
            self._begin()
        self._unfinished += 1
        self._tasks.put(Task(work, given, loop, turn))
        return await turn

    def _begin(self) -> None:
        # A daemon, or a process whose end does not wait for requests would never end.
        thread = Thread(target=self._work, name=f"{self._name}_{len(self._threads)}", daemon=True)
        try:
            thread.start()
        except RuntimeError:
            # The system has no more of them just now. Those that there are do the work, if there are any.
            if not self._threads:
                raise
        else:
            self._threads.append(thread)

    def _work(self) -> None:
        if self._first is not None:
            self._first()
        while task := self._tasks.get():
            result, fault = None, None
            try:
                result = task.work(*task.given)
            except BaseException as error:  # whatever it was, it is for who waits
                fault = error
            # There may be no loop any more, and then nobody who waits.
            with suppress(RuntimeError):
                task.loop.call_soon_threadsafe(self._tell, task.turn, result, fault)
            del task, result, fault  # so that nothing is kept until there is something to do again

    def _tell(self, turn: "asyncio.Future[Any]", result: Any, fault: BaseException | None) -> None:
        self._unfinished -= 1
        if turn.done():  # nobody waits any more
            return
        if fault is None:
            turn.set_result(result)
        else:
            turn.set_exception(fault)

    def end(self, seconds: float) -> None:
        """Let the threads do what they have begun, and wait so long for them at most."""
        until = time.monotonic() + seconds
        for _ in self._threads:
            self._tasks.put(None)
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()))
