"""Luck for tests: a seed gives the same draws every time."""

from random import Random


class SeededChance:
    def __init__(self, seed: int | str) -> None:
        self._random = Random(seed)

    def roll(self, dice: int) -> tuple[int, ...]:
        return tuple(self._random.randint(1, 6) for _ in range(dice))

    def shuffle(self, size: int) -> tuple[int, ...]:
        return tuple(self._random.sample(range(size), size))
