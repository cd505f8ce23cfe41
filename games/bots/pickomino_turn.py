"""What the rest of a Pickomino turn is worth when it is played as well as can be, exactly, over all dice."""

from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, product
from math import factorial, prod
from operator import itemgetter, mul
from typing import Any, TypeAlias

from games.rules.pickomino import DICE, FACES, VALUES, Face

TOTALS = range(DICE * max(VALUES.values()) + 1)
"""All that saved dice can add up to, and some more: 0 to 40."""

KEPT = 128
"""So many solved turns are kept, and as many countings, of about 31 KB each."""

Values: TypeAlias = "array[float]"
Pick: TypeAlias = Callable[[Sequence[Any]], tuple[Any, ...]]
"""Takes so many items, always from the same places."""


@dataclass(frozen=True, slots=True)
class Spot:
    """What the rest of a turn depends on, besides the payoffs."""

    numbers: tuple[Face, ...]  # the saved ones, in the order of FACES
    dice_left: int
    total: int

    def saving(self, face: Face, count: int) -> "Spot":
        """The spot after so many dice of a new number are saved."""
        numbers = tuple(each for each in FACES if each in (*self.numbers, face))
        return Spot(numbers, self.dice_left - count, self.total + count * VALUES[face])


START = Spot((), DICE, 0)


@dataclass(frozen=True, slots=True)
class Payoffs:
    """What the end of a turn brings, in any unit."""

    takes: tuple[float | None, ...]
    """By total, 0 to 40: what the best take brings with a W saved; None where nothing can be taken."""
    bust: float


@dataclass(frozen=True, slots=True)
class Rest:
    """What a turn brings on the average from each spot on."""

    saved: Values
    rolled: Values

    def after_saving(self, spot: Spot) -> float:
        """To stop there or to roll on, as is better; a bust if neither can be done."""
        return self.saved[_places()[spot]]

    def after_rolling(self, spot: Spot) -> float:
        """To roll all the dice left. They must be some, and not all numbers saved."""
        return self.rolled[_places()[spot]]


@lru_cache(KEPT)
def rest(payoffs: Payoffs) -> Rest:
    """The most that a turn can bring on the average."""
    return _solved(payoffs)


@cache  # a table of dominoes has 137 such ranges at the most
def reaching(least: int, most: int = TOTALS[-1]) -> Rest:
    """How likely a turn ends on a total from `least` to `most` with a W, played for that alone."""
    return _solved(Payoffs(tuple(1.0 if least <= total <= most else None for total in TOTALS), 0.0))


def _solved(payoffs: Payoffs) -> Rest:
    """By backward induction over the 1,939 spots, the fewest dice left first.

    A roll is worth the mean, over all dice, of the best save; a save is worth what stopping there brings, or
    the next roll, if that is more.
    """
    saved: list[float] = []
    rolled = array("d")
    for step in _steps():
        stop = payoffs.takes[step.total] if step.has_w else None
        roll = _mean(step.roll, step.saves(saved), payoffs.bust) if step.roll else None
        rolled.append(payoffs.bust if roll is None else roll)
        saved.append(_better(stop, roll, payoffs.bust))
    return Rest(array("d", saved), rolled)


def _better(stop: float | None, roll: float | None, bust: float) -> float:
    if stop is None:
        return bust if roll is None else roll
    return stop if roll is None or stop >= roll else roll


@lru_cache(KEPT)
def counted(payoffs: Payoffs, other: Payoffs) -> Rest:
    """What a turn brings of something else on the average, when it is played for the most of `payoffs`.

    Of equal ways that which brings more of it. `other` must know a take wherever `payoffs` does.
    """
    saved: list[tuple[float, float]] = []
    rolled = array("d")
    for step in _steps():
        bust = (payoffs.bust, other.bust)
        roll = _means(step.roll, step.saves(saved), bust) if step.roll else None
        rolled.append((roll or bust)[1])
        worth, count = (payoffs.takes[step.total], other.takes[step.total]) if step.has_w else (None, None)
        stop = None if worth is None or count is None else (worth, count)
        saved.append(max((each for each in (stop, roll) if each), default=bust))
    return Rest(array("d", (count for _, count in saved)), rolled)


