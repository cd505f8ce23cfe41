"""Random games of OpenSpiel's block dominoes: `python block_dominoes.py GAMES SEED`, where it is installed.

Prints the seconds that they took and their moves, those of chance not counted.
"""

import random
import sys
import time

import pyspiel  # type: ignore[import-not-found]  # installed only in the folder where this runs
from open_spiel.python.games import block_dominoes  # type: ignore[import-not-found]  # noqa: F401  # registers


def games(number: int, seed: int) -> tuple[float, int]:
    game, luck = pyspiel.load_game("python_block_dominoes"), random.Random(seed)
    begun, moves = time.perf_counter(), 0
    for _ in range(number):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                # All tiles are equally likely.
                state.apply_action(luck.choice(state.chance_outcomes())[0])
            else:
                state.apply_action(luck.choice(state.legal_actions()))
                moves += 1
    return time.perf_counter() - begun, moves


if __name__ == "__main__":
    print(*games(int(sys.argv[1]), int(sys.argv[2])))
