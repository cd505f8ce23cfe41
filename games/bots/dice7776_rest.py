"""What the rest of a game of 7776 is worth: the best expected total for every set of unused combinations.

A seat's points depend only on the ten dice and on its own choice, so the rest of a game is worth the same
whatever the other does:

    worth(unused) = mean over one's own five dice of
        the most over c in unused of (mean points of c on those dice + worth(unused without c))

`dice7776_rest.bin` holds the 65,536 numbers, worked out by `python -m games.bots.dice7776_solve`.
"""

import sys
from array import array
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from games.bots.dice7776_throws import Throw, promises
from games.rules.dice7776 import COMBINATIONS, Combination

FILE = Path(__file__).with_name("dice7776_rest.bin")

BITS = {combination: 1 << index for index, combination in enumerate(COMBINATIONS)}
"""A set of combinations as a number: the sum of these."""

EVERY = (1 << len(COMBINATIONS)) - 1


def numbered(combinations: Iterable[Combination]) -> int:
    """A set of combinations as a number."""
    return sum(BITS[combination] for combination in combinations)


def worth(unused: int) -> float:
    """The best expected total, in points, with these combinations still to choose."""
    return _table()[unused]


def choice(throw: Throw, unused: frozenset[Combination]) -> Combination:
    """The choice that is worth most points over the rest of the game."""
    promised, every = promises(throw), numbered(unused)
    return max(
        (combination for combination in COMBINATIONS if combination in unused),
        key=lambda combination: promised[combination].points + worth(every ^ BITS[combination]),
    )


def write(values: Iterable[float]) -> None:
    """Make the file anew: doubles, the least byte first."""
    FILE.write_bytes(_in_file_order(array("d", values)).tobytes())


@cache
def _table() -> "array[float]":
    values = array("d")
    values.frombytes(FILE.read_bytes())
    return _in_file_order(values)


def _in_file_order(values: "array[float]") -> "array[float]":
    if sys.byteorder == "big":
        values.byteswap()
    return values