@dataclass(frozen=True, slots=True)
class Roll:
    """A roll of some dice when some numbers are saved, by what can then be saved.

    A save is the number, as its place among the numbers not saved yet, with its count of dice.
    """

    nothing_new: float
    """How likely all dice show saved numbers."""
    choices: tuple[tuple[Sequence[float], tuple[Pick, ...]], ...]
    """For one new number, two, three …: how likely each such roll is, and its first save, its second …"""


@dataclass(frozen=True, slots=True)
class Step:
    """A spot in the induction. `roll` is None where no dice can be rolled."""

    has_w: bool
    total: int
    roll: Roll | None
    saves: Pick
    """From the values of all earlier steps, those of the spots to which saves lead, as `roll` counts them."""


def _mean(roll: Roll, saves: Sequence[float], bust: float) -> float:
    mean = roll.nothing_new * bust
    for likely, picks in roll.choices:
        mean += sum(map(mul, likely, _best(picks, saves)))
    return mean


def _means(
    roll: Roll, saves: Sequence[tuple[float, float]], bust: tuple[float, float]
) -> tuple[float, float]:
    """The same for pairs, of which the first number alone is to be great."""
    first, second = (roll.nothing_new * each for each in bust)
    for likely, picks in roll.choices:
        firsts, seconds = zip(*_best(picks, saves), strict=True)
        first += sum(map(mul, likely, firsts))
        second += sum(map(mul, likely, seconds))
    return first, second


def _best(picks: Sequence[Pick], saves: Sequence[Any]) -> Iterator[Any]:
    """Of each roll the best save."""
    first, *others = (pick(saves) for pick in picks)
    return map(max, first, *others) if others else iter(first)


@cache
def _places() -> dict[Spot, int]:
    """Every spot that can be reached, the fewest dice left first, and its place in the induction."""
    reached = {START}
    ahead = [START]
    while ahead:
        new = set(_saves(ahead.pop())) - reached
        reached |= new
        ahead += new
    ordered = sorted(
        reached, key=lambda spot: (spot.dice_left, spot.total, list(map(FACES.index, spot.numbers)))
    )
    return {spot: place for place, spot in enumerate(ordered)}


def _saves(spot: Spot) -> Iterator[Spot]:
    """Where each save after a roll leads: number by number, for each the counts from one die to all."""
    for face in FACES:
        if face not in spot.numbers:
            yield from (spot.saving(face, count) for count in range(1, spot.dice_left + 1))


@cache
def _steps() -> tuple[Step, ...]:
    """Everything but the payoffs, which is the same in every turn: made once, in about 60 ms."""
    return tuple(map(_step, _places()))


def _step(spot: Spot) -> Step:
    saves = [_places()[save] for save in _saves(spot)]
    roll = _roll(len(spot.numbers), spot.dice_left) if saves else None
    return Step("W" in spot.numbers, spot.total, roll, _pick(saves))


@cache
def _roll(saved: int, dice: int) -> Roll:
    new = len(FACES) - saved
    choices = []
    for numbers in range(1, min(new, dice) + 1):
        ways = {each: _ways(each[1], dice, saved) for each in _rolls(new, dice, numbers)}
        rolls = [each for each in ways if ways[each]]
        likely = array("d", (ways[each] / len(FACES) ** dice for each in rolls))
        places = ([face * dice + count - 1 for face, count in zip(*each, strict=True)] for each in rolls)
        if rolls:
            choices.append((likely, tuple(map(_pick, zip(*places, strict=True)))))
    return Roll((saved / len(FACES)) ** dice, tuple(choices))


def _rolls(new: int, dice: int, numbers: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Which new numbers a roll shows, and how many dice of each, when it shows so many different ones."""
    counts = [each for each in product(range(1, dice + 1), repeat=numbers) if sum(each) <= dice]
    return product(combinations(range(new), numbers), counts)


def _ways(counts: Sequence[int], dice: int, saved: int) -> int:
    """In how many ways dice show so many of each new number, and saved numbers else."""
    others = dice - sum(counts)
    ways: int = factorial(dice) // prod(map(factorial, (*counts, others))) * saved**others
    return ways


def _pick(places: Sequence[int]) -> Pick:
    if len(places) > 1:
        return itemgetter(*places)
    return lambda values: tuple(values[place] for place in places)
