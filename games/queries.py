"""What is told of tables: each to its viewer, from an allow-list, and nothing else."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import msgspec
from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from config.errors import Invalid, NotFound
from config.settings import VERSION
from config.wire import dump
from games import clock, lock
from games.codes import read_code
from games.fairness import fairness_json
from games.ledger import Ledger, Viewer
from games.models import Event, Seat, Table
from games.statements import EventRow, array, open_versions
from games.visits import listed
from sessions.models import Player
from sessions.presence import present

PAGE = 50
NOTHING = (None, msgspec.Raw(b"null"))
EVENTS_AT_ONCE = 500
LAST_VERSION = 2**31 - 1


def table_for(table_id: UUID, player: Player) -> Ledger:
    """A table to be read by one who may: due work done, seats and players loaded. Raises NotFound."""
    ledger = _read(Q(pk=table_id))
    if not may_read(ledger, player):
        raise NotFound
    return ledger


def table_by_id(table_id: UUID) -> Ledger:
    """A table whoever asks; what is shown of it must be asked for each viewer. Raises NotFound."""
    return _read(Q(pk=table_id))


def may_read(ledger: Ledger, player: Viewer) -> bool:
    """Public tables are everybody's to watch, private ones of those who sit there or have a seat kept."""
    if ledger.table.code is None or ledger.seat_of(player) is not None:
        return True
    return str(player.pk) in ledger.kept_seats


def table_by_code(code: str) -> Ledger:
    """The private table of that code. Raises NotFound."""
    return _read(Q(code=read_code(code)))


def _read(which: Q) -> Ledger:
    table = Table.objects.filter(which).first()
    if table is None:
        raise NotFound
    seats = Seat.objects.filter(table=table).select_related("player").order_by("number")
    return up_to_date(Ledger(table, list(seats), timezone.now()))


def up_to_date(ledger: Ledger | None) -> Ledger:
    """A table as it was read, or, when something is due there, with that done. Raises NotFound."""
    if ledger is None:
        raise NotFound
    if not clock.is_due(ledger):
        return ledger
    with lock.lock_table(ledger.table.pk) as locked:
        return locked


def load_presence(*ledgers: Ledger) -> None:
    """Ask once who of all the people at these tables is connected."""
    here = _here(ledgers)
    for ledger in ledgers:
        ledger.present = here


def regathered(ledgers: Mapping[UUID, Ledger]) -> list[UUID]:
    """Those of the tables at which others are connected than when they were read."""
    here = _here(ledgers.values())
    return [
        pk
        for pk, each in ledgers.items()
        if any((seat.player_id in here) != (seat.player_id in each.present) for seat in each.seats)
    ]


def _here(ledgers: Iterable[Ledger]) -> frozenset[UUID]:
    sitting = ((seat.player_id, seat.player) for each in ledgers for seat in each.seats)
    return present({pk: player for pk, player in sitting if pk and player}, datetime.now(UTC))


def fingerprint(ledger: Ledger, player: Viewer) -> str:
    """What a table's body depends on, digested: the same for the same body, and known before it is made.

    All of it is in the row, which counts how often it was written, but who looks and who is connected.
    """
    seat = ledger.seat_of(player)
    you = seat.number if seat else None
    connected = [seat.number for seat in ledger.seats if seat.player_id in ledger.present]
    looks = [VERSION, ledger.table.pk, ledger.table.revision, ledger.table.version, you, connected]
    return hashlib.sha256(dump(looks)).hexdigest()[:32]


def table_json(ledger: Ledger, player: Viewer) -> dict[str, Any]:
    """The whole table as this player may see it: its seat's view, or a watcher's."""
    table, seat = ledger.table, ledger.seat_of(player)
    you = seat.number if seat else None
    decisions = ledger.decisions
    decision = decisions.get(you) if you is not None else None
    return {
        **_head(table),
        "version": table.version,
        "code": table.code if seat else None,
        "host": table.host,
        "seats": [_seat_json(taken, ledger.present) for taken in ledger.seats],
        "you": you,
        "to_move": sorted(decisions),
        "deadline": _deadline(ledger, you),
        "decision": decision.version if decision else None,
        "legal_moves": _legal_moves(ledger, you) if decision else [],
        "view": _view(ledger, you),
        "outcome": table.outcome,
        "rematch": table.rematch,
        "fairness": fairness_json(ledger),
    }


