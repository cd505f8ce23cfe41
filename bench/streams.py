"""Streams: memory for each open one, and the time from commit to the last watcher, beside a bare program.

`make bench-streams`, or `python -m bench.streams [--idle 2000] [--watchers 1000] [--rounds 30]`.
Both programs run under uvicorn, one after the other in the same run, and send messages of the same size to
the same clients.
"""

import argparse
import asyncio
import resource
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from bench.figures import quantile
from bench.load import HOST, request
from bench.marks import Bare, Marks, Ours
from bench.place import place
from bench.run import Line, Run
from bench.web import Starting, Web, as_run, bare, serving

SETTLE_SECONDS = 2
PATIENCE = 30
WARM = 50  # streams that are open before memory is looked at
STRETCHES = 5
PEER = "the bare program"


class Watcher(asyncio.Protocol):
    """One client: notes when something last arrived, and how much in all."""

    def __init__(self, opening: bytes) -> None:
        self.opening = opening
        self.at = 0.0
        self.seen = 0
        self.mark = b""
        self.found = asyncio.Event()
        self._tail = b""

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        self.transport.write(self.opening)

    def data_received(self, data: bytes) -> None:
        self.seen += len(data)
        if self.mark and not self.found.is_set() and self.mark in self._tail + data:
            self.at = asyncio.get_running_loop().time()
            self.found.set()
        self._tail = data[-64:]

    def look_for(self, mark: bytes) -> None:
        self.found.clear()
        self.mark = mark


async def open_watchers(port: int, openings: Sequence[bytes]) -> list[Watcher]:
    loop = asyncio.get_running_loop()
    watchers: list[Watcher] = []
    for opening in openings:
        _, watcher = await loop.create_connection(partial(Watcher, opening), HOST, port)
        watchers.append(watcher)
        while len(watchers) % 50 == 0 and not watcher.seen:
            await asyncio.sleep(0.005)
    while not all(watcher.seen for watcher in watchers):
        await asyncio.sleep(0.05)
    await asyncio.sleep(SETTLE_SECONDS)
    return watchers


def close(watchers: Iterable[Watcher]) -> None:
    for watcher in watchers:
        watcher.transport.abort()


async def memory(web: Web, openings: Sequence[bytes]) -> float:
    """Bytes for each idle stream."""
    warm = await open_watchers(web.port, openings[:WARM])
    before = web.memory
    watchers = await open_watchers(web.port, openings)
    grown = web.memory - before
    close(warm + watchers)
    return grown / len(watchers)


async def fan_out(watchers: Sequence[Watcher], rounds: int, marks: Marks) -> list[float]:
    """Seconds from each commit to the arrival at the last watcher."""
    times = []
    for _ in range(rounds):
        mark = marks.next()
        for watcher in watchers:
            watcher.look_for(mark)
        committed_at = await asyncio.get_running_loop().run_in_executor(None, marks.commit)
        await asyncio.wait_for(asyncio.gather(*(watcher.found.wait() for watcher in watchers)), PATIENCE)
        times.append(max(watcher.at for watcher in watchers) - committed_at)
        await asyncio.sleep(0.2)
    return times


async def told(web: Web, openings: Sequence[bytes], rounds: int, marks: Marks) -> tuple[list[float], int]:
    """The seconds of each message, and the bytes of one."""
    watchers = await open_watchers(web.port, openings)
    await fan_out(watchers, 3, marks)
    before = watchers[0].seen
    times = await fan_out(watchers, rounds, marks)
    size = (watchers[0].seen - before) // rounds
    close(watchers)
    return times, size


@dataclass(frozen=True, slots=True)
class Streams:
    """What one program came to."""

    each: float  # bytes of memory
    times: Sequence[float]  # seconds to the last watcher, for each message
    size: int  # bytes of a message


def openings(ours: Ours, count: int) -> list[bytes]:
    return [
        request("GET", f"{ours.path}/stream?after={ours.version}", ours.token(number))
        for number in range(count)
    ]


def measure_ours(starting: Starting, idle: int, watchers: int, rounds: int) -> Streams:
    ours = Ours()
    with serving(starting) as web:
        each = asyncio.run(memory(web, openings(ours, idle)))
    with serving(starting) as web:
        times, size = asyncio.run(told(web, openings(ours, watchers), rounds, ours))
    return Streams(each, times, size)


def measure_bare(size: int, idle: int, watchers: int, rounds: int) -> Streams:
    opening = request("GET", "/")
    with serving(bare) as web:
        each = asyncio.run(memory(web, [opening] * idle))
    with serving(bare) as web:
        times, size = asyncio.run(told(web, [opening] * watchers, rounds, Bare(web.port, size)))
    return Streams(each, times, size)


def lines(run: Run) -> Iterable[Line]:
    """Memory of idle streams, and how fast many watchers of one table are told."""
    size = run.size
    yield from compared(run.starting, size.idle, size.watchers, size.messages)


def compared(starting: Starting, idle: int, watchers: int, rounds: int) -> Iterable[Line]:
    allow_files()
    ours = measure_ours(starting, idle, watchers, rounds)
    peer = measure_bare(ours.size, idle, watchers, rounds)
    yield Line.of("an idle stream", "KiB", [ours.each / 1024], PEER, [peer.each / 1024], "less")
    name = f"{watchers:,} watchers, {ours.size} bytes each"
    for unit, share in (("ms to the last, median", 0.5), ("ms to the last, 99 of 100", 0.99)):
        both = [stretches(times, share) for times in (ours.times, peer.times)]
        yield Line.of(name, unit, both[0], PEER, both[1], "less")


def stretches(times: Sequence[float], share: float) -> list[float]:
    """That quantile, in milliseconds, of each of a few stretches of a run: its spread can be seen by them."""
    size = max(len(times) // STRETCHES, 1)
    return [quantile(times[at : at + size], share) * 1_000 for at in range(0, len(times) - size + 1, size)]


def allow_files() -> None:
    """As many sockets as there are streams."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 16_384), hard))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--idle", type=int, default=2000)
    parser.add_argument("--watchers", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=30)
    given = parser.parse_args()
    with place():
        for line in compared(as_run, given.idle, given.watchers, given.rounds):
            print(line)


if __name__ == "__main__":
    main()
