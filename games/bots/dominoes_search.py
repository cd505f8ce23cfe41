"""Weighs what a seat can play in dominoes: each play on the same deals, each round followed to its end."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

from games.bots.dominoes_deals import Seen
from games.bots.dominoes_rounds import Round, played_out, solved
from games.bots.dominoes_stakes import Result, Stakes
from games.bots.dominoes_tiles import Bits, Ends
from games.rules.game import Seat

Play: TypeAlias = tuple[Bits, Ends] | None
"""A tile laid and the ends after it; None: a draw."""

BUDGET = 4_000
"""How many positions a decision may look at, in those of rounds played out; the last deal is finished."""

DEALS = 400
"""How many deals are enough."""

SOLVABLE = {2: 9, 3: 11, 4: 11}
"""By the number of seats, up to how many tiles outside the row a round is solved, not played out."""

SOLVING = 10
"""What a position of a solved round costs, in those of rounds played out."""


@dataclass(slots=True)
class Tally:
    """What came of a play: sums over the deals on which it was tried."""

    deals: int = 0
    share: float = 0.0
    won: int = 0
    points: int = 0
    lost: int = 0

    def add(self, result: Result, share: float, seat: Seat) -> None:
        """`share` is the seat's chance to win the game after this result of the round."""
        winner, points = result
        self.deals += 1
        self.share += share
        if winner == seat:
            self.won += 1
            self.points += points
        else:
            self.lost += points


def weighed(
    seen: Seen, plays: Sequence[Play], stakes: Stakes, at_once: bool, budget: int = BUDGET
) -> list[Tally]:
    """What comes of each play on deals that look like what is seen.

    `at_once`: a dead row blocks the round while tiles are covered.
    """
    tallies = [Tally() for _ in plays]
    spent = 0
    for deal in islice(seen.deals(at_once), DEALS):
        for play, tally in zip(plays, tallies, strict=True):
            result, positions = _followed(deal if play is None else deal.laid(*play), stakes)
            tally.add(result, stakes[result][seen.seat], seen.seat)
            spent += positions
        if spent >= budget:
            break
    return tallies


def _followed(position: Round, stakes: Stakes) -> tuple[Result, int]:
    """How a round ends, and what that cost."""
    if position.outside.bit_count() <= SOLVABLE[len(position.hands)]:
        result, positions = solved(position, stakes)
        return result, SOLVING * positions
    return played_out(position)
