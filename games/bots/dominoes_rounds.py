"""Rounds of dominoes with all tiles open: played out by rule of thumb, or solved."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from games.bots.dominoes_stakes import Result, Stakes
from games.bots.dominoes_tiles import FIT, HALVES, LAYS, PIPS, Bits, Ends, each, pips_of
from games.rules.game import Seat

DOUBLE = 6
"""What it is worth, in pips, to be rid of a double, which fits one number only."""

FOLLOWED = tuple(2 * count + 4 * (count > 0) for count in range(len(PIPS)))
"""What it is worth that so many other tiles of the hand fit then: there being any counts most."""

KEPT = 60_000
"""Of how many hands beside a row the lay is kept at most, which takes about 15 MB."""

_RID = tuple(
    pips + DOUBLE * (greater == lesser) for pips, (greater, lesser) in zip(PIPS, HALVES, strict=True)
)

_WAYS: tuple[dict[Bits, tuple[tuple[int, Bits, tuple[Bits, Ends]], ...]], ...] = tuple(
    {
        1 << tile: tuple((_RID[tile], FIT[after], (1 << tile, after)) for after in lays)
        for tile, lays in enumerate(by_tile)
        if lays
    }
    for by_tile in LAYS
)
"""By the ends and a tile, for each way to lay it: its worth at any rate, what fits then, itself."""


@dataclass(frozen=True, slots=True)
class Round:
    """A position in which `seat` is to move and every tile is known; `stock` has them one by one."""

    ends: Ends
    hands: tuple[Bits, ...]
    stock: tuple[Bits, ...]
    outside: Bits
    seat: Seat
    at_once: bool
    """Whether a dead row blocks the round while tiles are covered."""

    @property
    def is_blocked(self) -> bool:
        """Whether nobody can go on."""
        return not self.outside & FIT[self.ends] and (self.at_once or not self.stock)

    def lays(self) -> Iterator[tuple[Bits, Ends]]:
        """The tiles that the seat to move can lay, and what the ends can be then."""
        ways, fitting = _WAYS[self.ends], self.hands[self.seat] & FIT[self.ends]
        return (lay for tile in each(fitting) for _, _, lay in ways[tile])

    def missed(self) -> "Round":
        """After the seat to move has drawn a tile, or has been passed over."""
        hands, following = list(self.hands), (self.seat + 1) % len(self.hands)
        if self.stock:
            hands[self.seat] |= self.stock[0]
        return Round(self.ends, tuple(hands), self.stock[1:], self.outside, following, self.at_once)

    def laid(self, tile: Bits, after: Ends) -> "Round":
        """After a lay of the seat to move."""
        hands = tuple(hand & ~tile for hand in self.hands)
        following = (self.seat + 1) % len(hands)
        return Round(after, hands, self.stock, self.outside & ~tile, following, self.at_once)


def played_out(begun: Round) -> tuple[Result, int]:
    """How a round ends if every seat lays by rule of thumb; and the positions on the way."""
    ends, outside, seat = begun.ends, begun.outside, begun.seat
    hands, stock = list(begun.hands), begun.stock
    seats, covered, drawn, positions = len(hands), len(stock), 0, 0
    while 0 not in hands:
        positions += 1
        lay = by_thumb(ends, hands[seat])
        if lay:
            tile, ends = lay
            hands[seat] ^= tile
            outside ^= tile
        elif not outside & FIT[ends] and (begun.at_once or drawn == covered):
            return blocked(hands), positions
        elif drawn < covered:
            hands[seat] |= stock[drawn]
            drawn += 1
        seat = seat + 1 if seat + 1 < seats else 0
    return out(hands), positions


@lru_cache(maxsize=KEPT)
def by_thumb(ends: Ends, hand: Bits) -> tuple[Bits, Ends] | None:
    """The lay that looks best to a seat which sees its own hand only, and the ends after it; None: none fits.

    It rids the hand of pips and doubles, and keeps the row open for the rest of it.
    """
    fitting, ways, best, lay = hand & FIT[ends], _WAYS[ends], -1, None
    while fitting:
        tile = fitting & -fitting
        fitting ^= tile
        rest = hand ^ tile
        for worth, fit, way in ways[tile]:
            worth += FOLLOWED[(rest & fit).bit_count()]
            if worth > best:
                best, lay = worth, way
    return lay


def out(hands: Sequence[Bits]) -> Result:
    """A seat has laid its last tile."""
    return hands.index(0), sum(map(pips_of, hands))


def blocked(hands: Sequence[Bits]) -> Result:
    """Nobody can go on: the fewest pips win the difference to each other seat."""
    pips = list(map(pips_of, hands))
    least = min(pips)
    if pips.count(least) > 1:
        return ~sum(1 << seat for seat, held in enumerate(pips) if held == least), 0
    return pips.index(least), sum(pips) - least * len(pips)


def solved(begun: Round, stakes: Stakes) -> tuple[Result, int]:
    """How a round ends if every seat sees all tiles and plays for its own stakes; and the positions seen.

    Of plays that are worth the same to a seat the first counts.
    """
    if not all(begun.hands):
        return out(begun.hands), 1
    waiting = begun
    while not waiting.hands[waiting.seat] & FIT[waiting.ends]:
        if waiting.is_blocked:
            return blocked(waiting.hands), 1
        waiting = waiting.missed()
    results, positions = [], 1
    for lay in waiting.lays():
        result, more = solved(waiting.laid(*lay), stakes)
        results.append(result)
        positions += more
    return max(results, key=lambda result: stakes[result][waiting.seat]), positions
