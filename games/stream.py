"""The streams and long polls: an ASGI application of its own beside the API's WSGI side.

It reads and never writes; who may see what is asked of the same queries as everywhere.
"""

import asyncio
import logging
import re
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from django.conf import settings
from django.db import DatabaseError
from django.utils import timezone

from config import answers, errors
from config.answers import Receive, Scope, Send
from config.policies import is_ours
from config.threads import in_thread
from config.wire import dump
from games import queries
from games.connection import ID, KEEP_ALIVE_SECONDS, Asked, Connection, message
from games.feeds import TableFeed
from games.hub import Hub
from games.ledger import Ledger, Viewer
from games.models import Event
from games.rules.registry import GAMES
from games.statements import EventRow
from sessions import services

log = logging.getLogger(__name__)

API = "/api/v1"
TABLE_STREAM = re.compile(rf"{API}/tables/({ID.pattern})/stream")
TABLE_EVENTS = re.compile(rf"{API}/tables/({ID.pattern})/events")
MY_STREAM = f"{API}/stream"
LOBBY_STREAM = f"{API}/lobby/stream"

LONGEST_POLL_SECONDS = 25


class Streams:
    """The ASGI application."""

    def __init__(self) -> None:
        self.hub = Hub()

    def takes(self, scope: Scope) -> bool:
        """Whether a request is for a stream or a long poll; preflights are Django's."""
        path: str = scope["path"]
        if scope["method"] == "OPTIONS":
            return False
        if path in (MY_STREAM, LOBBY_STREAM) or TABLE_STREAM.fullmatch(path):
            return True
        return bool(TABLE_EVENTS.fullmatch(path)) and "wait" in Asked(scope).query

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.hub.open()
        asked = Asked(scope)
        async with Connection(asked, receive, send) as connection:
            try:
                await self._serve(connection)
                if connection.begun:
                    await connection.finish()
            except asyncio.CancelledError:
                if not connection.is_slow:
                    raise
                log.info("a stream was ended: its client reads too slowly")
                connection.abort()
            except Exception as error:
                refusal = _refusal(error)
                if connection.begun:
                    await connection.finish()
                else:
                    allow = [("Allow", "GET")] if isinstance(refusal, errors.MethodNotAllowed) else []
                    more = [*asked.common, *allow]
                    await answers.refuse(send, refusal, more, method=asked.method, route=asked.route)

    async def _serve(self, connection: Connection) -> None:
        asked = connection.asked
        if asked.method != "GET":
            raise errors.MethodNotAllowed
        if not is_ours(asked.header("host") or ""):
            raise errors.BadRequest
        if settings.SECURE_SSL_REDIRECT and asked.header("x-forwarded-proto") != "https":
            raise errors.BadRequest("Streams are served by https alone.")
        try:
            # Before a ticket is used up.
            _check(asked)
        except errors.Refusal:
            await _only_if_entered(asked)
            raise
        player = await _listener(asked)
        with self.hub.place(player.pk, connection):
            if found := TABLE_EVENTS.fullmatch(asked.path):
                await self._poll(connection, player, UUID(found[1]))
            elif found := TABLE_STREAM.fullmatch(asked.path):
                await self._stream_table(connection, player, UUID(found[1]))
            elif asked.path == MY_STREAM:
                await self._stream_mine(connection, player)
            else:
                await self._stream_lobby(connection, player)

    async def _woken(self, connection: Connection, player: Viewer) -> bool:
        """Wait for news, keeping the connection alive. False when the stream is to end."""
        while not self._must_end(connection, player):
            if await connection.wait(KEEP_ALIVE_SECONDS):
                return not self._must_end(connection, player)
            if not connection.is_over:
                await connection.keep_alive()
        return False

    def _must_end(self, connection: Connection, player: Viewer) -> bool:
        return connection.is_over or self.hub.closing or player.pk in self.hub.ended

    # One table.

    async def _stream_table(self, connection: Connection, player: Viewer, table_id: UUID) -> None:
        cursor = _cursor(connection.asked)
        async with self.hub.table(table_id, connection.bell) as feed:
            ledger = await _up_to_date(feed, player, cursor or 0)
            _ = ledger.game  # a table that can't be shown is refused before the stream begins
            if _seconds_left(ledger) <= 0 and cursor == feed.version:
                await connection.answer(204, [("Cache-Control", "no-store")])
                return
            known = 0 <= (cursor or 0) <= feed.version
            told = Told(cursor or 0) if known else Told(feed.version, feed.edition)
            await connection.begin()
            if not known:
                await connection.write(_reset(ledger, player))
            connection.bell.answer = partial(self._tell_now, connection, player, feed, told)
            while await self._tell(connection, player, feed, told):
                if not await self._woken(connection, player):
                    return

    def _tell_now(self, connection: Connection, player: Viewer, feed: TableFeed, told: "Told") -> bool:
        """Send the usual news of a stream that waits, in the step in which they came.

        To wake a thousand tasks costs as much again as what they send. False leaves it to the task.
        """
        ledger = feed.ledger
        if ledger is None or ledger.table.is_over or ledger.table.code is not None:
            return False
        if self._must_end(connection, player) or not feed.has_events_after(told.cursor):
            return False
        if told.edition != feed.edition:
            if not connection.write_now(feed.message(player, told.cursor, table_message)):
                return False
            told.cursor, told.edition = feed.version, feed.edition
        return True

    async def _tell(self, connection: Connection, player: Viewer, feed: TableFeed, told: "Told") -> bool:
        """Send what a stream has not told yet. False when there is nothing more to come."""
        while piece := await _news(feed, player, told):
            await connection.write(piece)
        ledger = _readable(feed, player)
        if ledger is None:
            await connection.write(_gone(feed.table_id))
            return False
        connection.end_within(_seconds_left(ledger))
        return True

    # All of one's tables.

    async def _stream_mine(self, connection: Connection, player: Viewer) -> None:
        async with AsyncExitStack() as stack:
            mine = await stack.enter_async_context(self.hub.mine(player.pk, connection.bell))
            held: dict[UUID, Held] = {}
            stack.push_async_callback(_let_go_of_all, held)
            await connection.begin()
            while True:
                for table_id in mine.tables - held.keys():
                    held[table_id] = await self._hold(connection, table_id)
                for table_id, each in list(held.items()):
                    while piece := await _news(each.feed, player, each.told):
                        # An id would promise a resume that only a single table's stream has.
                        await connection.write(piece.partition(b"\n")[2])
                    if table_id not in mine.tables and not each.lingers(player):
                        if _readable(each.feed, player) is None:
                            await connection.write(_gone(table_id))
                        await held.pop(table_id).stack.aclose()
                if not await self._woken(connection, player):
                    return

    async def _hold(self, connection: Connection, table_id: UUID) -> "Held":
        stack = AsyncExitStack()
        feed = await stack.enter_async_context(self.hub.table(table_id, connection.bell))
        return Held(feed, Told(feed.version), stack)

    # The lobby.

    async def _stream_lobby(self, connection: Connection, player: Viewer) -> None:
        game = connection.asked.query.get("game")
        async with self.hub.lobby(connection.bell) as feed:
            await connection.begin()
            shown: dict[UUID, int] = {}
            while True:
                tables = {pk: each for pk, each in feed.tables.items() if game in (None, each.table.game)}
                await connection.write(b"".join(_lobby_news(shown, tables, player)) or b": \n\n")
                shown = {pk: each.table.version for pk, each in tables.items()}
                if not await self._woken(connection, player):
                    return

    # Long polls.

    async def _poll(self, connection: Connection, player: Viewer, table_id: UUID) -> None:
        after, wait = _poll_query(connection.asked)
        connection.end_within(wait)
        async with self.hub.table(table_id, connection.bell) as feed:
            await _up_to_date(feed, player, after)
            while (ledger := _readable(feed, player)) is not None:
                if player.pk in self.hub.ended:
                    # Says whether it was a ban.
                    await _listener(connection.asked)
                    raise errors.NotAuthenticated
                if feed.version != after or self._must_end(connection, player):
                    headers = [("Content-Type", "application/json"), ("Cache-Control", "no-store")]
                    await connection.answer(200, headers, await _polled(feed, ledger, player, after))
                    return
                await connection.wait(wait)
        raise errors.NotFound


