"""Moderators in tests, and bans as they set them."""

from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.test import TestCase
from django.utils import timezone

from sessions import bans
from sessions.models import Ban, Player
from tests.people import Person


def moderator(name: str = "moderator") -> User:
    """Somebody who may do everything in the admin."""
    user, _ = User.objects.get_or_create(username=name, defaults={"is_staff": True, "is_superuser": True})
    return user


def committed() -> AbstractContextManager[Any]:
    """What waits for the commit is done when the block ends, though a test's transaction never commits."""
    return TestCase.captureOnCommitCallbacks(execute=True)


def tomorrow() -> datetime:
    return timezone.now() + timedelta(days=1)


def player_of(person: Person) -> Player:
    return Player.objects.get(name=person.name)


def ban(person: Person, **fields: Any) -> Ban:
    """Ban somebody who is here."""
    given = {"by": moderator(), "reason": "was rude", "until": tomorrow(), **fields}
    with committed():
        return bans.ban_player(player_id=player_of(person).pk, **given)


def ban_name(name: str, **fields: Any) -> Ban:
    given = {"by": moderator(), "reason": "is rude", "until": tomorrow(), **fields}
    with committed():
        return bans.ban_name(name=name, **given)


def ban_address(address: str, **fields: Any) -> Ban:
    given = {"by": moderator(), "reason": "came back and back", "until": tomorrow(), **fields}
    return bans.ban_address(address=address, **given)
