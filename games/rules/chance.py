"""Luck as an argument: dice and shuffles, drawn live, or handed back from what was drawn before."""

import secrets
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Literal, Protocol, TypeAlias

Draw: TypeAlias = tuple[Literal["roll", "shuffle"], Sequence[int]]


class Chance(Protocol):
    """What the rules may ask of luck. Both answers are fresh at every call."""

    def roll(self, dice: int) -> tuple[int, ...]:
        """So many faces of fair six-sided dice, each 1–6, in the order thrown."""
        ...

    def shuffle(self, size: int) -> tuple[int, ...]:
        """A fair permutation of range(size)."""
        ...


class ChanceMismatch(Exception):
    """The rules asked for other luck than was recorded."""


class LiveChance:
    """Luck from the operating system's generator; `drawn` keeps what it gave, in order."""

    def __init__(self) -> None:
        self.drawn: list[Draw] = []

    def roll(self, dice: int) -> tuple[int, ...]:
        faces = tuple(secrets.randbelow(6) + 1 for _ in range(dice))
        self.drawn.append(("roll", faces))
        return faces

    def shuffle(self, size: int) -> tuple[int, ...]:
        """Fisher–Yates from the top: every one of the size! orders is equally likely."""
        order = list(range(size))
        for last in range(size - 1, 0, -1):
            other = secrets.randbelow(last + 1)
            order[last], order[other] = order[other], order[last]
        permutation = tuple(order)
        self.drawn.append(("shuffle", permutation))
        return permutation


class RecordedChance:
    """Luck that was drawn before, or that a test wants. Raises ChanceMismatch when it does not fit."""

    def __init__(self, draws: Iterable[Draw]) -> None:
        self._left = deque(draws)

    def roll(self, dice: int) -> tuple[int, ...]:
        faces = self._next("roll", dice)
        if not all(1 <= face <= 6 for face in faces):
            raise ChanceMismatch("a recorded die shows no face of 1–6")
        return faces

    def shuffle(self, size: int) -> tuple[int, ...]:
        permutation = self._next("shuffle", size)
        if sorted(permutation) != list(range(size)):
            raise ChanceMismatch(f"the recorded order is no permutation of range({size})")
        return permutation

    def finish(self) -> None:
        """Raises ChanceMismatch if anything that was recorded has not been asked for."""
        if self._left:
            raise ChanceMismatch(f"{len(self._left)} recorded draws were not used")

    def _next(self, kind: str, size: int) -> tuple[int, ...]:
        if not self._left:
            raise ChanceMismatch(f"a {kind} of {size} was asked for, nothing is recorded")
        recorded, values = self._left.popleft()
        if recorded != kind or len(values) != size:
            raise ChanceMismatch(
                f"a {kind} of {size} was asked for, a {recorded} of {len(values)} is recorded"
            )
        return tuple(values)
