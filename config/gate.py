"""How many requests are worked on at once: few while they want the processor, more where they wait.

Python runs one thread at a time, and each question to the database passes that right on. With many threads
whoever comes back queues for it again, many times in a move: on two cores 16 threads took a fifth more
processor time for a move than two, and made a fifth fewer of them (docs/operators.md).
"""

import asyncio
import time
from collections import deque
from dataclasses import dataclass, field

LEAST = 2
# What takes longer waits for something, a locked table for example, and does not count any more.
STALLED_SECONDS = 0.01
# How often the number is looked at, while there is always somebody who waits to be let in.
LOOK_SECONDS = 0.1
# Of one processor's time: with less in use there is room for another request, with more for one less.
IDLE, BUSY = 0.7, 0.8


@dataclass(slots=True, eq=False)
class Pass:
    """A request that was let in, and the processor's time that it took, in seconds."""

    cpu: float = 0.0


@dataclass(slots=True)
class Gate:
    """Lets requests in, in their order: `least` at once, up to `most` where the processor is not all in use.

    Belongs to one event loop.
    """

    least: int
    most: int
    # How many are let in at once just now.
    width: int = 0
    # Those that count, the oldest first, and since when.
    _inside: dict[Pass, float] = field(default_factory=dict)
    _outside: deque[tuple[Pass, asyncio.Future[None]]] = field(default_factory=deque)
    _alarm: asyncio.TimerHandle | None = None
    # Since when somebody has been waiting, or since the last look; and the processor's time since then.
    _since: float = 0.0
    _cpu: float = 0.0
    _loop_cpu: float = 0.0

    def __post_init__(self) -> None:
        self.width = self.least = min(self.least, self.most)

    async def enter(self) -> Pass:
        """Wait until it is one's turn. Whoever has entered leaves, whatever happens."""
        mine = Pass()
        if not self._outside and len(self._inside) < self.width:
            self._inside[mine] = time.perf_counter()
            return mine
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if not self._outside:
            self._begin()
        self._outside.append((mine, turn))
        self._set_alarm()
        try:
            await turn
        except asyncio.CancelledError:
            self.leave(mine)
            raise
        return mine

    def leave(self, mine: Pass) -> None:
        self._inside.pop(mine, None)
        self._cpu += mine.cpu
        if self._outside:
            self._look()
            self._let_in()

    def _let_in(self) -> None:
        while self._outside and len(self._inside) < self.width:
            mine, turn = self._outside.popleft()
            if not turn.done():
                self._inside[mine] = time.perf_counter()
                turn.set_result(None)
        self._set_alarm()

    def _set_alarm(self) -> None:
        """While others wait, the oldest inside is looked at when it must have stalled."""
        if self._outside and self._alarm is None:
            oldest = next(iter(self._inside.values()))
            left = max(0.0, oldest + STALLED_SECONDS - time.perf_counter())
            self._alarm = asyncio.get_running_loop().call_later(left, self._pass_over)

    def _pass_over(self) -> None:
        self._alarm = None
        over = time.perf_counter() - STALLED_SECONDS
        for mine in [mine for mine, since in self._inside.items() if since <= over]:
            del self._inside[mine]
        self._let_in()

    def _begin(self) -> None:
        self._since, self._cpu, self._loop_cpu = time.perf_counter(), 0.0, time.thread_time()

    def _look(self) -> None:
        """Set the number by how much of a processor was in use while somebody had to wait."""
        span = time.perf_counter() - self._since
        if span < LOOK_SECONDS:
            return
        share = (self._cpu + time.thread_time() - self._loop_cpu) / span
        if share < IDLE:
            self.width = min(self.width + 1, self.most)
        elif share > BUSY:
            self.width = max(self.width - 1, self.least)
        self._begin()
