"""What moves are worth: the numbers that the built-in bots play by, as people may read them too."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from games.rules.game import JSON, Move, Seat


@dataclass(frozen=True, slots=True)
class MoveOdds:
    """What a legal move is worth to the seat that may make it."""

    move: Move
    value: float
    """What the best play maximises, in the game's `UNIT`."""
    detail: Mapping[str, JSON]
    """What a person would like to read besides, as the game's `DETAIL` describes it."""


Policy: TypeAlias = Callable[[Any, Sequence[Move], Any, Seat], Move]


class Bot(Protocol):
    """What the module of one game in `games.bots` offers.

    A policy, `odds` too, gets what its seat may see: an instance of the game's `view_type`, the seat's legal
    moves (at least one), the table's options (an instance of the game's `options_type`) and the number of
    the seat, since not every view says whose it is. It knows nothing else (what it needs of the past must
    stand in the view), keeps nothing from one call to the next but caches, and answers the same to the same.
    """

    UNIT: str
    """In what the odds' values are counted, as a client may print it: `worms`, `points`, `win chance`."""

    DETAIL: Mapping[str, str]
    """What each key of the odds' `detail` tells, in a sentence."""

    def easy(self, view: Any, legal_moves: Sequence[Move], options: Any, seat: Seat, /) -> Move: ...

    def normal(self, view: Any, legal_moves: Sequence[Move], options: Any, seat: Seat, /) -> Move: ...

    def strong(self, view: Any, legal_moves: Sequence[Move], options: Any, seat: Seat, /) -> Move: ...

    def odds(
        self, view: Any, legal_moves: Sequence[Move], options: Any, seat: Seat, /
    ) -> tuple[MoveOdds, ...]:
        """What each of the legal moves is worth, in their order."""
        ...

    def luck(self, before: Any, move: Move | None, after: Any, /) -> tuple[float, ...]:
        """What chance gave each seat in one step of a game that is over, in `UNIT`.

        `before` and `after` are the game's states around the move; both `before` and `move` are None for the
        start. The luck of a seat has the mean zero over the step's chance, however well anybody plays: it is
        the value after that chance less the mean of that value over all that could have fallen.
        """
        ...


def best(odds: Sequence[MoveOdds]) -> MoveOdds:
    """The move of the greatest value, the first of equals."""
    return max(odds, key=lambda each: each.value)