@dataclass
class Told:
    """How far a stream has told a table."""

    cursor: int
    edition: int = -1


@dataclass
class Held:
    """A table within the stream of all one's tables."""

    feed: TableFeed
    told: Told
    stack: AsyncExitStack

    def lingers(self, player: Viewer) -> bool:
        """Whether a rematch may come; or this table's last events, which the feed has not read yet."""
        ledger = self.feed.ledger
        return bool(ledger and ledger.seat_of(player) and _seconds_left(ledger) > 0)


async def _up_to_date(feed: TableFeed, player: Viewer, cursor: int) -> Ledger:
    """The table, read again when its client seems to know more than this process. Raises NotFound."""
    if cursor > feed.version or _readable(feed, player) is None:
        await asyncio.shield(feed.refresh())
    ledger = _readable(feed, player)
    if ledger is None:
        raise errors.NotFound
    return ledger


async def _news(feed: TableFeed, player: Viewer, told: Told) -> bytes | None:
    """The next message of a table to a stream; None when it has told all, or can't or may not any more."""
    ledger = _readable(feed, player)
    if ledger is None or told.edition == feed.edition or not ledger.has_rules:
        return None
    if feed.has_events_after(told.cursor):
        piece = feed.message(player, told.cursor, table_message)
        told.cursor, told.edition = feed.version, feed.edition
        return piece
    # Events that the feed does not keep any more.
    events = await in_thread(queries.events_after, ledger, told.cursor)
    told.cursor = events[-1].number
    return table_message(ledger, player, events)


async def _polled(feed: TableFeed, ledger: Ledger, player: Viewer, after: int) -> bytes:
    """The answer to a long poll; what the feed does not keep any more is read."""
    if after <= feed.version and feed.has_events_after(after):
        return feed.message(player, after, events_message)
    return dump(await in_thread(queries.events_json, ledger, player, after))


