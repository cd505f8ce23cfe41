"""Is the record of a finished Boneyard table true? One file that needs Python 3.9 and nothing else.

    python boneyard_verify.py FILE [COMMITMENT]

FILE is what GET /api/v1/tables/{id}/record gave. COMMITMENT is the one that the table showed when you
sat down. The exit code is 0 if the record is true, 1 if it is not, 2 if there is nothing to read.
In a program: `verify(record)`, or `verify(parse(text))`.

This program shares no code with the server. It was written from the rules of the games and from
docs/fairness.md, which specifies the luck and the record. It asks three things:

    whole   Has the file the form of a record, and is its hash right?
    rules   Are the options, each move, what each move drew, who moved, who left, and the outcome as the
            rules have them? The game is played again from its first line to its last.
    seeds   Is the commitment that of the server seed, and is all that was drawn what the seeds give?

If all three hold, and the commitment is the one that you kept, then the server could change no luck after
the table was opened; and if a client seed is yours, it could not choose the luck before that, either.

What this can't show: that nobody knew the luck beforehand; that the moves are those that people made; that
`player` was the player and `stand_in` was not; when between two moves somebody left; which of two chose
first in 7776; whether a table that was `abandoned` or `voided` should have been; which level a bot had. Nor
can it see an option that made no difference to the game. Whoever changes such a thing, plays on by the rules
and the seeds, and writes a new hash, is not found out by the file alone: compare it with what your client
sent and saw.

Contents: what is found, the luck, Pickomino, 7776, Dominoes, the form, the rules, the seeds, the answer.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Protocol

Options = dict[str, Sequence[Any]]  # by name, what is allowed
Draw = list[Any]  # ["roll", [faces]] or ["shuffle", [permutation]]
Tile = tuple[int, int]  # greater half first
Cell = tuple[int, int]
Half = tuple[int, Cell]  # pips, and where they lie


# --- What is found -------------------------------------------------------------------------------


class Wrong(Exception):
    """Something is not as it should be. `line` is None where that is known further out, or no line's."""

    def __init__(self, text: str, line: int | None = None) -> None:
        super().__init__(text)
        self.text = text
        self.line = line


@dataclass(frozen=True)
class Problem:
    """The first thing that is wrong in a part: `whole`, `rules` or `seeds`.

    `line` counts the record's lines from 1; 0 is the start, None the record as a whole.
    """

    part: str
    line: int | None
    text: str


@dataclass(frozen=True)
class Result:
    """`line` and `problem` are those of the first line that goes wrong. Where the form is broken, `rules`
    and `seeds` could not be asked, and are None. `problems` has at most one of each part."""

    ok: bool
    line: int | None
    problem: str | None
    whole: bool
    rules: bool | None
    seeds: bool | None
    problems: list[Problem]


