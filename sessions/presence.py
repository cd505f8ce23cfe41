"""Who is here right now: some transport of the player was in use within the last ten seconds.

Kept in Valkey under a short expiry, since it is worth no row; without Valkey the player's last
written act counts.
"""

import time
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings

from config.valkey import post, valkey
from sessions.models import Player

GRACE_SECONDS = 10
# A player who asks again and again is written down so often.
MARK_SECONDS = 4
# Whoever was not here when Valkey was asked is not asked for again so soon.
ASK_SECONDS = 1
KEPT_SECONDS = 90
REMEMBERED = 20_000

# When each player was last marked, as far as this process knows, and when it last asked.
_seen: dict[UUID, float] = {}
_asked: dict[UUID, float] = {}


def mark(player_ids: Iterable[UUID]) -> None:
    """These players use some transport now."""
    now = time.time()
    for player_id in player_ids:
        if now - _seen.get(player_id, 0) >= MARK_SECONDS:
            _remember(_seen, player_id, now)
            post.send("SET", _key(player_id), str(now), "EX", KEPT_SECONDS)


def forget(player_id: UUID) -> None:
    """This player is not here any more, whatever was marked."""
    for known in (_seen, _asked):
        known.pop(player_id, None)
    valkey.ask(lambda client: client.delete(_key(player_id)), 0)


def present(players: Mapping[UUID, Player], now: datetime, within: float = GRACE_SECONDS) -> frozenset[UUID]:
    """Those of the players, by id, who were marked within so many seconds: by default, who are connected."""
    moment = time.time()
    absent = [pk for pk in players if moment - _seen.get(pk, 0) >= within]
    unknown = [pk for pk in absent if moment - _asked.get(pk, 0) >= ASK_SECONDS]
    if unknown and not _ask(unknown, moment):
        since = now - settings.SESSION_RENEWAL - timedelta(seconds=within)
        return frozenset(pk for pk, player in players.items() if player.last_seen >= since)
    if unknown:
        absent = [pk for pk in absent if moment - _seen.get(pk, 0) >= within]
    return frozenset(players).difference(absent)


def _ask(player_ids: Sequence[UUID], moment: float) -> bool:
    """Learn from Valkey when these players were last marked. False when it is away."""
    keys = list(map(_key, player_ids))
    answers: Any = valkey.ask(lambda client: client.mget(keys), None)
    if answers is None:
        return False
    for pk, marked in zip(player_ids, answers, strict=True):
        _remember(_asked, pk, moment)
        if marked:
            # Another thread may have marked it while Valkey was asked.
            _remember(_seen, pk, max(float(marked), _seen.get(pk, 0)))
    return True


def _remember(known: dict[UUID, float], player_id: UUID, moment: float) -> None:
    if len(known) > REMEMBERED:
        known.clear()
    known[player_id] = moment


def _key(player_id: UUID) -> str:
    return f"boneyard:present:{player_id}"