def _head(table: Table) -> dict[str, Any]:
    return {
        "id": table.id,
        "game": table.game,
        "status": table.status,
        "capacity": table.capacity,
        "options": table.options,
        "visibility": table.visibility,
        "turn_seconds": table.turn_seconds,
        "hints": table.hints,
    }


def _seat_json(seat: Seat, present: frozenset[UUID]) -> dict[str, Any]:
    player, is_human = seat.player, seat.is_human
    shown: dict[str, Any] = {
        "seat": seat.number,
        "name": player.name if player else None,
        "kind": seat.kind,
        "connected": not is_human or seat.player_id in present,
        "stand_in": seat.stand_in,
        "left": is_human and player is None,
    }
    if seat.level:
        shown["level"] = seat.level
    if player and player.bot:
        shown["bot"] = True
    return shown


def _deadline(ledger: Ledger, you: int | None) -> datetime | None:
    """One's own when one is to move, else the earliest."""
    decisions = ledger.decisions
    if you is not None and you in decisions:
        return decisions[you].deadline
    return min((asked.deadline for asked in decisions.values() if asked.deadline), default=None)


def _legal_moves(ledger: Ledger, you: int | None) -> Sequence[str]:
    return [] if you is None else list(ledger.game.legal_moves(ledger.state, you))


def _view(ledger: Ledger, you: int | None) -> Any:
    # Whoever writes the answer encodes it.
    return None if ledger.state is None else ledger.game.view(ledger.state, you)


def event_json(event: Event | EventRow, you: int | None) -> dict[str, Any]:
    """An event as the seat `you`, or a watcher, may know it."""
    shown = {
        "version": event.number,
        "kind": event.kind,
        "seat": event.seat,
        "by": event.by,
        "data": event.data,
        "at": event.at,
    }
    if event.own not in NOTHING and event.seat is not None and event.seat == you:
        shown["own"] = event.own
    return shown


def events_json(
    ledger: Ledger, player: Viewer, after: int, events: Sequence[Event | EventRow] | None = None
) -> dict[str, Any]:
    """The events after a cursor, at most 500, read unless they were. One from the future gets `reset`."""
    seat = ledger.seat_of(player)
    you = seat.number if seat else None
    version = ledger.table.version
    if events is None:
        events = events_after(ledger, after)
    return {
        "events": [event_json(event, you) for event in events],
        "version": version,
        "more": bool(events) and events[-1].number < version,
        "reset": after > version,
    }


def number(text: str) -> int | None:
    """A whole number in a query: None if it is none, and beyond all versions if it is too long for one."""
    if not text.isascii() or not text.isdecimal():
        return None
    return int(text) if len(text) < 20 else 10**20


def stretch(after: int) -> tuple[int, int]:
    """What to read of the events: those after this cursor, which no version is beyond, and how many."""
    return min(after, LAST_VERSION), EVENTS_AT_ONCE


def events_after(ledger: Ledger, after: int) -> list[Event]:
    """The next 500 events of a table, up to the version at which it was read."""
    version = ledger.table.version
    found = Event.objects.filter(table=ledger.table, number__gt=min(after, version), number__lte=version)
    return list(found.order_by("number")[:EVENTS_AT_ONCE])


def summaries(ledgers: Sequence[Ledger], player: Player) -> list[dict[str, Any]]:
    """Tables as the lobby shows them."""
    load_presence(*ledgers)
    return [summary(ledger, player) for ledger in ledgers]


def summary(ledger: Ledger, player: Viewer) -> dict[str, Any]:
    seat = ledger.seat_of(player)
    return {
        **_head(ledger.table),
        "seats": [_seat_json(taken, ledger.present) for taken in ledger.seats],
        "created_at": ledger.table.created_at,
        "you": seat.number if seat else None,
        "your_turn": seat is not None and seat.number in ledger.decisions,
    }


