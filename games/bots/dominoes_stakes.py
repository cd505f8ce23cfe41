"""What the result of a round of dominoes is worth to each seat: its share of winning the game."""

from collections.abc import Sequence
from math import exp, sqrt
from typing import TypeAlias

Result: TypeAlias = tuple[int, int]
"""Who won a round, and the points; who is negative for a drawn one: ~ of the bits of the joint lowest."""

PACE = {2: (12.0, 2.5), 3: (18.0, 2.0), 4: (18.0, 1.5)}
"""By the number of seats, how many points matter: so many at once, and so many for each root of a point that
the leader lacks. Fitted to simulated races to the target, which they meet within about three hundredths."""


class Stakes(dict[Result, tuple[float, ...]]):
    """By the result of the round, each seat's chance to win the game; they add up to 1.

    With the target 0 that is the round's own ranking. Else the chance is exact where the target is reached,
    and before that falls off as exp(−points lacking / pace).
    """

    def __init__(self, scores: Sequence[int], target: int) -> None:
        super().__init__()
        self._scores, self._target = scores, target

    def __missing__(self, result: Result) -> tuple[float, ...]:
        shares = self._of_the_round(*result) if self._target == 0 else self._of_the_race(*result)
        self[result] = shares
        return shares

    def _of_the_round(self, winner: int, _: int) -> tuple[float, ...]:
        bits = ~winner if winner < 0 else 1 << winner
        return tuple((bits >> seat & 1) / bits.bit_count() for seat in range(len(self._scores)))

    def _of_the_race(self, winner: int, points: int) -> tuple[float, ...]:
        lacking = [
            self._target - score - (points if seat == winner else 0)
            for seat, score in enumerate(self._scores)
        ]
        if min(lacking) <= 0:
            return tuple(float(lacks <= 0) for lacks in lacking)
        return _race(lacking)


def _race(lacking: Sequence[int]) -> tuple[float, ...]:
    """The chances of seats that play equally well to reach a target first, by the points that each lacks."""
    least = min(lacking)
    at_once, by_root = PACE[len(lacking)]
    pace = at_once + by_root * sqrt(least)
    weights = [exp((least - lacks) / pace) for lacks in lacking]
    return tuple(weight / sum(weights) for weight in weights)
