"""What five dice promise in 7776, while the other five may show anything."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations_with_replacement, product
from typing import TypeAlias

from games.rules.dice7776 import COMBINATIONS, DICE, FAILED, Combination, table

Throw: TypeAlias = tuple[int, ...]
"""Five dice, sorted."""

WAYS = Counter(tuple(sorted(throw)) for throw in product(range(1, 7), repeat=DICE))
"""The 252 throws, and in how many of the 7776 ways each one comes."""

ALL: int = 6**DICE


@dataclass(frozen=True, slots=True)
class Promise:
    """What a combination brings on one's own dice: its mean points, and the chance to fail it.

    `outcomes` tells in how many of the 7776 ways it brings each number of points.
    """

    points: float
    fails: float
    outcomes: Mapping[int, int]


@cache
def promises(throw: Throw) -> dict[Combination, Promise]:
    """What each combination promises on this throw."""
    columns = zip(*(points_of(throw, other) for other in WAYS), strict=True)
    return {each: _promise(column) for each, column in zip(COMBINATIONS, columns, strict=True)}


def _promise(column: Sequence[int]) -> Promise:
    """From the points with each of the others' throws, in the order of `WAYS`."""
    outcomes: dict[int, int] = defaultdict(int)
    for points, ways in zip(column, WAYS.values(), strict=True):
        outcomes[points] += ways
    mean = sum(points * ways for points, ways in outcomes.items()) / ALL
    return Promise(mean, sum(ways for points, ways in outcomes.items() if points <= FAILED) / ALL, outcomes)


def points_of(throw: Throw, other: Throw) -> tuple[int, ...]:
    """What each combination brings on these ten dice, in the order of `COMBINATIONS`."""
    return _points()[_digits(throw) + _digits(other)]


@lru_cache(maxsize=1 << 10)
def _digits(throw: Throw) -> int:
    """How often each face is there, as the digits of a number: two throws together are their sum."""
    return sum(1 << 4 * face for face in throw)


@cache
def _points() -> dict[int, tuple[int, ...]]:
    """The points on each of the 3003 sets of ten dice, by its digits."""
    tens = combinations_with_replacement(range(1, 7), 2 * DICE)
    return {_digits(dice): tuple(table(dice).values()) for dice in tens}
