"""Telling other processes that something changed: which table, and to which version, never what.

A message only wakes whoever waits; what happened is read from the database. So the bus can neither
leak a secret nor lose one.
"""

from collections.abc import Iterable
from functools import partial
from uuid import UUID

from django.db import transaction

from config.valkey import post

PREFIX = "boneyard:"
LOBBY = f"{PREFIX}lobby"


def table_topic(table_id: UUID) -> str:
    return f"{PREFIX}table:{table_id}"


def player_topic(player_id: UUID) -> str:
    return f"{PREFIX}player:{player_id}"


def announce(table_id: UUID, version: int, *, players: Iterable[UUID] = (), lobby: bool = False) -> None:
    """Once this transaction is committed: wake who waits for the table, for these players' tables,
    or for the lobby.

    Without retries and without waiting: a committed move stays committed, and a slow tick finds what
    was not announced.
    """
    topics = [table_topic(table_id), *map(player_topic, players), *([LOBBY] if lobby else [])]
    transaction.on_commit(partial(_publish, topics, f"{table_id} {version}"), robust=True)


def announce_player(player_id: UUID) -> None:
    """Once this transaction is committed: have a player's streams look whether the session lives."""
    transaction.on_commit(partial(_publish, [player_topic(player_id)], ""), robust=True)


def _publish(topics: Iterable[str], message: str) -> None:
    for topic in topics:
        post.send("PUBLISH", topic, message)
