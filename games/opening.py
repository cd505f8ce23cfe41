"""How a table begins: what it is to be, who may open one, and its first seat."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils import timezone

from config import errors
from games import clock, course
from games.codes import new_code
from games.ledger import Ledger
from games.models import By, Event, Seat, Table
from games.rules import game as rules
from games.rules.registry import GAMES
from sessions.models import Player


@dataclass(frozen=True)
class Done:
    """A table as an act left it. `made`: something new came of it (again, for a repeated key)."""

    ledger: Ledger
    made: bool = True
    number: int | None = None
    events: tuple[Event, ...] = ()


def opened(table: Table, player: Player, number: int = 0, client_seed: str | None = None) -> Ledger:
    """Write a new table with its host on that seat. The player must hold still. Raises TooManyTables."""
    check_room(player)
    table.host = number
    table.save(force_insert=True)
    ledger = Ledger(table, [], table.created_at)
    told = {"game": table.game, "options": table.options, "capacity": table.capacity}
    ledger.tell("opened", by=By.PLAYER, data=told)
    course.take_seat(ledger, Seat.Kind.HUMAN, player=player, client_seed=client_seed, number=number)
    return ledger


def written(ledger: Ledger) -> Ledger:
    """Save a new table, which nobody else can have locked."""
    clock.set_clock(ledger)
    ledger.save()
    return ledger


def what_is_wrong(game: Any, capacity: Any, options: Any) -> dict[str, Any]:
    """What the game has against these, field by field; what has not even the right type is passed over."""
    if not isinstance(game, str) or game not in GAMES:
        return {"game": [f"Must be one of: {', '.join(GAMES)}."]} if isinstance(game, str) else {}
    plays = GAMES[game]
    wrong: dict[str, Any] = {}
    if type(capacity) is int and capacity not in plays.seats:
        wrong["capacity"] = [f"Must be {plays.seats[0]} to {plays.seats[-1]} for this game."]
    if isinstance(options, Mapping):
        try:
            rules.options_from(plays, options)
        except rules.BadOptions as error:
            wrong["options"] = dict(error.errors)
    return wrong


def new_table(
    game: str, capacity: int | None, options: Mapping[str, Any], visibility: str, turn_seconds: int | None
) -> Table:
    """A table of that game, not written yet. Raises Invalid with all that is wrong."""
    if wrong := what_is_wrong(game, capacity, options):
        raise errors.Invalid(wrong)
    plays = GAMES[game]
    capacity = plays.seats[-1] if capacity is None else capacity
    chosen = rules.encode(rules.options_from(plays, options))
    now = timezone.now()
    return Table(
        game=game,
        rules_version=plays.rules_version,
        options=chosen,
        capacity=capacity,
        visibility=visibility,
        code=new_code() if visibility == Table.Visibility.PRIVATE else None,
        turn_seconds=turn_seconds,
        created_at=now,
        touched_at=now,
    )


def hold_still(player: Player) -> None:
    """Let a player take one seat at a time, and none while it is being forgotten."""
    living = Player.objects.select_for_update(no_key=True).filter(pk=player.pk, leaving=False)
    if not living.exists():
        raise errors.NotAuthenticated


def check_room(player: Player) -> None:
    """Raises TooManyTables."""
    seated = Seat.objects.filter(player=player).values_list("table__status", flat=True)
    statuses = list(seated.filter(table__status__in=[Table.Status.OPEN, Table.Status.PLAYING]))
    too_many_open = statuses.count(Table.Status.OPEN) >= settings.OPEN_TABLES_PER_PLAYER
    if too_many_open or len(statuses) >= settings.LIVE_TABLES_PER_PLAYER:
        raise errors.TooManyTables
