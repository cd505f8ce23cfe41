"""A PostgreSQL and a Valkey of a test's own, which it may restart under a running server."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from signal import SIGINT, SIGTERM
from typing import Any, Self

import psycopg
from redis import Redis
from redis.exceptions import RedisError

from config.embedded.process import ROOT
from tests.live.guests import PATIENCE

# Tells its environment's URLs, and stays until its input ends.
TELL = "import os; print(os.environ['DATABASE_URL']); print(os.environ['REDIS_URL'], flush=True); input()"


class Stores:
    """Both, kept by a supervisor that starts again what ends."""

    def __init__(self) -> None:
        argv = [sys.executable, "-m", "config.run", "exec", "--", sys.executable, "-c", TELL]
        ours = {
            name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")
        }
        self._keeper = subprocess.Popen(
            argv, cwd=ROOT, env=ours, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self._keeper.stdout
        self.database = self._keeper.stdout.readline().strip()
        self.valkey = self._keeper.stdout.readline().strip()
        assert self.valkey

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._keeper.communicate("\n", timeout=PATIENCE)

    @property
    def env(self) -> dict[str, str]:
        """What a server needs to use them."""
        return {"DATABASE_URL": self.database, "REDIS_URL": self.valkey}

    def migrate(self) -> None:
        argv = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
        subprocess.run(argv, cwd=ROOT, env={**os.environ, **self.env}, check=True, timeout=2 * PATIENCE)

    def restart_postgres(self) -> None:
        """Every session in it is cut off; it is back in a moment."""
        _restart(self._postgres_process, SIGINT)

    def restart_valkey(self) -> None:
        _restart(self._valkey_process, SIGTERM)

    def _postgres_process(self) -> int | None:
        try:
            with psycopg.connect(self.database, connect_timeout=5) as session:
                row: Any = session.execute("SELECT pg_read_file('postmaster.pid')").fetchone()
                return int(row[0].splitlines()[0])
        except psycopg.Error:
            return None

    def _valkey_process(self) -> int | None:
        try:
            with Redis.from_url(self.valkey) as client:
                told: Any = client.info("server")
                return int(told["process_id"])
        except RedisError:
            return None


def _restart(process: Callable[[], int | None], number: int) -> None:
    before = process()
    assert before
    os.kill(before, number)
    deadline = time.monotonic() + PATIENCE
    while process() in (None, before):
        assert time.monotonic() < deadline, "it is not started again"
        time.sleep(0.05)
