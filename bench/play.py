"""Clients that play: each takes a turn that is due, and moves as long as the answer lets it."""

import random
import secrets
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from bench.load import Answer, Port, Unexpected, drive, request
from bench.tables import Played

ASKING = 8  # clients that look for the turns of a load


class Shown(msgspec.Struct):
    """What a client needs of a table."""

    status: str
    version: int
    to_move: list[int]
    legal_moves: list[str]


@dataclass(slots=True)
class Turn:
    """A seat that may move: what is legal, and at which version."""

    table: Played
    seat: int
    version: int
    legal_moves: Sequence[str]


read_shown = msgspec.json.Decoder(Shown).decode


def path_of(table: Played) -> str:
    return f"/api/v1/tables/{table.id}"


def shown(answer: Answer, status: int) -> Shown:
    """Raises Unexpected for another status."""
    if answer.status != status:
        raise Unexpected(f"{answer.status}: {answer.body.decode(errors='replace')[:500]}")
    return read_shown(answer.body)


class Asker:
    """Looks at tables for the seats that are to move, and notes what they may."""

    def __init__(self, looks: deque[tuple[Played, int]], turns: deque[Turn]) -> None:
        self._looks, self._turns = looks, turns

    def next(self, answer: Answer | None) -> bytes | None:
        if answer is not None:
            self._note(shown(answer, 200))
        if not self._looks:
            return None
        self._table, self._seat = self._looks.popleft()
        return request("GET", path_of(self._table), self._table.tokens[self._seat])

    def _note(self, seen: Shown) -> None:
        if seen.legal_moves:
            self._turns.append(Turn(self._table, self._seat, seen.version, seen.legal_moves))
        # Others may be to move than was thought.
        unknown = [seat for seat in seen.to_move if seat not in self._table.to_move]
        self._looks.extend((self._table, seat) for seat in unknown)
        self._table.to_move = seen.to_move


def ask(port: Port, tables: Sequence[Played]) -> deque[Turn]:
    """The turns that are due at these tables."""
    turns: deque[Turn] = deque()
    looks = deque((table, seat) for table in tables for seat in table.to_move)
    drive(port, [Asker(looks, turns) for _ in range(ASKING)])
    return turns


class Mover:
    """Takes one turn after the other from those that are left, and makes its moves.

    `keyed` is the share of moves that carry an idempotency key; `left` is what all clients share.
    """

    def __init__(self, turns: deque[Turn], left: "Left", keyed: float, luck: random.Random) -> None:
        self._turns, self._left, self._keyed, self._luck = turns, left, keyed, luck

    def next(self, answer: Answer | None) -> bytes | None:
        turn = self._take() if answer is None else self._go_on(shown(answer, 201))
        if turn is None or not self._left.take():
            return None
        self._turn = turn
        return self._move(turn)

    def _take(self) -> Turn | None:
        return self._turns.popleft() if self._turns else None

    def _go_on(self, seen: Shown) -> Turn | None:
        turn = self._turn
        turn.table.to_move = seen.to_move
        if not seen.legal_moves:
            return self._take()
        turn.version, turn.legal_moves = seen.version, seen.legal_moves
        return turn

    def _move(self, turn: Turn) -> bytes:
        move: dict[str, Any] = {"move": self._luck.choice(turn.legal_moves), "version": turn.version}
        keyed = self._luck.random() < self._keyed
        key = f"Idempotency-Key: {secrets.token_hex(16)}\r\n" if keyed else ""
        path = f"{path_of(turn.table)}/moves"
        return request("POST", path, turn.table.tokens[turn.seat], msgspec.json.encode(move), key)


class Left:
    """How many moves may still be made."""

    def __init__(self, most: int) -> None:
        self._most = most

    def take(self) -> bool:
        self._most -= 1
        return self._most >= 0


def movers(turns: deque[Turn], clients: int, most: int, keyed: float) -> list[Mover]:
    """So many clients, who make at most so many moves altogether."""
    left = Left(most)
    return [Mover(turns, left, keyed, random.Random(number)) for number in range(clients)]
