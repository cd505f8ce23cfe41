"""The servers that are compared: how each is started, and by which client it is played."""

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from socket import create_connection

from psycopg.conninfo import conninfo_to_dict

from bench.load import HOST
from bench.web import Web, free_port, serving
from config.embedded.process import Child, Part, tail

FOLDER = Path(__file__).parent
READY_SECONDS = 30
# How node-postgres is told what DATABASE_URL says; it can't read a URL without a host.
PG_NAMES = {
    "host": "PGHOST",
    "port": "PGPORT",
    "user": "PGUSER",
    "password": "PGPASSWORD",
    "dbname": "PGDATABASE",
}


@dataclass(frozen=True, slots=True)
class System:
    """A server under measurement.

    `client` is one of load.mjs; `at_length` says whether it is played at all lengths, or the least one only.
    """

    name: str
    client: str
    serving: Callable[[], AbstractContextManager[Web]]
    at_length: bool = True


@contextmanager
def node_server(script: str, *arguments: str) -> Iterator[Web]:
    """One of the servers of this folder, listening."""
    port = free_port()
    argv = [node(), script, str(port), *arguments]
    with tempfile.TemporaryDirectory(prefix="boneyard-") as folder:
        log = Path(folder) / "log"
        child = Child(Part(script, argv, {**os.environ, **peer_environment()}, cwd=FOLDER), log)
        try:
            _wait_until_listening(child, port, log)
            yield Web(port, child.pid)
        finally:
            child.kill()  # it has nothing to tidy up
            child.popen.wait()


def peer_environment() -> dict[str, str]:
    """What the peers read: the database, and that this is not development."""
    given = conninfo_to_dict(os.environ["DATABASE_URL"])
    return {"NODE_ENV": "production"} | {
        PG_NAMES[name]: str(given[name]) for name in PG_NAMES if name in given
    }


def node() -> str:
    """Raises RuntimeError without Node.js."""
    found = shutil.which("node")
    if not found:
        raise RuntimeError("node is missing: the peers need Node.js 20 or newer, with npm")
    return found


def _wait_until_listening(child: Child, port: int, log: Path) -> None:
    deadline = time.monotonic() + READY_SECONDS
    while True:
        try:
            return create_connection((HOST, port), 1).close()
        except OSError:
            if child.ended() or time.monotonic() > deadline:
                raise RuntimeError(f"{child.part.name} does not listen:{tail(log)}") from None
            time.sleep(0.1)


def boardgame(store: str) -> Callable[[], AbstractContextManager[Web]]:
    return partial(node_server, "boardgame.mjs", store)


# The others are compared with the first. The slowest comes last: what a run has no time for is its rounds.
SYSTEMS = (
    System("Boneyard", "boneyard", serving),
    System("Boneyard, both players streaming", "boneyard, streams", serving, at_length=False),
    System("boardgame.io, thinnest PostgreSQL store", "boardgame.io", boardgame("thin")),
    System("boardgame.io, in memory", "boardgame.io", boardgame("memory")),
    System("Colyseus, in memory", "colyseus", partial(node_server, "colyseus.mjs")),
    System("boardgame.io, bgio-postgres", "boardgame.io", boardgame("bgio-postgres")),
)
