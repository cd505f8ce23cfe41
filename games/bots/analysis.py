"""How well a finished game was played, and how lucky: each decision beside the best one, each step's luck."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from games.bots import BOTS, odds
from games.bots.odds import best
from games.rules.chance import Draw, RecordedChance
from games.rules.game import Game, Move, Seat, play

Made: TypeAlias = tuple[Seat, Move, Sequence[Draw]]
"""A move of a history: who made it, what it was, and the luck that it used."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A decision beside the best one, and what the step's chance gave each seat, all in the game's unit."""

    value: float
    best: Move
    best_value: float
    luck: tuple[float, ...]

    @property
    def given_away(self) -> float:
        """What another choice would have been worth more."""
        return self.best_value - self.value


@dataclass(frozen=True, slots=True)
class History:
    """How a game began: its rules, how many played, with which options, and what the start drew."""

    game: Game[Any, Any]
    seats: int
    options: Any
    drawn: Sequence[Draw]

    def start_luck(self) -> tuple[float, ...]:
        """What the chance of the start gave each seat."""
        luck: tuple[float, ...] = BOTS[self.game.slug].luck(None, None, self._begun())
        return luck

    def judged(self, moves: Iterable[Made], skip: int = 0) -> Iterator[Judged]:
        """Each decision in turn, by the view that its seat had; the first `skip` are replayed and not told.

        Raises what replaying raises, and what the game's bots raise.
        """
        state = self._begun()
        for number, (seat, move, draws) in enumerate(moves):
            after, _ = play(self.game, state, seat, move, RecordedChance(draws))
            if number >= skip:
                yield self._judged(state, seat, move, after)
            state = after

    def _begun(self) -> Any:
        state, _ = self.game.start(self.seats, self.options, RecordedChance(self.drawn))
        return state

    def _judged(self, before: Any, seat: Seat, move: Move, after: Any) -> Judged:
        view, legal_moves = self.game.view(before, seat), self.game.legal_moves(before, seat)
        valued = odds(self.game.slug, view, legal_moves, self.options, seat)
        chosen, most = next(each for each in valued if each.move == move), best(valued)
        luck = BOTS[self.game.slug].luck(before, move, after)
        return Judged(chosen.value, most.move, most.value, luck)
