"""Valkey, asked quickly or not at all: nothing that matters may wait for it, or hang on it."""

import logging
import time
from collections.abc import Callable
from typing import TypeVar

from django.conf import settings
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

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


valkey = Valkey(settings.REDIS_URL)
