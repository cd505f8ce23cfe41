"""Dominoes, for two to four seats.

**The rules.** There are 28 tiles, each divided into two halves of 0–6 pips; seven of them, the doubles, have
the same pips at both. Every seat receives seven; the others are covered: the stock. The seat that begins
lays any tile. From then on a tile may be laid at either end of the row, if one of its halves matches that
end; its other half is the new end. A double opens no third end. Corners are formed at will; where the row
comes to a dead end, it is straightened by itself (games.rules.layout has the grid). A seat that can't lay
a tile must draw a covered one and misses its turn; when none is covered, it is passed over.

Who lays its last tile wins the round and receives the pips of all tiles that the others still hold. When
nobody can go on, the round is blocked: the lowest pip total wins and receives the difference to each of
the others, 4, 9 and 14 pips making (9−4) + (14−4) = 15. Joint lowest: the round is drawn, no points. The
first to reach the target wins the game; with the target 0 one round is the whole game.

**The moves.**

    lay 6-4                          the first tile of a round
    lay 6-4 left, lay 6-4 right      a tile at an end; then, to form a corner there,
    lay 6-4 left cw, … ccw           a quarter clockwise or counter-clockwise
    draw                             when nothing fits

**The luck.** `start` draws shuffle(seats), whose first is the first seat. Every deal draws shuffle(28), the
tiles being numbered 0-0, 1-0, 1-1, 2-0 … 6-6: seven for seat 0, seven for the next, the rest is the stock,
drawn from its front.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Annotated, ClassVar, Literal, TypeAlias, TypeVar

import msgspec

from games.rules import hidden, layout
from games.rules.chance import Chance
from games.rules.game import Event, Game, Move, Outcome, Seat, Step, encode
from games.rules.hidden import AtMost
from games.rules.layout import End, Placed, Row, Tile, halves

TILES: tuple[Tile, ...] = tuple(
    f"{greater}-{lesser}" for greater in range(7) for lesser in range(greater + 1)
)
HAND_SIZE = 7
DRAWN_ROUNDS_LIMIT = 100

EXCHANGES = 16
"""How often the hidden tiles change places before their deal counts as new."""

Hand: TypeAlias = tuple[Tile, ...]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Options:
    """How the table wants the rules where they can be read in more than one way."""

    start: Annotated[
        Literal["rotate", "winner"],
        msgspec.Meta(
            description="Who begins the second and every later round: the next seat, or the winner of the"
            " round before (after a drawn round the same seat again)."
        ),
    ] = "rotate"
    dead_row: Annotated[
        Literal["at_once", "draw_out"],
        msgspec.Meta(
            description="When no tile outside the row fits while covered tiles are left: the round is"
            " blocked at once, or the seats first draw the stock empty."
        ),
    ] = "at_once"
    target: Annotated[
        int, msgspec.Meta(ge=0, le=1000, description="The points that win the game; 0: one round decides.")
    ] = 100
    corners: Annotated[
        bool, msgspec.Meta(description="Whether tiles may be laid around a corner; else straight only.")
    ] = True


@dataclass(frozen=True, slots=True)
class LastRound:
    """How a round ended.

    `winner` is null if it was drawn; `points` are the winner's; `pips` and `hands` are what each seat
    still held, in seat order; `row` is the final row.
    """

    winner: Seat | None
    blocked: bool
    points: int
    pips: tuple[int, ...]
    hands: tuple[Hand, ...]
    row: tuple[Placed, ...]


@dataclass(frozen=True, slots=True)
class State:
    """A position. `seat` is to move, None when the game is over; `drawn_rounds` counts those in a row.

    `at_most` is what the round's draws and passes told of each hand; empty: nothing yet.
    """

    options: Options
    round: int
    starter: Seat
    seat: Seat | None
    hands: tuple[Hand, ...]
    scores: tuple[int, ...]
    stock: tuple[Tile, ...] = ()
    row: Row = ()
    drawn_rounds: int = 0
    last_round: LastRound | None = None
    at_most: tuple[AtMost, ...] = ()


@dataclass(frozen=True, slots=True)
class View:
    """The table as one seat sees it.

    `seat` is to move, null when the game is over; `hand` is one's own, as dealt and then drawn, null for a
    watcher; `stock` is the number of covered tiles; `row` runs from the left end to the right end; `ends`
    are those two, none before the first tile; `last_round` is null in round 1. `at_most` says for each seat
    and each number of pips, 0 to 6, how many tiles with it the seat can hold at most: its hand size, until
    a draw or pass has told everybody that it holds none, and from then on only what it drew since.
    """

    phase: Literal["lay", "over"]
    round: int
    starter: Seat
    seat: Seat | None
    hand: Hand | None
    hand_sizes: tuple[int, ...]
    stock: int
    scores: tuple[int, ...]
    target: int
    row: tuple[Placed, ...]
    ends: tuple[End, ...]
    last_round: LastRound | None
    at_most: tuple[AtMost, ...]


class Dominoes(Game[State, Options]):
    """The rules of dominoes."""

    slug: ClassVar[str] = "dominoes"
    name: ClassVar[str] = "Dominoes"
    rules_version: ClassVar[int] = 1
    seats: ClassVar[range] = range(2, 5)
    options_type: ClassVar[type] = Options
    state_type: ClassVar[type] = State
    view_type: ClassVar[type] = View

    rules: ClassVar[str] = """\
