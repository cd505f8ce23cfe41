"""How a row of domino tiles lies on the table: a grid without bounds, corners, dead ends, straightening.

x grows to the right, y downwards. A tile covers two cells, half by half. The first tile lies at (0,0) and
(1,0), its greater half first; the left end then heads left, the right end heads right. Every later tile
covers the two cells that follow its end's last cell: straight on, or, at a corner, in the heading turned
a quarter clockwise (`cw`) or counter-clockwise (`ccw`). Nothing here changes what fits or scores.
"""

from collections.abc import Iterable, Set
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Annotated, Literal, TypeAlias

import msgspec

Tile: TypeAlias = Annotated[
    str,
    msgspec.Meta(pattern="^[0-6]-[0-6]$", description="A tile, its greater half first.", examples=["6-4"]),
]
Pips: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=6)]
Heading: TypeAlias = Literal["up", "right", "down", "left"]
Cell: TypeAlias = tuple[int, int]

ENDS = ("left", "right")
CORNERS = ("cw", "ccw")

_CLOCKWISE: tuple[Heading, ...] = ("up", "right", "down", "left")
_STEPS: dict[Heading, Cell] = {"up": (0, -1), "right": (1, 0), "down": (0, 1), "left": (-1, 0)}
_QUARTERS = {None: 0, "cw": 1, "ccw": -1}


@dataclass(frozen=True, slots=True)
class Laid:
    """A tile in the row, read from the left end to the right end.

    `x, y` is the cell of its left half, `heading` the direction from there to its right half.
    """

    left: Pips
    right: Pips
    x: int
    y: int
    heading: Heading

    @property
    def cells(self) -> tuple[Cell, Cell]:
        """Where its left and its right half lie."""
        return (self.x, self.y), _next_cell((self.x, self.y), self.heading)


Row: TypeAlias = tuple[Laid, ...]


@dataclass(frozen=True, slots=True)
class Placed:
    """A tile of the row as clients see it.

    `x, y` is the cell of its greater half, `facing` the direction from there to the lesser half; for a
    double, from the half nearer to the left end to the other.
    """

    tile: Tile
    x: int
    y: int
    facing: Heading


@dataclass(frozen=True, slots=True)
class End:
    """An end of the row: its open half, the cell of that half, and where the row would go on."""

    pips: Pips
    x: int
    y: int
    heading: Heading


@cache
def halves(tile: Tile) -> tuple[int, int]:
    """The pips of a tile, greater half first."""
    return int(tile[0]), int(tile[2])


def begin(tile: Tile) -> Row:
    """A row of one tile, in the middle of the table."""
    greater, lesser = halves(tile)
    return (Laid(greater, lesser, 0, 0, "right"),)


def ends(row: Row) -> tuple[End, ...]:
    """The left and the right end; none before the first tile."""
    if not row:
        return ()
    leftmost, rightmost = row[0], row[-1]
    return (
        End(leftmost.left, *leftmost.cells[0], _opposite(leftmost.heading)),
        End(rightmost.right, *rightmost.cells[1], rightmost.heading),
    )


def any_fits(row: Row, tiles: Iterable[Tile]) -> bool:
    """Whether a half of one of the tiles matches an end of a row that has begun."""
    open_halves = {row[0].left, row[-1].right}
    return any(not open_halves.isdisjoint(halves(tile)) for tile in tiles)


def open_corners(row: Row) -> tuple[list[str], list[str]]:
    """The corners for which there is room, at the left and at the right end."""
    taken = _occupied(row)
    left, right = ([c for c in CORNERS if _has_room(taken, end, c)] for end in ends(row))
    return left, right


def is_dead_end(row: Row, end: str) -> bool:
    """Whether the row can't go straight on at this end, because it has run into itself."""
    return not _has_room(_occupied(row), _end(row, end), None)


def extend(row: Row, tile: Tile, end: str, corner: str | None) -> Row:
    """The row with one more tile at an end. Trusts that it fits and that there is room."""
    last = _end(row, end)
    heading = _turned(last.heading, corner)
    near, far = _cells_ahead(last, heading)
    outer = sum(halves(tile)) - last.pips
    if end == "left":
        return Laid(outer, last.pips, *far, _opposite(heading)), *row
    return *row, Laid(last.pips, outer, *near, heading)


def straightened(row: Row) -> Row:
    """The same row in one horizontal line; its first tile, the one at (0,0), stays where it is."""
    before = next(index for index, laid in enumerate(row) if (laid.x, laid.y) == (0, 0))
    return tuple(
        Laid(laid.left, laid.right, 2 * (index - before), 0, "right") for index, laid in enumerate(row)
    )


def placed(row: Row) -> tuple[Placed, ...]:
    """The row as clients see it."""
    return tuple(_placed(laid) for laid in row)


def _placed(laid: Laid) -> Placed:
    left_cell, right_cell = laid.cells
    if laid.left >= laid.right:
        return Placed(f"{laid.left}-{laid.right}", *left_cell, laid.heading)
    return Placed(f"{laid.right}-{laid.left}", *right_cell, _opposite(laid.heading))


def _end(row: Row, name: str) -> End:
    return ends(row)[ENDS.index(name)]


def _occupied(row: Row) -> frozenset[Cell]:
    """Every cell that a tile of the row covers."""
    return frozenset(chain.from_iterable(laid.cells for laid in row))


def _has_room(taken: Set[Cell], end: End, corner: str | None) -> bool:
    """Whether the two cells that a tile would cover there are free."""
    return taken.isdisjoint(_cells_ahead(end, _turned(end.heading, corner)))


def _cells_ahead(end: End, heading: Heading) -> tuple[Cell, Cell]:
    """The two cells that follow an end, the nearer first."""
    near = _next_cell((end.x, end.y), heading)
    return near, _next_cell(near, heading)


def _next_cell(cell: Cell, heading: Heading) -> Cell:
    (x, y), (dx, dy) = cell, _STEPS[heading]
    return x + dx, y + dy


def _turned(heading: Heading, corner: str | None) -> Heading:
    return _CLOCKWISE[(_CLOCKWISE.index(heading) + _QUARTERS[corner]) % 4]


def _opposite(heading: Heading) -> Heading:
    return _CLOCKWISE[_CLOCKWISE.index(heading) - 2]
