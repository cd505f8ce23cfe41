"""A PostgreSQL or a Valkey of a test's own, which it can stop, kill and start again.

A process of its own keeps it: `python -m tests.live.instances postgres` tells its URL, then does
what it reads line by line, and ends everything when its input ends.
"""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from signal import SIGCONT, SIGINT, SIGKILL, SIGSTOP, SIGTERM, Signals
from typing import Self

import psycopg
from redis import Redis
from redis.exceptions import RedisError

from config.embedded.folder import Folder
from config.embedded.postgres import start_postgres
from config.embedded.process import ROOT
from config.embedded.supervisor import Requests, Supervisor
from config.embedded.valkey import start_valkey

STARTERS: dict[str, Callable[..., str]] = {"postgres": start_postgres, "valkey": start_valkey}
SECONDS = 120


class Instance:
    """One of them, reached at `url`, the same from first to last."""

    def __init__(self, kind: str) -> None:
        argv = [sys.executable, "-m", "tests.live.instances", kind]
        self._keeper = subprocess.Popen(
            argv, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.url = self._heard()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._keeper.communicate(timeout=SECONDS)

    def stop(self) -> None:
        self._do("stop")

    def kill(self) -> None:
        self._do("kill")

    def freeze(self) -> None:
        """It is still there, and answers nothing."""
        self._do("freeze")

    def start(self) -> None:
        self._do("start")

    def _do(self, word: str) -> None:
        assert self._keeper.stdin
        self._keeper.stdin.write(f"{word}\n")
        self._keeper.stdin.flush()
        assert self._heard() == word

    def _heard(self) -> str:
        assert self._keeper.stdout
        line: str = self._keeper.stdout.readline().strip()
        assert line, "the process that keeps it has ended"
        return line


class Holding(Supervisor):
    """Starts again what ends, unless it is held."""

    held = False

    def look(self) -> None:
        if not self.held:
            super().look()

    def hold(self, number: Signals) -> None:
        self.held = True
        children = [kept.child for kept in self._kept() if kept.child is not None]
        for child in children:
            child.signal(number)
        super().until(lambda: all(child.ended() for child in children), SECONDS)

    def signal(self, number: Signals) -> None:
        for kept in self._kept():
            if kept.child is not None:
                kept.child.signal(number)

    def release(self, answers: Callable[[], bool]) -> None:
        self.held = False
        self.signal(SIGCONT)
        self.until(answers, SECONDS)


def answers(url: str) -> bool:
    try:
        if url.startswith("redis"):
            with Redis.from_url(url) as valkey:
                valkey.ping()
        else:
            psycopg.connect(url, connect_timeout=5).close()
    except (RedisError, psycopg.Error):
        return False
    return True


def keep(kind: str, folder: Folder) -> None:
    with Holding(folder, Requests(), tell=lambda line: None) as supervisor:
        # No scratch: whatever was committed must outlive a kill.
        url = STARTERS[kind](supervisor)
        sys.stdout.write(f"{url}\n")
        sys.stdout.flush()
        for line in sys.stdin:
            match line.strip():
                case "stop":
                    supervisor.hold(SIGINT if kind == "postgres" else SIGTERM)
                case "freeze":
                    supervisor.signal(SIGSTOP)
                case "kill":
                    supervisor.hold(SIGKILL)
                case "start":
                    supervisor.release(lambda: answers(url))
            sys.stdout.write(line)
            sys.stdout.flush()
        supervisor.signal(SIGCONT)


def main(kind: str) -> None:
    path = Path(tempfile.mkdtemp(prefix="boneyard-"))
    path.chmod(0o711)  # for PostgreSQL's own user, should we be root
    try:
        keep(kind, Folder(path))
    finally:
        shutil.rmtree(path, ignore_errors=True)


if __name__ == "__main__":
    main(sys.argv[1])
