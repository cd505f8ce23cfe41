"""Luck that anybody can check: it follows from a seed that was committed to before the players put theirs.

`docs/fairness.md` specifies every byte of it.
"""

import hmac
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count

from games.rules.chance import Draw

SEED_BYTES = 32
DOMAIN = "boneyard chance 1"


def commitment(server_seed: bytes) -> str:
    """What is told of a seed before it is opened: its SHA-256, in hex."""
    return sha256(server_seed).hexdigest()


@dataclass(frozen=True, slots=True)
class Luck:
    """The luck of one table; its `client_seeds` are by seat, None where none was put."""

    server_seed: bytes = field(repr=False)
    table: str
    client_seeds: tuple[str | None, ...]

    def block(self, number: int) -> "FairChance":
        """What the start draws, 0, or the move of that number."""
        return FairChance(_stream(self.server_seed, self._message(number)))

    def _message(self, number: int) -> bytes:
        texts = [DOMAIN, self.table, *(seed or "" for seed in self.client_seeds)]
        domain, table, *seeds = map(_sized, texts)
        return b"".join((domain, table, _number(len(seeds)), *seeds, _number(number)))


class FairChance:
    """Dice and shuffles from a stream of bytes, none of which is used twice; `drawn` keeps what it gave."""

    def __init__(self, stream: Iterator[int]) -> None:
        self._stream = stream
        self.drawn: list[Draw] = []

    def roll(self, dice: int) -> tuple[int, ...]:
        faces = tuple(self._below(6) + 1 for _ in range(dice))
        self.drawn.append(("roll", faces))
        return faces

    def shuffle(self, size: int) -> tuple[int, ...]:
        """Fisher–Yates from the top. Raises ValueError above 256."""
        if size > 256:
            raise ValueError("a byte chooses among 256 places at most")
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
        return next(byte for byte in self._stream if byte < usable) % bound


def _stream(key: bytes, message: bytes) -> Iterator[int]:
    for counter in count():
        yield from hmac.digest(key, message + _number(counter), "sha256")


def _sized(text: str) -> bytes:
    return _number(len(text)) + text.encode("ascii")


def _number(number: int) -> bytes:
    return number.to_bytes(4, "big")
