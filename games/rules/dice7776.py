"""7776: two players throw five dice each in secret, and the dice of both count for both.

A game has sixteen rounds. In each, both players throw 5 dice, and neither knows the outcome of the other's
throw. Each secretly decides on one of the sixteen combinations, any of which it may select only once in a
game. When both decisions are made, all ten dice are revealed, and each player gains the points of its
combination or, failing it, pays a penalty. The greater score wins; equal scores are a draw. 7776 is the
number of all possible outcomes of a throw of five dice. `RULES` tells the combinations one by one.

A move is one line, `choose X`, and X is one of

    1 2 3 4 5 6 two-of-a-kind three-of-a-kind four-of-a-kind poker
    2+2 3+2 minor-straight major-straight minor-sum major-sum
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Literal, TypeAlias, TypeVar, get_args

from msgspec import Meta

from games.rules.chance import Chance
from games.rules.game import Event, Game, Move, Outcome, Seat, Step, encode

T = TypeVar("T")

Combination: TypeAlias = Literal[
    "1", "2", "3", "4", "5", "6",
    "two-of-a-kind", "three-of-a-kind", "four-of-a-kind", "poker", "2+2", "3+2",
    "minor-straight", "major-straight", "minor-sum", "major-sum",
]  # fmt: skip
Face: TypeAlias = Annotated[int, Meta(ge=1, le=6)]
Throw: TypeAlias = Annotated[tuple[Face, ...], Meta(min_length=5, max_length=5)]
BySeat: TypeAlias = Annotated[tuple[T, ...], Meta(min_length=2, max_length=2)]

SEATS = 2
DICE = 5
COMBINATIONS: tuple[Combination, ...] = get_args(Combination)
ROUNDS = len(COMBINATIONS)
NUMBER_FAILED = -70
FAILED = -10
MOVES: dict[Move, Combination] = {f"choose {combination}": combination for combination in COMBINATIONS}

RULES = """\
7776 is played by two, in sixteen rounds, one for each combination.

In every round both players throw five dice, which only they themselves see. Each then chooses, in secret,
one combination that it has not used yet; a choice is final. As soon as both have chosen, both throws, both
choices and the points are shown. All ten dice count for both players.

1, 2, 3, 4, 5, 6: At least three dice of that value. Points: their number times the value. Three twos are
    6 points on 2, ten sixes are 60 points on 6. Failed: -70.
two-of-a-kind, three-of-a-kind, four-of-a-kind: Two, three or four dice of one value. Points: 2, 3 or 4
    times the greatest value that has as many; more dice of it add nothing. Ten sixes are 12 points on
    two-of-a-kind, which never fails. Failed: -10.
poker: Five dice of one value. Points: 50 for ones, 60 for twos and so on, 100 for sixes; the greatest value
    that has five. Failed: -10.
2+2: Two pairs of different values. Points: the sum of the four dice, the greatest values that have a pair.
    Two twos and two fours are 12 points. Failed: -10.
3+2: Three dice of one value and two of another. Points: the sum of the five dice, first the three and then
    the two of the greatest value that will do. Three fours and two twos are 16 points. Failed: -10.
minor-straight: 1, 2, 3, 4 and 5 are there, whatever else is. Points: 15. Failed: -10.
major-straight: 2, 3, 4, 5 and 6 are there, whatever else is. Points: 20. Failed: -10.
minor-sum: Any dice. Points: 70 minus the sum of all ten.
major-sum: Any dice. Points: the sum of all ten.

After the sixteenth round the player with the greater total wins. Equal totals are a draw."""

NOTATION = f"""\
choose X: Score this round with the combination X, one of
    {" ".join(COMBINATIONS[:10])}
    {" ".join(COMBINATIONS[10:])}

In every round both seats are to move, in either order, each once. A choice can't be taken back."""


def points(combination: Combination, dice: Sequence[int]) -> int:
    """What a combination brings on all ten dice: its points or, if it is not there, its penalty."""
    return table(dice)[combination]


