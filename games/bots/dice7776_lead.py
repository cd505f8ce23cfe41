"""The last rounds of 7776: how likely a choice wins, given the scores.

The other seat is taken to choose for points, as it would by `dice7776_rest`. With two rounds to go that makes
the chance exact: what it throws now is unknown, what it has left and what the last ten dice bring both
seats is known. With three to go, both seats' last two rounds are taken to be played for points, and their
totals to be independent.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate, combinations_with_replacement
from math import factorial, prod

from games.bots.dice7776_rest import choice
from games.bots.dice7776_throws import ALL, WAYS, Throw, points_of, promises
from games.rules.dice7776 import COMBINATIONS, DICE, Combination

ROUNDS = 3
"""With so many rounds to go, or fewer, the scores count."""

INDEX = {combination: index for index, combination in enumerate(COMBINATIONS)}

Points = Mapping[int, float]
"""How likely each number of points is."""


@dataclass(frozen=True, slots=True)
class Duel:
    """A decision of one seat: its dice, its lead, and what both seats have not used yet."""

    throw: Throw
    lead: int
    mine: frozenset[Combination]
    theirs: frozenset[Combination]


def chances(duel: Duel) -> dict[Combination, float]:
    """How likely each of one's combinations wins, if it is chosen now; a draw counts as half."""
    answers = [(other, ways, choice(other, duel.theirs)) for other, ways in WAYS.items()]
    return {mine: _chance(duel, mine, answers) for mine in duel.mine}


def _chance(duel: Duel, mine: Combination, answers: Sequence[tuple[Throw, int, Combination]]) -> float:
    """The mean over what the other seat may have thrown, and does then."""
    leads: Counter[tuple[Combination, int]] = Counter()
    for other, ways, theirs in answers:
        points = points_of(duel.throw, other)
        leads[theirs, duel.lead + points[INDEX[mine]] - points[INDEX[theirs]]] += ways
    left = duel.mine - {mine}
    wins = [ways * _wins(left, duel.theirs - {theirs}, lead) for (theirs, lead), ways in leads.items()]
    return sum(wins) / ALL


def _wins(mine: frozenset[Combination], theirs: frozenset[Combination], lead: int) -> float:
    """How likely a lead lasts, when both have these combinations left."""
    if not mine:
        return _share_of(lead)
    if len(mine) == 1:
        return _lasts(next(iter(mine)), next(iter(theirs)), lead)
    return _outscores(mine, theirs, lead)


def _share_of(lead: int) -> float:
    """What a lead at the end is worth: the win, half of it, or nothing."""
    return 0.5 + 0.5 * ((lead > 0) - (lead < 0))


@lru_cache(maxsize=1 << 14)
def _lasts(mine: Combination, theirs: Combination, lead: int) -> float:
    """How likely a lead lasts through the last round."""
    gains = _last_gains(mine, theirs)
    return sum(chance * _share_of(lead + gain) for gain, chance in gains.items())


@cache
def _last_gains(mine: Combination, theirs: Combination) -> Points:
    """By how much one combination outdoes another on the same ten dice."""
    gains: dict[int, float] = defaultdict(float)
    for points, chance in _tens().items():
        gains[points[INDEX[mine]] - points[INDEX[theirs]]] += chance
    return gains


@cache
def _tens() -> Mapping[tuple[int, ...], float]:
    """What each combination brings on ten dice, and how likely that is."""
    tens: dict[tuple[int, ...], float] = defaultdict(float)
    for dice in combinations_with_replacement(range(1, 7), 2 * DICE):
        ways = factorial(2 * DICE) // prod(factorial(dice.count(face)) for face in range(1, 7))
        tens[points_of(dice[:DICE], dice[DICE:])] += ways / ALL**2
    return tens


@lru_cache(maxsize=1 << 14)
def _outscores(mine: frozenset[Combination], theirs: frozenset[Combination], lead: int) -> float:
    """How likely a lead lasts through the rest, if both play that for points."""
    least, below = _below(theirs)
    most = len(below) - 1
    totals = _totals(mine).items()
    return sum(chance * below[min(max(lead + total - least, 0), most)] for total, chance in totals)


@lru_cache(maxsize=1 << 10)
def _below(unused: frozenset[Combination]) -> tuple[int, list[float]]:
    """How likely the rest brings less than each total from the first on; equal counts as half."""
    totals = _totals(unused)
    # One less than any, and one more: 0 and 1.
    every = range(min(totals) - 1, max(totals) + 2)
    chances = [totals.get(total, 0.0) for total in every]
    upto = accumulate(chances)
    return every[0], [sum_ - chance / 2 for sum_, chance in zip(upto, chances, strict=True)]


@lru_cache(maxsize=1 << 10)
def _totals(unused: frozenset[Combination]) -> Points:
    """What the rest may bring who plays it for points."""
    if not unused:
        return {0: 1.0}
    totals: dict[int, float] = defaultdict(float)
    for combination, now in _now(unused).items():
        for points, chance in now.items():
            for later, other in _totals(unused - {combination}).items():
                totals[points + later] += chance * other
    return totals


def _now(unused: frozenset[Combination]) -> Mapping[Combination, Points]:
    """What is chosen in the next round, and what it brings, each with its chance."""
    now: dict[Combination, dict[int, float]] = defaultdict(lambda: defaultdict(float))
    for throw, ways in WAYS.items():
        combination = choice(throw, unused)
        for points, others in promises(throw)[combination].outcomes.items():
            now[combination][points] += ways * others / ALL**2
    return now
