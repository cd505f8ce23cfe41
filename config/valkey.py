"""Valkey, asked quickly or not at all: nothing that matters may wait for it, or hang on it."""

import atexit
import logging
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import TypeAlias, TypeVar

from django.conf import settings
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

log = logging.getLogger(__name__)

T = TypeVar("T")
Letter: TypeAlias = tuple[str, str]

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

    def ask(self, question: Callable[["Redis"], T], otherwise: T) -> T:
        """What Valkey answers; `otherwise`, with a line in the log, when it is away."""
        if time.monotonic() < self._resting_until:
            return otherwise
        try:
            return question(self._client)
        except (RedisError, OSError) as error:
            log.warning("Valkey is away: %s", type(error).__name__)
            self._resting_until = time.monotonic() + REST_SECONDS
            return otherwise


class Post:
    """Publishes what it is given, in order, from a thread of its own: whoever posts does not wait.

    What was posted in the meantime goes out together, so the busier the process, the less each costs.
    """

    def __init__(self, valkey: Valkey) -> None:
        self._valkey = valkey
        self._letters: SimpleQueue[Letter | None] = SimpleQueue()
        self._carrier: Thread | None = None
        self._lock = Lock()

    def publish(self, topic: str, message: str) -> None:
        """Have a message published at once, or lost when Valkey is away."""
        self._letters.put((topic, message))
        if self._carrier is None:
            self._start()

    def _start(self) -> None:
        with self._lock:
            if self._carrier is None:
                self._carrier = Thread(target=self._carry, name="post", daemon=True)
                self._carrier.start()
                atexit.register(self._finish)

    def _finish(self) -> None:
        """What a process posts last still goes out."""
        self._letters.put(None)
        if self._carrier:
            self._carrier.join(2 * ANSWER_SECONDS)

    def _carry(self) -> None:
        while True:
            letters = self._waiting()
            if told := [letter for letter in letters if letter]:
                self._valkey.ask(partial(_publish, told), None)
            if letters[-1] is None:
                return

    def _waiting(self) -> Sequence[Letter | None]:
        """Waits for a letter, and takes all that are there; the last is None when there will be no more."""
        letters = [self._letters.get()]
        with suppress(Empty):
            while letters[-1]:
                letters.append(self._letters.get_nowait())
        return letters


def _publish(letters: Sequence[Letter], client: Redis) -> None:
    with client.pipeline(transaction=False) as pipeline:
        for topic, message in letters:
            pipeline.publish(topic, message)
        pipeline.execute()


valkey = Valkey(settings.REDIS_URL)
post = Post(valkey)
