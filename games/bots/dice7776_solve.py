"""Works out what the rest of 7776 is worth: `python -m games.bots.dice7776_solve`, half a minute.

It writes `dice7776_rest.bin` and prints the best expected total of a whole game.
"""

import sys
from collections.abc import Sequence
from operator import mul

from games.bots.dice7776_rest import EVERY, write
from games.bots.dice7776_throws import ALL, WAYS, promises
from games.rules.dice7776 import COMBINATIONS


def solve() -> list[float]:
    """The best expected total for every set of combinations, by its number, from the smaller sets up."""
    shares = [ways / ALL for ways in WAYS.values()]
    tables = [[promise.points for promise in promises(throw).values()] for throw in WAYS]
    means = list(zip(*tables, strict=True))
    values = [0.0]
    for unused in range(1, EVERY + 1):
        values.append(sum(map(mul, shares, _best(unused, means, values))))
    return values


def _best(unused: int, means: Sequence[Sequence[float]], values: Sequence[float]) -> list[float]:
    """The most that each throw can bring, choosing one of the unused combinations now."""
    columns = []
    for index in range(len(COMBINATIONS)):
        if unused >> index & 1:
            rest = values[unused ^ (1 << index)]
            columns.append([mean + rest for mean in means[index]])
    return list(map(max, *columns)) if len(columns) > 1 else columns[0]


if __name__ == "__main__":
    solved = solve()
    write(solved)
    sys.stdout.write(f"{solved[EVERY]:.6f} points\n")
