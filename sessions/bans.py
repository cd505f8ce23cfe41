"""What moderators do about people: ban a name, an address, a player who is here; take a ban back.

Nothing here keeps, logs or tells a name or an address: a ban holds keyed hashes of what it is about.
"""

import ipaddress
import logging
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from config.errors import Invalid, NotFound
from sessions import likeness, names, wordlist
from sessions.banned import address_mark, name_mark, session_mark
from sessions.models import Ban, BannedToken, Guess, Player, Token
from sessions.secrecy import hide_address
from sessions.services import begin_forgetting, forget

log = logging.getLogger(__name__)

REASON_LENGTH = 500


def ban_player(
    *, player_id: UUID, by: Any, reason: str, until: datetime, name: bool = True, address: bool = True
) -> Ban:
    """End the session of a player who is here, everywhere, and keep its name and addresses out.

    Its tables are left in order, as for a logout; its tokens are told so until then. `by` is the user of
    the admin who decides. The addresses are those from which it has entered. Nobody can act as the player
    once this is committed; the rest is done right after. Raises NotFound, Invalid.
    """
    with transaction.atomic():
        player = Player.objects.select_for_update().filter(pk=player_id, leaving=False).first()
        if player is None:
            raise NotFound
        reason = names.without(_checked(reason, until), player.name, "[name]", REASON_LENGTH)
        marks = {(Ban.Kind.SESSION, session_mark(player.pk))}
        if name:
            marks.add((Ban.Kind.NAME, name_mark(likeness.form(player.name))))
        if address:
            marks.update((Ban.Kind.ADDRESS, address_mark(hidden)) for hidden in _addresses(player))
        bans = _write(marks, by, reason, until)
        session = next(ban for ban in bans if ban.kind == Ban.Kind.SESSION)
        digests = Token.objects.filter(player=player).values_list("pk", flat=True)
        BannedToken.objects.bulk_create([BannedToken(digest=digest, ban=session) for digest in digests])
        _end(player)
    return session


def ban_name(*, name: str, by: Any, reason: str, until: datetime) -> Ban:
    """Keep a name out, and all that looks like it. Who is here under that very name is banned with it.

    Others who are here and look like it are put before a moderator. Raises Invalid.
    """
    nickname = read_name(name)
    reason = names.without(_checked(reason, until), name, "[name]", REASON_LENGTH)
    with transaction.atomic():
        holder = Player.objects.filter(folded=names.folded(nickname), leaving=False).first()
        if holder is not None:
            # Who goes by itself at this moment is gone.
            with suppress(NotFound):
                ban_player(player_id=holder.pk, by=by, reason=reason, until=until, address=False)
        form = likeness.form(nickname)
        (ban,) = _write({(Ban.Kind.NAME, name_mark(form))}, by, reason, until)
        wordlist.question(lambda other: form in likeness.forms(other))
    return ban


def ban_address(*, address: str, by: Any, reason: str, until: datetime) -> Ban:
    """Let nobody enter from an address; of IPv6, from its /64. Who is here already stays. Raises Invalid."""
    hidden = hide_address(read_address(address))
    reason = names.without(_checked(reason, until), address, "[address]", REASON_LENGTH)
    (ban,) = _write({(Ban.Kind.ADDRESS, address_mark(hidden))}, by, reason, until)
    return ban


def lift_ban(*, ban_id: int) -> None:
    """Take a ban back; a session that was ended stays so. Raises NotFound."""
    if not Ban.objects.filter(pk=ban_id).delete()[0]:
        raise NotFound


def read_name(name: str) -> str:
    """A name as it would be shown. Raises Invalid for one that nobody could have."""
    try:
        return names.shown(name)
    except names.Unacceptable as error:
        raise Invalid({"name": [str(error)]}) from None


def read_address(address: str) -> str:
    """Raises Invalid."""
    try:
        return str(ipaddress.ip_address(address.strip()))
    except ValueError:
        raise Invalid({"address": ["This is no IP address."]}) from None


def _checked(reason: str, until: datetime) -> str:
    """Raises Invalid with all that is wrong."""
    errors: dict[str, list[str]] = {}
    now = timezone.now()
    if not reason.strip() or len(reason) > REASON_LENGTH:
        errors["reason"] = [f"It must have 1 to {REASON_LENGTH} characters."]
    if not now < until <= now + settings.BAN_LONGEST:
        errors["until"] = [f"It must end in the future, within {settings.BAN_LONGEST.days} days."]
    if errors:
        raise Invalid(errors)
    return reason


def _addresses(player: Player) -> Iterable[str]:
    """From where the player has entered, each hidden."""
    entered = Guess.objects.filter(player=player, entered=True).exclude(address__in=["", hide_address("")])
    return entered.values_list("address", flat=True)


def _write(marks: Iterable[tuple[str, str]], by: Any, reason: str, until: datetime) -> list[Ban]:
    """A ban on what is banned already takes its place."""
    now = timezone.now()
    bans = [
        Ban(kind=kind, mark=mark, reason=reason, by=by, created_at=now, expires_at=until)
        for kind, mark in sorted(marks)
    ]
    Ban.objects.bulk_create(
        bans,
        update_conflicts=True,
        unique_fields=["kind", "mark"],
        update_fields=["reason", "by", "created_at", "expires_at"],
    )
    log.info("bans were set: %s", ", ".join(sorted(ban.kind for ban in bans)))
    return bans


def _end(player: Player) -> None:
    """Leaving tables locks them, so it waits until nothing else is held. A sweep ends what is cut short."""
    begin_forgetting(player)
    transaction.on_commit(partial(forget, player, by="moderator"), robust=True)
