"""The built-in bots: what a decision takes, and what they keep in memory.

`python -m bench.bots [--decisions 400] [--seed 1] [--json FILE]`. Bots of a level play each other at the
fewest and at the most seats, with the usual options; times are those of one core, of decisions with a choice,
the first one apart, since it makes the tables. `odds` is what a seat is told, `luck` what an analysis asks
for besides. The promise is p99 below 50 ms for a decision, and below 100 MB for all tables and caches.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from bench.figures import columns, quantile, short
from bench.processes import memory
from games.bots import BOTS, LEVELS, choose
from games.rules.game import Game, Move, Seat, play
from games.rules.registry import GAMES
from tests.games.rules.seeded import SeededChance

AnyGame: TypeAlias = Game[Any, Any]
Act: TypeAlias = Callable[["Decision"], object]

MEGA = 1e6


@dataclass(frozen=True, slots=True)
class Decision:
    """What a bot is asked, and what came of its answer."""

    state: Any
    seat: Seat
    move: Move
    after: Any
    view: Any
    legal_moves: tuple[Move, ...]


def decisions(game: AnyGame, seats: int, seed: int) -> Iterator[Decision]:
    """Those with a choice, of games that normal bots play, without end."""
    options, chance = game.options_type(), SeededChance(seed)
    while True:
        state, _ = game.start(seats, options, chance)
        while to_move := game.to_move(state):
            seat = min(to_move)
            view, legal_moves = game.view(state, seat), tuple(game.legal_moves(state, seat))
            move = choose(game.slug, "normal", view, legal_moves, options, seat)
            after, _ = play(game, state, seat, move, chance)
            if len(legal_moves) > 1:
                yield Decision(state, seat, move, after, view, legal_moves)
            state = after


def acts(game: AnyGame) -> dict[str, Act]:
    """What is asked of the bots for a decision."""
    bot, options = BOTS[game.slug], game.options_type()

    def policy(level: str) -> Act:
        return lambda at: choose(game.slug, level, at.view, at.legal_moves, options, at.seat)

    return {
        **{level: policy(level) for level in LEVELS},
        "odds": lambda at: bot.odds(at.view, at.legal_moves, options, at.seat),
        "luck": lambda at: bot.luck(at.state, at.move, at.after),
    }


def milliseconds(act: Act, at: Decision) -> float:
    """Of one core."""
    begun = time.process_time()
    act(at)
    return (time.process_time() - begun) * 1e3


def measure(game: AnyGame, seats: int, number: int, seed: int) -> dict[str, list[float]]:
    """By act, what each of so many decisions took; all but the first one's."""
    asked = decisions(game, seats, seed)
    first = next(asked)
    for act in acts(game).values():
        act(first)
    met = [next(asked) for _ in range(number)]
    return {name: [milliseconds(act, at) for at in met] for name, act in acts(game).items()}


def kept(number: int, seed: int) -> float:
    """How many megabytes this process grows by, when all bots of all games decide so often."""
    games = [(game, seats) for game in GAMES.values() if game.slug in BOTS for seats in ends(game)]
    before = memory(os.getpid())
    for game, seats in games:
        measure(game, seats, number, seed)
    return (memory(os.getpid()) - before) / MEGA


def ends(game: AnyGame) -> list[int]:
    """The fewest and the most seats."""
    return sorted({game.seats[0], game.seats[-1]})


def kept_apart(number: int, seed: int) -> float:
    """The same, in a process that has done nothing else."""
    program = f"from bench.bots import kept; print(kept({number}, {seed}))"
    done = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, check=True)
    return float(done.stdout)


def table(found: dict[str, dict[str, list[float]]]) -> str:
    """By game, seats and act: how long half of them take at most, 99 of 100, and all."""
    rows = [
        [name, act, *(short(quantile(taken, share)) for share in (0.5, 0.99, 1))]
        for name, by_act in found.items()
        for act, taken in by_act.items()
    ]
    return columns(["ms a decision", "", "p50", "p99", "most"], rows)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--decisions", type=int, default=400, help="of each game, with a choice")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path, help="where all samples are written")
    given = parser.parse_args()
    found = {
        f"{slug}, {seats} seats": measure(game, seats, given.decisions, given.seed)
        for slug, game in GAMES.items()
        if slug in BOTS
        for seats in ends(game)
    }
    print(table(found))
    megabytes = kept_apart(given.decisions, given.seed)
    print(f"All tables and caches together: {short(megabytes)} MB.")
    if given.json:
        given.json.write_text(json.dumps({"ms": found, "megabytes": megabytes}, indent=1))


if __name__ == "__main__":
    main()
