"""Makes golden records, and reads and writes them: one file a game, one line a record."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
from msgspec.inspect import BoolType, DataclassType, IntType, LiteralType, Metadata, Type

from games.rules.chance import Draw
from games.rules.contract import at_random, check_game
from games.rules.game import Game, Move, Outcome, Seat, encode
from tests.games.rules.seeded import SeededChance

DEEP, MANY = 10, 2000  # moves ahead, and ways from which no further ones are counted


@dataclass(frozen=True, slots=True)
class Record:
    """A game from its start to its end: options and luck, moves with theirs, and what came of it.

    `state` is the SHA-256 of the last state's JSON. `ways` is in how many ways such a game can begin, when
    the start has the luck of `SeededChance(0)` and its nth move that of `SeededChance(n)`.
    """

    seats: int
    options: dict[str, Any]
    drawn: tuple[Draw, ...]
    moves: tuple[tuple[Seat, Move, tuple[Draw, ...]], ...]
    scores: tuple[int, ...]
    outcome: Outcome
    state: str
    ways: tuple[int, ...]


def path(slug: str) -> Path:
    return Path(__file__).with_name(f"{slug}.jsonl")


def read(slug: str) -> list[Record]:
    return [msgspec.json.decode(line, type=Record) for line in path(slug).read_bytes().splitlines()]


def write(slug: str, records: Sequence[Record]) -> None:
    path(slug).write_bytes(b"".join(msgspec.json.encode(record) + b"\n" for record in records))


def record(game: Game[Any, Any], seats: int, options: Any, seed: str) -> Record:
    """A game played at random, which keeps the contract."""
    played = check_game(game, seats, options, SeededChance(seed), at_random(SeededChance(f"{seed} moves")))
    outcome = game.outcome(played.state, frozenset())
    assert outcome is not None
    return Record(
        seats=seats,
        options=encode(options),
        drawn=tuple(played.drawn),
        moves=tuple((seat, move, tuple(drawn)) for seat, move, drawn in played.moves),
        scores=game.scores(played.state),
        outcome=outcome,
        state=digest(played.state),
        ways=tuple(ways(game, seats, options)),
    )


def digest(state: Any) -> str:
    return sha256(msgspec.json.encode(state)).hexdigest()


def ways(game: Game[Any, Any], seats: int, options: Any) -> Iterator[int]:
    """In how many ways a game can begin: its first move, its first two moves, three …"""
    states = [game.start(seats, options, SeededChance(0))[0]]
    for depth in range(1, DEEP + 1):
        moves = [
            (state, seat, move)
            for state in states
            for seat in sorted(game.to_move(state))
            for move in game.legal_moves(state, seat)
        ]
        yield len(moves)
        if len(moves) > MANY:
            return
        states = [game.apply(*each, SeededChance(depth))[0] for each in moves]


def settings(game: Game[Any, Any]) -> list[tuple[int, Any]]:
    """What is worth a record: the least and the most seats, and other options than the usual ones."""
    least, greatest = game.seats[0], game.seats[-1]
    usual = game.options_type()
    return [(least, usual), (greatest, usual), (least, unusual_options(game))]


def unusual_options(game: Game[Any, Any]) -> Any:
    described = msgspec.inspect.type_info(game.options_type)
    assert isinstance(described, DataclassType)
    return game.options_type(**{each.name: other_than(each.default, each.type) for each in described.fields})


def other_than(usual: Any, kind: Type) -> Any:
    match kind:
        case Metadata(type=described):
            return other_than(usual, described)
        case BoolType():
            return not usual
        case LiteralType(values=values):
            return next(value for value in values if value != usual)
        case IntType(ge=int(least)):
            return least if least != usual else least + 1
    raise NotImplementedError(f"an option of {kind}")