Dominoes is played with 28 tiles. Each has two halves of 0 to 6 pips, and every pair of numbers is there \
once: 0-0, 1-0, 1-1 … 6-6. Seven tiles are doubles, with the same number on both halves.

The deal. Each seat gets seven tiles that only it sees. The rest is covered: the stock, 14, 7 or 0 tiles \
with 2, 3 or 4 seats. Chance decides who begins the first round; later rounds are begun by the next seat \
in turn, or with the option `start: winner` by the winner of the round before (after a drawn round by the \
same seat again).

Laying. The seat that begins lays any tile of its hand. After that the seats take turns to lay one tile at \
the left or the right end of the row. One half of the tile must match that end; the other half becomes the \
new end. Doubles are laid in line like all others, so there are always just two ends.

Drawing and passing. A seat with a tile that fits must lay one. If none fits, it must draw one covered \
tile, and its turn is over, even if the drawn tile fits. If none fits and no tile is covered, the server \
passes for the seat.

Corners. With the option `corners` (on by default) a tile may turn away from the row by a quarter, where \
the two cells it needs are free. Laying straight on is always possible: if the row has run into itself, at \
a dead end, the server first straightens it into one line. Corners change neither what fits nor what \
scores.

The end of a round. Laying one's last tile ends the round: that seat wins the pips of all tiles the others \
still hold. The round is blocked when no tile outside the row fits either end, at once even if tiles are \
covered; with the option `dead_row: draw_out` the seats first draw the stock empty. In a blocked round the \
lowest pip total wins the difference to each other seat's total, summed: with 4, 9 and 14 pips, 5 + 10 = \
15 points. If several seats share the lowest total, the round is drawn and nobody gets points. A last tile \
that also blocks the row wins as a last tile. Then all hands are shown and the next round is dealt.

The end of the game. The first seat to reach `target` points (100 by default) wins. With `target: 0` a \
single round decides: its winner wins the game, and if it is drawn, the seats with the lowest total share \
it. After 100 drawn rounds in a row the highest score wins; equal scores share."""

    notation: ClassVar[str] = """\
lay T — the first tile of a round. A tile T is written with its greater half first: `lay 6-4`.
lay T left, lay T right — a tile at that end of the row: `lay 6-4 left`.
lay T left cw, lay T left ccw, lay T right cw, lay T right ccw — the same, forming a corner: the row turns \
a quarter clockwise (cw) or counter-clockwise (ccw) before the tile.
draw — take a covered tile; legal only when no tile fits.

