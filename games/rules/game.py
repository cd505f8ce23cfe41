"""What a game is, and how a move of it is judged, made and replayed."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, ClassVar, Literal, Protocol, TypeAlias, TypeVar, get_type_hints

import msgspec

from games.rules.chance import Chance, Draw, RecordedChance

Seat: TypeAlias = int
Move: TypeAlias = str
JSON: TypeAlias = Any

S = TypeVar("S")
Options = TypeVar("Options", contravariant=True)

Reason: TypeAlias = Literal["played_out", "forfeit", "abandoned", "voided"]

# What is stored and sent has room for so many characters.
LONGEST_SLUG, LONGEST_MOVE, LONGEST_KIND = 32, 64, 16


@dataclass(frozen=True, slots=True)
class Event:
    """What happened, born with its audience.

    `data` is what everybody may know, `own` what `seat` alone may know besides. `by_seat` marks the
    one event of a step that the moving seat decided; all others follow by themselves.
    """

    kind: str
    seat: Seat | None = None
    data: Mapping[str, JSON] = field(default_factory=dict)
    own: Mapping[str, JSON] | None = None
    by_seat: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """Who won and why. `scores` has one number a seat; no winners means that nobody won."""

    winners: tuple[Seat, ...]
    reason: Reason
    scores: tuple[int, ...]


Step: TypeAlias = tuple[S, Sequence[Event]]


class Game(Protocol[S, Options]):
    """The rules of one game: pure functions of a state, with the luck handed in.

    A state is a frozen dataclass of numbers, strings, None, tuples and other such dataclasses; it
    carries the options it was started with.
    """

    slug: ClassVar[str]
    name: ClassVar[str]
    rules_version: ClassVar[int]
    seats: ClassVar[range]
    rules: ClassVar[str]
    notation: ClassVar[str]
    options_type: ClassVar[type]
    state_type: ClassVar[type]
    view_type: ClassVar[type]

    def start(self, seats: int, options: Options, chance: Chance) -> Step[S]:
        """The first position, and the events that tell it."""
        ...

    def to_move(self, state: S) -> frozenset[Seat]:
        """The seats that must decide now; empty when the game is over."""
        ...

    def legal_moves(self, state: S, seat: Seat) -> Sequence[Move]:
        """Every move that `seat` may make now: the only judge of legality. Empty when not to move."""
        ...

    def apply(self, state: S, seat: Seat, move: Move, chance: Chance) -> Step[S]:
        """Make one of the legal moves, and all that follows by itself. Trusts `legal_moves`."""
        ...

    def view(self, state: S, seat: Seat | None) -> Any:
        """What a seat, or with None a watcher, may see: an instance of `view_type`."""
        ...

    def scores(self, state: S) -> tuple[int, ...]:
        """Where each seat stands now, in the game's own counting."""
        ...

    def outcome(self, state: S, out: frozenset[Seat]) -> Outcome | None:
        """Who won a game that was played to its end; None before. Seats in `out` can't win."""
        ...

    def halt(self, state: S) -> S:
        """The position of a table that ends before its rules do: over, nobody to move."""
        ...

    def resample(self, state: S, seat: Seat | None, chance: Chance) -> S:
        """Another state that looks the same to this seat: what it may not know is drawn anew."""
        ...


class NotYourTurn(Exception):
    """A seat that is not to move tried to."""


class IllegalMove(Exception):
    """The move is not one of `legal_moves`."""

    def __init__(self, legal_moves: Sequence[Move]) -> None:
        super().__init__("not one of the legal moves")
        self.legal_moves = legal_moves


class BadOptions(Exception):
    """Options that the game does not have, or with values it does not take; `errors` by option."""

    def __init__(self, errors: Mapping[str, list[str]]) -> None:
        super().__init__("the options do not fit the game")
        self.errors = errors


def play(game: Game[S, Options], state: S, seat: Seat, move: Move, chance: Chance) -> Step[S]:
    """Judge a move and make it.

    Raises NotYourTurn, or IllegalMove with the legal moves.
    """
    if seat not in game.to_move(state):
        raise NotYourTurn
    legal_moves = game.legal_moves(state, seat)
    if move not in legal_moves:
        raise IllegalMove(legal_moves)
    return game.apply(state, seat, move, chance)


def replay(
    game: Game[S, Options],
    seats: int,
    options: Options,
    drawn: Sequence[Draw],
    moves: Iterable[tuple[Seat, Move, Sequence[Draw]]],
) -> S:
    """The state that a history leads to; `drawn` is what the start drew, each move brings its own.

    Raises what `play` raises, and ChanceMismatch where the luck does not fit the moves.
    """
    for state in each_state(game, seats, options, drawn, moves):
        last = state
    return last


def each_state(
    game: Game[S, Options],
    seats: int,
    options: Options,
    drawn: Sequence[Draw],
    moves: Iterable[tuple[Seat, Move, Sequence[Draw]]],
) -> Iterator[S]:
    """The states of a history, from the start on; what it takes and raises is as for `replay`."""
    chance = RecordedChance(drawn)
    state, _ = game.start(seats, options, chance)
    chance.finish()
    yield state
    for seat, move, draws in moves:
        chance = RecordedChance(draws)
        state, _ = play(game, state, seat, move, chance)
        chance.finish()
        yield state


def options_from(game: Game[S, Options], given: Mapping[str, JSON]) -> Any:
    """The game's options, an instance of its `options_type`, with defaults filled in.

    Raises BadOptions with everything that is wrong, option by option.
    """
    types = get_type_hints(game.options_type, include_extras=True)
    errors = {name: ["There is no such option."] for name in given if name not in types}
    for name in given.keys() & types.keys():
        try:
            msgspec.convert(given[name], types[name])
        except msgspec.ValidationError as error:
            errors[name] = [f"{error}."]
    if errors:
        raise BadOptions(errors)
    return msgspec.convert(given, game.options_type)


def default_options(game: Game[S, Options]) -> dict[str, JSON]:
    """The option column's first values."""
    return {f.name: f.default for f in fields(game.options_type) if f.default is not MISSING}


def encode(value: Any) -> JSON:
    """A state, view, options or outcome as plain JSON values; tuples become lists."""
    return msgspec.to_builtins(value, str_keys=True)


def decode_state(game: Game[S, Options], stored: JSON) -> S:
    """The state that `encode` wrote."""
    state: S = msgspec.convert(stored, game.state_type)
    return state
