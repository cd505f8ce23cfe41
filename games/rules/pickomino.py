"""Pickomino: roll dice, save numbers, and take the dominoes with the most worms from the BBQ.

2 to 7 players. Eight dice bear 1–5 and a worm, W, where the 6 would be; added up, W counts as 5, yet W
and 5 are two numbers. The sixteen dominoes 21–36 lie face-up on the BBQ and bear one worm (21–24) up
to four (33–36).

A turn begins with a roll of all eight dice. After each roll one number that is not saved yet is saved,
with all its dice. Then the player collects, steals or rolls the remaining dice again. With a W among
the saved dice, any domino up to their total may be collected from the BBQ, or the top of another
player's stack stolen if it is exactly the total. Either goes on top of the player's stack, and the
turn is over.

A roll without a new number is a bust, and so is having no dice left, or all six numbers saved, and
nothing to take. The top domino of the stack goes back to the BBQ, and the largest face-up one is
turned over, unless it is the one that went back. What lies face-down is out of the game.

The game ends when no domino on the BBQ is face-up. The most worms win; among the tied, the largest
domino. The options, below, choose between readings of the rules.

Moves:

    move   = "roll" / "save " number / "collect " domino / "steal " domino
    number = "1" / "2" / "3" / "4" / "5" / "W"
    domino = "21" … "36"
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Literal, TypeAlias, assert_never

from msgspec import Meta

from games.rules.chance import Chance
from games.rules.game import Event, Game, IllegalMove, Move, Outcome, Seat, Step

Face: TypeAlias = Annotated[int, Meta(ge=1, le=5)] | Literal["W"]
DominoNumber: TypeAlias = Annotated[int, Meta(ge=21, le=36)]
Count: TypeAlias = Annotated[int, Meta(ge=1, le=8)]
Phase: TypeAlias = Literal["roll", "save", "decide", "over"]
Dominoes: TypeAlias = tuple[int, ...]

DICE = 8
DOMINOES = tuple(range(21, 37))
VALUES: dict[Face, int] = {1: 1, 2: 2, 3: 3, 4: 4, 5: 5, "W": 5}
FACES = tuple(VALUES)  # in the order of the pips that the chance gives: its 6 is W
FACE_NAMED = {str(face): face for face in FACES}

RULES = """\
For 2 to 7 players. Whoever owns the most worms when the game ends has won.

There are eight dice. Each bears the numbers 1 to 5 and, in the place of the 6, a worm: W. When dice are \
added up, W counts as 5; but W and 5 are different numbers. There are sixteen dominoes, 21 to 36. They \
begin face-up on the BBQ, and every player builds a stack of them. 21 to 24 bear one worm each, 25 to 28 \
two, 29 to 32 three, and 33 to 36 four.

Your turn. Roll all eight dice. Then choose one number among the dice just rolled and save every die that \
shows it; a number that you have already saved this turn cannot be chosen again. After saving, collect a \
domino, steal one, or roll the remaining dice again. You cannot stop without taking a domino, and you \
cannot roll once no dice remain or all six numbers are saved.

Collecting. You need at least one saved W. Take any face-up domino from the BBQ whose number is not above \
the total of your saved dice. It goes on top of your stack, and your turn is over.

Stealing. You need at least one saved W, and the total of your saved dice must be exactly the number of the \
domino on top of another player's stack. That domino goes on top of your own stack, and your turn is over. \
Nobody has to steal.

Busting. You bust when a roll shows no number that is new to you, or when no dice remain or all six numbers \
are saved and there is nothing that you can collect or steal. The top domino of your stack goes back to the \
BBQ, face-up. Then the largest face-up domino on the BBQ is turned over, unless it is the one that you have \
just returned. If your stack is empty you return nothing, and the largest is turned over all the same. What \
lies face-down never comes back into play. Your turn is over.

The end. The game ends as soon as no face-up domino is left on the BBQ. Every player counts the worms in \
the whole stack; the most worms win. If players are tied, the one among them with the largest domino \
anywhere in the stack wins. If nobody owns a domino, all share the result.