def table(dice: Sequence[int]) -> dict[Combination, int]:
    """What each combination brings on all ten dice.

    Where several values would do, the greatest is considered first. `counts[v]` dice show the value v.
    """
    counts = [dice.count(value) for value in range(7)]
    numbers = {number: _number(value, counts) for value, number in enumerate(COMBINATIONS[:6], start=1)}
    return numbers | {
        "two-of-a-kind": _of_a_kind(2, counts),
        "three-of-a-kind": _of_a_kind(3, counts),
        "four-of-a-kind": _of_a_kind(4, counts),
        "poker": _poker(counts),
        "2+2": _two_kinds(2, 2, counts),
        "3+2": _two_kinds(3, 2, counts),
        "minor-straight": 15 if all(counts[1:6]) else FAILED,
        "major-straight": 20 if all(counts[2:7]) else FAILED,
        "minor-sum": 70 - sum(dice),
        "major-sum": sum(dice),
    }


def _number(value: int, counts: Sequence[int]) -> int:
    """At least three dice of the value; all of them count."""
    return counts[value] * value if counts[value] >= 3 else NUMBER_FAILED


def _of_a_kind(dice: int, counts: Sequence[int]) -> int:
    """So many dice of one value; more of them add nothing."""
    value = _greatest(dice, counts)
    return dice * value if value else FAILED


def _poker(counts: Sequence[int]) -> int:
    """Five dice of one value."""
    value = _greatest(5, counts)
    return 40 + 10 * value if value else FAILED


def _two_kinds(first: int, second: int, counts: Sequence[int]) -> int:
    """So many dice of one value and so many of another, the first value chosen first.

    Two different values: were four dice of one value 2+2, no ten dice could fail it, and the rules give it a
    penalty. In 3+2 the greatest triple first is also the most that the dice can bring.
    """
    value = _greatest(first, counts)
    other = _greatest(second, counts, but=value)
    return first * value + second * other if value and other else FAILED


def _greatest(dice: int, counts: Sequence[int], but: int = 0) -> int:
    """The greatest value but that one that at least so many dice show; 0 if there is none."""
    for value in (6, 5, 4, 3, 2, 1):
        if counts[value] >= dice and value != but:
            return value
    return 0


@dataclass(frozen=True, slots=True)
class Options:
    """The game has no options."""


@dataclass(frozen=True, slots=True)
class Round:
    """A round that is revealed. Pairs are in seat order."""

    throws: BySeat[Throw]
    choices: BySeat[Combination]
    points: BySeat[int]


@dataclass(frozen=True, slots=True)
class State:
    """The revealed rounds; then what is hidden: the throws (none when the game is over) and the choices."""

    options: Options
    history: tuple[Round, ...] = ()
    throws: tuple[Throw, ...] = ()
    choices: BySeat[Combination | None] = (None, None)

    @property
    def round(self) -> int:
        """The round being played, from 1; the last one once all are revealed."""
        return min(len(self.history) + 1, ROUNDS)

    @property
    def scores(self) -> tuple[int, ...]:
        """The points of the revealed rounds, added up."""
        return tuple(sum(each.points[seat] for each in self.history) for seat in range(SEATS))

    def used(self, seat: Seat) -> tuple[Combination, ...]:
        """What the seat has chosen in the revealed rounds, in that order."""
        return tuple(each.choices[seat] for each in self.history)

    def unused(self, seat: Seat) -> tuple[Combination, ...]:
        used = self.used(seat)
        return tuple(combination for combination in COMBINATIONS if combination not in used)


@dataclass(frozen=True, slots=True)
class View:
    """A game of 7776. `throw` and `choice` are one's own, null for a watcher; pairs are in seat order."""

    phase: Annotated[Literal["choose", "over"], Meta(description="Whether combinations are being chosen.")]
    round: Annotated[int, Meta(ge=1, le=ROUNDS, description="The round being played, or the last one.")]
    rounds: Annotated[int, Meta(ge=ROUNDS, le=ROUNDS, description="How many rounds a game has.")]
    throw: Annotated[Throw | None, Meta(description="Your own dice, in the order thrown.")]
    choice: Annotated[Combination | None, Meta(description="Your own choice of this round.")]
    locked: Annotated[BySeat[bool], Meta(description="Which seats have made their choice of this round.")]
    used: Annotated[BySeat[tuple[Combination, ...]], Meta(description="The choices of the revealed rounds.")]
    scores: Annotated[BySeat[int], Meta(description="The points of the revealed rounds, added up.")]
    history: Annotated[tuple[Round, ...], Meta(description="The revealed rounds, the first one first.")]


