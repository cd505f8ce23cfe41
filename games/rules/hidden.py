"""What draws and passes tell everybody of a hand of dominoes, and other deals that would have told the same.

Who must draw or pass holds no tile that fits: none with the pips of either end. A tile drawn after that may
have them. Therefore, of a hand in the order dealt and then drawn, a tile with given pips can only be one of
the newest so many; `AtMost` counts how many.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import TypeAlias

from games.rules.chance import Chance
from games.rules.layout import Tile, halves

AtMost: TypeAlias = tuple[int, ...]
"""For each number of pips, 0 to 6, how many tiles with it a hand can hold at most."""

Pile: TypeAlias = tuple[Tile, ...]
"""A hand, the oldest tile first; or the stock."""

NUMBERS = range(7)


def anything(size: int) -> AtMost:
    """Nothing is known of a hand but its size."""
    return (size,) * len(NUMBERS)


def after_lack(at_most: AtMost, ends: Collection[int]) -> AtMost:
    """It could not lay at ends with these pips."""
    return tuple(0 if pips in ends else count for pips, count in enumerate(at_most))


def after_draw(at_most: AtMost) -> AtMost:
    """It took one more tile, which may be any."""
    return tuple(count + 1 for count in at_most)


def after_lay(at_most: AtMost, tile: Tile) -> AtMost:
    """It laid a tile, which was one of the newest that could be this tile: of those, one fewer is left."""
    newest = min(at_most[pips] for pips in halves(tile))
    return tuple(count - 1 if count >= newest else count for count in at_most)


def exchanged(
    piles: Sequence[Pile], known: Sequence[AtMost], hidden: Iterable[int], chance: Chance
) -> tuple[Pile, ...]:
    """The same piles after some tiles of the hidden ones have changed places, two and two.

    `known` says what each pile can hold; `hidden` are indices of piles. Every tile is paired with another,
    and with an even chance each pair changes places, if both tiles can lie there. To go from one deal to
    another is as likely as to go back: repeated, all deals that agree with what is known come equally often.
    """
    tiles = [list(pile) for pile in piles]
    places = [(pile, index) for pile in hidden for index in range(len(piles[pile]))]
    order = chance.shuffle(len(places))
    for one, other in zip(order[::2], order[1::2], strict=False):
        (pile, index), (pile2, index2) = places[one], places[other]
        first, second = tiles[pile][index], tiles[pile2][index2]
        if (
            one < other
            and _may_lie(second, len(tiles[pile]) - index, known[pile])
            and _may_lie(first, len(tiles[pile2]) - index2, known[pile2])
        ):
            tiles[pile][index], tiles[pile2][index2] = second, first
    return tuple(map(tuple, tiles))


def _may_lie(tile: Tile, place: int, at_most: AtMost) -> bool:
    """Whether a tile can lie at a place of a pile, counted from the newest, which is 1."""
    greater, lesser = halves(tile)
    return place <= at_most[greater] and place <= at_most[lesser]