def events_message(ledger: Ledger, player: Viewer, events: Sequence[Event | EventRow]) -> bytes:
    """The events since a cursor that does not lie in the future, as this player sees them."""
    return dump(queries.events_json(ledger, player, 0, events))


async def _let_go_of_all(held: dict[UUID, Held]) -> None:
    for each in held.values():
        await each.stack.aclose()


def table_message(ledger: Ledger, player: Viewer, events: Sequence[Event | EventRow]) -> bytes:
    """The events since a cursor and the table, as this player sees them."""
    shown = queries.table_json(ledger, player)
    told = [queries.event_json(event, shown["you"]) for event in events]
    number = events[-1].number if events else ledger.table.version
    return message("table", dump({"events": told, "table": shown}), number)


def _reset(ledger: Ledger, player: Viewer) -> bytes:
    shown = queries.table_json(ledger, player)
    return message("reset", dump({"table": shown}), ledger.table.version)


def _lobby_news(shown: dict[UUID, int], tables: dict[UUID, Ledger], player: Viewer) -> list[bytes]:
    gone = [_gone(pk) for pk in shown if pk not in tables]
    changed = [each for pk, each in tables.items() if shown.get(pk) != each.table.version]
    return gone + [message("summary", dump(queries.summary(each, player))) for each in reversed(changed)]


def _gone(table_id: UUID) -> bytes:
    """A table is not, or not any more, for this client to see."""
    return message("gone", dump({"id": table_id}))


def _readable(feed: TableFeed, player: Viewer) -> Ledger | None:
    return feed.ledger if feed.ledger and queries.may_read(feed.ledger, player) else None


def _seconds_left(ledger: Ledger) -> float:
    """How long a table still has something to tell."""
    if ledger.table.over_at is None:
        return float("inf")
    return (ledger.table.over_at + settings.REMATCH - timezone.now()).total_seconds()


def _cursor(asked: Asked) -> int | None:
    """The last id that the client has seen: -1 when it is none, None when it names none."""
    given = asked.header("last-event-id") or asked.query.get("after")
    if not given:
        return None
    cursor = queries.number(given)
    return -1 if cursor is None else cursor


def _check(asked: Asked) -> None:
    """Whether a stream or poll can be had at all. Raises NotAcceptable, Invalid."""
    polls = TABLE_EVENTS.fullmatch(asked.path) is not None
    kind = "application/json" if polls else "text/event-stream"
    accepted = [each.partition(";")[0].strip() for each in (asked.header("accept") or "*/*").split(",")]
    if not {kind, f"{kind.partition('/')[0]}/*", "*/*"}.intersection(accepted):
        raise errors.NotAcceptable
    if polls:
        _poll_query(asked)
        return
    known = {"ticket", "game" if asked.path == LOBBY_STREAM else "after"}
    wrong = {name: ["There is no such field."] for name in asked.query if name not in known}
    game = asked.query.get("game")
    if game is not None and game not in GAMES:
        wrong.setdefault("game", [f"Must be one of: {', '.join(GAMES)}."])
    if wrong:
        raise errors.Invalid(wrong)


def _poll_query(asked: Asked) -> tuple[int, float]:
    query = {"after": "0", **asked.query}
    after, wait = queries.number(query.pop("after")), queries.number(query.pop("wait"))
    wrong = {name: ["There is no such field."] for name in query}
    if after is None:
        wrong["after"] = ["A whole number is required."]
    if wait is None:
        wrong["wait"] = ["A whole number is required."]
    elif wait > LONGEST_POLL_SECONDS:
        wrong["wait"] = [f"Must be at most {LONGEST_POLL_SECONDS}."]
    if wrong or after is None or wait is None:
        raise errors.Invalid(wrong)
    return after, float(wait)


@dataclass(frozen=True, slots=True)
class Listener:
    """A player of whom a stream keeps no more than this."""

    pk: UUID


async def _only_if_entered(asked: Asked) -> None:
    """Whoever shows no live session learns nothing else. A ticket is left for a better request."""
    if asked.header("authorization") or "ticket" not in asked.query:
        await _listener(asked)


async def _listener(asked: Asked) -> Listener:
    """Who listens: by token, or by a ticket that is used up with this."""
    if header := asked.header("authorization"):
        scheme, _, token = header.partition(" ")
        if scheme.lower() != "bearer" or not token:
            raise errors.NotAuthenticated
        player, _ = await in_thread(services.authenticate, token)
    elif ticket := asked.query.get("ticket"):
        player = await in_thread(services.redeem_ticket, ticket)
    else:
        raise errors.NotAuthenticated
    return Listener(player.pk)


def _refusal(error: Exception) -> errors.Refusal:
    match error:
        case errors.Refusal():
            return error
        case DatabaseError():
            log.warning("a stream could not begin: %s", type(error).__name__)
            return errors.Unavailable()
    log.error("a stream could not begin", exc_info=error)
    return errors.InternalError()
