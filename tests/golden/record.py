"""Makes golden records, and reads and writes them: one file for each version of a game, one line a record."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from games.rules.chance import Draw
from games.rules.contract import at_random, check_game
from games.rules.game import Game, Move, Outcome, Seat, each_state, encode, options_from
from games.rules.variants import unusual
from tests.games.rules.seeded import SeededChance


@dataclass(frozen=True, slots=True)
class Record:
    """A game from its start to its end: options and luck, moves with theirs, and what came of it.

    `states` is the SHA-256 of the JSON of all states, one a line: what is stored of a table that is played.
    """

    seats: int
    options: dict[str, Any]
    drawn: tuple[Draw, ...]
    moves: tuple[tuple[Seat, Move, tuple[Draw, ...]], ...]
    scores: tuple[int, ...]
    outcome: Outcome
    states: str


def path(game: Game[Any, Any]) -> Path:
    return Path(__file__).with_name(f"{game.slug}-{game.rules_version}.jsonl")


def read(game: Game[Any, Any]) -> list[Record]:
    return [msgspec.json.decode(line, type=Record) for line in path(game).read_bytes().splitlines()]


def records(game: Game[Any, Any]) -> Iterator[Record]:
    """Games played at random, one at each kind of table that is worth it."""
    for number, (seats, options) in enumerate(tables(game)):
        yield record(game, seats, options, f"{game.slug} {number}")


def write(game: Game[Any, Any], played: Sequence[Record]) -> None:
    path(game).write_bytes(b"".join(msgspec.json.encode(each) + b"\n" for each in played))


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
        states=digest(each_state(game, seats, options, played.drawn, played.moves)),
    )


def digest(states: Iterable[Any]) -> str:
    return sha256(b"".join(msgspec.json.encode(state) + b"\n" for state in states)).hexdigest()


def holds(game: Game[Any, Any], known: Record) -> bool:
    """Whether the rules still lead through the same states to the same end."""
    states = list(each_state(game, known.seats, options_from(game, known.options), known.drawn, known.moves))
    outcome = game.outcome(states[-1], frozenset())
    return (game.scores(states[-1]), outcome, digest(states)) == (known.scores, known.outcome, known.states)


def tables(game: Game[Any, Any]) -> list[tuple[int, Any]]:
    """The least and the most seats, and other options than the usual ones."""
    least, greatest = game.seats[0], game.seats[-1]
    usual = game.options_type()
    return [(least, usual), (greatest, usual), (least, unusual(game))]
