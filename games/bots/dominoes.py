"""Plays dominoes straight on: rids itself of pips and doubles, and keeps the row open for its own tiles."""

from collections.abc import Sequence

from games.rules.dominoes import Options, View
from games.rules.game import Move, Seat
from games.rules.layout import CORNERS, ENDS, Tile, halves

DEFAULTS = Options()

DOUBLE = 6
"""What it is worth, in pips, to be rid of a double, which fits one number only."""

OPEN = 2
"""What it is worth, in pips, that one more tile of the hand could be laid next."""


def easy(view: View, legal_moves: Sequence[Move], options: Options = DEFAULTS, seat: Seat = 0) -> Move:
    """The straight lay that is worth most, the first of equals; `draw` when that is all there is."""
    straight = [move for move in legal_moves if not move.endswith(CORNERS)]
    return max(straight, key=lambda move: _worth(view, move))


def _worth(view: View, move: Move) -> int:
    """How good a move is, in pips."""
    match move.split():
        case ["lay", tile, *where]:
            greater, lesser = halves(tile)
            return greater + lesser + DOUBLE * (greater == lesser) + OPEN * _layable(view, tile, where)
    return 0


def _layable(view: View, tile: Tile, where: Sequence[str]) -> int:
    """How many of the other tiles in the hand would fit the row after this lay."""
    after = _ends_after(view, tile, where)
    return sum(not after.isdisjoint(halves(other)) for other in view.hand or () if other != tile)


def _ends_after(view: View, tile: Tile, where: Sequence[str]) -> set[int]:
    """The pips of both ends once the tile lies."""
    pips = [end.pips for end in view.ends] or list(halves(tile))
    for name in where:
        index = ENDS.index(name)
        pips[index] = sum(halves(tile)) - pips[index]
    return set(pips)
