"""One subscription of a process to the bus, kept up over every failure of Valkey."""

import asyncio
import contextlib
import logging
from collections.abc import Callable

from django.conf import settings
from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from config import metrics

log = logging.getLogger(__name__)

RECONNECT_SECONDS = 0.5
# Somebody who subscribes does not wait longer for Valkey to say so: the slow tick is there besides.
ACKNOWLEDGE_SECONDS = 0.5
# A connection that is silent for so long is asked whether it still lives.
QUIET_SECONDS = 10.0
# Always subscribed, so that the connection has something to listen to.
NOTHING = "boneyard:nothing"


class Ear:
    """Hears the topics that somebody in this process wants, and calls them out by name."""

    def __init__(self, hear: Callable[[str], None], hear_all: Callable[[], None]) -> None:
        """`hear` gets the topic of each message; `hear_all` is called when messages may be missing."""
        self._hear = hear
        self._hear_all = hear_all
        self._topics: set[str] = {NOTHING}
        self._acknowledged: dict[str, asyncio.Event] = {}
        self._pubsub: PubSub | None = None

    async def subscribe(self, topic: str) -> None:
        """Returns when Valkey listens for the topic, or is away."""
        self._topics.add(topic)
        if self._pubsub is None:
            return
        heard = self._acknowledged.setdefault(topic, asyncio.Event())
        with contextlib.suppress(RedisError, OSError, TimeoutError):
            await self._pubsub.subscribe(topic)
            await asyncio.wait_for(heard.wait(), ACKNOWLEDGE_SECONDS)

    def give_up(self, topic: str) -> None:
        """Nobody wants the topic now; somebody may again before `unsubscribe` says so."""
        self._topics.discard(topic)
        self._acknowledged.pop(topic, None)

    async def unsubscribe(self, topic: str) -> None:
        if self._pubsub is not None and topic not in self._topics:
            with contextlib.suppress(RedisError, OSError):
                await self._pubsub.unsubscribe(topic)

    async def listen(self) -> None:
        """Listen until cancelled."""
        while True:
            try:
                async with _client() as client, client.pubsub() as pubsub:
                    await self._listen_to(pubsub)
            except (RedisError, OSError) as error:
                log.warning("the bus is away: %s", type(error).__name__)
            finally:
                self._pubsub = None
                metrics.BUS_UP.set(0)
            await asyncio.sleep(RECONNECT_SECONDS)

    async def _listen_to(self, pubsub: PubSub) -> None:
        subscribed: set[str] = set()
        # More may be wanted while Valkey is told of these.
        while missing := self._topics - subscribed:
            await pubsub.subscribe(*missing)
            subscribed |= missing
        self._pubsub = pubsub
        metrics.BUS_UP.set(1)
        self._hear_all()
        while True:
            message = await pubsub.get_message(timeout=QUIET_SECONDS)
            if message is None:
                await pubsub.ping()
            elif message["type"] == "message":
                self._hear(message["channel"])
            elif message["type"] == "subscribe" and message["channel"] in self._acknowledged:
                self._acknowledged[message["channel"]].set()


def _client() -> Redis:
    # No retries of the client's own: after one it would listen on, and say nothing of what it missed.
    return Redis.from_url(
        settings.REDIS_URL,
        decode_responses=True,
        socket_connect_timeout=1,
        socket_timeout=QUIET_SECONDS * 2,
        retry=Retry(NoBackoff(), 0),
    )
