"""Lets the built-in bots of a game play each other, many times, and counts."""

from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import sqrt
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
        return sum(self.shares) / len(self.shares)

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true share lies, 95 times in 100."""
        squares = sum((share - self.share) ** 2 for share in self.shares)
        error = sqrt(squares / max(len(self.shares) - 1, 1) / len(self.shares))
        return max(self.share - SURE * error, 0.0), min(self.share + SURE * error, 1.0)

    @property
    def score(self) -> float:
        """The mean score, in the game's own counting."""
        return sum(self.scores) / len(self.scores)

    def slower_than(self, part: float) -> float:
        """The seconds that so great a part of the decisions did not exceed."""
        return sorted(self.seconds)[int(part * (len(self.seconds) - 1))]

    def add(self, seat: Seat, outcome: Outcome) -> None:
        won = seat in outcome.winners
        self.wins += won and len(outcome.winners) == 1
        self.shared += won and len(outcome.winners) > 1
        self.shares.append(won / len(outcome.winners) if won else 0.0)
        self.scores.append(outcome.scores[seat])


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
