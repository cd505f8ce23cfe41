"""A web process: uvicorn, at a port that it may share with others of its kind.

`python -m config.web HOST PORT` carries `config.asgi`. Where there are to be several (WEB_PROCESSES), each
listens at a socket of its own, and the system deals connections out among them; uvicorn's own `--workers`
share one socket, where whoever is first may take them all.
"""

import os
import socket
import sys
from contextlib import suppress
from pathlib import Path

import uvicorn

from config.embedded.process import birth

BACKLOG = 2048
# uvicorn's own, for a server that could not start.
FAILED = 3


def listening(host: str, port: int, *, shared: bool) -> list[socket.socket]:
    """A socket for each address that the host has, as asyncio makes them; the port may be shared."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    return [_bound(family, address, shared) for family, _, _, _, address in dict.fromkeys(found)]


def _bound(family: int, address: tuple[object, ...], shared: bool) -> socket.socket:
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if shared:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    if family == socket.AF_INET6:
        made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    made.bind(address)
    return made


def forget_the_dead(folder: Path) -> None:
    """What processes that were killed counted as going on, their open streams, goes on no more."""
    for file in folder.glob("gauge_live*_*.db"):
        pid = file.stem.rpartition("_")[2]
        if not pid.isdecimal() or birth(int(pid)) is None:
            file.unlink(missing_ok=True)


def serve(host: str, port: int) -> None:
    if folder := os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        forget_the_dead(Path(folder))
    config = uvicorn.Config(
        "config.asgi:application",
        server_header=False,
        proxy_headers=False,
        access_log=False,
        log_level="warning",
        backlog=BACKLOG,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=5,
    )
    server = uvicorn.Server(config)
    sockets = listening(host, port, shared=int(os.environ.get("WEB_PROCESSES") or 1) > 1)
    # It has ended in order, and then raises again what it was ended by.
    with suppress(KeyboardInterrupt):
        server.run(sockets)
    if not server.started:
        sys.exit(FAILED)


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]))