def lobby(
    player: Player,
    *,
    game: str | None = None,
    status: str | None = None,
    mine: bool = False,
    cursor: str | None = None,
) -> dict[str, Any]:
    """A page of the public tables, or of one's own, newest first. Raises Invalid for a bad cursor."""
    wanted: dict[str, Any] = {OWN: player.pk} if mine else {**PUBLIC}
    wanted.update(OF_STATUS[status] if status else LIVE)
    if game:
        wanted["asked.game = %s"] = game
    if cursor is not None:
        wanted["asked.id < %s"] = _cursor(cursor)
    # An open table that is due is a stale one that nobody has closed yet.
    wanted["NOT (asked.status = 'open' AND asked.wake_at <= %s)"] = timezone.now()
    tables = listed(wanted, PAGE + 1)
    return {
        "results": summaries(tables[:PAGE], player),
        "next": str(tables[PAGE - 1].table.pk) if len(tables) > PAGE else None,
    }


def live_tables(player: Player) -> list[dict[str, Any]]:
    """One's own tables that are not over, newest first."""
    return summaries(listed({OWN: player.pk, **LIVE}, settings.LIVE_TABLES_PER_PLAYER), player)


# Parts of statements, for `listed`. What an index is for is written out, or it would not be used: a plan
# that serves any status goes through all tables for one that few have.
OWN = "asked.id IN (SELECT table_id FROM games_seat WHERE player_id = %s)"
PUBLIC: Mapping[str, Any] = {"asked.visibility = 'public' AND %s": True}
LIVE: Mapping[str, Any] = {"asked.status IN ('open', 'playing') AND %s": True}
OF_STATUS: Mapping[str, Mapping[str, Any]] = {
    status: {f"asked.status = '{status}' AND %s": True} for status in Table.Status.values
}

OPEN_SHOWN = 200


def open_tables(known: Mapping[UUID, Ledger]) -> dict[UUID, Ledger]:
    """The newest open public tables with their seats; those of `known` that have not changed are kept."""
    versions = dict(open_versions(timezone.now(), OPEN_SHOWN))
    changed = [
        pk for pk, version in versions.items() if pk not in known or known[pk].table.version != version
    ]
    read = {each.table.pk: each for each in listed({"asked.id = ANY(%s)": array(changed)}, OPEN_SHOWN)}
    load_presence(*read.values())
    # One that changed between the two queries is open no longer, or comes with the next read.
    return {pk: read.get(pk) or known[pk] for pk in versions if pk in read or pk in known}


def live_table_ids(player_ids: Iterable[UUID]) -> dict[UUID, frozenset[UUID]]:
    """The live tables at which each of these players sits."""
    live = [Table.Status.OPEN, Table.Status.PLAYING]
    seats = Seat.objects.filter(player__in=list(player_ids), table__status__in=live)
    found: dict[UUID, set[UUID]] = {}
    for player_id, table_id in seats.values_list("player_id", "table_id"):
        if player_id:
            found.setdefault(player_id, set()).add(table_id)
    return {player_id: frozenset(table_ids) for player_id, table_ids in found.items()}


def _cursor(cursor: str) -> UUID:
    try:
        return UUID(cursor)
    except ValueError:
        raise Invalid({"cursor": ["This is no cursor that was given out."]}) from None


def needed_until(player: Player) -> datetime | None:
    """How long playing tables still need a player: until the next deadline there, and a session's time.

    While a bot decides, the next deadline is yet to come; a seat that has a stand-in has had its own.
    """
    seats = Seat.objects.filter(player=player, table__status=Table.Status.PLAYING).select_related("table")
    moments = [seat.stand_in_since or _next_deadline(seat.table) for seat in seats]
    return max((moment + settings.SESSION_IDLE for moment in moments if moment), default=None)


def _next_deadline(table: Table) -> datetime | None:
    if table.turn_seconds is None:
        return None
    decisions = Ledger(table, [], timezone.now()).decisions.values()
    return min((asked.deadline or asked.since for asked in decisions), default=None)
