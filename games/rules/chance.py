"""Luck as an argument: dice and shuffles, drawn live, or handed back from what was drawn before."""

import secrets
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import Literal, Protocol, TypeAlias

Draw: TypeAlias = tuple[Literal["roll", "shuffle"], Sequence[int]]

MOST_SHUFFLED = 256


class Chance(Protocol):
    """What the rules may ask of luck. Both answers are fresh at every call."""

    def roll(self, dice: int) -> tuple[int, ...]:
        """So many faces of fair six-sided dice, each 1–6, in the order thrown."""
        ...

    def shuffle(self, size: int) -> tuple[int, ...]:
        """A fair permutation of range(size), which is 256 at most."""
        ...


class ChanceMismatch(Exception):
    """The rules asked for other luck than was recorded."""


class StreamChance:
    """Dice and shuffles from a stream of bytes, none of which is used twice; `drawn` keeps what it gave."""

    def __init__(self, stream: Iterator[int]) -> None:
        self._stream = stream
        self.drawn: list[Draw] = []

    def roll(self, dice: int) -> tuple[int, ...]:
        faces = tuple(self._below(6) + 1 for _ in range(dice))
        self.drawn.append(("roll", faces))
        return faces

    def shuffle(self, size: int) -> tuple[int, ...]:
        """Fisher–Yates from the top: every one of the size! orders is equally likely.

        Raises ValueError above 256, where a byte does not choose any more.
        """
        if size > MOST_SHUFFLED:
            raise ValueError(f"a shuffle has at most {MOST_SHUFFLED} places")
        order = list(range(size))
        for last in range(size - 1, 0, -1):
            other = self._below(last + 1)
            order[last], order[other] = order[other], order[last]
        permutation = tuple(order)
        self.drawn.append(("shuffle", permutation))
        return permutation

    def _below(self, bound: int) -> int:
        """One of range(bound), all alike: bytes that would make some more likely are passed over."""
        usable = 256 - 256 % bound
        for byte in self._stream:
            if byte < usable:
                return byte % bound
        raise EOFError("the stream of bytes has an end")


class LiveChance(StreamChance):
    """Luck from the operating system's generator."""

    def __init__(self) -> None:
        super().__init__(byte for _ in count() for byte in secrets.token_bytes(32))


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
