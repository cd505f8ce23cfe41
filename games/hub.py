"""What holds a process's streams together: who waits for what, the slow tick, and the limits."""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Coroutine, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import DatabaseError

from config import metrics
from config.errors import Throttled
from config.threads import in_thread
from games import bus, queries
from games.connection import Connection
from games.ear import Ear
from games.feeds import Bell, Feed, LobbyFeed, MineFeed, TableFeed, tables_with_news
from sessions import presence, services

log = logging.getLogger(__name__)

# What no message told is found by the tick: a lost message costs seconds, not for ever.
TICK_SECONDS = 1.5
# Feeds outlive their last stream for a while: clients that were cut come back at once.
LINGER_SECONDS = 5.0


class Hub:
    """The feeds, bells and limits of one process. Lives in its event loop."""

    def __init__(self) -> None:
        self.closing = False
        self.tables: dict[UUID, TableFeed] = {}
        self._mine: dict[UUID, MineFeed] = {}
        self._lobby = LobbyFeed()
        self.sessions: dict[UUID, set[Connection]] = {}
        self.ended: set[UUID] = set()
        self._addresses: Counter[str] = Counter()
        self._ear = Ear(self._hear, self._hear_all)
        self._tasks: list[asyncio.Task[None]] = []

    def open(self) -> None:
        """Begin to listen and to tick; harmless when it has."""
        if not self._tasks:
            self._tasks = [asyncio.create_task(self._ear.listen()), asyncio.create_task(self._tick())]

    def end_streams(self) -> None:
        """Let every stream end now: its client comes back, here or elsewhere, where it left off."""
        self.closing = True
        for connections in self.sessions.values():
            _ring(each.bell for each in connections)

    async def close(self) -> None:
        self.end_streams()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []

    # What streams take, each for as long as a block lasts.

    @contextmanager
    def place(self, player_id: UUID, connection: Connection) -> Iterator[None]:
        """A place for one stream of a player. Raises Throttled when there are too many."""
        address = connection.asked.address
        if len(self.sessions.get(player_id, ())) >= settings.STREAMS_PER_PLAYER:
            raise Throttled(LINGER_SECONDS, "You have too many streams open.")
        if self._addresses[address] >= settings.STREAMS_PER_ADDRESS:
            raise Throttled(LINGER_SECONDS, "Your address has too many streams open.")
        self.sessions.setdefault(player_id, set()).add(connection)
        self._addresses[address] += 1
        open_streams = metrics.child(metrics.STREAMS, connection.asked.route)
        open_streams.inc()
        try:
            yield
        finally:
            open_streams.dec()
            self._leave_place(player_id, connection)

    def _leave_place(self, player_id: UUID, connection: Connection) -> None:
        address, connections = connection.asked.address, self.sessions[player_id]
        connections.discard(connection)
        if not connections:
            del self.sessions[player_id]
            self.ended.discard(player_id)
        self._addresses[address] -= 1
        if not self._addresses[address]:
            del self._addresses[address]

    @asynccontextmanager
    async def table(self, table_id: UUID, bell: Bell) -> AsyncIterator[TableFeed]:
        feed = self.tables.get(table_id)
        if feed is None:
            feed = self.tables[table_id] = TableFeed(table_id)
        async with self._hold(feed, bell):
            yield feed

    @asynccontextmanager
    async def lobby(self, bell: Bell) -> AsyncIterator[LobbyFeed]:
        async with self._hold(self._lobby, bell):
            yield self._lobby

    @asynccontextmanager
    async def mine(self, player_id: UUID, bell: Bell) -> AsyncIterator[MineFeed]:
        feed = self._mine.get(player_id)
        if feed is None:
            feed = self._mine[player_id] = MineFeed(player_id)
        async with self._hold(feed, bell):
            yield feed

    @asynccontextmanager
    async def _hold(self, feed: Feed, bell: Bell) -> AsyncIterator[None]:
        """Subscribed first and read second, so that nothing falls in between."""
        feed.bells.add(bell)
        try:
            if not feed.is_read:
                await self._ear.subscribe(feed.topic)
                # Shielded, since others may wait for the same read.
                await asyncio.shield(feed.refresh())
            yield
        finally:
            feed.bells.discard(bell)
            if not feed.bells:
                asyncio.get_running_loop().call_later(LINGER_SECONDS, self._drop, feed)

    def _drop(self, feed: Feed) -> None:
        if feed.bells or not self._let_go(feed):
            return
        # Whoever comes now reads afresh.
        feed.is_read = False
        self._ear.give_up(feed.topic)
        _start(self._ear.unsubscribe(feed.topic))

    def _let_go(self, feed: Feed) -> bool:
        """False for a feed that another has taken the place of."""
        if isinstance(feed, TableFeed):
            return self.tables.get(feed.table_id) is feed and self.tables.pop(feed.table_id) is feed
        if isinstance(feed, MineFeed):
            return self._mine.get(feed.player_id) is feed and self._mine.pop(feed.player_id) is feed
        return feed.is_read

    # What wakes them.

    def _hear(self, topic: str) -> None:
        kind, _, name = topic.removeprefix(bus.PREFIX).partition(":")
        if kind == "lobby":
            self._lobby.refresh()
        elif kind == "table" and (feed := self.tables.get(UUID(name))):
            feed.refresh()
        elif kind == "player":
            player_id = UUID(name)
            if player_id in self._mine:
                self._mine[player_id].refresh()
            _start(self._check_sessions([player_id] if player_id in self.sessions else []))

    def _hear_all(self) -> None:
        """Messages may have been missed: everybody looks."""
        for feed in (self._lobby, *self.tables.values(), *self._mine.values()):
            if feed.bells:
                feed.refresh()

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(TICK_SECONDS)
            try:
                await self._look()
            except DatabaseError as error:
                log.warning("streams wait for the database: %s", type(error).__name__)
            except Exception:
                log.exception("a tick of the streams failed")

    async def _look(self) -> None:
        """What the messages should have told, asked of the database; and sessions kept alive."""
        for connections in self.sessions.values():
            for connection in tuple(connections):
                connection.end_if_slow()
        await self._check_sessions(list(self.sessions))
        if self._lobby.bells:
            self._lobby.refresh()
        known = {feed.table_id: feed.ledger for feed in self.tables.values() if feed.bells and feed.ledger}
        if known:
            for table_id in await in_thread(tables_with_news, known):
                if table_id in self.tables:
                    self.tables[table_id].refresh()
        if self._mine:
            self._compare_mine(await in_thread(queries.live_table_ids, list(self._mine)))

    def _compare_mine(self, found: Mapping[UUID, frozenset[UUID]]) -> None:
        for player_id, feed in self._mine.items():
            if feed.take(found.get(player_id, frozenset())):
                _ring(feed.bells)

    async def _check_sessions(self, player_ids: list[UUID]) -> None:
        """A stream ends with its session; while it is open, the session lives on."""
        if not player_ids:
            return
        living = await in_thread(_living, player_ids)
        for player_id in set(player_ids) - living:
            if player_id in self.sessions:
                self.ended.add(player_id)
                _ring(each.bell for each in self.sessions[player_id])


def _living(player_ids: list[UUID]) -> set[UUID]:
    living = services.living(player_ids)
    services.keep_alive(living)
    presence.mark(living)
    return living


def _ring(bells: Iterable[Bell]) -> None:
    for bell in list(bells):
        bell.ring()


_running: set[asyncio.Task[None]] = set()


def _start(work: Coroutine[Any, Any, None]) -> None:
    """Run something beside the caller; kept from being collected, its failure told."""
    task = asyncio.create_task(work)
    _running.add(task)
    task.add_done_callback(_ended)


def _ended(task: "asyncio.Task[None]") -> None:
    _running.discard(task)
    if not task.cancelled() and (error := task.exception()):
        log.warning("work for the streams failed: %s", type(error).__name__)
