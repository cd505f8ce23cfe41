"""Luck that anybody can check: it follows from a seed that was committed to before the players put theirs.

`docs/fairness.md` specifies every byte of it.
"""

import hmac
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count

from games.rules.chance import StreamChance

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

    def block(self, number: int) -> StreamChance:
        """What the start draws, 0, or the move of that number."""
        return StreamChance(self._stream(number))

    def message(self, number: int) -> bytes:
        """What every chunk of a block is made of, before the chunk's own number."""
        texts = (DOMAIN, self.table, *(seed or "" for seed in self.client_seeds))
        domain, table, *seeds = map(_sized, texts)
        return b"".join((domain, table, u32(len(seeds)), *seeds, u32(number)))

    def _stream(self, number: int) -> Iterator[int]:
        """The bytes of a block; nothing is done for a move that draws none."""
        message = self.message(number)
        for counter in count():
            yield from hmac.digest(self.server_seed, message + u32(counter), "sha256")


def u32(number: int) -> bytes:
    return number.to_bytes(4, "big")


def _sized(text: str) -> bytes:
    return u32(len(text)) + text.encode("ascii")