Options. first: a random seat begins (random), or always seat 0 (seat_0). collect: any domino up to the \
total (any), or only the one with exactly the total or, if that one is not on the BBQ face-up, the next \
lower one that is (nearest). turn_over_returned: a bust turns over the largest domino even when it is the \
one just returned. turn_over_on_empty_bust: a bust with an empty stack turns over the largest domino \
(true), or nothing (false)."""

NOTATION = """\
roll: roll all dice that are not saved.

save N: save all rolled dice of the number N, which is 1, 2, 3, 4, 5 or W. Example: save W.

collect D: take the domino D, 21 to 36, from the BBQ. Example: collect 24.

steal D: take the domino D from the top of the stack that it lies on. Example: steal 24.

One space between the words, nothing before or after. A bust is no move: it happens by itself."""


@dataclass(frozen=True, slots=True)
class Options:
    """Readings of the rules that a table chooses between."""

    first: Annotated[
        Literal["random", "seat_0"], Meta(description="The seat that begins: drawn by the server, or seat 0.")
    ] = "random"
    collect: Annotated[
        Literal["any", "nearest"],
        Meta(description="Collect any domino up to the total, or only the highest of them that is there."),
    ] = "any"
    turn_over_returned: Annotated[
        bool, Meta(description="Whether a bust turns the largest domino over although it was just returned.")
    ] = False
    turn_over_on_empty_bust: Annotated[
        bool, Meta(description="Whether a bust with an empty stack turns the largest domino over.")
    ] = True


@dataclass(frozen=True, slots=True)
class Saved:
    """All dice of one number, saved together."""

    face: Annotated[Face, Meta(description="The number: 1 to 5, or W.")]
    count: Annotated[Count, Meta(description="How many dice.")]


@dataclass(frozen=True, slots=True)
class State:
    """A position. `seat` is None when the game is over; a stack's last domino is its top."""

    options: Options
    seat: Seat | None
    face_up: Dominoes  # ascending, as is face_down
    face_down: Dominoes
    stacks: tuple[Dominoes, ...]
    dice: tuple[Face, ...] = ()  # rolled and not chosen from yet
    saved: tuple[Saved, ...] = ()

    @property
    def phase(self) -> Phase:
        if self.seat is None:
            return "over"
        if self.dice:
            return "save"
        return "decide" if self.saved else "roll"

    @property
    def numbers(self) -> frozenset[Face]:
        return frozenset([saved.face for saved in self.saved])

    @property
    def total(self) -> int:
        return sum([VALUES[saved.face] * saved.count for saved in self.saved])

    @property
    def dice_left(self) -> int:
        return DICE - sum([saved.count for saved in self.saved])


@dataclass(frozen=True, slots=True)
class Domino:
    """A domino and what it is worth."""

    domino: Annotated[DominoNumber, Meta(description="Its number.")]
    worms: Annotated[int, Meta(ge=1, le=4, description="The worms on it.")]


@dataclass(frozen=True, slots=True)
class View:
    """A table of Pickomino. Nothing is hidden: every seat and every watcher sees the same.

    Phases: `roll` before a turn's first roll, `save` while rolled dice wait for a choice, `decide` after
    a save, `over` when the game has ended.
    """

    phase: Phase
    seat: Annotated[Seat | None, Meta(description="Whose turn it is; null when over.")]
    dice: Annotated[tuple[Face, ...], Meta(description="The dice to choose from, as thrown.")]
    saved: Annotated[tuple[Saved, ...], Meta(description="Saved this turn, in the order of saving.")]
    total: Annotated[int, Meta(ge=0, le=40, description="The saved dice added up; W counts as 5.")]
    dice_left: Annotated[int, Meta(ge=0, le=8, description="How many dice are not saved.")]
    bbq: Annotated[tuple[Domino, ...], Meta(description="The face-up dominoes, ascending.")]
    face_down: Annotated[tuple[DominoNumber, ...], Meta(description="Out of the game, ascending.")]
    stacks: Annotated[
        tuple[tuple[Domino, ...], ...], Meta(description="By seat; the last domino is the top.")
    ]
    worms: Annotated[tuple[int, ...], Meta(description="The worms in each seat's stack.")]


