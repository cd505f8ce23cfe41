"""Whether somebody is banned: asked at the door, and of tokens that stand for nobody any more."""

from typing import Never

from django.db.models import Q
from django.utils import timezone

from config.errors import Banned, NotAuthenticated
from sessions import likeness
from sessions.models import Ban
from sessions.secrecy import hide_address, mark_of

# Of the bans whose time is over, so many go at once.
BATCH = 1_000


def name_mark(form: str) -> str:
    return mark_of("ban.name", form)


def address_mark(hidden: str) -> str:
    """Of an address as `secrecy.hide_address` hides it, which is how it is kept of a player."""
    return mark_of("ban.address", hidden)


def session_mark(player_id: object) -> str:
    return mark_of("ban.session", str(player_id))


def check_entry(nickname: str, address: str) -> None:
    """Raises Banned for a name that looks like a banned one, and for a banned address."""
    marks = Q(kind=Ban.Kind.NAME, mark__in=[name_mark(form) for form in likeness.forms(nickname)])
    # Who comes over a socket of this machine has no address.
    if address:
        marks |= Q(kind=Ban.Kind.ADDRESS, mark=address_mark(hide_address(address)))
    _raise_first(marks)


def refuse(token_digest: str) -> Never:
    """Say no to a token that stands for nobody. Raises Banned while its ban lasts, else NotAuthenticated."""
    _raise_first(Q(tokens=token_digest))
    raise NotAuthenticated


def _raise_first(which: Q) -> None:
    ban = Ban.objects.filter(which, expires_at__gt=timezone.now()).order_by("-expires_at").first()
    if ban is not None:
        raise Banned(ban.kind, ban.expires_at)


def sweep_bans() -> int:
    """Forget the bans whose time is over, with the tokens that they remember; how many."""
    over = Ban.objects.filter(expires_at__lte=timezone.now()).values_list("pk", flat=True)[:BATCH]
    _, deleted = Ban.objects.filter(pk__in=list(over)).delete()
    return deleted.get("players.Ban", 0)
