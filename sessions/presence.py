"""Who is here right now: some transport of the player was in use within the last ten seconds.

Kept in Valkey under a short expiry, since it is worth no row; without Valkey the player's last
written act counts.
"""

import time
from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from threading import Lock
from typing import Any
from uuid import UUID

from django.conf import settings
from redis import Redis

from config.valkey import valkey
from sessions.models import Player

GRACE_SECONDS = 10
# A player who asks again and again is written down so often.
MARK_SECONDS = 4
REMEMBERED = 10_000

_marked: dict[UUID, float] = {}
_lock = Lock()


def mark(player_ids: Iterable[UUID]) -> None:
    """These players use some transport now."""
    now = time.monotonic()
    with _lock:
        fresh = [player_id for player_id in player_ids if now - _marked.get(player_id, -1e9) >= MARK_SECONDS]
        if len(_marked) > REMEMBERED:
            _marked.clear()
        _marked.update(dict.fromkeys(fresh, now))
    if fresh:
        valkey.ask(lambda client: _write(client, fresh), None)


def forget(player_id: UUID) -> None:
    """This player is not here any more, whatever was marked."""
    with _lock:
        _marked.pop(player_id, None)
    valkey.ask(lambda client: client.delete(_key(player_id)), 0)


def _write(client: Redis, player_ids: list[UUID]) -> None:
    with client.pipeline(transaction=False) as pipeline:
        for player_id in player_ids:
            pipeline.set(_key(player_id), 1, ex=GRACE_SECONDS)
        pipeline.execute()


def present(players: Collection[Player], now: datetime) -> frozenset[UUID]:
    """Those of the players who are connected."""
    earliest = time.monotonic() - GRACE_SECONDS
    # Whom this process has marked within the grace need not be asked for.
    known = {player.pk for player in players if _marked.get(player.pk, earliest) > earliest}
    return frozenset(known | _asked([player for player in players if player.pk not in known], now))


def _asked(players: list[Player], now: datetime) -> set[UUID]:
    """Those of the players whom any process has marked."""
    if not players:
        return set()
    keys = [_key(player.pk) for player in players]
    answers: Any = valkey.ask(lambda client: client.mget(keys), None)
    if answers is None:
        since = now - settings.SESSION_RENEWAL - timedelta(seconds=GRACE_SECONDS)
        return {player.pk for player in players if player.last_seen >= since}
    return {player.pk for player, here in zip(players, answers, strict=True) if here}


def _key(player_id: UUID) -> str:
    return f"boneyard:present:{player_id}"