class Pickomino(Game[State, Options]):
    """The rules of Pickomino."""

    slug: ClassVar[str] = "pickomino"
    name: ClassVar[str] = "Pickomino"
    rules_version: ClassVar[int] = 1
    seats: ClassVar[range] = range(2, 8)
    rules: ClassVar[str] = RULES
    notation: ClassVar[str] = NOTATION
    options_type: ClassVar[type] = Options
    state_type: ClassVar[type] = State
    view_type: ClassVar[type] = View

    def start(self, seats: int, options: Options, chance: Chance) -> Step[State]:
        """All dominoes on the BBQ. Nothing is told: who begins is part of every table's start."""
        first = chance.shuffle(seats)[0] if options.first == "random" else 0
        return State(options, first, face_up=DOMINOES, face_down=(), stacks=((),) * seats), ()

    def to_move(self, state: State) -> frozenset[Seat]:
        return frozenset(() if state.seat is None else (state.seat,))

    def legal_moves(self, state: State, seat: Seat) -> Sequence[Move]:
        return _moves(state) if seat == state.seat else []

    def apply(self, state: State, seat: Seat, move: Move, chance: Chance) -> Step[State]:
        match move.split():
            case ["roll"]:
                return _roll(state, seat, chance)
            case ["save", number]:
                return _save(state, seat, FACE_NAMED[number])
            case ["collect", domino]:
                return _collect(state, seat, int(domino))
            case ["steal", domino]:
                return _steal(state, seat, int(domino))
        raise IllegalMove(self.legal_moves(state, seat))

    def view(self, state: State, seat: Seat | None) -> View:
        return View(
            phase=state.phase,
            seat=state.seat,
            dice=state.dice,
            saved=state.saved,
            total=state.total,
            dice_left=state.dice_left,
            bbq=_shown(state.face_up),
            face_down=state.face_down,
            stacks=tuple(_shown(stack) for stack in state.stacks),
            worms=self.scores(state),
        )

    def scores(self, state: State) -> tuple[int, ...]:
        """The worms of each seat."""
        return tuple(sum(map(worms, stack)) for stack in state.stacks)

    def outcome(self, state: State, out: frozenset[Seat]) -> Outcome | None:
        """Most worms, then the largest domino; None while a domino is face-up, though the game was halted."""
        if state.face_up:
            return None
        scores = self.scores(state)
        # No two stacks share a domino, so only seats without any can be equal in both.
        rank = {
            seat: (scores[seat], max(stack, default=0))
            for seat, stack in enumerate(state.stacks)
            if seat not in out
        }
        best = max(rank.values(), default=None)
        return Outcome(tuple(seat for seat in rank if rank[seat] == best), "played_out", scores)

    def halt(self, state: State) -> State:
        return _turn_of(None, state)

    def resample(self, state: State, seat: Seat | None, chance: Chance) -> State:
        """The state itself: nothing in it is hidden from anybody."""
        return state


def worms(domino: int) -> int:
    """How many worms a domino bears: one from 21, and one more with every fourth number."""
    return (domino - 17) // 4


# Dominoes never change: one of each serves every view.
SHOWN = {domino: Domino(domino, worms(domino)) for domino in DOMINOES}


def _shown(dominoes: Sequence[int]) -> tuple[Domino, ...]:
    return tuple(map(SHOWN.__getitem__, dominoes))


def _moves(state: State) -> list[Move]:
    match state.phase:
        case "roll":
            return ["roll"]
        case "save":
            saved = state.numbers
            return [f"save {face}" for face in FACES if face in state.dice and face not in saved]
        case "decide":
            return [*_takes(state), *_rolls(state)]
        case "over":
            return []
        case phase:
            assert_never(phase)


def _takes(state: State) -> list[Move]:
    if "W" not in state.numbers:
        return []
    total = state.total
    within = [domino for domino in state.face_up if domino <= total]
    collected = within[-1:] if state.options.collect == "nearest" else within
    tops = [stack[-1] for seat, stack in enumerate(state.stacks) if stack and seat != state.seat]
    stolen = [top for top in tops if top == total]
    return [f"collect {domino}" for domino in collected] + [f"steal {domino}" for domino in stolen]


