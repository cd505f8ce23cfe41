"""Guessing a password of the admin is slowed down, as guessing a player's secret is."""

from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from config.errors import Throttled
from sessions.guesses import ALL_ADDRESSES, FORGIVEN_AFTER, ONE_ADDRESS, Patience
from sessions.models import StaffGuess
from sessions.secrecy import hide_address, mark_of

ALL_NAMES = Patience(free=20, longest=timedelta(minutes=15))
FORGOTTEN_AFTER = timedelta(days=1)


def attempt(name: str, address: str, is_right: Callable[[], bool]) -> bool:
    """Ask whether a password is right, counting it if not.

    Waits are for each name and address; for a name over all addresses, but an address that once had the right
    password; and for an address over all names. The counters stay locked while the password is checked,
    so that guesses made at the same moment don't share one. Raises Throttled.
    """
    StaffGuess.objects.filter(again_at__lt=timezone.now() - FORGOTTEN_AFTER, entered=False).delete()
    with transaction.atomic():
        own, counters = _counters(name, address)
        now = timezone.now()
        wait = max(counter.again_at for counter, _ in counters) - now
        if wait > timedelta():
            raise Throttled(wait.total_seconds(), "Too many wrong passwords.")
        right = is_right()
        if right:
            own.entered, own.guesses = True, 0
            own.save(update_fields=["entered", "guesses"])
        else:
            for counter, patience in counters:
                _count(counter, patience, now)
    return right


def _counters(name: str, address: str) -> tuple[StaffGuess, list[tuple[StaffGuess, Patience]]]:
    """The counter of this name and address, and all that must not be ahead of their time."""
    name, address = name.casefold(), hide_address(address)
    own = _locked(f"both:{address}:{name}")
    counters = [(own, ONE_ADDRESS)]
    if not own.entered:
        counters += [(_locked(f"name:{name}"), ALL_ADDRESSES), (_locked(f"address:{address}"), ALL_NAMES)]
    return own, counters


def _locked(what: str) -> StaffGuess:
    key = mark_of("staff", what)
    StaffGuess.objects.bulk_create([StaffGuess(key=key, again_at=timezone.now())], ignore_conflicts=True)
    return StaffGuess.objects.select_for_update().get(key=key)


def _count(counter: StaffGuess, patience: Patience, now: datetime) -> None:
    forgiven = counter.again_at < now - FORGIVEN_AFTER
    counter.guesses = 1 if forgiven else counter.guesses + 1
    counter.again_at = now + patience.delay(counter.guesses)
    counter.save(update_fields=["guesses", "again_at"])