def show(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


# --- The luck ------------------------------------------------------------------------------------


class Block:
    """The luck of one step as the seeds give it: block 0 is the start's, block n that of move number n."""

    def __init__(self, server_seed: str, table: str, client_seeds: Sequence[str | None], number: int) -> None:
        self.key = bytes.fromhex(server_seed)
        seeds = b"".join(text(seed or "") for seed in client_seeds)
        self.message = text("boneyard chance 1") + text(table) + u32(len(client_seeds)) + seeds + u32(number)
        self.taken = 0  # bytes

    def chunk(self, number: int) -> bytes:
        return hmac.new(self.key, self.message + u32(number), hashlib.sha256).digest()

    def byte(self) -> int:
        number, place = divmod(self.taken, 32)
        if place == 0:
            self.bytes = self.chunk(number)
        self.taken += 1
        return self.bytes[place]

    def one_of(self, size: int) -> int:
        """0 to size − 1, all equally likely: bytes beyond the last whole multiple are passed over."""
        byte = self.byte()
        while byte >= 256 - 256 % size:
            byte = self.byte()
        return byte % size

    def roll(self, dice: int) -> list[int]:
        return [self.one_of(6) + 1 for _ in range(dice)]

    def shuffle(self, size: int) -> list[int]:
        """Fisher and Yates, from the top."""
        order = list(range(size))
        for last in range(size - 1, 0, -1):
            other = self.one_of(last + 1)
            order[last], order[other] = order[other], order[last]
        return order


def u32(number: int) -> bytes:
    return number.to_bytes(4, "big")


def text(string: str) -> bytes:
    return u32(len(string)) + string.encode("ascii")


class Luck:
    """The luck of one step as the record has it, handed out to the rules draw by draw."""

    def __init__(self, draws: Sequence[Draw]) -> None:
        self.draws = list(draws)

    def roll(self, dice: int) -> list[int]:
        faces = self.next("roll", dice, f"a throw of {dice} dice")
        if not all(1 <= face <= 6 for face in faces):
            raise Wrong(f"The throw {show(faces)} has faces other than 1 to 6.")
        return faces

    def shuffle(self, size: int) -> list[int]:
        order = self.next("shuffle", size, f"a shuffle of {size}")
        if sorted(order) != list(range(size)):
            raise Wrong(f"The shuffle {show(order)} does not hold each of 0 to {size - 1} once.")
        return order

    def next(self, kind: str, size: int, wanted: str) -> list[int]:
        if not self.draws:
            raise Wrong(f"By the rules {wanted} is drawn here, and the record has none.")
        told, values = self.draws.pop(0)
        if told != kind or len(values) != size:
            raise Wrong(f"By the rules {wanted} is drawn here, and the record has a {told} of {len(values)}.")
        return list(values)

    def must_be_used_up(self) -> None:
        if self.draws:
            raise Wrong(f"By the rules nothing more is drawn here, and the record has {show(self.draws[0])}.")


class Game(Protocol):
    """What the rules of each game tell: `legal` is only asked of a seat that is to move, `apply` only with a
    move that is legal. `winners` are the best among some of the seats."""

    SEATS: ClassVar[range]
    OPTIONS: ClassVar[Options]

    def __init__(self, seats: int, options: dict[str, Any], luck: Luck) -> None: ...
    @property
    def over(self) -> bool: ...
    def to_move(self) -> list[int]: ...
    def legal(self, seat: int) -> list[str]: ...
    def apply(self, seat: int, move: str, luck: Luck) -> None: ...
    def scores(self) -> list[int]: ...
    def winners(self, among: list[int]) -> list[int]: ...


# --- Pickomino -----------------------------------------------------------------------------------

DICE = 8
WORM = 6  # the face W; it counts five


class Pickomino:
    """Eight dice, sixteen dominoes 21–36. Who has most worms when no domino is face-up wins."""

    SEATS: ClassVar = range(2, 8)
    OPTIONS: ClassVar[Options] = {
        "first": ["random", "seat_0"],
        "collect": ["any", "nearest"],
        "turn_over_returned": [False, True],
        "turn_over_on_empty_bust": [True, False],
    }

    def __init__(self, seats: int, options: dict[str, Any], luck: Luck) -> None:
        self.options = options
        self.bbq = list(range(21, 37))  # those face-up, ascending
        self.stacks: list[list[int]] = [[] for _ in range(seats)]
        self.seat = luck.shuffle(seats)[0] if options["first"] == "random" else 0
        self.over = False
        self.begin_turn()

    def begin_turn(self) -> None:
        self.dice: list[int] = []  # thrown and waiting for a choice
        self.saved: dict[int, int] = {}  # face: how many

    def to_move(self) -> list[int]:
        return [] if self.over else [self.seat]

    def legal(self, seat: int) -> list[str]:
        if self.dice:
            return [f"save {face_name(face)}" for face in sorted({*self.dice} - {*self.saved})]
        roll = ["roll"] if self.dice_left() and len(self.saved) < 6 else []
        return roll + [f"collect {domino}" for domino in self.collectable()] + self.steals()

    def dice_left(self) -> int:
        return DICE - sum(self.saved.values())

    def total(self) -> int:
        return sum(min(face, 5) * count for face, count in self.saved.items())

    def collectable(self) -> list[int]:
        low_enough = [domino for domino in self.bbq if WORM in self.saved and domino <= self.total()]
        return low_enough[-1:] if self.options["collect"] == "nearest" else low_enough

    def steals(self) -> list[str]:
        tops = [stack[-1] for seat, stack in enumerate(self.stacks) if stack and seat != self.seat]
        return [f"steal {top}" for top in tops if WORM in self.saved and top == self.total()]

    def apply(self, seat: int, move: str, luck: Luck) -> None:
        verb, _, what = move.partition(" ")
        if verb == "roll":
            self.roll(luck)
        elif verb == "save":
            self.save(WORM if what == "W" else int(what))
        else:
            self.take(int(what))

    def roll(self, luck: Luck) -> None:
        self.dice = luck.roll(self.dice_left())
        if {*self.dice} <= {*self.saved}:
            self.bust()

    def save(self, face: int) -> None:
        self.saved[face] = self.dice.count(face)
        self.dice = []
        if not self.legal(self.seat):
            self.bust()

    def take(self, domino: int) -> None:
        """Collect or steal: the domino leaves the BBQ or the stack whose top it is."""
        for place in [self.bbq, *self.stacks]:
            if domino in place:
                place.remove(domino)
        self.stacks[self.seat].append(domino)
        self.end_turn()

    def bust(self) -> None:
        """Own top domino back to the BBQ, then the largest face-up one turned over, if not the same."""
        own = self.stacks[self.seat]
        returned = own.pop() if own else None
        if returned is not None:
            self.bbq = sorted([*self.bbq, returned])
        largest = self.bbq[-1]
        if returned is None:
            turn_over = self.options["turn_over_on_empty_bust"]
        else:
            turn_over = largest != returned or self.options["turn_over_returned"]
        if turn_over:
            self.bbq.remove(largest)
        self.end_turn()

    def end_turn(self) -> None:
        self.begin_turn()
        self.over = not self.bbq
        self.seat = (self.seat + 1) % len(self.stacks)

    def scores(self) -> list[int]:
        return [sum((domino - 17) // 4 for domino in stack) for stack in self.stacks]

    def winners(self, among: list[int]) -> list[int]:
        """Most worms; tied, the largest domino; without any domino all share."""
        scores = self.scores()
        rank = {seat: (scores[seat], max(self.stacks[seat], default=0)) for seat in among}
        return [seat for seat in among if rank[seat] == max(rank.values())]


def face_name(face: int) -> str:
    return "W" if face == WORM else str(face)


# --- 7776 ----------------------------------------------------------------------------------------

OF_A_KIND = {"two-of-a-kind": 2, "three-of-a-kind": 3, "four-of-a-kind": 4}
STRAIGHTS = {"minor-straight": ({1, 2, 3, 4, 5}, 15), "major-straight": ({2, 3, 4, 5, 6}, 20)}
COMBINATIONS = [*"123456", *OF_A_KIND, "poker", "2+2", "3+2", *STRAIGHTS, "minor-sum", "major-sum"]


class SevenSevenSevenSix:
    """Sixteen rounds: five dice each, unseen by the other; each chooses a combination of all ten dice."""

    SEATS: ClassVar = range(2, 3)
    OPTIONS: ClassVar[Options] = {}

    def __init__(self, seats: int, options: dict[str, Any], luck: Luck) -> None:
        self.points = [0, 0]
        self.used: list[list[str]] = [[], []]
        self.begin_round(luck)

    @property
    def over(self) -> bool:
        return len(self.used[0]) == len(self.used[1]) == len(COMBINATIONS)

    def begin_round(self, luck: Luck) -> None:
        self.throws = [luck.roll(5), luck.roll(5)]
        self.choices: dict[int, str] = {}

    def to_move(self) -> list[int]:
        return [] if self.over else [seat for seat in (0, 1) if seat not in self.choices]

    def legal(self, seat: int) -> list[str]:
        return [f"choose {name}" for name in COMBINATIONS if name not in self.used[seat]]

    def apply(self, seat: int, move: str, luck: Luck) -> None:
        self.choices[seat] = move.partition(" ")[2]
        if len(self.choices) == 2:
            self.reveal()
            if not self.over:
                self.begin_round(luck)

    def reveal(self) -> None:
        for seat, combination in self.choices.items():
            self.points[seat] += points(combination, self.throws[0] + self.throws[1])
            self.used[seat].append(combination)

    def scores(self) -> list[int]:
        return self.points

    def winners(self, among: list[int]) -> list[int]:
        return [seat for seat in among if self.points[seat] == max(self.points[other] for other in among)]


def points(combination: str, dice: list[int]) -> int:
    """What the ten dice give for the combination, or its penalty."""

    def greatest(least: int, other_than: int = 0) -> int:
        values = [value for value in range(1, 7) if dice.count(value) >= least and value != other_than]
        return max(values, default=0)

    if combination.isdigit():
        value = int(combination)
        return value * dice.count(value) if dice.count(value) >= 3 else -70
    if combination in OF_A_KIND:
        return OF_A_KIND[combination] * greatest(OF_A_KIND[combination]) or -10
    if combination == "poker":
        return 40 + 10 * greatest(5) if greatest(5) else -10
    if combination in ("2+2", "3+2"):
        first = greatest(int(combination[0]))
        second = greatest(2, other_than=first)
        return int(combination[0]) * first + 2 * second if first and second else -10
    if combination in STRAIGHTS:
        values, worth = STRAIGHTS[combination]
        return worth if values <= {*dice} else -10
    return sum(dice) if combination == "major-sum" else 70 - sum(dice)


# --- Dominoes ------------------------------------------------------------------------------------

TILES = [(high, low) for high in range(7) for low in range(high + 1)]  # 0-0, 1-0, 1-1, 2-0 … 6-6
CLOCKWISE = ["right", "down", "left", "up"]
STEP = {"right": (1, 0), "down": (0, 1), "left": (-1, 0), "up": (0, -1)}  # x grows to the right, y downwards
TURN = {"": 0, "cw": 1, "ccw": -1}
LEFT, RIGHT = 0, 1
ENDS = ["left", "right"]
DRAWN_ROUNDS = 100


class Row:
    """The tiles on the table, from the left end to the right one. A half is (pips, its cell)."""

    def __init__(self) -> None:
        self.tiles: list[tuple[Half, Half]] = []
        self.first = 0  # where in `tiles` the round's first tile lies
        self.headings = ["left", "right"]

    def open_half(self, end: int) -> Half:
        return self.tiles[-end][end]  # tiles[0][0] or tiles[-1][1]

    def fits(self, tile: Tile) -> bool:
        return not self.tiles or any(self.open_half(end)[0] in tile for end in (LEFT, RIGHT))

    def cells_ahead(self, end: int, corner: str) -> tuple[str, list[Cell]]:
        """The heading after the corner, and the next two cells in it."""
        heading = CLOCKWISE[(CLOCKWISE.index(self.headings[end]) + TURN[corner]) % 4]
        (x, y), (dx, dy) = self.open_half(end)[1], STEP[heading]
        return heading, [(x + dx, y + dy), (x + 2 * dx, y + 2 * dy)]

    def are_free(self, cells: list[Cell]) -> bool:
        return not any(cell in cells for tile in self.tiles for _, cell in tile)

    def corners(self, end: int) -> list[str]:
        return [corner for corner in ("cw", "ccw") if self.are_free(self.cells_ahead(end, corner)[1])]

    def lay_first(self, tile: Tile) -> None:
        self.tiles = [((tile[0], (0, 0)), (tile[1], (1, 0)))]

    def lay(self, tile: Tile, end: int, corner: str) -> None:
        if not self.are_free(self.cells_ahead(end, corner)[1]):
            self.straighten()
        self.headings[end], (near, far) = self.cells_ahead(end, corner)
        joined = self.open_half(end)[0]
        opened = tile[1] if tile[0] == joined else tile[0]
        if end == LEFT:
            self.tiles.insert(0, ((opened, far), (joined, near)))
            self.first += 1
        else:
            self.tiles.append(((joined, near), (opened, far)))

    def straighten(self) -> None:
        """All in one horizontal line, the first tile staying at (0,0) and (1,0)."""
        for index, ((left, _), (right, _)) in enumerate(self.tiles):
            x = 2 * (index - self.first)
            self.tiles[index] = (left, (x, 0)), (right, (x + 1, 0))
        self.headings = ["left", "right"]


class Dominoes:
    """Rounds of a row with two ends, until a seat has reached the target."""

    SEATS: ClassVar = range(2, 5)
    OPTIONS: ClassVar[Options] = {
        "start": ["rotate", "winner"],
        "dead_row": ["at_once", "draw_out"],
        "target": range(1001),
        "corners": [True, False],
    }

    def __init__(self, seats: int, options: dict[str, Any], luck: Luck) -> None:
        self.options = options
        self.points = [0] * seats
        self.over = False
        self.drawn_in_a_row = 0
        self.round_winner: int | None = None
        self.starter = luck.shuffle(seats)[0]
        self.deal(luck)

    def deal(self, luck: Luck) -> None:
        order = [TILES[place] for place in luck.shuffle(len(TILES))]
        seats = len(self.points)
        self.hands = [order[7 * seat : 7 * seat + 7] for seat in range(seats)]
        self.stock = order[7 * seats :]
        self.row = Row()
        self.seat = self.starter

    def to_move(self) -> list[int]:
        return [] if self.over else [self.seat]

    def legal(self, seat: int) -> list[str]:
        hand = self.hands[seat]
        if not self.row.tiles:
            return [f"lay {tile_name(tile)}" for tile in hand]
        corners = [self.row.corners(end) if self.options["corners"] else [] for end in (LEFT, RIGHT)]
        lays = [
            " ".join(["lay", tile_name(tile), ENDS[end], *corner])
            for tile in hand
            for end in (LEFT, RIGHT)
            if self.row.open_half(end)[0] in tile
            for corner in [[], *([turn] for turn in corners[end])]
        ]
        return lays or ["draw"]  # a seat that could do neither has been passed over

    def apply(self, seat: int, move: str, luck: Luck) -> None:
        if move == "draw":
            self.hands[seat].append(self.stock.pop(0))
        else:
            self.lay(seat, *move.split()[1:])
        if not self.hands[seat]:
            self.end_round(seat, luck)
        elif self.is_blocked():
            self.end_round(self.lowest(), luck)
        else:
            self.pass_on()

    def lay(self, seat: int, name: str, end: str = "", corner: str = "") -> None:
        tile = int(name[0]), int(name[2])
        self.hands[seat].remove(tile)
        if end:
            self.row.lay(tile, ENDS.index(end), corner)
        else:
            self.row.lay_first(tile)

    def is_blocked(self) -> bool:
        """Nothing outside the row fits; with `draw_out` the stock must be empty as well."""
        outside = [tile for hand in [*self.hands, self.stock] for tile in hand]
        waits = self.stock and self.options["dead_row"] == "draw_out"
        return not waits and not any(self.row.fits(tile) for tile in outside)

    def pass_on(self) -> None:
        """The next seat that can do something; who can neither lay nor draw is passed over."""
        for step in range(1, len(self.hands) + 1):
            seat = (self.seat + step) % len(self.hands)
            if self.stock or any(self.row.fits(tile) for tile in self.hands[seat]):
                self.seat = seat
                return

    def pips(self) -> list[int]:
        return [sum(high + low for high, low in hand) for hand in self.hands]

    def lowest(self) -> int | None:
        """The seat with fewest pips; None where several have as few."""
        pips = self.pips()
        return pips.index(min(pips)) if pips.count(min(pips)) == 1 else None

    def end_round(self, winner: int | None, luck: Luck) -> None:
        """The winner gets what the others have more than itself, which is nothing after its last tile."""
        self.round_winner = winner
        if winner is None:
            self.drawn_in_a_row += 1
        else:
            self.drawn_in_a_row = 0
            self.points[winner] += sum(more - self.pips()[winner] for more in self.pips())
        if self.is_end():
            self.over = True
        else:
            self.starter = self.next_starter()
            self.deal(luck)

    def is_end(self) -> bool:
        target = self.options["target"]
        return target == 0 or max(self.points) >= target or self.drawn_in_a_row == DRAWN_ROUNDS

    def next_starter(self) -> int:
        if self.options["start"] == "rotate":
            return (self.starter + 1) % len(self.hands)
        return self.starter if self.round_winner is None else self.round_winner

    def scores(self) -> list[int]:
        return self.points

    def winners(self, among: list[int]) -> list[int]:
        """Most points; in a game of one round who won it, else fewest pips."""
        if self.options["target"] == 0:
            if self.round_winner in among:
                return [self.round_winner]
            rank = {seat: -self.pips()[seat] for seat in among}
        else:
            rank = {seat: self.points[seat] for seat in among}
        return [seat for seat in among if rank[seat] == max(rank.values())]


def tile_name(tile: Tile) -> str:
    return f"{tile[0]}-{tile[1]}"


# --- The form ------------------------------------------------------------------------------------

MEMBERS = ["format", "table", "game", "rules_version", "options", "seats"]
MEMBERS += ["fairness", "start", "lines", "outcome", "hash"]
LINES = {
    "move": ["kind", "number", "seat", "by", "move", "chance"],
    "left": ["kind", "seat"],
    "ended": ["kind", "reason"],
}
LARGEST = 2**31 - 1


def check_form(record: Any) -> None:
    """Raises Wrong unless all that follows may rely on the members, their types and their limits."""
    members(record, MEMBERS, "The record")
    need(is_integer(record["format"]) and record["format"] == 1, "The format is not 1, which alone is known.")
    is_id = matches(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", record["table"])
    need(is_id, "The table's id is not of the form of one.")
    need(is_text(record["game"]), "The game is no text.")
    need(is_integer(record["rules_version"], 1), "The rules' version is no integer from 1.")
    check_form_of_options(record["options"])
    check_form_of_seats(record["seats"])
    check_form_of_fairness(record["fairness"], len(record["seats"]))
    check_form_of_draws(record["start"], 0)
    check_form_of_outcome(record["outcome"])
    need(matches("[0-9a-f]{64}", record["hash"]), "The hash is not 64 lower-case hex digits.")
    need(type(record["lines"]) is list, "The lines are no list.")
    for count, line in enumerate(record["lines"], 1):
        check_form_of_line(line, count)


def check_form_of_options(options: Any) -> None:
    need(type(options) is dict, "The options are no object.")
    for name, value in options.items():
        simple = is_text(value) or is_integer(value, -LARGEST) or type(value) is bool
        need(is_text(name) and simple, f"Option {show(name)} is no text, integer or boolean.")


def check_form_of_seats(seats: Any) -> None:
    need(type(seats) is list and 1 <= len(seats) <= 256, "The seats are no list of 1 to 256.")
    for number, seat in enumerate(seats):
        members(seat, ["kind", "level"], f"Seat {number}")
        is_human = seat["kind"] == "human" and seat["level"] is None
        is_bot = seat["kind"] == "bot" and is_text(seat["level"])
        need(is_human or is_bot, f"Seat {number} is neither a human without a level nor a bot with one.")


def check_form_of_fairness(fairness: Any, seats: int) -> None:
    members(fairness, ["commitment", "client_seeds", "server_seed"], "The fairness")
    for name in ("commitment", "server_seed"):
        need(matches("[0-9a-f]{64}", fairness[name]), f"The {name} is not 64 lower-case hex digits.")
    seeds = fairness["client_seeds"]
    need(type(seeds) is list and len(seeds) == seats, "There are not as many client seeds as seats.")
    for number, seed in enumerate(seeds):
        right = seed is None or matches("[0-9a-f]{1,64}", seed)
        need(right, f"The client seed of seat {number} is not 1 to 64 lower-case hex digits.")


def check_form_of_draws(draws: Any, line: int) -> None:
    need(type(draws) is list, "What was drawn is no list.", line)
    for draw in draws:
        pair = type(draw) is list and len(draw) == 2 and draw[0] in ("roll", "shuffle")
        need(pair and type(draw[1]) is list, "A draw is no roll or shuffle with a list.", line)
        small = len(draw[1]) <= 256 and all(is_integer(value, 0, 255) for value in draw[1])
        need(small, "A draw is not of at most 256 integers from 0 to 255.", line)


def check_form_of_line(line: Any, count: int) -> None:
    known = type(line) is dict and is_text(line.get("kind")) and line["kind"] in LINES
    need(known, "The line is no move, left or ended.", count)
    members(line, LINES[line["kind"]], "The line", count)
    for name in ("number", "seat"):
        need(is_integer(line.get(name, 0)), f"The line's {name} is no integer from 0.", count)
    for name in ("by", "move", "reason"):
        need(is_text(line.get(name, "")), f"The line's {name} is no text.", count)
    check_form_of_draws(line.get("chance", []), count)


def check_form_of_outcome(outcome: Any) -> None:
    members(outcome, ["winners", "reason", "scores"], "The outcome")
    need(is_text(outcome["reason"]), "The outcome's reason is no text.")
    for name in ("winners", "scores"):
        numbers = outcome[name]
        right = type(numbers) is list and all(is_integer(number, -LARGEST) for number in numbers)
        need(right and len(numbers) <= 256, f"The outcome's {name} are no list of integers.")


def need(condition: bool, problem: str, line: int | None = None) -> None:
    if not condition:
        raise Wrong(problem, line)


def members(thing: Any, names: Sequence[str], what: str, line: int | None = None) -> None:
    exact = type(thing) is dict and thing.keys() == {*names}
    need(exact, f"{what} is no object with exactly the members {', '.join(names)}.", line)


def matches(pattern: str, value: Any) -> bool:
    return type(value) is str and re.fullmatch(pattern, value) is not None


def is_text(value: Any) -> bool:
    return matches(r"[ !#-\[\]-~]{0,64}", value)  # printable ASCII without " and \


def is_integer(value: Any, low: int = 0, high: int = LARGEST) -> bool:
    return type(value) is int and low <= value <= high


def check_hash(record: dict[str, Any]) -> None:
    rest = {name: value for name, value in record.items() if name != "hash"}
    canonical = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    right = hashlib.sha256(canonical.encode()).hexdigest()
    need(record["hash"] == right, f"The hash is not that of the record, which is {right}.")


# --- The rules -----------------------------------------------------------------------------------

GAMES: dict[tuple[str, int], type[Game]] = {
    ("pickomino", 1): Pickomino,
    ("7776", 1): SevenSevenSevenSix,
    ("dominoes", 1): Dominoes,
}


def check_rules(record: dict[str, Any]) -> None:
    game, version = record["game"], record["rules_version"]
    known = (game, version) in GAMES
    need(known, f"Version {version} of the rules of a game {show(game)} is not known here.")
    rules = GAMES[game, version]
    seats = len(record["seats"])
    need(seats in rules.SEATS, f"{game} has {rules.SEATS[0]} to {rules.SEATS[-1]} seats, and not {seats}.")
    check_options(record["options"], rules.OPTIONS)
    check_outcome(record["outcome"], play_again(rules, record))


def check_options(options: dict[str, Any], allowed: Options) -> None:
    for name in sorted({*options, *allowed}):
        need(name in allowed, f"The game has no option {show(name)}.")
        need(name in options, f"The option {show(name)} is missing.")
        value = options[name]
        right = type(value) is type(allowed[name][0]) and value in allowed[name]
        need(right, f"The option {show(name)} can't be {show(value)}.")


def play_again(rules: type[Game], record: dict[str, Any]) -> Play:
    """The game at its end. Raises Wrong with the first line that the rules do not allow."""
    count = 0
    try:
        play = Play(rules, record)
        for line in record["lines"]:
            count += 1
            play.go_on(line)
    except Wrong as wrong:
        raise Wrong(wrong.text, count) from wrong
    need(play.reason is not None, "The game is not over with the last line.")
    return play


class Play:
    """A game as far as it has been played again, and who is still in it."""

    def __init__(self, rules: type[Game], record: dict[str, Any]) -> None:
        luck = Luck(record["start"])
        self.game = rules(len(record["seats"]), record["options"], luck)
        luck.must_be_used_up()
        self.kinds = [seat["kind"] for seat in record["seats"]]
        self.inside = list(range(len(self.kinds)))  # the seats that have not left
        self.moves = 0
        self.reason: str | None = None  # why the game is over, once it is
        self.winners: list[int] = []

    def go_on(self, line: dict[str, Any]) -> None:
        need(self.reason is None, "The game was over before this line.")
        if line["kind"] == "move":
            self.move(line)
        elif line["kind"] == "left":
            self.leave(line["seat"])
        else:
            known = line["reason"] in ("abandoned", "voided")
            need(known, f"A game is not ended from outside for the reason {show(line['reason'])}.")
            self.reason = line["reason"]

    def move(self, line: dict[str, Any]) -> None:
        seat, move = line["seat"], line["move"]
        self.moves += 1
        need(line["number"] == self.moves, f"This is move {self.moves}, and its number is {line['number']}.")
        to_move = self.game.to_move()
        need(
            seat in to_move,
            f"Seat {seat} moved, and it was on seat {' or '.join(map(str, to_move))} to move.",
        )
        legal = self.game.legal(seat)
        need(move in legal, f"Seat {seat} may not {show(move)}. It may: {', '.join(legal)}.")
        self.check_by(seat, line["by"])
        luck = Luck(line["chance"])
        self.game.apply(seat, move, luck)
        luck.must_be_used_up()
        if self.game.over:
            self.reason, self.winners = "played_out", self.game.winners(self.inside)

    def check_by(self, seat: int, by: str) -> None:
        if self.kinds[seat] == "bot":
            need(by == "bot", f"Seat {seat} is a bot's, and the move is by {show(by)}.")
        elif seat in self.inside:
            need(by in ("player", "stand_in"), f"Seat {seat} is a human's, and the move is by {show(by)}.")
        else:
            need(by == "stand_in", f"Seat {seat} has left, and the move is by {show(by)}, no stand-in.")

    def leave(self, seat: int) -> None:
        is_human = seat < len(self.kinds) and self.kinds[seat] == "human"
        need(is_human, f"Seat {seat} leaves, and is no human's.")
        need(seat in self.inside, f"Seat {seat} leaves a second time.")
        self.inside.remove(seat)
        if not any(self.kinds[other] == "human" for other in self.inside):
            self.reason = "abandoned"
        elif len(self.inside) == 1:
            self.reason, self.winners = "forfeit", list(self.inside)


def check_outcome(outcome: dict[str, Any], play: Play) -> None:
    for name, right in [("reason", play.reason), ("winners", play.winners), ("scores", play.game.scores())]:
        told = show(outcome[name])
        need(told == show(right), f"The outcome has the {name} {told}, and the rules give {show(right)}.")


# --- The seeds -----------------------------------------------------------------------------------


def check_seeds(record: dict[str, Any], kept: str | None) -> None:
    """Against the commitment that was kept, too, if one was. Without the right seed no draw can be right."""
    check_commitment(record["fairness"], kept)
    check_client_seeds(record["fairness"]["client_seeds"], record["seats"])
    check_draws(record)


def check_commitment(fairness: dict[str, Any], kept: str | None) -> None:
    told = fairness["commitment"]
    need(
        kept is None or told == kept.lower(),
        f"The commitment is {told}, and the one that was kept is {kept}.",
    )
    right = hashlib.sha256(bytes.fromhex(fairness["server_seed"])).hexdigest()
    need(told == right, f"The commitment is not that of the server seed, which is {right}.")


def check_client_seeds(seeds: list[str | None], seats: list[dict[str, Any]]) -> None:
    """A bot's would be the server's, who knows all others: it could try many, and so choose the luck."""
    for number, seed in enumerate(seeds):
        is_bot = seats[number]["kind"] == "bot"
        need(seed is None or not is_bot, f"Seat {number} is a bot's, and has a client seed.")


def check_draws(record: dict[str, Any]) -> None:
    fairness, table = record["fairness"], record["table"]
    steps = [{"kind": "move", "number": 0, "chance": record["start"]}, *record["lines"]]
    for count, step in enumerate(steps):
        if step["kind"] != "move":
            continue
        block = Block(fairness["server_seed"], table, fairness["client_seeds"], step["number"])
        for kind, values in step["chance"]:
            right = show(block.roll(len(values)) if kind == "roll" else block.shuffle(len(values)))
            told = show(values)
            need(told == right, f"The record has the {kind} {told}, and the seeds give {right}.", count)


# --- The answer ----------------------------------------------------------------------------------


def verify(record: Any, commitment: str | None = None) -> Result:
    """Is the record true? With `commitment`, the one that you kept, it must be that one's too."""
    problems = ask("whole", check_form, record)
    if problems:
        return Result(False, problems[0].line, problems[0].text, False, None, None, problems)
    problems += ask("whole", check_hash, record)
    problems += ask("rules", check_rules, record)
    problems += ask("seeds", check_seeds, record, commitment)
    parts = {part: all(problem.part != part for problem in problems) for part in ("whole", "rules", "seeds")}
    problems.sort(key=lambda problem: len(record["lines"]) + 1 if problem.line is None else problem.line)
    first = problems[0] if problems else Problem("", None, "")
    return Result(not problems, first.line, first.text or None, problems=problems, **parts)


def ask(part: str, check: Callable[..., None], *about: Any) -> list[Problem]:
    try:
        check(*about)
    except Wrong as wrong:
        return [Problem(part, wrong.line, wrong.text)]
    return []


def parse(source: str) -> Any:
    """The record in a JSON text. Raises ValueError also for what others could read otherwise."""
    return json.loads(source, object_pairs_hook=once_each, parse_float=refuse, parse_constant=refuse)


def once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("An object has a member twice.")
    return dict(pairs)


def refuse(number: str) -> Any:
    raise ValueError(f"{number} is no integer.")


def main(arguments: list[str]) -> int:
    if len(arguments) not in (1, 2):
        sys.stderr.write("python boneyard_verify.py FILE [COMMITMENT]\n")
        return 2
    try:
        record = parse(Path(arguments[0]).read_text(encoding="utf-8"))
    except OSError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except (ValueError, RecursionError) as error:
        sys.stdout.write(f"This is no record, since it can't be read as JSON: {error}\n")
        return 1
    result = verify(record, *arguments[1:])
    sys.stdout.write("".join(f"{row}\n" for row in report(record, result)))
    return 0 if result.ok else 1


def report(record: Any, result: Result) -> list[str]:
    """What was checked, and what is wrong, for people to read."""
    what = checked(record, result)
    rows = [f"{part}  {answer(getattr(result, part))}  {what[part]}" for part in what]
    if not result.ok:
        return [*rows, "The record is not true.", *(place(problem, record) for problem in result.problems)]
    commitment = record["fairness"]["commitment"]
    return [*rows, "The record is true, if this is the commitment that you were shown:", commitment]


def answer(holds: bool | None) -> str:
    return "could not be asked" if holds is None else "yes" if holds else "NO "


def checked(record: Any, result: Result) -> dict[str, str]:
    if result.rules is None:
        return {"whole": "the form", "rules": "", "seeds": ""}
    moves = [line for line in record["lines"] if line["kind"] == "move"]
    draws = len(record["start"]) + sum(len(line["chance"]) for line in moves)
    return {
        "whole": "the form, and the hash",
        "rules": f"{record['game']}, {len(record['seats'])} seats: {len(moves)} moves, and the outcome",
        "seeds": f"the commitment, and {draws} throws and shuffles",
    }


def place(problem: Problem, record: Any) -> str:
    """The problem with its line, and the number of that line's move if it is one."""
    if problem.line is None:
        return problem.text
    if problem.line == 0:
        return f"Line 0, the start: {problem.text}"
    line = record["lines"][problem.line - 1]
    move = f", move {line['number']}" if type(line) is dict and "number" in line else ""
    return f"Line {problem.line}{move}: {problem.text}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