The table is a grid without bounds; x grows to the right, y downwards, and a tile covers two cells. The \
first tile lies at (0,0) and (1,0), greater half first. A tile's `x, y` is the cell of its greater half, \
and `facing` the direction from there to the lesser half (for a double, from the half nearer to the left \
end). An end's `x, y` is the cell of its open half, and `heading` the direction in which the row would go \
on. When the row is straightened, it becomes one horizontal line around the first tile, and the two ends \
head left and right again."""

    def start(self, seats: int, options: Options, chance: Chance) -> Step[State]:
        """The first deal; who begins is drawn before it."""
        starter = chance.shuffle(seats)[0]
        nothing_yet = State(
            options=options, round=1, starter=starter, seat=starter, hands=((),) * seats, scores=(0,) * seats
        )
        return _deal(nothing_yet, chance)

    def to_move(self, state: State) -> frozenset[Seat]:
        """The one seat whose turn it is."""
        return frozenset() if state.seat is None else frozenset((state.seat,))

    def legal_moves(self, state: State, seat: Seat) -> Sequence[Move]:
        """Every lay, tile by tile in the order of the hand; `draw` only when there is none."""
        if seat not in self.to_move(state):
            return []
        if not state.row:
            return [f"lay {tile}" for tile in state.hands[seat]]
        # Who can neither lay nor draw has been passed over, so a covered tile is there.
        return _lays(state, seat) or ["draw"]

    def apply(self, state: State, seat: Seat, move: Move, chance: Chance) -> Step[State]:
        """Lay or draw; then pass over who can't move, or score the round and deal the next."""
        match move.split():
            case ["lay", tile, *where]:
                state, events = _lay(state, seat, tile, *where)
            case _:
                state, events = _draw(state, seat)
        if not state.hands[seat] or _is_blocked(state):
            state, consequences = _end_round(state, chance)
        else:
            state, consequences = _pass_on(state, seat)
        return state, [*events, *consequences]

    def view(self, state: State, seat: Seat | None) -> View:
        """The table as `seat`, or with None a watcher, sees it."""
        return View(
            phase="over" if state.seat is None else "lay",
            round=state.round,
            starter=state.starter,
            seat=state.seat,
            hand=None if seat is None else state.hands[seat],
            hand_sizes=tuple(len(hand) for hand in state.hands),
            stock=len(state.stock),
            scores=state.scores,
            target=state.options.target,
            row=layout.placed(state.row),
            ends=layout.ends(state.row),
            last_round=state.last_round,
            at_most=_at_most(state),
        )

    def scores(self, state: State) -> tuple[int, ...]:
        """Points won so far."""
        return state.scores

    def outcome(self, state: State, out: frozenset[Seat]) -> Outcome | None:
        """The best of the seats that are not out: by points, or in a one-round game by that round."""
        if not _is_decided(state):
            return None
        ranks = {seat: _rank(state, seat) for seat in range(len(state.hands)) if seat not in out}
        best = max(ranks.values(), default=None)
        winners = tuple(seat for seat, rank in ranks.items() if rank == best)
        return Outcome(winners, "played_out", state.scores)

    def halt(self, state: State) -> State:
        """The same position with nobody to move; no hand is shown."""
        return replace(state, seat=None)

    def resample(self, state: State, seat: Seat | None, chance: Chance) -> State:
        """The tiles that `seat` can't see, dealt anew among the other hands and the stock.

        Every hand keeps to what draws and passes told of it, and with an empty stock the seat to move can
        lay. If all deals that do so were equally likely before, they are so after it.
        """
        for _ in range(EXCHANGES):
            guess = _exchanged(state, seat, chance)
            if guess.seat is None or _can_move(guess, guess.seat):
                state = guess
        return state


def _deal(state: State, chance: Chance) -> Step[State]:
    """Seven tiles for each seat from a fresh shuffle; the state's `starter` begins."""
    tiles = iter([TILES[index] for index in chance.shuffle(len(TILES))])
    hands = tuple(tuple(islice(tiles, HAND_SIZE)) for _ in state.hands)
    state = replace(state, seat=state.starter, hands=hands, stock=tuple(tiles), row=(), at_most=())
    data = {"round": state.round, "count": HAND_SIZE, "starter": state.starter}
    return state, [Event("dealt", seat, data, {"hand": list(hand)}) for seat, hand in enumerate(hands)]


def _lays(state: State, seat: Seat) -> list[Move]:
    """Every way in which `seat` can go on with the row: straight, and around the corners with room."""
    corners = layout.open_corners(state.row) if state.options.corners else ([], [])
    ways = [
        (end.pips, [name, *(f"{name} {corner}" for corner in turns)])
        for name, end, turns in zip(layout.ENDS, layout.ends(state.row), corners, strict=True)
    ]
    hand = state.hands[seat]
    return [f"lay {tile} {way}" for tile in hand for pips, at in ways if pips in halves(tile) for way in at]


def _lay(
    state: State, seat: Seat, tile: Tile, end: str | None = None, corner: str | None = None
) -> tuple[State, list[Event]]:
    """Lay a tile of the hand; at a dead end the row is straightened first."""
    row = state.row
    events: list[Event] = []
    if end is None:
        row = layout.begin(tile)
    else:
        # Without corners a row never runs into itself.
        if state.options.corners and corner is None and layout.is_dead_end(row, end):
            row = layout.straightened(row)
            events.append(Event("straightened", data={"row": list(encode(layout.placed(row)))}))
        row = layout.extend(row, tile, end, corner)
    events.append(_laid(row, seat, end, corner))
    hand = tuple(held for held in state.hands[seat] if held != tile)
    known = _with(_at_most(state), seat, hidden.after_lay(_at_most(state)[seat], tile))
    return replace(state, hands=_with(state.hands, seat, hand), row=row, at_most=known), events


def _laid(row: Row, seat: Seat, end: str | None, corner: str | None) -> Event:
    (lying,) = layout.placed(row[:1] if end == "left" else row[-1:])
    where = {"x": lying.x, "y": lying.y, "facing": lying.facing}
    return Event("laid", seat, {"tile": lying.tile, "end": end, "corner": corner, **where}, by_seat=True)


def _draw(state: State, seat: Seat) -> tuple[State, list[Event]]:
    """Take the covered tile at the front of the stock."""
    tile, *stock = state.stock
    hands = _with(state.hands, seat, (*state.hands[seat], tile))
    lacking = _lacking(state, seat)
    known = _with(lacking, seat, hidden.after_draw(lacking[seat]))
    drew = Event("drew", seat, own={"tile": tile}, by_seat=True)
    return replace(state, hands=hands, stock=tuple(stock), at_most=known), [drew]


