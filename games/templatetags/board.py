"""Dice and tiles as small pictures, drawn by the server: a page needs no script to show a table."""

from collections.abc import Iterable, Sequence
from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

register = template.Library()

# Where pips lie on a square of 100, by their number.
LOW, MID, HIGH = 26, 50, 74
PIPS: dict[int, Sequence[tuple[int, int]]] = {
    0: (),
    1: ((MID, MID),),
    2: ((LOW, LOW), (HIGH, HIGH)),
    3: ((LOW, LOW), (MID, MID), (HIGH, HIGH)),
    4: ((LOW, LOW), (LOW, HIGH), (HIGH, LOW), (HIGH, HIGH)),
    5: ((LOW, LOW), (LOW, HIGH), (MID, MID), (HIGH, LOW), (HIGH, HIGH)),
    6: ((LOW, LOW), (LOW, MID), (LOW, HIGH), (HIGH, LOW), (HIGH, MID), (HIGH, HIGH)),
}
STEPS = {"right": (1, 0), "left": (-1, 0), "down": (0, 1), "up": (0, -1)}


@register.simple_tag
def die(face: int | str) -> SafeString:
    """A die with this number, or a worm's W."""
    inside = _pips(face, 0, 0) if isinstance(face, int) else _letter(face)
    return format_html(
        '<svg class="die" viewBox="0 0 100 100" role="img" aria-label="{}">'
        '<rect class="face" x="3" y="3" width="94" height="94" rx="18"/>{}</svg>',
        face,
        inside,
    )


@register.simple_tag
def tile(name: str) -> SafeString:
    """A tile, its greater half on top."""
    greater, lesser = halves(name)
    return format_html(
        '<svg class="tile" viewBox="0 0 100 200" role="img" aria-label="{}">{}</svg>',
        name,
        _drawn(((0, 0), greater), ((0, 1), lesser)),
    )


@register.simple_tag
def row(placed: Iterable[Any]) -> SafeString:
    """A row of tiles as it lies on the table, corners and all."""
    cells = [_cells(each) for each in placed]
    if not cells:
        return SafeString("")
    xs = [x for pair in cells for (x, _), _ in pair]
    ys = [y for pair in cells for (_, y), _ in pair]
    left, top, wide, high = min(xs), min(ys), max(xs) - min(xs) + 1, max(ys) - min(ys) + 1
    return format_html(
        '<svg class="row" viewBox="{} {} {} {}" width="{}" role="img" aria-label="{}">{}</svg>',
        left * 100 - 5,
        top * 100 - 5,
        wide * 100 + 10,
        high * 100 + 10,
        wide * 30,
        "The row: " + " ".join(str(each["tile"]) for each in placed),
        format_html_join("", "{}", ((_drawn(*pair),) for pair in cells)),
    )


def halves(name: str) -> tuple[int, int]:
    greater, _, lesser = name.partition("-")
    return int(greater), int(lesser)


Half = tuple[tuple[int, int], int]


def _cells(placed: Any) -> tuple[Half, Half]:
    """Both halves of a tile that lies in the row, each with its cell."""
    greater, lesser = halves(placed["tile"])
    x, y = placed["x"], placed["y"]
    right, down = STEPS[placed["facing"]]
    return ((x, y), greater), ((x + right, y + down), lesser)


def _drawn(one: Half, other: Half) -> SafeString:
    ((x, y), pips), ((x2, y2), pips2) = one, other
    left, top = min(x, x2) * 100, min(y, y2) * 100
    wide, high = (200, 100) if y == y2 else (100, 200)
    line = (
        (left + 100, top + 15, left + 100, top + 85)
        if y == y2
        else (left + 15, top + 100, left + 85, top + 100)
    )
    return format_html(
        '<rect class="face" x="{}" y="{}" width="{}" height="{}" rx="14"/>'
        '<line class="bar" x1="{}" y1="{}" x2="{}" y2="{}"/>{}{}',
        left + 3,
        top + 3,
        wide - 6,
        high - 6,
        *line,
        _pips(pips, x * 100, y * 100),
        _pips(pips2, x2 * 100, y2 * 100),
    )


def _pips(number: int, left: int, top: int) -> SafeString:
    places = ((left + x, top + y) for x, y in PIPS[number])
    return format_html_join("", '<circle class="pip" cx="{}" cy="{}" r="9"/>', places)


def _letter(letter: str) -> SafeString:
    return format_html('<text class="worm" x="50" y="72" text-anchor="middle">{}</text>', letter)


@register.simple_tag
def times(count: int, text: str) -> str:
    """The text so many times."""
    return text * count


@register.filter
def at(sequence: Sequence[Any], index: int) -> Any:
    """An element by its place; None beyond the end."""
    return sequence[index] if index < len(sequence) else None
