"""Plays 7776, where the best expected total is a solved problem.

`easy` takes the most points that its own dice promise, `normal` weighs them against what a combination
brings as a rule, and `strong` plays for the greatest total over the whole rest of the game; in the last
rounds it plays for the win instead.
"""

from collections.abc import Mapping, Sequence

from games.bots.dice7776_lead import ROUNDS as LAST_ROUNDS
from games.bots.dice7776_lead import Duel, chances
from games.bots.dice7776_rest import BITS, choice, numbered, worth
from games.bots.dice7776_throws import Throw, promises
from games.bots.odds import MoveOdds
from games.rules.dice7776 import COMBINATIONS, MOVES, SEATS, Combination, Options, State, View
from games.rules.game import Move, Seat

DEFAULTS = Options()

UNIT = "points"

DETAIL: Mapping[str, str] = {
    "points": "What the combination brings on the average, given your dice: its points or its penalty.",
    "fails": "How likely it fails.",
    "rest": "What the combinations left over bring on the average, played as well as can be.",
    "wins": "How likely you win, a draw counted as half; null before the last three rounds.",
}

USUAL: dict[Combination, float] = {
    "1": -53.5, "2": -52.7, "3": -52.0, "4": -51.2, "5": -50.5, "6": -49.7,
    "two-of-a-kind": 10.5, "three-of-a-kind": 10.5, "four-of-a-kind": -0.3, "poker": -2.1,
    "2+2": 17.3, "3+2": 18.3, "minor-straight": -1.1, "major-straight": 0.7,
    "minor-sum": 35.0, "major-sum": 35.0,
}  # fmt: skip
"""What a combination brings on the average over all throws of ten dice, in points."""

FORESIGHT = 0.4
"""How much of the usual points `normal` has in mind: at 1 it would play nearly as well as can be."""


def easy(view: View, legal_moves: Sequence[Move], options: Options = DEFAULTS, seat: Seat = 0) -> Move:
    """The move that is expected to bring most points now."""
    promised = promises(_throw(view))
    return max(legal_moves, key=lambda move: promised[MOVES[move]].points)


def normal(view: View, legal_moves: Sequence[Move], options: Options = DEFAULTS, seat: Seat = 0) -> Move:
    """The move that is expected to bring most above a part of its usual points."""
    promised = promises(_throw(view))
    return max(legal_moves, key=lambda move: promised[MOVES[move]].points - FORESIGHT * USUAL[MOVES[move]])


def strong(view: View, legal_moves: Sequence[Move], options: Options = DEFAULTS, seat: Seat = 0) -> Move:
    """The best move for the total, and in the last rounds for the win."""
    if len(legal_moves) > LAST_ROUNDS:
        return for_points(view, legal_moves, options, seat)
    valued = odds(view, legal_moves, options, seat)
    return max(valued, key=lambda each: (each.detail["wins"], each.value)).move


def for_points(view: View, legal_moves: Sequence[Move], options: Options = DEFAULTS, seat: Seat = 0) -> Move:
    """The best move for the total, to the last round."""
    return f"choose {choice(_throw(view), frozenset(MOVES[move] for move in legal_moves))}"


def odds(
    view: View, legal_moves: Sequence[Move], options: Options = DEFAULTS, seat: Seat = 0
) -> tuple[MoveOdds, ...]:
    """What each move brings until the end of the game, on the average."""
    promised = promises(_throw(view))
    unused = [MOVES[move] for move in legal_moves]
    wins = chances(_duel(view, seat, unused)) if len(unused) <= LAST_ROUNDS else {}
    valued = []
    for move, combination in zip(legal_moves, unused, strict=True):
        now, rest = promised[combination], worth(numbered(unused) ^ BITS[combination])
        detail = {"points": now.points, "fails": now.fails, "rest": rest, "wins": wins.get(combination)}
        valued.append(MoveOdds(move, now.points + rest, detail))
    return tuple(valued)


def _throw(view: View) -> Throw:
    return tuple(sorted(view.throw or ()))


def _duel(view: View, seat: Seat, unused: Sequence[Combination]) -> Duel:
    other = 1 - seat
    theirs = frozenset(COMBINATIONS).difference(view.used[other])
    return Duel(_throw(view), view.scores[seat] - view.scores[other], frozenset(unused), theirs)


def luck(before: State | None, move: Move | None, after: State) -> tuple[float, ...]:
    """What chance gave each seat, in points: by the other's dice at a reveal, and by its own next throw.

    A throw gives what the rest of the game is worth with it, less what it is worth on the average; a reveal
    gives what the choice brings, less what one's own dice promised. Both are zero on the average, and over a
    whole game a seat's total is the best expected one, plus this luck, less what its choices gave away.
    """
    thrown = tuple(_by_throw(after, seat) for seat in range(SEATS))
    if before is None:
        return thrown
    if len(before.history) == len(after.history):
        return (0.0,) * SEATS
    return tuple(_by_reveal(after, seat) + by_throw for seat, by_throw in enumerate(thrown))


def _by_reveal(state: State, seat: Seat) -> float:
    """What the other's dice added to the last choice."""
    shown = state.history[-1]
    promised = promises(tuple(sorted(shown.throws[seat])))
    return shown.points[seat] - promised[shown.choices[seat]].points


def _by_throw(state: State, seat: Seat) -> float:
    """What one's new dice add to the rest of the game."""
    if not state.throws:
        return 0.0
    promised = promises(tuple(sorted(state.throws[seat])))
    unused = numbered(state.unused(seat))
    most = max(promised[each].points + worth(unused ^ BITS[each]) for each in state.unused(seat))
    return most - worth(unused)
