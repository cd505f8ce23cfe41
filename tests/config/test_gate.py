"""Few requests at once while they want the processor, more where they wait, and nobody is forgotten."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from config import gate
from config.gate import LEAST, Gate

Work = Callable[[], Awaitable[float]]


class Crowd:
    """Requests at once through a gate, each of which works and says how long it used the processor."""

    def __init__(self, gate: Gate, work: Work) -> None:
        self._gate, self._work = gate, work
        self.order: list[int] = []
        self.inside = self.most = 0

    async def visit(self, number: int) -> None:
        mine = await self._gate.enter()
        self.order.append(number)
        self.inside += 1
        self.most = max(self.most, self.inside)
        try:
            mine.cpu = await self._work()
        finally:
            self.inside -= 1
            self._gate.leave(mine)

    async def come(self, count: int) -> None:
        await asyncio.gather(*(self.visit(number) for number in range(count)))


async def brief() -> float:
    await asyncio.sleep(0)
    return 0.0


class Clock:
    """The time of a machine on which nothing else runs."""

    def __init__(self) -> None:
        self.now = 0.0

    def perf_counter(self) -> float:
        return self.now

    def thread_time(self) -> float:
        """The event loop itself uses none."""
        return 0.0

    async def busy(self) -> float:
        """Work that needs the processor."""
        await asyncio.sleep(0)
        self.now += 0.004
        return 0.004

    async def waiting(self) -> float:
        """Work that waits for a database far away."""
        await asyncio.sleep(0)
        self.now += 0.004
        return 0.001


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The gate's clock; nothing stalls by it."""
    made = Clock()
    monkeypatch.setattr(gate, "time", made)
    monkeypatch.setattr(gate, "STALLED_SECONDS", 60.0)
    return made


def test_few_are_inside_at_once_and_all_get_in_by_their_order(clock: Clock) -> None:
    crowd = Crowd(Gate(LEAST, 16), clock.busy)
    asyncio.run(crowd.come(40))
    assert crowd.order == sorted(crowd.order)
    assert len(crowd.order) == 40
    assert crowd.most == LEAST


def test_there_are_never_more_than_threads(clock: Clock) -> None:
    crowd = Crowd(Gate(LEAST, 1), clock.busy)
    asyncio.run(crowd.come(5))
    assert (crowd.most, len(crowd.order)) == (1, 5)


def test_where_requests_wait_more_are_let_in(clock: Clock) -> None:
    door = Gate(LEAST, 6)
    crowd = Crowd(door, clock.waiting)
    asyncio.run(crowd.come(400))
    assert (door.width, crowd.most) == (6, 6)


def test_when_the_processor_is_used_up_it_narrows_again(clock: Clock) -> None:
    door = Gate(LEAST, 6)

    async def run() -> list[int]:
        widths = []
        for work in (clock.waiting, clock.busy):
            await Crowd(door, work).come(400)
            widths.append(door.width)
        return widths

    assert asyncio.run(run()) == [6, LEAST]


def test_one_that_waits_for_long_holds_up_nobody() -> None:
    door = Gate(LEAST, 4)

    async def run() -> list[int]:
        never = asyncio.Event()

        async def stuck() -> float:
            await never.wait()
            return 0.0

        locked, others = Crowd(door, stuck), Crowd(door, brief)
        stalled = asyncio.gather(locked.visit(0), locked.visit(1))
        await asyncio.sleep(0)
        await asyncio.wait_for(others.come(6), 20)
        never.set()
        await stalled
        return others.order

    assert asyncio.run(run()) == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("is_let_in", [False, True])
def test_one_that_is_cancelled_leaves_its_place_to_the_next(is_let_in: bool) -> None:
    door = Gate(1, 1)

    async def run() -> int:
        first = await door.enter()
        gone, next_ = asyncio.create_task(door.enter()), asyncio.create_task(door.enter())
        await asyncio.sleep(0)
        if is_let_in:
            # Its turn has come, and it has not noticed yet.
            door.leave(first)
            gone.cancel()
        else:
            gone.cancel()
            await asyncio.sleep(0)
            door.leave(first)
        door.leave(await asyncio.wait_for(next_, 20))
        crowd = Crowd(door, brief)
        await crowd.come(3)
        return crowd.most

    assert asyncio.run(run()) == 1


def test_one_whose_work_fails_leaves_all_the_same() -> None:
    async def fail() -> float:
        raise ZeroDivisionError

    door = Gate(1, 1)
    with pytest.raises(ZeroDivisionError):
        asyncio.run(Crowd(door, fail).come(1))
    crowd = Crowd(door, brief)
    asyncio.run(crowd.come(2))
    assert crowd.order == [0, 1]
