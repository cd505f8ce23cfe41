"""Idempotency keys: a request that comes again does nothing twice.

The claim is a statement of its own, since Django can't tell whether ON CONFLICT inserted, and
asking again would cost every move a round trip.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from django.conf import settings
from django.db import connection
from django.utils import timezone

from config import metrics
from config.errors import IdempotencyMismatch, Invalid
from games.models import IdempotencyKey
from sessions.models import Player
from sessions.services import record_sweep

PRINTABLE = re.compile(r"[\x21-\x7e]([\x20-\x7e]{0,62}[\x21-\x7e])?")

CLAIM = """
INSERT INTO games_idempotencykey (player_id, key, digest, table_id, number, created_at)
VALUES (%s, %s, %s, %s, %s, %s) ON CONFLICT (player_id, key) DO NOTHING
"""


@dataclass(frozen=True, slots=True)
class Once:
    """A key and the digest of the request that it stands for."""

    key: str
    digest: str


def once_from(key: str, method: str, path: str, body: Any) -> Once:
    """Raises Invalid unless the key is 1–64 printable ASCII characters."""
    if not PRINTABLE.fullmatch(key):
        raise Invalid({"Idempotency-Key": ["Must be 1 to 64 printable ASCII characters."]})
    canonical = msgspec.json.encode([method, path, body], order="sorted")
    return Once(key, hashlib.sha256(canonical).hexdigest())


def claim(
    once: Once | None, player: Player, table_id: UUID, number: int | None = None
) -> IdempotencyKey | None:
    """Take the key for what is being made in this transaction, or say what it made before.

    Waits for another transaction that is using the key just now. Raises IdempotencyMismatch.
    """
    if once is None:
        return None
    values: tuple[Any, ...] = (player.pk, once.key, once.digest, table_id, number, timezone.now())
    with connection.cursor() as cursor:
        cursor.execute(CLAIM, values)
        if cursor.rowcount == 1:
            return None
    return find_earlier(once, player)


def key_row(once: Once | None, player: Player, table_id: UUID, number: int) -> Mapping[str, Any] | None:
    """The key as it is written together with the move that it was for."""
    if once is None:
        return None
    return {
        "player_id": player.pk,
        "key": once.key,
        "digest": once.digest,
        "table_id": table_id,
        "number": number,
        "created_at": timezone.now(),
    }


def checked(earlier: IdempotencyKey | None, once: Once | None) -> IdempotencyKey | None:
    """Raises IdempotencyMismatch when the key was for another request."""
    if earlier and once and earlier.digest != once.digest:
        raise IdempotencyMismatch
    return earlier


def find_earlier(once: Once | None, player: Player) -> IdempotencyKey | None:
    """What a key has made before. Raises IdempotencyMismatch when it was for another request."""
    if once is None:
        return None
    return checked(IdempotencyKey.objects.filter(player=player, key=once.key).first(), once)


def sweep_keys(now: datetime | None = None) -> int:
    """Forget the keys that are older than a day; how many."""
    oldest = (now or timezone.now()) - settings.IDEMPOTENCY_KEYS_LIVE
    with metrics.sweeping("keys") as count:
        deleted, _ = IdempotencyKey.objects.filter(created_at__lt=oldest).delete()
        count(deleted)
    record_sweep("keys", deleted)
    return deleted
