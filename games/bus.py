"""Telling other processes that something changed: which table, and to which version, never what.

A message only wakes whoever waits; what happened is read from the database. So the bus can neither
leak a secret nor lose one.
"""

from collections.abc import Iterable
from functools import partial
from uuid import UUID

from config.straight import own
from config.valkey import post

PREFIX = "boneyard:"
LOBBY = f"{PREFIX}lobby"
TABLE = f"{PREFIX}table:"


def table_topic(table_id: UUID) -> str:
    return f"{TABLE}{table_id}"


def player_topic(player_id: UUID) -> str:
    return f"{PREFIX}player:{player_id}"


def announce(table_id: UUID, version: int, *, players: Iterable[UUID] = (), lobby: bool = False) -> None:
    """Once this transaction is committed: wake who waits for the table, for these players' tables,
    or for the lobby.

    Without retries and without waiting: a committed move stays committed, and a slow tick finds what
    was not announced.
    """
    table = str(table_id)
    topics = [f"{TABLE}{table}", *map(player_topic, players), *([LOBBY] if lobby else [])]
    own().on_commit(partial(_publish, topics, f"{table} {version}"), robust=True)


def announce_player(player_id: UUID) -> None:
    """Once this transaction is committed: have a player's streams look whether the session lives."""
    own().on_commit(partial(_publish, [player_topic(player_id)], ""), robust=True)


def _publish(topics: Iterable[str], message: str) -> None:
    for topic in topics:
        post.send("PUBLISH", topic, message)
