"""A table as it was at any of its versions: once it is over, seen from any of its seats."""

from dataclasses import dataclass
from typing import Any

from config.errors import Invalid, NotFinished
from games.ledger import Ledger, Viewer
from games.models import Event, Move
from games.queries import event_json, table_json
from games.records import check_over, start_of
from games.rules.chance import RecordedChance
from games.rules.game import encode, options_from


@dataclass(frozen=True, slots=True)
class Moment:
    """The versions that one step told, from the first to the last, and where the game was after it.

    The state is None before the start.
    """

    first: int
    last: int
    state: Any
    is_over: bool


def table_at(ledger: Ledger, player: Viewer, version: int | None, seat: int | None) -> dict[str, Any]:
    """The table after the step that told this version, as the seat, or a watcher, saw it then.

    Raises NotFinished, and Invalid for a version or a seat that is not there.
    """
    table = check_over(ledger)
    version = table.version if version is None else version
    return {
        **table_json(ledger, player),
        **position_at(ledger, version, seat),
        "you": seat,
        "deadline": None,
        "decision": None,
    }


def position_at(ledger: Ledger, version: int, seat: int | None) -> dict[str, Any]:
    """Of a table that may still be played: what the seat, or a watcher, saw after the step of this version.

    Raises NotFinished for a seat's sight of a table that is not over, and Invalid for a version or a seat
    that is not there.
    """
    if seat is not None and not ledger.table.is_over:
        raise NotFinished
    _check(ledger, version, seat)
    moment = _moment(ledger, version)
    return {
        **_position(ledger, moment, seat),
        "version": moment.last,
        "events": _told(ledger, moment, seat),
    }


def _check(ledger: Ledger, version: int, seat: int | None) -> None:
    wrong = {}
    if not 1 <= version <= ledger.table.version:
        wrong["version"] = [f"Must be 1 to {ledger.table.version} at this table."]
    if seat is not None and seat >= len(ledger.seats):
        wrong["seat"] = ["There is no such seat at this table."]
    if wrong:
        raise Invalid(wrong)


def _position(ledger: Ledger, moment: Moment, seat: int | None) -> dict[str, Any]:
    game, state = ledger.game, moment.state
    if state is None:
        return {"status": "open", "to_move": [], "legal_moves": [], "view": None, "outcome": None}
    return {
        "status": ledger.table.status if moment.is_over else "playing",
        "to_move": sorted(game.to_move(state)),
        "legal_moves": [] if seat is None else list(game.legal_moves(state, seat)),
        "view": encode(game.view(state, seat)),
        "outcome": ledger.table.outcome if moment.is_over else None,
    }


def _told(ledger: Ledger, moment: Moment, seat: int | None) -> list[dict[str, Any]]:
    events = Event.objects.filter(table=ledger.table, number__range=(moment.first, moment.last))
    return [event_json(event, seat) for event in events.order_by("number")]


def _moment(ledger: Ledger, version: int) -> Moment:
    """Steps are the start and the moves; any other event is a step of its own, which moves nothing."""
    started, finished = _bounds(ledger)
    if started is None or version < started:
        return Moment(version, version, None, is_over=False)
    game = ledger.game
    chance = RecordedChance(start_of(ledger.table))
    state, told = game.start(len(ledger.seats), options_from(game, ledger.table.options), chance)
    first, last = started, started + len(told)
    # What was played is not judged again: that is what takes the time.
    for made in Move.objects.filter(table=ledger.table, first_version__lte=version).order_by("number"):
        state, _ = game.apply(state, made.seat, made.move, RecordedChance(made.chance))
        first, last = made.first_version, made.last_version
    if version > last:
        first = last = version
    is_over = finished is not None and last >= finished
    return Moment(first, last, game.halt(state) if is_over else state, is_over)


def _bounds(ledger: Ledger) -> tuple[int | None, int | None]:
    """The versions that told the start and the end, each None if it has not come."""
    events = Event.objects.filter(table=ledger.table)
    version = ledger.table.version
    started = events.filter(kind="started", number__lte=version).order_by("number")
    finished = events.filter(kind="finished", number__lte=version).order_by("-number")
    return (
        started.values_list("number", flat=True).first(),
        finished.values_list("number", flat=True).first(),
    )
