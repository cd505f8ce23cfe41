"""What open streams wait for, read once for all of them in a process: tables, lobby, one's tables."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from uuid import UUID

from django.utils import timezone

from config.errors import NotFound
from config.threads import in_thread
from games import bus, queries
from games.ledger import Ledger, Viewer
from games.models import Table
from games.queries import LAST_VERSION
from games.statements import EventRow
from games.visits import look

log = logging.getLogger(__name__)

RUNG_AT_ONCE = 200

# Streams that are further behind than so many events read their own from the database.
KEPT_EVENTS = 200
# Seats and watchers at the usual cursors are far fewer; somebody may ask for every cursor there is.
KEPT_MESSAGES = 64


class Bell:
    """Wakes one stream. Rung before anybody waits, it is heard at the next wait.

    A bare future, and one timer that is moved on only when it fires: what `asyncio.wait_for` would
    add for each of thousands, at each message, is a task and a timer.
    """

    __slots__ = ("_alarm", "_rung", "_until", "_waiter", "answer")

    def __init__(self) -> None:
        # What may answer for a stream that waits, without waking it; False when it can't.
        self.answer: Callable[[], bool] | None = None
        self._rung = False
        self._waiter: asyncio.Future[None] | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self._until = 0.0

    def ring(self) -> None:
        if self._waiter is not None and self.answer is not None and self.answer():
            return
        self._rung = True
        self._wake()

    def close(self) -> None:
        """Nobody waits any more."""
        if self._alarm is not None:
            self._alarm.cancel()

    async def wait(self, seconds: float) -> bool:
        """True if rung; False when the seconds are over."""
        if not self._rung and seconds > 0:
            loop = asyncio.get_running_loop()
            self._until = loop.time() + seconds
            self._set_alarm(loop)
            self._waiter = loop.create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None
        rung, self._rung = self._rung, False
        return rung

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def _set_alarm(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._alarm is not None and self._alarm.when() <= self._until:
            return
        self.close()
        self._alarm = loop.call_at(self._until, self._look_at_clock, loop)

    def _look_at_clock(self, loop: asyncio.AbstractEventLoop) -> None:
        self._alarm = None
        if self._waiter is None:
            return
        if loop.time() >= self._until:
            self._wake()
        else:
            self._set_alarm(loop)


class Feed:
    """Something that is read from the database when it may have changed, and wakes its streams."""

    topic: str

    def __init__(self) -> None:
        self.bells: set[Bell] = set()
        self.is_read = False
        self._reading: asyncio.Task[None] | None = None
        self._again = False

    def refresh(self) -> "asyncio.Task[None]":
        """Read what is new. Any number of calls while a read is on cause one more, not many."""
        self._again = True
        if self._reading is None or self._reading.done():
            self._reading = asyncio.create_task(self._refresh())
            self._reading.add_done_callback(_told)
        return self._reading

    async def _refresh(self) -> None:
        while self._again:
            self._again = False
            changed = await self._read()
            self.is_read = True
            if changed:
                await self._ring()

    async def _ring(self) -> None:
        for count, bell in enumerate(tuple(self.bells)):
            bell.ring()
            if count % RUNG_AT_ONCE == RUNG_AT_ONCE - 1:
                # Others are served in between, however many watch this.
                await asyncio.sleep(0)

    async def _read(self) -> bool:
        """Whether something changed that streams should see."""
        raise NotImplementedError


def _told(reading: "asyncio.Task[None]") -> None:
    if not reading.cancelled() and (error := reading.exception()):
        log.warning("a stream's read failed: %s", type(error).__name__)


class TableFeed(Feed):
    """One table as this process last read it, with its latest events.

    `ledger` is None when there is no such table. `edition` grows with every change that a stream
    should send: a version, who is connected, whose name is forgotten.
    """

    def __init__(self, table_id: UUID) -> None:
        super().__init__()
        self.topic = bus.table_topic(table_id)
        self.table_id = table_id
        self.ledger: Ledger | None = None
        self.events: list[EventRow] = []
        self.edition = 0
        self._made: dict[tuple[object, int | None, int], bytes] = {}

    @property
    def version(self) -> int:
        return self.ledger.table.version if self.ledger else 0

    async def _read(self) -> bool:
        before = self.ledger
        after = before.table.version if before else None
        ledger, events = await in_thread(_read_table, self.table_id, after)
        changed = _differs(before, ledger)
        self.ledger = ledger
        self.events = (self.events + events)[-KEPT_EVENTS:]
        if changed:
            self.edition += 1
            self._made.clear()
        return changed

    def has_events_after(self, cursor: int) -> bool:
        """Whether the kept events reach back to the cursor without a gap."""
        return cursor >= self.version or (bool(self.events) and self.events[0].number <= cursor + 1)

    def message(
        self, player: Viewer, cursor: int, make: Callable[[Ledger, Viewer, list[EventRow]], bytes]
    ) -> bytes:
        """What is sent to who is at `cursor`: made once for all viewers who see the same.

        `make` must be the same function each time.
        """
        ledger = self.ledger
        if ledger is None:
            raise NotFound
        seat = ledger.seat_of(player)
        key = (make, seat.number if seat else None, cursor)
        made = self._made.get(key)
        if made is None:
            made = make(ledger, player, [event for event in self.events if event.number > cursor])
            if len(self._made) < KEPT_MESSAGES:
                self._made[key] = made
        return made


def _read_table(table_id: UUID, after: int | None) -> tuple[Ledger | None, list[EventRow]]:
    found = look(table_id, LAST_VERSION if after is None else after, KEPT_EVENTS)
    if found is None:
        return None, []
    seen, events = found
    ledger = queries.up_to_date(seen)
    if ledger is not seen:
        # Something was due there and has been done: what it told is read with the next look.
        return _read_table(table_id, after)
    queries.load_presence(ledger)
    if ledger.table.code is not None:
        _ = ledger.kept_seats  # who may read it is asked in the event loop, where nothing can be read
    return ledger, list(events)


def _differs(before: Ledger | None, after: Ledger | None) -> bool:
    if before is None or after is None:
        return before is not after
    # A forgotten name and who is connected show without a version.
    return _looks(before) != _looks(after)


def _looks(ledger: Ledger) -> tuple[object, ...]:
    return ledger.table.version, ledger.present, [seat.player_id for seat in ledger.seats]


class LobbyFeed(Feed):
    """The open public tables, newest first; `tables` has each as it was last read."""

    topic = bus.LOBBY

    def __init__(self) -> None:
        super().__init__()
        self.tables: dict[UUID, Ledger] = {}

    async def _read(self) -> bool:
        before = self.tables
        self.tables = await in_thread(queries.open_tables, before)
        return {pk: each.table.version for pk, each in before.items()} != {
            pk: each.table.version for pk, each in self.tables.items()
        }


class MineFeed(Feed):
    """Which live tables a player sits at."""

    def __init__(self, player_id: UUID) -> None:
        super().__init__()
        self.topic = bus.player_topic(player_id)
        self.player_id = player_id
        self.tables: frozenset[UUID] = frozenset()

    async def _read(self) -> bool:
        tables = await in_thread(queries.live_table_ids, [self.player_id])
        return self.take(tables.get(self.player_id, frozenset()))

    def take(self, tables: frozenset[UUID]) -> bool:
        """Whether these are others than before."""
        changed, self.tables = tables != self.tables, tables
        return changed


def tables_with_news(known: Mapping[UUID, Ledger]) -> set[UUID]:
    """The tables that have newer versions than these, are due, or at which somebody came or went."""
    return {*_behind({pk: ledger.table.version for pk, ledger in known.items()}), *queries.regathered(known)}


def _behind(known: dict[UUID, int]) -> list[UUID]:
    now = timezone.now()
    rows = Table.objects.filter(pk__in=list(known)).values_list("pk", "version", "wake_at")
    return [pk for pk, version, wake_at in rows if version > known[pk] or (wake_at and wake_at <= now)]
