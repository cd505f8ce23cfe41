"""Weighs what a seat can play in dominoes: each play on the same deals, each round followed to its end.

Plays differ by two or three hundredths of a game at most, while one deal tells their difference within
twelve. So the deals don't speak alone: `normal`'s rule of thumb counts as if it were deals too, and a play
that is surely behind is tried no further.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import fsum, sqrt
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

DEALS = 128
"""How many deals are enough."""

STEP = 16
"""After so many deals each, those that are behind are dropped."""

BEHIND = 1.5
"""How many standard errors behind the best play is too far."""

PIP = 0.004
"""What a pip of the rule of thumb is worth, as a part of what hangs on who wins a round of `USUAL` points.

Like the trust, fitted to 278 decisions of two seats that were tried on 400 deals.
"""

USUAL = 20

SOLVABLE = {2: 9, 3: 11, 4: 11}
"""By the number of seats, up to how many tiles outside the row a round is solved, not played out."""

SOLVING = 10
"""What a position of a solved round costs, in those of rounds played out."""


@dataclass(slots=True, eq=False)
class Tally:
    """What came of a play on the deals on which it was tried, and what it is worth by rule of thumb."""

    by_thumb: float
    shares: list[float] = field(default_factory=list)
    """The seat's chance to win the game, deal by deal."""
    won: int = 0
    points: int = 0
    lost: int = 0
    behind: "tuple[Tally, float] | None" = None
    """The better play, and by how much; None for the best one."""

    @property
    def deals(self) -> int:
        return len(self.shares)

    @property
    def value(self) -> float:
        """The chance to win the game."""
        if self.behind is None:
            return fsum(self.shares) / self.deals
        better, gap = self.behind
        return max(better.value - gap, 0.0)

    def add(self, result: Result, share: float, seat: Seat) -> None:
        """`share` is the seat's chance to win the game after this result of the round."""
        winner, points = result
        self.shares.append(share)
        if winner == seat:
            self.won += 1
            self.points += points
        else:
            self.lost += points


def weighed(
    seen: Seen,
    plays: Sequence[tuple[Play, float]],
    stakes: Stakes,
    at_once: bool,
    *,
    further: bool = False,
    budget: int = BUDGET,
) -> list[Tally]:
    """What comes of each play on deals that look like what is seen; with each, its worth in pips by thumb.

    `at_once`: a dead row blocks the round while tiles are covered. `further`: the best play is tried on all
    deals, also when it is known to be the best.
    """
    pip, trust, spent = PIP * _span(stakes, seen), _trust(seen), 0
    tallies = [Tally(pip * pips) for _, pips in plays]
    tried = [(play, tally) for (play, _), tally in zip(plays, tallies, strict=True)]
    for number, deal in enumerate(islice(seen.deals(at_once), DEALS), 1):
        for play, tally in tried:
            result, positions = _followed(deal if play is None else deal.laid(*play), stakes)
            tally.add(result, stakes[result][seen.seat], seen.seat)
            spent += positions
        if number % STEP == 0:
            tried = _sifted(tried, trust, BEHIND)
        if spent >= budget or (len(tried) == 1 and not further):
            break
    _sifted(tried, trust, errors=0)
    return tallies


def _span(stakes: Stakes, seen: Seen) -> float:
    """What hangs on who wins a round of the usual points: this seat or the next."""
    following = (seen.seat + 1) % seen.seats
    return stakes[seen.seat, USUAL][seen.seat] - stakes[following, USUAL][seen.seat]


def _trust(seen: Seen) -> float:
    """As how many deals the rule of thumb counts: fewer and fewer, as plays differ more towards the end."""
    return (seen.outside.bit_count() / 6) ** 3


def _sifted(tried: Sequence[tuple[Play, Tally]], trust: float, errors: float) -> list[tuple[Play, Tally]]:
    """Without the plays that are so many standard errors behind the best one, the first of equals."""
    best = max((tally for _, tally in tried), key=lambda tally: fsum(tally.shares) + trust * tally.by_thumb)
    for _, tally in tried:
        if tally is not best:
            gap, error = _gap(best, tally, trust)
            if gap >= errors * error:
                tally.behind = best, gap
    return [each for each in tried if each[1].behind is None]


def _gap(one: Tally, other: Tally, trust: float) -> tuple[float, float]:
    """By how much a play is better than another on the same deals, with its standard error."""
    gaps = [first - second for first, second in zip(one.shares, other.shares, strict=True)]
    total, weight = fsum(gaps), one.deals + trust
    scatter = fsum(gap * gap for gap in gaps) - total * total / one.deals
    return (total + trust * (one.by_thumb - other.by_thumb)) / weight, sqrt(max(scatter, 0)) / weight


def _followed(position: Round, stakes: Stakes) -> tuple[Result, int]:
    """How a round ends, and what that cost."""
    if position.outside.bit_count() <= SOLVABLE[len(position.hands)]:
        result, positions = solved(position, stakes)
        return result, SOLVING * positions
    return played_out(position)
