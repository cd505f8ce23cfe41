"""The rules alone: microseconds for each thing that is asked of a game, and games of self-play a second.

`python -m bench.rules [--runs 5] [--games 40] [--peer] [--json FILE]`. Games are played by uniformly random
legal moves, with the luck of a seed. `play` judges the move and makes it, luck included; `encode` and
`decode` are the state's way to plain JSON values and back. Self-play is what the search of a bot does: the
legal moves, then one of them applied.

With `--peer` OpenSpiel, which nothing else here needs, is installed from PyPI in a temporary folder, and its
`python_block_dominoes` plays besides: two seats with seven tiles each, one round, no stock. Ours is made the
same game by `target: 0`, `corners: false` and a stock that is taken away after the deal. What still differs:

* Theirs deals by fourteen moves of chance, ours by one shuffle; seat 0 begins theirs, any seat ours.
* Theirs has one move for a tile that fits both ends by the same number, ours one for each end.
* Ours tells events and places each tile on the table; theirs keeps a history of its actions.
"""

import argparse
import json
import random
import subprocess
import tempfile
import time
import venv
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

from bench.figures import Figure, columns
from games.rules import dominoes
from games.rules.game import Game, Move, Seat, decode_state, encode, play
from games.rules.registry import GAMES
from tests.games.rules.seeded import SeededChance

AnyGame: TypeAlias = Game[Any, Any]

PEER = "open_spiel==2.0.2"
PEER_NAME = "OpenSpiel python_block_dominoes"
PEER_SCRIPT = Path(__file__).parent / "peers" / "block_dominoes.py"
PEER_SHARE = 10  # so many times the games of the others: a game of one round is short
BLOCK = dominoes.Options(target=0, corners=False)


@dataclass(frozen=True, slots=True)
class Position:
    """A state in play, and the move that was made there."""

    state: Any
    seat: Seat
    move: Move


def games(game: AnyGame, number: int, seed: int) -> Iterator[Position]:
    """All positions of so many games by the least number of seats, with the usual options."""
    luck, chance = random.Random(seed), SeededChance(seed)
    for _ in range(number):
        state, _ = game.start(game.seats[0], game.options_type(), chance)
        while to_move := game.to_move(state):
            seat = luck.choice(sorted(to_move))
            move = luck.choice(game.legal_moves(state, seat))
            yield Position(state, seat, move)
            state, _ = game.apply(state, seat, move, chance)


def acts(game: AnyGame, chance: SeededChance) -> dict[str, Callable[[Position], object]]:
    """What is asked of the rules for a move."""
    return {
        "legal moves": lambda at: game.legal_moves(at.state, at.seat),
        "play": lambda at: play(game, at.state, at.seat, at.move, chance),
        "view": lambda at: game.view(at.state, at.seat),
        "encode": lambda at: encode(at.state),
    }


def microseconds(act: Callable[[Any], object], given: Sequence[Any]) -> float:
    """For each of those that are given."""
    begun = time.perf_counter()
    for each in given:
        act(each)
    return (time.perf_counter() - begun) / len(given) * 1e6


def measure(game: AnyGame, number: int, seed: int) -> dict[str, float]:
    """One run: microseconds a move for each act, games and moves of self-play a second."""
    positions = list(games(game, number, seed))
    stored = [encode(each.state) for each in positions]
    found = {name: microseconds(act, positions) for name, act in acts(game, SeededChance(seed)).items()}
    found["decode"] = microseconds(lambda state: decode_state(game, state), stored)
    begun = time.perf_counter()
    moves = sum(1 for _ in games(game, number, seed))
    seconds = time.perf_counter() - begun
    return {**found, "games/s": number / seconds, "moves/s": moves / seconds}


def block_games(number: int, seed: int) -> tuple[float, int]:
    """Seconds and moves of so many games of block dominoes."""
    game, luck, chance = GAMES["dominoes"], random.Random(seed), SeededChance(seed)
    begun, moves = time.perf_counter(), 0
    for _ in range(number):
        state, _ = game.start(2, BLOCK, chance)
        state = replace(state, stock=())
        while (seat := state.seat) is not None:
            state, _ = game.apply(state, seat, luck.choice(game.legal_moves(state, seat)), chance)
            moves += 1
    return time.perf_counter() - begun, moves


def speeds(number: int, seconds: float, moves: int) -> dict[str, float]:
    return {"games/s": number / seconds, "moves/s": moves / seconds}


class Peer:
    """OpenSpiel in a folder of its own, with a Python of its own."""

    def __init__(self, folder: Path) -> None:
        self._python = folder / "bin" / "python"
        venv.create(folder, with_pip=True)
        self._run("-m", "pip", "install", "-qq", "--disable-pip-version-check", PEER)

    def block_games(self, number: int, seed: int) -> tuple[float, int]:
        """Seconds and moves of so many games."""
        seconds, moves = self._run(str(PEER_SCRIPT), str(number), str(seed)).split()
        return float(seconds), int(moves)

    def _run(self, *arguments: str) -> str:
        """Raises CalledProcessError."""
        command = [str(self._python), *arguments]
        return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


@contextmanager
def peer(wanted: bool) -> Iterator[Peer | None]:
    if not wanted:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="boneyard-") as folder:
        yield Peer(Path(folder))


def run(number: int, seed: int, other: Peer | None) -> dict[str, dict[str, float]]:
    """One run of everything, by turns, by name."""
    found = {slug: measure(game, number, seed) for slug, game in GAMES.items()}
    if other is not None:
        each = number * PEER_SHARE
        found["dominoes as block dominoes"] = speeds(each, *block_games(each, seed))
        found[PEER_NAME] = speeds(each, *other.block_games(each, seed))
    return found


def table(runs: Sequence[dict[str, dict[str, float]]]) -> str:
    """The medians of all runs, with the least and the greatest."""
    heads = ["µs a move", *next(iter(runs[0].values()))]
    rows = [
        [name, *(_cell([found[name].get(measured) for found in runs]) for measured in heads[1:])]
        for name in runs[0]
    ]
    return columns(heads, rows)


def _cell(samples: Sequence[float | None]) -> str:
    known = [sample for sample in samples if sample is not None]
    return str(Figure.of(known)) if known else ""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--games", type=int, default=40, help="of each game, in each run")
    parser.add_argument("--peer", action="store_true", help="play OpenSpiel's dominoes too")
    parser.add_argument("--json", type=Path, help="where all samples are written")
    given = parser.parse_args()
    with peer(given.peer) as other:
        runs = [run(given.games, seed, other) for seed in range(given.runs)]
    print(table(runs))
    if given.json:
        given.json.write_text(json.dumps(runs, indent=1))


if __name__ == "__main__":
    main()
