"""Pig: roll one die as often as you dare, and hold before a 1 takes it all.

An old parlour game with no owner. In its turn a player rolls one die, again and again. A number from 2 to 6
is added to the points of the turn; a 1 takes all of them, and the turn is over. After any roll the player may
hold instead: the points of the turn are added to its score, and the turn is over. Who holds with 100 points
or more has won.

A move is one word:

    roll    hold
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from games.rules.chance import Chance
from games.rules.game import Event, Game, Move, Outcome, Seat, Step

RULES = """\
In your turn roll one die, as often as you like. A number from 2 to 6 is added to the points of your turn. A 1
takes all of them, and your turn is over.

After any roll you may hold instead: the points of your turn are added to your score, and your turn is over.

Who holds with as many points as the table plays for, 100 unless it says otherwise, has won."""

NOTATION = """\
roll: Roll the die, in the beginning of a turn or again.
hold: Keep the points of this turn, and end it. Only after a roll."""


@dataclass(frozen=True, slots=True)
class Options:
    """What a table plays for."""

    target: Annotated[int, Meta(ge=10, le=1000, description="The points that win.")] = 100


@dataclass(frozen=True, slots=True)
class State:
    """Whose turn it is, None when the game is over; what the turn has brought, and what each seat has."""

    options: Options
    seat: Seat | None
    turn: int
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class View:
    """A game of Pig. Everybody sees all of it."""

    phase: Annotated[Literal["play", "over"], Meta(description="Whether somebody is to move.")]
    seat: Annotated[Seat | None, Meta(description="Who is to move; null when the game is over.")]
    turn: Annotated[int, Meta(ge=0, description="The points of this turn, which a 1 would take.")]
    scores: Annotated[tuple[int, ...], Meta(description="What each seat has, in seat order.")]
    target: Annotated[int, Meta(description="The points that win.")]


class Pig(Game[State, Options]):
    """The game of Pig. Nothing in it is hidden."""

    slug: ClassVar[str] = "pig"
    name: ClassVar[str] = "Pig"
    rules_version: ClassVar[int] = 1
    seats: ClassVar[range] = range(2, 5)
    rules: ClassVar[str] = RULES
    notation: ClassVar[str] = NOTATION
    options_type: ClassVar[type] = Options
    state_type: ClassVar[type] = State
    view_type: ClassVar[type] = View

    def start(self, seats: int, options: Options, chance: Chance) -> Step[State]:
        return State(options, 0, 0, (0,) * seats), []

    def to_move(self, state: State) -> frozenset[Seat]:
        return frozenset() if state.seat is None else frozenset({state.seat})

    def legal_moves(self, state: State, seat: Seat) -> Sequence[Move]:
        if seat != state.seat:
            return ()
        return ("hold", "roll") if state.turn else ("roll",)

    def apply(self, state: State, seat: Seat, move: Move, chance: Chance) -> Step[State]:
        return _hold(state, seat) if move == "hold" else _roll(state, seat, chance)

    def view(self, state: State, seat: Seat | None) -> View:
        phase: Literal["play", "over"] = "over" if state.seat is None else "play"
        return View(phase, state.seat, state.turn, state.scores, state.options.target)

    def scores(self, state: State) -> tuple[int, ...]:
        return state.scores

    def outcome(self, state: State, out: frozenset[Seat]) -> Outcome | None:
        """The greatest score of those who are still in wins; none before somebody has held with enough."""
        if state.seat is not None:
            return None
        still_in = [seat for seat in range(len(state.scores)) if seat not in out]
        best = max((state.scores[seat] for seat in still_in), default=None)
        winners = tuple(seat for seat in still_in if state.scores[seat] == best)
        return Outcome(winners, "played_out", state.scores)

    def halt(self, state: State) -> State:
        return replace(state, seat=None, turn=0)

    def resample(self, state: State, seat: Seat | None, chance: Chance) -> State:
        return state


def _roll(state: State, seat: Seat, chance: Chance) -> Step[State]:
    (die,) = chance.roll(1)
    rolled = Event("rolled", seat, {"die": die}, by_seat=True)
    if die > 1:
        return replace(state, turn=state.turn + die), [rolled]
    return _next(state, seat), [rolled, Event("lost", seat, {"points": state.turn})]


def _hold(state: State, seat: Seat) -> Step[State]:
    scores = tuple(score + state.turn * (each == seat) for each, score in enumerate(state.scores))
    held = Event("held", seat, {"points": state.turn, "scores": list(scores)}, by_seat=True)
    after = replace(state, scores=scores)
    if scores[seat] >= state.options.target:
        return replace(after, seat=None, turn=0), [held]
    return _next(after, seat), [held]


def _next(state: State, seat: Seat) -> State:
    return replace(state, seat=(seat + 1) % len(state.scores), turn=0)
