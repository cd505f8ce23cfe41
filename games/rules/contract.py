"""What every game promises, put to the test: a game is played to its end, and all of it is checked."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, combinations
from typing import Any, Generic, TypeAlias, TypeVar

import msgspec

from games.rules import leaks
from games.rules.chance import Chance, ChanceMismatch, Draw
from games.rules.game import (
    LONGEST_KIND,
    LONGEST_MOVE,
    LONGEST_SLUG,
    Event,
    Game,
    IllegalMove,
    Move,
    NotYourTurn,
    Seat,
    Step,
    encode,
    options_from,
    play,
    replay,
)
from games.rules.leaks import Audience
from games.rules.values import is_json, is_value, survives_json
from games.rules.variants import other_values

S = TypeVar("S")

Turn: TypeAlias = tuple[Seat, Move]
Chooser: TypeAlias = Callable[[Sequence[Turn]], Turn]

LONGEST = 20_000  # moves
TRIES = 2  # with other luck, and with other moves, for each step


class ContractBroken(Exception):
    """A game does not keep what it promises; the text says what, and when."""


@dataclass(frozen=True, slots=True)
class Played(Generic[S]):
    """A game played to its end: what `replay` takes, the state it leads to, and what was told."""

    seats: int
    options: Any
    drawn: Sequence[Draw]
    moves: Sequence[tuple[Seat, Move, Sequence[Draw]]]
    state: S
    events: Sequence[Event]


def at_random(chance: Chance) -> Chooser:
    """Chooses any of the moves, each as likely as the others."""
    return lambda turns: turns[chance.shuffle(len(turns))[0]]


def check_description(game: Game[Any, Any]) -> None:
    """What a client reads before it plays is there. Raises ContractBroken."""
    texts = (game.slug, game.name, game.rules, game.notation)
    _must(all(text and text == text.strip() for text in texts), "slug, name, rules or notation is no text")
    named = re.fullmatch(rf"[-\w]{{1,{LONGEST_SLUG}}}", game.slug, re.ASCII)
    _must(named is not None, "the slug is too long, or not of letters, digits, - and _")
    _must(game.rules_version >= 1, "rules versions are counted from 1")
    _must(len(game.seats) > 0 and min(game.seats) >= 1, "it has no number of seats")
    for described in (game.options_type, game.view_type):
        _must(bool(msgspec.json.schema(described)), f"{described} has no schema")
    defaults = options_from(game, {})
    _must(encode(defaults) == encode(game.options_type()), "the default options are not complete")
    _must(survives_json(defaults, game.options_type), "the default options are no options")
    try:
        other_values(game)
    except TypeError as error:
        raise ContractBroken(str(error)) from error


def check_game(
    game: Game[S, Any],
    seats: int,
    options: Any,
    chance: Chance,
    choose: Chooser,
    longest: int = LONGEST,
) -> Played[S]:
    """Play one game to its end, and check its start, every position, every step and its end.

    `longest` is how many moves the game may take. Raises ContractBroken, or what the game itself raises.
    """
    trial = _Trial(game, seats, options, chance)
    try:
        return trial.play(choose, longest)
    except ContractBroken as broken:
        after = f"{game.slug} with {seats} seats, after {len(trial.moves)} moves"
        raise ContractBroken(f"{after}: {broken}") from broken.__cause__


class _Trial(Generic[S]):
    """One game under test. The luck of its moves is noted; checks draw from the same chance besides."""

    def __init__(self, game: Game[S, Any], seats: int, options: Any, chance: Chance) -> None:
        self.game, self.seats, self.options, self.chance = game, seats, options, chance
        self.audiences: tuple[Audience, ...] = (None, *range(seats))
        self.moves: list[tuple[Seat, Move, Sequence[Draw]]] = []
        self.events: list[Event] = []
        self.guessed = False  # whether resample has ever found another state

    def play(self, choose: Chooser, longest: int) -> Played[S]:
        state, drawn = self.start()
        while self.game.to_move(state):
            _must(len(self.moves) < longest, "the game should be over by now")
            state = self.move(state, *choose(self.turns(state)))
        self.check_end(state)
        played = Played(self.seats, self.options, drawn, self.moves, state, self.events)
        self.check_replay(played)
        self.check_guesses()
        return played

    def start(self) -> tuple[S, Sequence[Draw]]:
        (state, _), drawn = self.take(partial(self.game.start, self.seats, self.options), ())
        return state, drawn

    def move(self, state: S, seat: Seat, move: Move) -> S:
        taken, drawn = self.take(partial(self.make, state, seat, move), (seat,))
        self.moves.append((seat, move, drawn))
        for other in self.some(self.game.legal_moves(state, seat)):
            self.check_told(taken, self.make(state, seat, other, leaks.Again(drawn, self.chance)), seat)
        return taken[0]

    def make(self, state: S, seat: Seat, move: Move, chance: Chance) -> Step[S]:
        before = msgspec.json.encode(state)
        step = play(self.game, state, seat, move, chance)
        _must(msgspec.json.encode(state) == before, f"{move!r} changed the state that it was given")
        return step

    def some(self, moves: Sequence[Move]) -> list[Move]:
        return [moves[which] for which in self.chance.shuffle(len(moves))[:TRIES]]

    def turns(self, state: S) -> list[Turn]:
        to_move = sorted(self.game.to_move(state))
        return [(seat, move) for seat in to_move for move in self.game.legal_moves(state, seat)]

    def take(self, step: Callable[[Chance], Step[S]], by: tuple[Seat, ...]) -> tuple[Step[S], Sequence[Draw]]:
        """Make a step and note its luck; check what it tells and where it leads."""
        noted = leaks.Noted(self.chance)
        taken = state, events = step(noted)
        self.check_events(events, by)
        self.check_position(state)
        for _ in range(TRIES if noted.drawn else 0):
            luck = leaks.nudged(noted.drawn, self.chance)
            self.check_told(taken, step(leaks.Again(luck, self.chance)))
        self.events += events
        return taken, noted.drawn

    def check_told(self, taken: Step[S], other: Step[S], mover: Audience = None) -> None:
        """Another step from the same state; the mover itself knows which of them was made."""
        audiences = [audience for audience in self.audiences if mover is None or audience != mover]
        _none_of(leaks.between_steps(self.game, taken, other, audiences))

    def check_events(self, events: Sequence[Event], by: tuple[Seat, ...]) -> None:
        for event in events:
            self.check_event(event)
        own = tuple(event.seat for event in events if event.by_seat)
        _must(own == by, f"the events by the seat are of {own}, they should be of {by}")

    def check_event(self, event: Event) -> None:
        _must(is_json(event.data) and is_json(event.own), f"{event.kind}: data or own is no plain JSON")
        _must(0 < len(event.kind) <= LONGEST_KIND, f"{event.kind}: a kind has 1 to {LONGEST_KIND} characters")
        _must(event.seat in self.audiences, f"{event.kind}: there is no seat {event.seat}")
        _must(event.own is None or event.seat is not None, f"{event.kind}: own, but no seat to tell it to")

    def check_position(self, state: S) -> None:
        before = msgspec.json.encode(state)
        _must(is_value(state), "the state holds what can be changed, or what JSON does not know")
        self.check_state(state)
        self.check_scores(state)
        self.check_halt(state)
        for audience in self.audiences:
            self.check_view(state, audience)
            self.check_secrets(state, audience)
        _must(msgspec.json.encode(state) == before, "the state changed while it was looked at")

    def check_state(self, state: S) -> None:
        _must(isinstance(state, self.game.state_type), "the state is not of the game's state_type")
        _must(survives_json(state, self.game.state_type), "the state is another after a JSON round trip")
        self.check_turns(state)

    def check_turns(self, state: S) -> None:
        to_move = self.game.to_move(state)
        _must(to_move <= set(range(self.seats)), f"no such seats: {set(to_move)} are to move")
        for seat in range(self.seats):
            moves = self.game.legal_moves(state, seat)
            turn = "to move" if seat in to_move else "not to move"
            _must(bool(moves) == (seat in to_move), f"seat {seat} is {turn}, its moves are {moves}")
            _must(len(set(moves)) == len(moves), f"seat {seat} has a move twice: {moves}")
            _must(all(move == " ".join(move.split()) for move in moves), f"odd spaces in {moves}")
            _must(max(map(len, moves), default=0) <= LONGEST_MOVE, f"a move is too long: {moves}")

    def check_scores(self, state: S) -> None:
        _must(len(self.game.scores(state)) == self.seats, "scores has not one number a seat")
        if self.game.to_move(state):
            outcomes = [self.game.outcome(state, out) for out in _subsets(self.seats)]
            _must(outcomes == [None] * len(outcomes), "an outcome while a seat is to move")

    def check_halt(self, state: S) -> None:
        halted = self.game.halt(state)
        self.check_state(halted)
        _must(not self.game.to_move(halted), "a seat is to move after halt")
        for audience in self.audiences:
            self.check_view(halted, audience)

    def check_view(self, state: S, audience: Audience) -> None:
        view = self.game.view(state, audience)
        _must(isinstance(view, self.game.view_type), "the view is not of the game's view_type")
        _must(
            survives_json(view, self.game.view_type),
            f"the view of {leaks.name(audience)} does not fit its type",
        )
        going_on = bool(self.game.to_move(state))
        _must((view.phase == "over") != going_on, f"the phase is {view.phase}, somebody to move: {going_on}")

    def check_secrets(self, state: S, audience: Audience) -> None:
        """Nothing that is shown depends on what the audience may not know."""
        guess = self.game.resample(state, audience, self.chance)
        if guess == state:
            return
        self.guessed = True
        self.check_state(guess)
        _none_of(leaks.in_state(self.game, state, guess, audience, self.chance))

    def check_guesses(self) -> None:
        """Who hides something must also say, by resample, what is hidden."""
        hides = any(event.own is not None for event in self.events)
        _must(self.guessed or not hides, "events have an own part, but resample draws nothing anew")

    def check_end(self, state: S) -> None:
        for out in _subsets(self.seats):
            outcome = self.game.outcome(state, out)
            if outcome is None:
                raise ContractBroken("the game is over without an outcome")
            _must(outcome.reason == "played_out", f"the game was played out, not {outcome.reason}")
            _must(outcome.scores == self.game.scores(state), "the outcome has other scores than the game")
            self.check_winners(outcome.winners, set(range(self.seats)) - out)

    def check_winners(self, winners: Sequence[Seat], eligible: set[Seat]) -> None:
        _must(list(winners) == sorted(set(winners)), f"the winners are {winners}")
        _must(eligible.issuperset(winners), f"{winners} win, where only {eligible} can")
        _must(bool(winners) == bool(eligible), f"of {eligible} the winners are {winners}")

    def check_replay(self, played: Played[S]) -> None:
        """The luck as it is stored, in lists instead of tuples, leads to the same state."""
        drawn, moves = json.loads(json.dumps((played.drawn, played.moves)))
        try:
            state = replay(self.game, self.seats, self.options, drawn, moves)
        except (ChanceMismatch, IllegalMove, NotYourTurn) as error:
            raise ContractBroken("a replay goes another way") from error
        _must(state == played.state, "a replay ends in another state")


def _must(kept: bool, otherwise: str) -> None:
    if not kept:
        raise ContractBroken(otherwise)


def _none_of(faults: Iterator[str]) -> None:
    for fault in faults:
        raise ContractBroken(fault)


def _subsets(seats: int) -> Iterator[frozenset[Seat]]:
    """Every set of seats that may have left, from none to all."""
    sets = (combinations(range(seats), size) for size in range(seats + 1))
    return map(frozenset, chain.from_iterable(sets))
