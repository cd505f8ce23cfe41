"""The web server under measurement: a process, or several, started by name."""

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from socket import socket

from bench import processes
from bench.load import HOST
from config.embedded.address import Address
from config.embedded.process import Child, Part, tail
from config.run import parts

Environment = Mapping[str, str]

READY_SECONDS = 60
END_SECONDS = 15


def as_run(env: Environment, address: Address) -> Part:
    """What `make run` starts."""
    return next(part for part in parts(env, address) if part.name == "web")


def bare(env: Environment, address: Address) -> Part:
    """The peer of streams and long polls, a program without a database."""
    return _peer("bare", env, address)


def thin(env: Environment, address: Address) -> Part:
    """The peer of moves, a view around the bare transaction."""
    return _peer("thin", {**env, "DJANGO_SETTINGS_MODULE": "bench.thin_settings"}, address)


def _peer(name: str, env: Environment, address: Address) -> Part:
    words = f"uvicorn bench.{name}:application --host {address.host} --port {address.port} --backlog 4096"
    quiet = "--no-access-log --log-level warning --timeout-graceful-shutdown 2"
    return Part(name, [sys.executable, "-m", *words.split(), *quiet.split()], env)


Starting = Callable[[Environment, Address], Part]
SERVERS: dict[str, Starting] = {"run": as_run}


@dataclass(frozen=True, slots=True)
class Web:
    """A server that answers: where, and the process above all of its own."""

    port: int
    pid: int

    @property
    def cpu(self) -> float:
        return processes.cpu(self.pid)

    @property
    def memory(self) -> int:
        return processes.memory(self.pid)


@contextmanager
def serving(starting: Starting = as_run, **settings: str) -> Iterator[Web]:
    """A server that is ready, with the settings besides those of the environment."""
    address = Address(HOST, free_port())
    part = starting({**os.environ, **settings}, address)
    with tempfile.TemporaryDirectory(prefix="boneyard-") as folder:
        log = Path(folder) / "web.log"
        child = Child(part, log)
        try:
            _wait_until_ready(child, address, log)
            yield Web(address.port, child.pid)
        finally:
            end(child)


def _wait_until_ready(child: Child, address: Address, log: Path) -> None:
    deadline = time.monotonic() + READY_SECONDS
    while not address.ready():
        if child.ended() or time.monotonic() > deadline:
            raise RuntimeError(f"{' '.join(child.part.argv)} does not answer:{tail(log)}")
        time.sleep(0.1)


def end(child: Child) -> None:
    """Ask a program to end, and see to it."""
    child.signal(child.part.stop)
    deadline = time.monotonic() + END_SECONDS
    while not child.ended():
        if time.monotonic() > deadline:
            child.kill()
        time.sleep(0.05)


def free_port() -> int:
    with socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])
