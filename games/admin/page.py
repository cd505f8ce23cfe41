"""What the page of a table shows: the board as people see it, and what happened."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from django.template.exceptions import TemplateDoesNotExist
from django.template.loader import get_template

from config.errors import Invalid
from games.ledger import Ledger
from games.models import Event, Seat, Table
from games.queries import event_json, number
from games.replay import position_at
from games.rules.game import encode

EVENTS_SHOWN = 100


def page(ledger: Ledger, asked: Mapping[str, str]) -> dict[str, Any]:
    """The table at the version and from the seat that were asked for.

    A seat's own sight is shown of a table that is over; of any other only what a watcher may see.
    """
    table = ledger.table
    wanted = number(asked.get("version", ""))
    version = table.version if wanted is None else min(max(wanted, 1), table.version)
    seat = _seat(ledger, asked.get("seat", ""))
    return {
        "table": table,
        "game_name": ledger.game.name if ledger.has_rules else table.game,
        "seats": ledger.seats,
        "hosts": table.host,
        "decisions": _waited_for(ledger),
        "position": _position(ledger, version, seat),
        "seat": seat,
        "version": version,
        "is_latest": version == table.version,
        "was": _steps(ledger, version),
        "eyes": [None, *(each.number for each in ledger.seats)] if _may_see_as(table) else [None],
        "events": list(_events(ledger, version, seat)),
        "more_events": version > EVENTS_SHOWN,
        "outcome": ledger.outcome,
    }


def looked(ledger: Ledger) -> list[dict[str, Any]]:
    """What each seat of a running table sees now."""
    return [
        {"seat": seat, **_board(ledger, encode(ledger.game.view(ledger.state, seat.number)), seat.number)}
        for seat in ledger.seats
    ]


def _may_see_as(table: Table) -> bool:
    return table.is_over and table.started_at is not None


def _seat(ledger: Ledger, asked: str) -> int | None:
    seat = number(asked)
    seated = {each.number for each in ledger.seats}
    return seat if seat in seated and _may_see_as(ledger.table) else None


def _waited_for(ledger: Ledger) -> list[dict[str, Any]]:
    """Whom the table waits for, and until when."""
    return [
        {"seat": ledger.seat(each), "since": asked.since, "deadline": asked.deadline}
        for each, asked in sorted(ledger.decisions.items())
    ]


def _position(ledger: Ledger, version: int, seat: int | None) -> dict[str, Any]:
    """The board at a version, or why none can be shown."""
    if not ledger.has_rules:
        return {"why_not": "This server does not have the rules under which the table began."}
    if not 1 <= version <= ledger.table.version:
        raise Invalid({"version": ["There is no such version."]})
    found = position_at(ledger, version, seat)
    if found["view"] is None:
        return {**found, "why_not": "The game had not begun."}
    return {**found, **_board(ledger, encode(found["view"]), seat)}


def _board(ledger: Ledger, view: Any, you: int | None) -> dict[str, Any]:
    return {
        "board": _template(ledger.table.game),
        "view": view,
        "you": you,
        "text": json.dumps(view, indent=2, ensure_ascii=False),
    }


def _template(slug: str) -> str:
    """A game without a picture of its own is shown as the text of its view."""
    name = f"desk/boards/{slug}.html"
    try:
        get_template(name)
    except TemplateDoesNotExist:
        return "desk/boards/any.html"
    return name


def _steps(ledger: Ledger, version: int) -> dict[str, int | None]:
    """Where the buttons beside the slider lead."""
    last = ledger.table.version
    return {
        "first": 1 if version > 1 else None,
        "before": version - 1 if version > 1 else None,
        "after": version + 1 if version < last else None,
        "last": last if version < last else None,
    }


def _events(ledger: Ledger, version: int, seat: int | None) -> Iterator[dict[str, Any]]:
    """What was told up to a version, the newest first, as the seat or a watcher heard it."""
    seats: dict[int, Seat] = {each.number: each for each in ledger.seats}
    found = Event.objects.filter(table=ledger.table, number__lte=version).order_by("-number")
    for event in found[:EVENTS_SHOWN]:
        told = event_json(event, seat)
        yield {
            **told,
            "said": _said(told["data"]),
            "own_said": _said(told.get("own") or {}),
            "of": seats.get(event.seat) if event.seat is not None else None,
        }


def _said(data: Mapping[str, Any]) -> str:
    """An event's data in one line."""
    return ", ".join(f"{key}: {_short(value)}" for key, value in data.items() if value is not None)


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 120 else f"{text[:119]}…"
