"""Something that is committed, or sent, and that whoever waits for it can tell from everything else."""

import secrets
import time
import urllib.request
from typing import Protocol

PLAYERS = 20


class Marks(Protocol):
    def next(self) -> bytes:
        """What the next message will hold."""
        ...

    def commit(self) -> float:
        """Have it sent; the moment from which it may be, by the monotonic clock."""
        ...


class Ours:
    """A table, and an event that is committed at it."""

    def __init__(self) -> None:
        from games.services import open_table
        from sessions.services import enter

        run = secrets.token_hex(3)
        entered = [enter(name=f"{run} {n}", secret="a secret", address="10.0.0.1") for n in range(PLAYERS)]
        self.tokens = [each.token for each in entered]
        self.table = open_table(player=entered[0].player, game="pickomino").ledger.table.pk
        self.version = 2

    @property
    def path(self) -> str:
        return f"/api/v1/tables/{self.table}"

    def token(self, number: int) -> str:
        """That of the player who is that client."""
        return self.tokens[number % len(self.tokens)]

    def next(self) -> bytes:
        return b"id: %d\n" % (self.version + 1)

    def commit(self) -> float:
        from django.db import connection, transaction

        from games.lock import lock_table

        committed: list[float] = []
        with lock_table(self.table) as ledger:
            transaction.on_commit(lambda: committed.append(time.monotonic()))
            ledger.tell("stand_in", 0)
            self.version = ledger.table.version
        connection.close()
        return committed[0]


class Bare:
    """The bare program, which is sent messages of the size of ours."""

    def __init__(self, port: int, size: int) -> None:
        self.url, self.size, self.number = f"http://127.0.0.1:{port}/", size, 0

    def next(self) -> bytes:
        return b"id: b%d\n" % (self.number + 1)

    def commit(self) -> float:
        self.number += 1
        head = b"id: b%d\nevent: table\ndata: " % self.number
        body = head + b"x" * (self.size - len(head)) + b"\n\n"
        begun = time.monotonic()
        urllib.request.urlopen(urllib.request.Request(self.url, body, method="POST"), timeout=30).close()
        return begun