class Dice7776(Game[State, Options]):
    """The game of 7776: what is thrown and chosen stays its seat's own until both have chosen."""

    slug: ClassVar[str] = "7776"
    name: ClassVar[str] = "7776"
    rules_version: ClassVar[int] = 1
    seats: ClassVar[range] = range(SEATS, SEATS + 1)
    rules: ClassVar[str] = RULES
    notation: ClassVar[str] = NOTATION
    options_type: ClassVar[type] = Options
    state_type: ClassVar[type] = State
    view_type: ClassVar[type] = View

    def start(self, seats: int, options: Options, chance: Chance) -> Step[State]:
        """The first throws. 7776 is for two: `seats` can be nothing else."""
        return _throw(State(options), chance)

    def to_move(self, state: State) -> frozenset[Seat]:
        """Each seat until it has chosen: both at first, in either order."""
        if not state.throws:
            return frozenset()
        return frozenset(seat for seat, choice in enumerate(state.choices) if choice is None)

    def legal_moves(self, state: State, seat: Seat) -> Sequence[Move]:
        if seat not in self.to_move(state):
            return ()
        return tuple(f"choose {combination}" for combination in state.unused(seat))

    def apply(self, state: State, seat: Seat, move: Move, chance: Chance) -> Step[State]:
        """Lock a choice; the second of a round reveals both, and the next throws follow."""
        state, told = _choose(state, seat, MOVES[move])
        choices = tuple(choice for choice in state.choices if choice is not None)
        if len(choices) < SEATS:
            return state, told
        state, revealed = _reveal(state, choices)
        if len(state.history) == ROUNDS:
            return state, [*told, *revealed]
        state, threw = _throw(state, chance)
        return state, [*told, *revealed, *threw]

    def view(self, state: State, seat: Seat | None) -> View:
        return View(
            phase="choose" if state.throws else "over",
            round=state.round,
            rounds=ROUNDS,
            throw=state.throws[seat] if state.throws and seat is not None else None,
            choice=state.choices[seat] if seat is not None else None,
            locked=tuple(choice is not None for choice in state.choices),
            used=tuple(state.used(each) for each in range(SEATS)),
            scores=state.scores,
            history=state.history,
        )

    def scores(self, state: State) -> tuple[int, ...]:
        return state.scores

    def outcome(self, state: State, out: frozenset[Seat]) -> Outcome | None:
        """The higher total wins, equal totals are a draw: both win. None before the last reveal."""
        if len(state.history) < ROUNDS:
            return None
        scores = state.scores
        eligible = [seat for seat in range(SEATS) if seat not in out]
        best = max((scores[seat] for seat in eligible), default=None)
        return Outcome(tuple(seat for seat in eligible if scores[seat] == best), "played_out", scores)

    def halt(self, state: State) -> State:
        """Over: a round that was not revealed is forgotten, never shown."""
        return replace(state, throws=(), choices=(None, None))

    def resample(self, state: State, seat: Seat | None, chance: Chance) -> State:
        """Roll anew the throws that the seat can't see, and draw a locked choice from what is unused."""
        if not state.throws:
            return state
        throws, choices = list(state.throws), list(state.choices)
        for other in {0, 1} - {seat}:
            throws[other] = chance.roll(DICE)
            if choices[other] is not None:
                unused = state.unused(other)
                choices[other] = unused[chance.shuffle(len(unused))[0]]
        return replace(state, throws=tuple(throws), choices=tuple(choices))


def _throw(state: State, chance: Chance) -> Step[State]:
    """Both throw, the first seat first; each is told its own dice only."""
    throws = tuple(chance.roll(DICE) for _ in range(SEATS))
    told = {"round": state.round}
    threw = [Event("threw", seat, told, {"dice": list(dice)}) for seat, dice in enumerate(throws)]
    return replace(state, throws=throws), threw


def _choose(state: State, seat: Seat, combination: Combination) -> Step[State]:
    """A seat locks its choice; the other learns only that it has."""
    choices = tuple(combination if each == seat else choice for each, choice in enumerate(state.choices))
    chose = Event("chose", seat, own={"choice": combination}, by_seat=True)
    return replace(state, choices=choices), [chose]


def _reveal(state: State, choices: tuple[Combination, ...]) -> Step[State]:
    """Both throws and choices are shown and scored; nothing is hidden any more."""
    brings = table([die for throw in state.throws for die in throw])
    shown = Round(state.throws, choices, tuple(brings[combination] for combination in choices))
    after = State(state.options, (*state.history, shown))
    told = {"round": state.round, **encode(shown), "scores": list(after.scores)}
    return after, [Event("revealed", data=told)]