def _with(each: tuple[T, ...], seat: Seat, one: T) -> tuple[T, ...]:
    return (*each[:seat], one, *each[seat + 1 :])


def _at_most(state: State) -> tuple[AtMost, ...]:
    return state.at_most or tuple(hidden.anything(len(hand)) for hand in state.hands)


def _lacking(state: State, seat: Seat) -> tuple[AtMost, ...]:
    """What is known of the hands once `seat` has shown that nothing of it fits."""
    ends = {end.pips for end in layout.ends(state.row)}
    return _with(_at_most(state), seat, hidden.after_lack(_at_most(state)[seat], ends))


def _pass_on(state: State, seat: Seat) -> tuple[State, list[Event]]:
    """The turn goes to the next seat that can lay or draw, perhaps back to `seat` itself."""
    passed: list[Event] = []
    while True:
        seat = (seat + 1) % len(state.hands)
        if _can_move(state, seat):
            return replace(state, seat=seat), passed
        state = replace(state, at_most=_lacking(state, seat))
        passed.append(Event("passed", seat))


def _can_move(state: State, seat: Seat) -> bool:
    """Whether a seat can lay, or at least draw."""
    return not state.row or bool(state.stock) or layout.any_fits(state.row, state.hands[seat])


def _is_blocked(state: State) -> bool:
    """Whether no tile outside the row fits; with `draw_out`, not before the stock is empty."""
    if state.stock and state.options.dead_row == "draw_out":
        return False
    return not layout.any_fits(state.row, chain(state.stock, *state.hands))


def _end_round(state: State, chance: Chance) -> Step[State]:
    """Score the round; unless that decides the game, deal the next one."""
    result = _result(state)
    gains = (result.points if seat == result.winner else 0 for seat in range(len(state.hands)))
    state = replace(
        state,
        seat=None,
        scores=tuple(map(sum, zip(state.scores, gains, strict=True))),
        drawn_rounds=state.drawn_rounds + 1 if result.winner is None else 0,
        last_round=result,
    )
    over = _round_over(state, result)
    if _is_decided(state):
        return state, [over]
    state, dealt = _deal(replace(state, round=state.round + 1, starter=_next_starter(state, result)), chance)
    return state, [over, *dealt]


def _result(state: State) -> LastRound:
    """Who won the round, and the points: the winner's difference to each of the others, summed."""
    pips = tuple(sum(map(sum, map(halves, hand))) for hand in state.hands)
    blocked = all(state.hands)
    # Going out is asked first: another hand may hold no pips either, just the 0-0.
    best = [held == min(pips) if blocked else not hand for held, hand in zip(pips, state.hands, strict=True)]
    winner = best.index(True) if sum(best) == 1 else None
    points = 0 if winner is None else sum(held - pips[winner] for held in pips)
    return LastRound(winner, blocked, points, pips, state.hands, layout.placed(state.row))


def _round_over(state: State, result: LastRound) -> Event:
    data = {
        "round": state.round,
        "winner": result.winner,
        "blocked": result.blocked,
        "points": result.points,
        "pips": list(result.pips),
        "hands": [list(hand) for hand in result.hands],
        "scores": list(state.scores),
    }
    return Event("round_over", data=data)


def _next_starter(state: State, result: LastRound) -> Seat:
    if state.options.start == "rotate":
        return (state.starter + 1) % len(state.hands)
    return state.starter if result.winner is None else result.winner


def _is_decided(state: State) -> bool:
    """Whether the game has been played to its end."""
    if state.options.target == 0:
        return state.last_round is not None
    return max(state.scores) >= state.options.target or state.drawn_rounds >= DRAWN_ROUNDS_LIMIT


def _rank(state: State, seat: Seat) -> tuple[int, int]:
    """What the seats of a decided game are compared by, the greater the better."""
    if state.options.target or state.last_round is None:
        return state.scores[seat], 0
    return seat == state.last_round.winner, -state.last_round.pips[seat]


def _exchanged(state: State, seat: Seat | None, chance: Chance) -> State:
    """The same position after tiles that `seat` may not know have changed places.

    A decided game has shown all hands: only the stock is left to guess.
    """
    seats = range(len(state.hands))
    covered = len(state.hands)
    unseen = [covered] if _is_decided(state) else [covered, *(other for other in seats if other != seat)]
    known = (*_at_most(state), hidden.anything(len(state.stock)))
    *hands, stock = hidden.exchanged((*state.hands, state.stock), known, unseen, chance)
    return replace(state, hands=tuple(hands), stock=stock)
