"""What the deals of dominoes gave each seat, who begins included: in chances to win the game.

A deal settles the order of the covered tiles too, so a drawn tile is a part of the deal's luck, and later
steps have none. A deal is worth what comes of it, by rule of thumb, after each of the first lays alike; the
usual worth is the mean of that over many deals.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from math import fsum

from games.bots.dominoes_deals import fresh
from games.bots.dominoes_rounds import Round, played_out
from games.bots.dominoes_stakes import Result, Stakes
from games.bots.dominoes_tiles import EVERY, NO_ROW, bits_of
from games.rules.dominoes import State
from games.rules.game import Move, Seat

USUAL_DEALS = 3000
"""Of how many deals the mean is taken: it is then within about 0.007 of that over all deals."""


def luck(before: State | None, move: Move | None, after: State) -> tuple[float, ...]:
    """What the deal in this step gave each seat, beside the mean over all deals; nothing where there is none.

    The first deal comes with the draw of who begins it.
    """
    seats = len(after.hands)
    if after.seat is None or (before is not None and before.round == after.round):
        return (0.0,) * seats
    stakes = Stakes(after.scores, after.options.target)
    begun = _dealt(after)
    starters = range(seats) if before is None else (begun.seat,)
    usual = _usual(seats, begun.at_once)
    means = [_worth(_turned(usual, starter, seats), stakes) for starter in starters]
    value = _worth(Counter(_results(begun)), stakes)
    return tuple(value[seat] - fsum(mean[seat] for mean in means) / len(means) for seat in range(seats))


def _dealt(state: State) -> Round:
    """A round before its first lay, as the rules dealt it."""
    hands = tuple(map(bits_of, state.hands))
    stock = tuple(bits_of((tile,)) for tile in state.stock)
    return Round(NO_ROW, hands, stock, EVERY, state.starter, state.options.dead_row == "at_once")


def _results(begun: Round) -> Iterator[Result]:
    """How the round goes on after each of its first lays."""
    return (played_out(begun.laid(*lay))[0] for lay in begun.lays())


@cache
def _usual(seats: int, at_once: bool) -> Mapping[Result, int]:
    """How often rounds that seat 0 begins come to each result."""
    results: Counter[Result] = Counter()
    for begun in islice(fresh(seats, at_once), USUAL_DEALS):
        results.update(_results(begun))
    return results


def _turned(results: Mapping[Result, int], by: int, seats: int) -> dict[Result, int]:
    """The same results where another seat begins."""

    def turned(winner: Seat) -> Seat:
        if winner >= 0:
            return (winner + by) % seats
        return ~sum(1 << (seat + by) % seats for seat in range(seats) if ~winner >> seat & 1)

    return {(turned(winner), points): often for (winner, points), often in results.items()}


def _worth(results: Mapping[Result, int], stakes: Stakes) -> Sequence[float]:
    """Each seat's mean chance to win the game."""
    total = sum(results.values())
    shares = [[often * share for share in stakes[result]] for result, often in results.items()]
    return [fsum(column) / total for column in zip(*shares, strict=True)]
