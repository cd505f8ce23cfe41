"""Real server processes on the test's own database, each on a free port of the loopback address."""

import contextlib
import os
import socket
import subprocess
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Self

from django.db import connection
from psycopg.conninfo import make_conninfo

from config.embedded.address import Address
from config.embedded.process import ROOT
from config.run import parts

HOST = "127.0.0.1"
READY_SECONDS = 60
END_SECONDS = 20
TAIL_BYTES = 4_000


class Running:
    """One of the processes that `make run` starts. Whoever starts one ends it, best by `with`."""

    def __init__(self, name: str, address: Address, env: Mapping[str, str], root: Path = ROOT) -> None:
        part = next(part for part in parts(env, address) if part.name == name)
        self._told = ""
        self._log: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
        self.process = subprocess.Popen(
            part.argv,
            cwd=root,
            env=dict(part.env),
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=subprocess.STDOUT,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def log(self) -> str:
        """All that the process has said so far; still there when it has ended."""
        if not self._log.closed:
            # Read without moving the place where the process writes on.
            size = os.fstat(self._log.fileno()).st_size
            self._told = os.pread(self._log.fileno(), size, 0).decode(errors="replace")
        return self._told

    @property
    def tail(self) -> str:
        return self.log[-TAIL_BYTES:]

    def stop(self) -> None:
        """Ask the process to end, and wait for it. Nothing when it has ended already."""
        self.process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(END_SECONDS)
        self.kill()

    def kill(self) -> None:
        """End the process without asking."""
        self.process.kill()
        self.process.wait(END_SECONDS)
        _ = self.log
        self._log.close()


class Server(Running):
    """The web process."""

    def __init__(self, port: int, env: Mapping[str, str], root: Path = ROOT) -> None:
        self.address = Address(HOST, port)
        super().__init__("web", self.address, env, root)

    @property
    def port(self) -> int:
        return self.address.port

    @property
    def url(self) -> str:
        return self.address.url

    def wait_until_ready(self) -> None:
        """Raises AssertionError, with what the process said, when `/readyz` does not answer in time."""
        deadline = time.monotonic() + READY_SECONDS
        while not self.address.ready():
            assert self.process.poll() is None, f"the server ended by itself:\n{self.tail}"
            assert time.monotonic() < deadline, f"the server does not get ready:\n{self.tail}"
            time.sleep(0.05)


def start_server(env: Mapping[str, str] | None = None, port: int | None = None, root: Path = ROOT) -> Server:
    """A server that is ready, on the database of this test and with the settings of `env` besides.

    `root` is where the code is that it runs.

    The test must be one with `transactional_db`: what is not committed, another process can't see.
    """
    server = Server(port or free_port(), _environment(env), root)
    try:
        server.wait_until_ready()
    except BaseException:
        server.kill()
        raise
    return server


def start_part(name: str, env: Mapping[str, str] | None = None) -> Running:
    """The "worker" or "beat" of Celery, on the database of this test; it takes a while to be at work.

    It must have ended before the database is emptied.
    """
    return Running(name, Address(HOST, 1), _environment(env))


def _environment(env: Mapping[str, str] | None) -> dict[str, str]:
    return {**os.environ, "DATABASE_URL": database_url(), **(env or {})}


def database_url() -> str:
    """The database that this test run made for itself, as libpq names it."""
    given = connection.settings_dict
    return make_conninfo(
        dbname=given["NAME"],
        user=given["USER"] or None,
        password=given["PASSWORD"] or None,
        host=given["HOST"] or None,
        port=given["PORT"] or None,
    )


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])
