"""Lets the built-in bots of a game play each other, many times, and counts."""

from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import inf, sqrt
from statistics import fmean, stdev
from typing import Any

from games.bots import choose
from games.rules.chance import Chance
from games.rules.game import Game, Outcome, Seat, options_from, play

SURE = 1.96
"""Standard errors on either side of a mean that hold the truth 95 times in 100."""


@dataclass
class Entrant:
    """One of those who play each other, and how it did: game by game, and decision by decision."""

    level: str
    wins: int = 0
    shared: int = 0
    shares: list[float] = field(default_factory=list)
    """Of each game: 1 for a win, a part of it where several won, 0."""
    scores: list[int] = field(default_factory=list)
    seconds: "array[float]" = field(default_factory=lambda: array("d"))
    """What each decision took."""

    @property
    def share(self) -> float:
        """The mean share of a win."""
        return fmean(self.shares)

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true share lies, 95 times in 100."""
        low, high = _around(self.shares)
        return max(low, 0.0), min(high, 1.0)

    @property
    def score(self) -> float:
        """The mean score, in the game's own counting."""
        return fmean(self.scores)

    @property
    def score_interval(self) -> tuple[float, float]:
        """Where the true mean score lies, 95 times in 100."""
        return _around(self.scores)

    def slower_than(self, part: float) -> float:
        """The seconds that so great a part of the decisions did not exceed."""
        return sorted(self.seconds)[int(part * (len(self.seconds) - 1))]

    def add(self, seat: Seat, outcome: Outcome) -> None:
        won = seat in outcome.winners
        self.wins += won and len(outcome.winners) == 1
        self.shared += won and len(outcome.winners) > 1
        self.shares.append(won / len(outcome.winners) if won else 0.0)
        self.scores.append(outcome.scores[seat])


def _around(values: Sequence[float]) -> tuple[float, float]:
    """The mean, less and more so many standard errors; a single value tells nothing."""
    if len(values) < 2:
        return -inf, inf
    mean, error = fmean(values), stdev(values) / sqrt(len(values))
    return mean - SURE * error, mean + SURE * error


def contest(
    game: Game[Any, Any],
    levels: Sequence[str],
    options: dict[str, Any],
    chances: Iterator[Chance],
    clock: Callable[[], float],
) -> list[Entrant]:
    """How the levels do against each other: one game for each of the chances, the seats turned each time.

    `clock` tells seconds. Raises BadOptions, and IllegalMove if a bot makes one.
    """
    chosen = options_from(game, options)
    entrants = [Entrant(level) for level in levels]
    for turned, chance in enumerate(chances):
        first = turned % len(entrants)
        seated = [*entrants[first:], *entrants[:first]]
        outcome = _played(game, seated, chosen, chance, clock)
        for seat, entrant in enumerate(seated):
            entrant.add(seat, outcome)
    return entrants


def _played(
    game: Game[Any, Any], seated: Sequence[Entrant], options: Any, chance: Chance, clock: Callable[[], float]
) -> Outcome:
    """One game to its end."""
    state, _ = game.start(len(seated), options, chance)
    while to_move := game.to_move(state):
        seat = min(to_move)
        view, legal_moves = game.view(state, seat), game.legal_moves(state, seat)
        began = clock()
        move = choose(game.slug, seated[seat].level, view, legal_moves, options, seat)
        seated[seat].seconds.append(clock() - began)
        state, _ = play(game, state, seat, move, chance)
    outcome = game.outcome(state, frozenset())
    if outcome is None:
        raise AssertionError("nobody is to move, but the game is not over")
    return outcome
