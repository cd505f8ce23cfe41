"""Valkey, asked quickly or not at all: nothing that matters may wait for it, or hang on it."""

import logging
import time
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any, TypeVar

from django.conf import settings
from redis import Redis
from redis.backoff import NoBackoff
from redis.commands.core import Script
from redis.exceptions import RedisError
from redis.retry import Retry

from config import metrics

log = logging.getLogger(__name__)

T = TypeVar("T")

ANSWER_SECONDS = 0.1
# After a failure Valkey is not asked again for so long, so that its absence costs nothing.
REST_SECONDS = 2.0


class Valkey:
    """A connection that is never waited for longer than two tenths of a second."""

    def __init__(self, url: str) -> None:
        self._client = Redis.from_url(
            url,
            socket_timeout=ANSWER_SECONDS,
            socket_connect_timeout=ANSWER_SECONDS,
            retry=Retry(NoBackoff(), 0),
            decode_responses=True,
        )
        self._resting_until = 0.0

    def script(self, text: str) -> Script:
        """A script to be called with the client that `ask` hands out."""
        return self._client.register_script(text)

    def ask(self, question: Callable[["Redis"], T], otherwise: T) -> T:
        """What Valkey answers; `otherwise`, with a line in the log, when it is away."""
        if time.monotonic() < self._resting_until:
            return otherwise
        try:
            return question(self._client)
        except (RedisError, OSError) as error:
            log.warning("Valkey is away: %s", type(error).__name__)
            metrics.VALKEY_FAILURES.inc()
            self._resting_until = time.monotonic() + REST_SECONDS
            return otherwise


class Post:
    """Sends commands whose answers nobody wants, and waits for none: a socket's write is all it costs.

    When Valkey is away they are lost, with a line in the log.
    """

    def __init__(self, valkey: Valkey) -> None:
        self._valkey = valkey
        self._connection: Any = None
        self._lock = Lock()

    def send(self, *command: str | int) -> None:
        with self._lock:
            self._valkey.ask(lambda client: self._send(client, command), None)

    def _send(self, client: Redis, command: Sequence[str | int]) -> None:
        packed = _packed(command)
        # A connection that Valkey has closed is found out by writing to it, so a new one gets a try.
        for _ in range(2):
            try:
                connection = self._connection or self._connected(client)
                connection.send_packed_command([packed], check_health=False)
            except (RedisError, OSError):
                self._let_go()
                continue
            return
        raise RedisError("nothing can be sent")

    def _connected(self, client: Redis) -> Any:
        connection: Any = client.connection_pool.make_connection()
        connection.connect()
        connection.send_command("CLIENT", "REPLY", "OFF", check_health=False)
        self._connection = connection
        return connection

    def _let_go(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.disconnect()


def _packed(command: Sequence[str | int]) -> bytes:
    """A command on the wire (RESP): how many parts, and each after its length."""
    parts = [str(part).encode() for part in command]
    return b"".join([b"*%d\r\n" % len(parts), *(b"$%d\r\n%b\r\n" % (len(part), part) for part in parts)])


valkey = Valkey(settings.REDIS_URL)
post = Post(valkey)
