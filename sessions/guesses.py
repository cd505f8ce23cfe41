"""Guessing a secret is slowed down, and nobody can lock a player out by it."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from config.errors import Throttled
from sessions.models import Guess, Player
from sessions.secrecy import hide_address, is_secret


@dataclass(frozen=True)
class Patience:
    """So many wrong guesses are free; then the delay doubles from a second up to `longest`."""

    free: int
    longest: timedelta

    def delay(self, guesses: int) -> timedelta:
        beyond = guesses - self.free
        return min(timedelta(seconds=2 ** min(beyond - 1, 30)), self.longest) if beyond > 0 else timedelta()


ONE_ADDRESS = Patience(free=3, longest=timedelta(minutes=15))
ALL_ADDRESSES = Patience(free=10, longest=timedelta(minutes=1))
EVERYWHERE = ""
FORGIVEN_AFTER = timedelta(hours=1)


def guess(player: Player, secret: str, address: str) -> bool:
    """Whether this is the player's secret, counting it if not.

    An address that entered this name before waits for its own wrong guesses only; all others wait
    for each other's too. The counters stay locked while the secret is checked, so that guesses
    made at the same moment don't share one. Raises Throttled.
    """
    with transaction.atomic():
        own = _locked(player, hide_address(address))
        counters = {own: ONE_ADDRESS}
        if not own.entered:
            counters[_locked(player, EVERYWHERE)] = ALL_ADDRESSES
        # Not before: who waited for a counter must not meet one that is ahead of its time.
        now = timezone.now()
        _wait_for(counters, now)
        right = is_secret(player.secret_hash, secret)
        if right:
            own.entered, own.guesses = True, 0
            own.save(update_fields=["entered", "guesses"])
        else:
            for counter, patience in counters.items():
                _count(counter, patience, now)
    return right


def trust(player: Player, address: str) -> None:
    """This address made the name, so others' guesses never delay it."""
    Guess.objects.create(player=player, address=hide_address(address), entered=True, again_at=timezone.now())


def _locked(player: Player, address: str) -> Guess:
    """Raises Guess.DoesNotExist when the player is forgotten at this very moment."""
    fresh = Guess(player=player, address=address, again_at=timezone.now())
    Guess.objects.bulk_create([fresh], ignore_conflicts=True)
    return Guess.objects.select_for_update().get(player=player, address=address)


def _wait_for(counters: dict[Guess, Patience], now: datetime) -> None:
    wait = max(counter.again_at for counter in counters) - now
    if wait > timedelta():
        raise Throttled(wait.total_seconds(), "Too many wrong secrets for this name.")


def _count(counter: Guess, patience: Patience, now: datetime) -> None:
    forgiven = counter.again_at < now - FORGIVEN_AFTER
    counter.guesses = 1 if forgiven else counter.guesses + 1
    counter.again_at = now + patience.delay(counter.guesses)
    counter.save(update_fields=["guesses", "again_at"])
