"""Plays 7776 by what a throw promises: the combination that its own dice lift most above the usual."""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import product

from games.rules.dice7776 import COMBINATIONS, DICE, MOVES, Combination, Options, View, table
from games.rules.game import Move, Seat

DEFAULTS = Options()

USUAL: dict[Combination, float] = {
    "1": -53.5, "2": -52.7, "3": -52.0, "4": -51.2, "5": -50.5, "6": -49.7,
    "two-of-a-kind": 10.5, "three-of-a-kind": 10.5, "four-of-a-kind": -0.3, "poker": -2.1,
    "2+2": 17.3, "3+2": 18.3, "minor-straight": -1.1, "major-straight": 0.7,
    "minor-sum": 35.0, "major-sum": 35.0,
}  # fmt: skip
"""What a combination brings on the average over all throws of ten dice, in points."""

THROWS = Counter(tuple(sorted(throw)) for throw in product(range(1, 7), repeat=DICE))
"""The 7776 throws, sorted, and how often each one comes."""


def easy(view: View, legal_moves: Sequence[Move], options: Options = DEFAULTS, seat: Seat = 0) -> Move:
    """The move whose combination is expected to bring most above its usual points."""
    points = expected(tuple(sorted(view.throw or ())))
    return max(legal_moves, key=lambda move: points[MOVES[move]] - USUAL[MOVES[move]])


@cache
def expected(throw: tuple[int, ...]) -> dict[Combination, float]:
    """What each combination brings, in points, on five known dice and five that may show anything."""
    sums = dict.fromkeys(COMBINATIONS, 0)
    for other, often in THROWS.items():
        for combination, points in table(throw + other).items():
            sums[combination] += often * points
    return {combination: points / 6**DICE for combination, points in sums.items()}
