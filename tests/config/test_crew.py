"""Threads that work for an event loop: at most so many, each task to its end, whoever waits for it."""

import asyncio
import threading
from typing import Any

import pytest

from config.crew import Crew

SECONDS = 20


def name() -> str:
    return threading.current_thread().name


class Held:
    """Work that waits until it is let go."""

    def __init__(self) -> None:
        self.gate, self.done = threading.Event(), threading.Event()

    def work(self) -> str:
        self.gate.wait(SECONDS)
        self.done.set()
        return name()


def test_what_came_of_the_work_is_told() -> None:
    async def run() -> list[Any]:
        crew = Crew(2, "crew")
        return [await crew.run(divmod, 7, 2), await crew.run(name)]

    assert asyncio.run(run()) == [(3, 1), "crew_0"]


def test_what_it_raises_is_raised_and_the_thread_goes_on() -> None:
    async def run() -> str:
        crew = Crew(1, "crew")
        for fault in (ZeroDivisionError, SystemExit):
            with pytest.raises(fault):
                await crew.run(fail, fault)
        return await crew.run(name)

    assert asyncio.run(run()) == "crew_0"


def fail(fault: type[BaseException]) -> None:
    raise fault


def test_there_are_no_more_threads_than_needed_nor_than_allowed() -> None:
    async def run() -> tuple[set[str], set[str]]:
        crew, one_by_one = Crew(3, "crew"), set()
        for _ in range(5):
            one_by_one.add(await crew.run(name))
        held = Held()
        at_once = asyncio.gather(*(crew.run(held.work) for _ in range(7)))
        await asyncio.sleep(0)
        held.gate.set()
        return one_by_one, set(await at_once)

    one_by_one, at_once = asyncio.run(run())
    assert one_by_one == {"crew_0"}
    assert at_once <= {"crew_0", "crew_1", "crew_2"}


def no_more_threads(thread: threading.Thread) -> None:
    raise RuntimeError("can't start new thread")


def test_a_thread_that_could_not_be_begun_is_begun_by_the_next_task(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> str:
        crew = Crew(1, "crew")
        with monkeypatch.context() as full:
            full.setattr(threading.Thread, "start", no_more_threads)
            with pytest.raises(RuntimeError):
                await crew.run(name)
        told = await asyncio.wait_for(crew.run(name), SECONDS)
        crew.end(SECONDS)
        return told

    assert asyncio.run(run()) == "crew_0"


def test_where_there_can_be_no_more_threads_those_that_there_are_do_the_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def run() -> list[str]:
        crew = Crew(2, "crew")
        await crew.run(name)
        monkeypatch.setattr(threading.Thread, "start", no_more_threads)
        return list(await asyncio.gather(crew.run(name), crew.run(name)))

    assert asyncio.run(run()) == ["crew_0", "crew_0"]


def test_each_thread_begins_with_what_it_is_to_do_first() -> None:
    async def run() -> list[str]:
        begun: list[str] = []
        crew = Crew(1, "crew", lambda: begun.append(name()))
        for _ in range(2):
            await crew.run(name)
        return begun

    assert asyncio.run(run()) == ["crew_0"]


def test_work_that_nobody_waits_for_any_more_is_done_to_its_end() -> None:
    async def run() -> tuple[bool, str]:
        crew, held = Crew(1, "crew"), Held()
        waiting = asyncio.create_task(crew.run(held.work))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        held.gate.set()
        return await asyncio.to_thread(held.done.wait, SECONDS), await crew.run(name)

    assert asyncio.run(run()) == (True, "crew_0")


def test_the_end_waits_for_what_was_begun_but_not_for_ever() -> None:
    async def run() -> list[bool]:
        crew, held = Crew(2, "crew"), Held()
        waiting = asyncio.create_task(crew.run(held.work))
        await asyncio.sleep(0)
        crew.end(0.05)
        before = held.done.is_set()
        held.gate.set()
        crew.end(SECONDS)
        waiting.cancel()
        return [before, held.done.is_set()]

    assert asyncio.run(run()) == [False, True]


def test_a_loop_that_is_gone_is_told_nothing() -> None:
    crew, held = Crew(1, "crew"), Held()

    async def begin() -> None:
        asyncio.create_task(crew.run(held.work))  # noqa: RUF006  # it is given up on purpose
        await asyncio.sleep(0)

    asyncio.run(begin())
    held.gate.set()
    assert held.done.wait(SECONDS)
    crew.end(SECONDS)