def _rolls(state: State) -> list[Move]:
    """Dice that can't show a new number are not rolled: it would be a sure bust."""
    return ["roll"] if state.dice_left and len(state.numbers) < len(FACES) else []


def _roll(state: State, seat: Seat, chance: Chance) -> Step[State]:
    dice = tuple(FACES[pips - 1] for pips in chance.roll(state.dice_left))
    rolled = Event("rolled", seat, {"dice": list(dice)}, by_seat=True)
    return _go_on(replace(state, dice=dice), seat, rolled)


def _save(state: State, seat: Seat, face: Face) -> Step[State]:
    count = state.dice.count(face)
    state = replace(state, dice=(), saved=(*state.saved, Saved(face, count)))
    saved = Event("saved", seat, {"face": face, "count": count, "total": state.total}, by_seat=True)
    return _go_on(state, seat, saved)


def _go_on(state: State, seat: Seat, event: Event) -> Step[State]:
    """The turn goes on, unless no move is left: every bust is this one."""
    if _moves(state):
        return state, (event,)
    state, busted = _bust(state, seat, "nothing_new" if state.dice else "nothing_to_take")
    return state, (event, busted)


def _collect(state: State, seat: Seat, domino: int) -> Step[State]:
    stacks = _with_stack(state.stacks, seat, (*state.stacks[seat], domino))
    state = replace(state, face_up=_without(state.face_up, (domino,)), stacks=stacks)
    collected = Event("collected", seat, {"domino": domino, "worms": worms(domino)}, by_seat=True)
    return _end_turn(state, seat), (collected,)


def _steal(state: State, seat: Seat, domino: int) -> Step[State]:
    owner = next(owner for owner, stack in enumerate(state.stacks) if domino in stack)
    stacks = _with_stack(state.stacks, owner, state.stacks[owner][:-1])
    stacks = _with_stack(stacks, seat, (*stacks[seat], domino))
    told = {"domino": domino, "worms": worms(domino), "from": owner}
    stole = Event("stole", seat, told, by_seat=True)
    return _end_turn(replace(state, stacks=stacks), seat), (stole,)


def _bust(state: State, seat: Seat, reason: str) -> tuple[State, Event]:
    """The top domino goes back first, for it may be the largest then."""
    stack = state.stacks[seat]
    returned = stack[-1:]  # one domino or none, as is turned_over
    face_up = tuple(sorted(state.face_up + returned))
    turned_over = face_up[-1:] if _turns_over(state.options, returned, face_up[-1]) else ()
    state = replace(
        state,
        face_up=_without(face_up, turned_over),
        face_down=tuple(sorted(state.face_down + turned_over)),
        stacks=_with_stack(state.stacks, seat, _without(stack, returned)),
    )
    told = {"reason": reason, "returned": _only(returned), "turned_over": _only(turned_over)}
    return _end_turn(state, seat), Event("busted", seat, told)


def _turns_over(options: Options, returned: Dominoes, largest: int) -> bool:
    if not returned:
        return options.turn_over_on_empty_bust
    return options.turn_over_returned or largest not in returned


def _end_turn(state: State, seat: Seat) -> State:
    """The next seat's turn, or nobody's once no domino is face-up."""
    return _turn_of((seat + 1) % len(state.stacks) if state.face_up else None, state)


def _turn_of(seat: Seat | None, state: State) -> State:
    return replace(state, seat=seat, dice=(), saved=())


def _with_stack(stacks: tuple[Dominoes, ...], seat: Seat, stack: Dominoes) -> tuple[Dominoes, ...]:
    return (*stacks[:seat], stack, *stacks[seat + 1 :])


def _without(dominoes: Dominoes, gone: Dominoes) -> Dominoes:
    return tuple(domino for domino in dominoes if domino not in gone)


def _only(dominoes: Dominoes) -> int | None:
    return dominoes[0] if dominoes else None
