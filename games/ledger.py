"""One table while its row is locked: what it is, and what is about to be written about it."""

import logging
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any, Protocol
from uuid import UUID

import msgspec
from django.db.models import Model

from config import metrics
from config.errors import Unavailable
from games import bus, statements
from games.models import By, Event, Move, Seat, Table, as_read
from games.rules.game import Game, Outcome, decode_state
from games.rules.registry import UnknownRules, game_of, known_rules
from sessions.models import Player

log = logging.getLogger(__name__)

# All that a table's course may change; written together, since nothing else writes the row.
MUTABLE = (
    "status",
    "host",
    "removed",
    "version",
    "moves",
    "state",
    "decisions",
    "start_chance",
    "outcome",
    "started_at",
    "over_at",
    "touched_at",
    "paused_at",
    "wake_at",
    "fill_at",
    "rematch",
    "looks",
)
# What a move can change of it, and all that is written where not even `removed` was read.
IN_PLAY = (
    "status",
    "version",
    "moves",
    "state",
    "decisions",
    "outcome",
    "over_at",
    "touched_at",
    "paused_at",
    "wake_at",
)


@dataclass(frozen=True, slots=True)
class Decision:
    """What a seat is asked: since when and since which version, and until when if it has a clock."""

    version: int
    since: datetime
    deadline: datetime | None = None


class Viewer(Protocol):
    """Somebody who looks at a table: a player, or just its id where thousands look."""

    @property
    def pk(self) -> UUID: ...


@dataclass
class Ledger:
    """A table's row and seats, and the events and moves that are to be written with them.

    Written by `games.lock` only: under the lock, or if nobody has written the table since it was read. A
    refusal before that leaves everything as it was.
    The row's `state` and `decisions` are decoded in place, once, when they are first asked for.
    """

    table: Table
    seats: list[Seat]
    now: datetime
    events: list[Event] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    seats_changed: set[int] = field(default_factory=set)
    # Players whose own list of tables changes by what is written.
    concerned: set[UUID] = field(default_factory=set)
    present: frozenset[UUID] = frozenset()
    # The row is to be written although nothing is told.
    is_altered: bool = False

    def __post_init__(self) -> None:
        self.status_before = self.table.status
        self._decisions: dict[int, Decision] | None = None

    @cached_property
    def game(self) -> Game[Any, Any]:
        """The rules under which the table began. Raises Unavailable when this server does not have them."""
        try:
            return game_of(self.table.game, self.table.rules_version)
        except UnknownRules as unknown:
            log.error("table %s can't be played: %s", self.table.pk, unknown)
            raise Unavailable("This server does not have the rules under which the table began.") from None

    @cached_property
    def has_rules(self) -> bool:
        return (self.table.game, self.table.rules_version) in known_rules()

    @property
    def state(self) -> Any:
        """The position, of the game's own type; None before the start."""
        stored = self.table.state
        if stored is not None and not isinstance(stored, self.game.state_type):
            self.table.state = decode_state(self.game, stored)
        return self.table.state

    @state.setter
    def state(self, state: Any) -> None:
        self.table.state = state

    @property
    def decisions(self) -> Mapping[int, Decision]:
        """What each seat that is to move is asked."""
        if self._decisions is None:
            self._decisions = msgspec.convert(self.table.decisions, dict[int, Decision], strict=False)
        return self._decisions

    @decisions.setter
    def decisions(self, decisions: Mapping[int, Decision]) -> None:
        self._decisions = self.table.decisions = dict(decisions)

    @property
    def outcome(self) -> Outcome | None:
        return msgspec.convert(self.table.outcome, Outcome | None)

    def seat(self, number: int) -> Seat:
        """Raises KeyError when nobody sits there."""
        for seat in self.seats:
            if seat.number == number:
                return seat
        raise KeyError(number)

    def seat_of(self, player: Viewer) -> Seat | None:
        own = player.pk
        return next((seat for seat in self.seats if seat.player_id == own), None)

    def free_number(self, player: Player | None = None) -> int:
        """The seat that is kept for the player, else the lowest free one; the capacity when all are taken."""
        kept = self.kept_seats
        if player and str(player.pk) in kept:
            return kept[str(player.pk)]
        return self.any_free_number(taken=set(kept.values()))

    def any_free_number(self, taken: AbstractSet[int] = frozenset()) -> int:
        """The lowest seat that nobody sits on, kept or not, beside those taken."""
        taken = taken | {seat.number for seat in self.seats}
        return next(number for number in range(self.table.capacity + 1) if number not in taken)

    @property
    def kept_seats(self) -> dict[str, int]:
        """The seats that a rematch keeps for who played before, by player; free ones only."""
        if self.table.kept_until is None or self.table.kept_until <= self.now:
            return {}
        taken = {seat.number for seat in self.seats}
        kept: dict[str, int] = self.table.kept
        return {player: number for player, number in kept.items() if number not in taken}

    @property
    def in_game(self) -> list[Seat]:
        """The seats that can still win."""
        return [seat for seat in self.seats if not seat.is_out]

    @property
    def is_paused(self) -> bool:
        """Every human seat still in the game has a stand-in: the server moves for nobody."""
        return self.table.status == Table.Status.PLAYING and not any(seat.is_attended for seat in self.seats)

    def tell(
        self,
        kind: str,
        seat: int | None = None,
        *,
        by: By = By.SERVER,
        data: Mapping[str, Any] | None = None,
        own: Mapping[str, Any] | None = None,
    ) -> None:
        """Add the next version: `data` for everybody, `own` for the seat alone besides."""
        self.table.version += 1
        event = {
            "table_id": self.table.id,
            "number": self.table.version,
            "kind": kind,
            "seat": seat,
            "by": by,
            "data": msgspec.to_builtins(data or {}),
            "own": None if own is None else msgspec.to_builtins(own),
            "at": self.now,
        }
        self.events.append(as_read(Event, event))
        if by == By.PLAYER:
            self.table.touched_at = self.now

    @property
    def is_changed(self) -> bool:
        return bool(self.events or self.seats_changed or self.is_altered)

    def fill_by(self, moment: datetime) -> None:
        """Have bots take the free seats then, which nobody is told before."""
        self.table.fill_at = moment
        self.is_altered = True

    def count_look(self) -> None:
        """A moderator looks at what is hidden; it is told when the table is over."""
        self.table.looks += 1
        self.is_altered = True

    def save(self, key: statements.Row | None = None) -> bool:
        """Write the table's row with all that happened, and the idempotency key that it was for.

        False, with nothing written, when another has written the table since it was read, or the player
        has used the key.
        """
        row = vars(self.table)
        # Of a table that a visit read, not all of the row is here.
        written = statements.write(
            self.table.id,
            self.table.revision,
            row,
            MUTABLE if "removed" in row else IN_PLAY,
            moves=[vars(move) for move in self.moves],
            events=[vars(event) for event in self.events],
            seats=[_row(seat, statements.SEAT) for seat in self.seats if seat.number in self.seats_changed],
            key=key,
        )
        if written:
            self.table.revision += 1
            for move in self.moves:
                metrics.child(metrics.MOVES, self.table.game, str(move.by)).inc()
            self._announce()
        return written

    def _announce(self) -> None:
        if not self.events and not self.seats_changed:
            return
        in_lobby = Table.Status.OPEN in (self.table.status, self.status_before)
        bus.announce(
            self.table.id,
            self.table.version,
            players=self.concerned,
            lobby=in_lobby and self.table.visibility == Table.Visibility.PUBLIC,
        )


def _row(of: Model, columns: Iterable[str]) -> statements.Row:
    return {name: getattr(of, name) for name in columns}
