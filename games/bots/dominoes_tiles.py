"""Domino tiles as bits: the nth of the rules' tiles is 1 << n, a hand is the sum of its tiles.

The ends of a row are an unordered pair of pips and as such one of the same 28 numbers; 28 is a row that has
not begun.
"""

from collections.abc import Iterable
from functools import cache
from typing import TypeAlias

from games.rules.dominoes import TILES
from games.rules.layout import Tile, halves

Bits: TypeAlias = int
"""Some of the 28 tiles."""

Ends: TypeAlias = int
"""The pair of pips at the ends of a row, by the number of the tile that has both; or NO_ROW."""

NO_ROW: Ends = len(TILES)
EVERY: Bits = (1 << len(TILES)) - 1
NUMBER = {tile: number for number, tile in enumerate(TILES)}
HALVES = tuple(map(halves, TILES))
PIPS = tuple(map(sum, HALVES))

_PAIR = {pair: number for number, (a, b) in enumerate(HALVES) for pair in ((a, b), (b, a))}
_HALF = len(TILES) // 2
_LOW = (1 << _HALF) - 1


def ends_of(one: int, other: int) -> Ends:
    """The ends of a row that has begun."""
    return _PAIR[one, other]


def bits_of(tiles: Iterable[Tile]) -> Bits:
    """The same tiles, as bits."""
    return sum(1 << NUMBER[tile] for tile in tiles)


def each(tiles: Bits) -> list[Bits]:
    """The same tiles one by one."""
    return [1 << number for number in range(len(TILES)) if tiles >> number & 1]


@cache
def having(*numbers: int) -> Bits:
    """The tiles that have one of these numbers of pips."""
    return sum(1 << tile for tile, pair in enumerate(HALVES) if not set(pair).isdisjoint(numbers))


FIT: tuple[Bits, ...] = (*(having(*pair) for pair in HALVES), EVERY)
"""What can be laid, by the ends."""


def _lays(ends: Ends, tile: int) -> tuple[Ends, ...]:
    """What the ends can be after a lay, each once."""
    if ends == NO_ROW:
        return (tile,)
    left, right = HALVES[ends]
    ways = {
        ends_of(PIPS[tile] - near, far)
        for near, far in ((left, right), (right, left))
        if near in HALVES[tile]
    }
    return tuple(sorted(ways))


LAYS: tuple[tuple[tuple[Ends, ...], ...], ...] = tuple(
    tuple(_lays(ends, tile) for tile in range(len(TILES))) for ends in range(NO_ROW + 1)
)
"""By the ends and the tile that is laid: what the ends can be then."""


def _sums(pips: tuple[int, ...]) -> bytes:
    """The pips of every set of some tiles."""
    sums = [0]
    for tile in pips:
        sums += [tile + others for others in sums]
    return bytes(sums)


_LIGHT, _HEAVY = _sums(PIPS[:_HALF]), _sums(PIPS[_HALF:])


def pips_of(tiles: Bits) -> int:
    """All pips of these tiles."""
    return _LIGHT[tiles & _LOW] + _HEAVY[tiles >> _HALF]
