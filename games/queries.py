"""What is told of tables: each to its viewer, from an allow-list, and nothing else."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import Prefetch, Q
from django.utils import timezone

from config.errors import Invalid, NotFound
from games import lock
from games.codes import read_code
from games.ledger import Ledger, Viewer
from games.models import Event, Seat, Table
from games.rules.game import encode
from sessions.models import Player
from sessions.presence import present

PAGE = 50
EVENTS_AT_ONCE = 500


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
    """Public tables are everybody's to watch, private ones of those who sit there."""
    return ledger.table.code is None or ledger.seat_of(player) is not None


def table_by_code(code: str) -> Ledger:
    """The private table of that code. Raises NotFound."""
    return _read(Q(code=read_code(code)))


def _read(which: Q) -> Ledger:
    table = Table.objects.filter(which).first()
    if table is None:
        raise NotFound
    if table.wake_at and table.wake_at <= timezone.now():
        with lock.lock_table(table.pk) as ledger:
            return ledger
    seats = Seat.objects.filter(table=table).select_related("player").order_by("number")
    return Ledger(table, list(seats), timezone.now())


def load_presence(*ledgers: Ledger) -> None:
    """Ask once who of all the people at these tables is connected."""
    players = {seat.player.pk: seat.player for ledger in ledgers for seat in ledger.seats if seat.player}
    here = present(players.values(), timezone.now())
    for ledger in ledgers:
        ledger.present = here


def regathered(ledgers: Mapping[UUID, Ledger]) -> list[UUID]:
    """Those of the tables at which others are connected than when they were read."""
    players = {seat.player.pk: seat.player for each in ledgers.values() for seat in each.seats if seat.player}
    here = present(players.values(), timezone.now())
    return [
        pk
        for pk, each in ledgers.items()
        if any((seat.player_id in here) != (seat.player_id in each.present) for seat in each.seats)
    ]


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
        "fairness": None,
    }


def _head(table: Table) -> dict[str, Any]:
    return {
        "id": table.pk,
        "game": table.game,
        "status": table.status,
        "capacity": table.capacity,
        "options": table.options,
        "visibility": table.visibility,
        "turn_seconds": table.turn_seconds,
        "hints": table.hints,
    }


def _seat_json(seat: Seat, present: frozenset[UUID]) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "seat": seat.number,
        "name": seat.player.name if seat.player else None,
        "kind": seat.kind,
        "connected": not seat.is_human or seat.player_id in present,
        "stand_in": seat.stand_in,
        "left": seat.is_human and seat.player is None,
    }
    if seat.level:
        shown["level"] = seat.level
    if seat.player and seat.player.bot:
        shown["bot"] = True
    return shown


def _deadline(ledger: Ledger, you: int | None) -> datetime | None:
    """One's own when one is to move, else the earliest."""
    decisions = ledger.decisions
    if you in decisions:
        return decisions[you].deadline
    return min((asked.deadline for asked in decisions.values() if asked.deadline), default=None)


def _legal_moves(ledger: Ledger, you: int | None) -> Sequence[str]:
    return [] if you is None else list(ledger.game.legal_moves(ledger.state, you))


def _view(ledger: Ledger, you: int | None) -> Any:
    if ledger.table.state is None:
        return None
    return encode(ledger.game.view(ledger.state, you))


def event_json(event: Event, you: int | None) -> dict[str, Any]:
    """An event as the seat `you`, or a watcher, may know it."""
    shown = {
        "version": event.number,
        "kind": event.kind,
        "seat": event.seat,
        "by": event.by,
        "data": event.data,
        "at": event.at,
    }
    if event.own is not None and event.seat is not None and event.seat == you:
        shown["own"] = event.own
    return shown


def events_json(ledger: Ledger, player: Viewer, after: int) -> dict[str, Any]:
    """The events after a cursor, at most 500. A cursor from the future gets `reset` and none."""
    seat = ledger.seat_of(player)
    you = seat.number if seat else None
    version = ledger.table.version
    events = events_after(ledger, after)
    return {
        "events": [event_json(event, you) for event in events],
        "version": version,
        "more": bool(events) and events[-1].number < version,
        "reset": after > version,
    }


def events_after(ledger: Ledger, after: int) -> list[Event]:
    """The next 500 events of a table, up to the version at which it was read."""
    version = ledger.table.version
    found = Event.objects.filter(table=ledger.table, number__gt=min(after, version), number__lte=version)
    return list(found.order_by("number")[:EVENTS_AT_ONCE])


def summaries(tables: Iterable[Table], player: Player) -> list[dict[str, Any]]:
    """Tables as the lobby shows them; their seats must have been prefetched with the players."""
    now = timezone.now()
    ledgers = [Ledger(table, list(table.seats.all()), now) for table in tables]
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
    wanted = Q(seats__player=player) if mine else Q(visibility=Table.Visibility.PUBLIC)
    wanted &= Q(status=status) if status else Q(status__in=[Table.Status.OPEN, Table.Status.PLAYING])
    if game:
        wanted &= Q(game=game)
    if cursor is not None:
        wanted &= Q(pk__lt=_cursor(cursor))
    # An open table that is due is a stale one that nobody has closed yet.
    stale = Q(status=Table.Status.OPEN, wake_at__lte=timezone.now())
    tables = list(_listed(wanted & ~stale)[: PAGE + 1])
    return {
        "results": summaries(tables[:PAGE], player),
        "next": str(tables[PAGE - 1].pk) if len(tables) > PAGE else None,
    }


def live_tables(player: Player) -> list[dict[str, Any]]:
    """One's own tables that are not over, newest first."""
    live = Q(seats__player=player, status__in=[Table.Status.OPEN, Table.Status.PLAYING])
    return summaries(_listed(live)[: settings.LIVE_TABLES_PER_PLAYER], player)


OPEN_SHOWN = 200


def open_tables(known: Mapping[UUID, Ledger]) -> dict[UUID, Ledger]:
    """The newest open public tables with their seats; those of `known` that have not changed are kept."""
    open_now = Q(status=Table.Status.OPEN, visibility=Table.Visibility.PUBLIC, wake_at__gt=timezone.now())
    found = Table.objects.filter(open_now).order_by("-pk").values_list("pk", "version")[:OPEN_SHOWN]
    versions = dict(found)
    changed = [
        pk for pk, version in versions.items() if pk not in known or known[pk].table.version != version
    ]
    now = timezone.now()
    read = {table.pk: Ledger(table, list(table.seats.all()), now) for table in _listed(Q(pk__in=changed))}
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


def _listed(wanted: Q) -> Any:
    seats = Seat.objects.select_related("player").order_by("number")
    light = Table.objects.defer("state", "start_chance", "outcome", "kept")
    return light.filter(wanted).order_by("-pk").prefetch_related(Prefetch("seats", seats))


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
