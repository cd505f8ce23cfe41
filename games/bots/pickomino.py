"""A plain Pickomino player: many good dice first, a W in time, and no long risks for a domino in reach."""

from collections.abc import Sequence

from games.rules.game import Move, Seat
from games.rules.pickomino import FACE_NAMED, FACES, VALUES, Options, View, worms

DEFAULTS = Options()

AVERAGE_COST = 2.0  # what a saved die must be worth before spending it is a gain
FIRST_WORM = 3.0  # without a W the whole turn is worth nothing
BEARABLE_LOSS = 0.2  # in worms: what a further roll may put at stake, on average


def easy(view: View, legal_moves: Sequence[Move], options: Options = DEFAULTS, seat: Seat = 0) -> Move:
    """One of `legal_moves`, always the same for the same view. Needs a seat that is to move."""
    if view.phase == "save":
        return max(legal_moves, key=lambda move: (_gain(view, move), move))  # if equal, fewer greater dice
    takes = [move for move in legal_moves if move != "roll"]
    if not takes:
        return "roll"
    best = max(takes, key=_domino)
    return "roll" if "roll" in legal_moves and _worth_a_roll(view, best) else best


def _gain(view: View, save: Move) -> float:
    """How far saving a number brings the turn. W can be saved once only, so it is always the first."""
    face = FACE_NAMED[save.removeprefix("save ")]
    gain = view.dice.count(face) * (VALUES[face] - AVERAGE_COST)
    return gain + FIRST_WORM if face == "W" else gain


def _worth_a_roll(view: View, take: Move) -> bool:
    """A steal is never left: it gains as much as it costs the other."""
    return take.startswith("collect") and _risk(view) * worms(_domino(take)) < BEARABLE_LOSS


def _risk(view: View) -> float:
    """The chance that the next roll shows no new number."""
    return float((len(view.saved) / len(FACES)) ** view.dice_left)


def _domino(take: Move) -> int:
    return int(take.split()[1])
