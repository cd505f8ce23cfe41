"""Streams: memory for each open one, and the time from commit to the last watcher, beside a bare program.

`make bench-streams`, or in an environment with DATABASE_URL and REDIS_URL set:
`python -m bench.streams [--idle 2000] [--watchers 1000] [--rounds 30]`.
Both programs run under the same server with the same settings, one after the other in the same run,
and send messages of the same size to the same clients.
"""

import argparse
import asyncio
import json
import os
import resource
import secrets
import socket
import statistics
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

PLAYERS = 20


@contextmanager
def server(application: str, ready: str) -> Iterator[tuple[int, int]]:
    """A uvicorn process of its own: its port and its process id."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    limits = {"STREAMS_PER_PLAYER": "100000", "STREAMS_PER_ADDRESS": "100000", "LOG_LEVEL": "WARNING"}
    command = [
        *(sys.executable, "-m", "uvicorn", application, "--port", str(port)),
        *(
            "--no-access-log",
            "--log-level",
            "warning",
            "--backlog",
            "4096",
            "--timeout-graceful-shutdown",
            "2",
        ),
    ]
    process = subprocess.Popen(command, env={**os.environ, **limits})
    try:
        for _ in range(600):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}{ready}", timeout=0.5).close()
                break
            except urllib.error.HTTPError:
                break
            except OSError:
                time.sleep(0.1)
        yield port, process.pid
    finally:
        process.terminate()
        process.wait()


def resident(pid: int) -> int:
    """Bytes of memory that a process really uses by itself."""
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Private_Dirty:"):
            return int(line.split()[1]) * 1024
    raise RuntimeError("no memory figure")


class Watcher(asyncio.Protocol):
    """One client: notes when something last arrived, and how much in all."""

    def __init__(self, request: bytes) -> None:
        self.request = request
        self.at = 0.0
        self.seen = 0
        self.mark = b""
        self.found = asyncio.Event()
        self._tail = b""

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        self.transport.write(self.request)

    def data_received(self, data: bytes) -> None:
        self.seen += len(data)
        if self.mark and not self.found.is_set() and self.mark in self._tail + data:
            self.at = time.monotonic()
            self.found.set()
        self._tail = data[-64:]


async def open_watchers(port: int, paths: list[str], headers: list[str]) -> list[Watcher]:
    loop = asyncio.get_running_loop()
    watchers = []
    for path, header in zip(paths, headers, strict=True):
        request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{header}\r\n".encode()
        _, watcher = await loop.create_connection(partial(Watcher, request), "127.0.0.1", port)
        watchers.append(watcher)
        while len(watchers) % 50 == 0 and not watcher.seen:
            await asyncio.sleep(0.005)
    while not all(watcher.seen for watcher in watchers):
        await asyncio.sleep(0.05)
    await asyncio.sleep(2)
    return watchers


async def memory(port: int, pid: int, paths: list[str], headers: list[str]) -> float:
    """Bytes for each idle stream."""
    warm = await open_watchers(port, paths[:50], headers[:50])
    before = resident(pid)
    watchers = await open_watchers(port, paths, headers)
    grown = resident(pid) - before
    for watcher in warm + watchers:
        watcher.transport.abort()
    return grown / len(watchers)


async def fan_out(watchers: list[Watcher], rounds: int, marks: "Marks") -> list[float]:
    """Seconds from each commit to the arrival at the last watcher."""
    times = []
    for _ in range(rounds):
        mark = marks.next()
        for watcher in watchers:
            watcher.found.clear()
            watcher.mark = mark
        committed_at = await asyncio.get_running_loop().run_in_executor(None, marks.commit)
        await asyncio.wait_for(asyncio.gather(*(watcher.found.wait() for watcher in watchers)), 30)
        times.append(max(watcher.at for watcher in watchers) - committed_at)
        await asyncio.sleep(0.2)
    return times


class Marks:
    """Something to send that can be told from everything else."""

    def next(self) -> bytes:
        """What the next message will hold."""
        raise NotImplementedError

    def commit(self) -> float:
        """Have it sent; the moment from which it may be."""
        raise NotImplementedError


class Ours(Marks):
    """A table, and an event that is committed at it."""

    def __init__(self) -> None:
        import django

        django.setup()
        from django.core.management import call_command

        from games.rules.registry import GAMES
        from games.services import open_table
        from sessions.services import enter

        call_command("migrate", verbosity=0)
        run = secrets.token_hex(3)
        entered = [enter(name=f"{run} {n}", secret="a secret", address="10.0.0.1") for n in range(PLAYERS)]
        self.tokens = [each.token for each in entered]
        self.table = open_table(player=entered[0].player, game=next(iter(GAMES))).ledger.table.pk
        self.version = 2
        self.path = f"/api/v1/tables/{self.table}/stream?after=2"

    def next(self) -> bytes:
        return b"id: %d\n" % (self.version + 1)

    def commit(self) -> float:
        from django.db import connection, transaction

        from games.lock import lock_table

        committed: list[float] = []
        with lock_table(self.table) as ledger:
            transaction.on_commit(lambda: committed.append(time.monotonic()))
            ledger.tell("stand_in", 0)
            self.version = ledger.table.version
        connection.close()
        return committed[0]


class Bare(Marks):
    """The bare program, which is sent messages of the size of ours."""

    def __init__(self, port: int, size: int) -> None:
        self.url, self.size, self.number = f"http://127.0.0.1:{port}/", size, 0

    def next(self) -> bytes:
        return b"id: b%d\n" % (self.number + 1)

    def commit(self) -> float:
        self.number += 1
        head = b"id: b%d\nevent: table\ndata: " % self.number
        body = head + b"x" * (self.size - len(head)) + b"\n\n"
        begun = time.monotonic()
        urllib.request.urlopen(urllib.request.Request(self.url, body, method="POST"), timeout=30).close()
        return begun


def bearers(tokens: list[str], count: int) -> list[str]:
    return [f"Authorization: Bearer {tokens[n % len(tokens)]}\r\n" for n in range(count)]


async def measure(idle: int, watching: int, rounds: int) -> dict[str, dict[str, float]]:
    results = {}
    ours = await asyncio.get_running_loop().run_in_executor(None, Ours)
    with server("config.asgi:application", "/healthz") as (port, pid):
        used = await memory(port, pid, [ours.path] * idle, bearers(ours.tokens, idle))
    with server("config.asgi:application", "/healthz") as (port, pid):
        watchers = await open_watchers(port, [ours.path] * watching, bearers(ours.tokens, watching))
        await fan_out(watchers, 3, ours)
        before = watchers[0].seen
        times = await fan_out(watchers, rounds, ours)
        size = (watchers[0].seen - before) // rounds
        for watcher in watchers:
            watcher.transport.abort()
    results["ours"] = figures(used, times)
    with server("bench.bare:application", "/") as (port, pid):
        used = await memory(port, pid, ["/"] * idle, [""] * idle)
    with server("bench.bare:application", "/") as (port, pid):
        watchers = await open_watchers(port, ["/"] * watching, [""] * watching)
        bare = Bare(port, size)
        await fan_out(watchers, 3, bare)
        times = await fan_out(watchers, rounds, bare)
        for watcher in watchers:
            watcher.transport.abort()
    results["bare"] = figures(used, times)
    results["ratio"] = {name: results["ours"][name] / results["bare"][name] for name in results["ours"]}
    results["message"] = {"bytes": float(size)}
    return results


def figures(used: float, times: list[float]) -> dict[str, float]:
    times = sorted(times)
    return {
        "kilobytes_per_stream": used / 1024,
        "fan_out_median_ms": statistics.median(times) * 1000,
        "fan_out_p99_ms": times[min(len(times) - 1, int(len(times) * 0.99))] * 1000,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--idle", type=int, default=2000)
    parser.add_argument("--watchers", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=30)
    given = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 16_384), hard))
    results = asyncio.run(measure(given.idle, given.watchers, given.rounds))
    for who, values in results.items():
        print(f"{who:8}", "  ".join(f"{name} {value:.2f}" for name, value in values.items()))
    print(json.dumps(results))


if __name__ == "__main__":
    main()
