"""Entering, coming back, being forgotten: every change of who is here."""

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.db.models import ProtectedError, Q
from django.utils import timezone

from config import metrics
from config.errors import Invalid, NameTaken, NotAuthenticated, Unavailable
from sessions import banned, guesses, names, presence, refused, secrecy
from sessions.models import Guess, Player, Ticket, Token
from sessions.signals import player_expiring, player_left

log = logging.getLogger(__name__)

ATTEMPTS = 5
REFUSED = {"name": ["This name can't be used here."]}

SWEPT = """
INSERT INTO players_sweep AS known (name, ran_at, size) VALUES (%s, %s, %s)
ON CONFLICT (name) DO UPDATE SET ran_at = EXCLUDED.ran_at, size = EXCLUDED.size
WHERE known.ran_at <= EXCLUDED.ran_at
"""


@dataclass(frozen=True)
class Entered:
    """A player who is in, and the token of this device. `new`: the name was free before."""

    player: Player
    token: str
    new: bool


def enter(
    *, name: str, secret: str, address: str, bot: bool | None = None, device: str | None = None
) -> Entered:
    """Enter with a new name, or come back to a name with its secret.

    `bot` says whether a program plays under the name; left out, a new one's does not, and another's is
    what it was. `device` is the hash of the browser's cookie, where there is one.
    Raises Invalid, Banned, NameTaken (which shows that the name lives), Throttled. A name that is
    refused is so for who is new: a player who has it stays.
    """
    nickname, secret, is_refused = _acceptable(name, secret)
    for _ in range(ATTEMPTS):
        banned.check_entry(nickname, address)
        try:
            player = _holder(names.folded(nickname))
            if player is None:
                if is_refused:
                    raise Invalid(REFUSED)
                return _welcome(nickname, secret, address, device, bot=bool(bot))
            if not guesses.guess(player, secret, address):
                raise NameTaken
            if bot is not None:
                _say_whether_bot(player, bot)
            return Entered(player, _hand_out_token(player, device), new=False)
        except (IntegrityError, Guess.DoesNotExist):
            # The name was taken, or its holder forgotten, at this very moment.
            continue
    raise Unavailable


def _acceptable(name: str, secret: str) -> tuple[str, str, bool]:
    """Both as they are used, and whether the name is refused to who is new. Raises Invalid."""
    errors: dict[str, list[str]] = {}
    prepared = {"name": "", "secret": ""}
    for field, prepare, given in (("name", names.shown, name), ("secret", names.prepared, secret)):
        try:
            prepared[field] = prepare(given)
        except names.Unacceptable as error:
            errors[field] = [str(error)]
    is_refused = "name" not in errors and refused.is_refused(prepared["name"])
    if errors:
        is_held = is_refused and Player.objects.filter(folded=names.folded(prepared["name"])).exists()
        raise Invalid({**errors, **(REFUSED if is_refused and not is_held else {})})
    return prepared["name"], prepared["secret"], is_refused


def _holder(folded: str) -> Player | None:
    """Who holds this name now; a session whose time is over is forgotten first."""
    player = Player.objects.filter(folded=folded).first()
    if player is None or not (player.leaving or expire(player)):
        return player
    forget(player, by="server")
    return None


def _say_whether_bot(player: Player, bot: bool) -> None:
    player.bot = bot
    Player.objects.filter(pk=player.pk).exclude(bot=bot).update(bot=bot)


def _welcome(nickname: str, secret: str, address: str, device: str | None, *, bot: bool) -> Entered:
    """Raises Banned, and IntegrityError when another was faster."""
    secret_hash = secrecy.hash_secret(secret)
    # Once more, since hashing takes long enough to be banned meanwhile.
    banned.check_entry(nickname, address)
    now = timezone.now()
    player = Player(
        name=nickname,
        folded=names.folded(nickname),
        secret_hash=secret_hash,
        bot=bot,
        created_at=now,
        last_seen=now,
        expires_at=now + settings.SESSION_IDLE,
    )
    with transaction.atomic():
        # ON CONFLICT, since PostgreSQL would write the name of a violation into its log.
        Player.objects.bulk_create([player], ignore_conflicts=True)
        if not Player.objects.filter(pk=player.pk).exists():
            raise IntegrityError
        guesses.trust(player, address)
        return Entered(player, _hand_out_token(player, device), new=True)


def _hand_out_token(player: Player, device: str | None) -> str:
    """A fresh token; of too many, those unused longest end."""
    now = timezone.now()
    token = secrecy.new_token()
    Token.objects.create(
        digest=secrecy.digest(token), player=player, created_at=now, last_used=now, device=device
    )
    surplus = player.tokens.order_by("-last_used").values("pk")[settings.TOKENS_PER_PLAYER :]
    Token.objects.filter(pk__in=list(surplus.values_list("pk", flat=True))).delete()
    _renew(player, now)
    presence.mark([player.pk])
    return token


def authenticate(token: str) -> tuple[Player, Token]:
    """The player that a token stands for, admitted. Raises NotAuthenticated, Banned."""
    session = Token.objects.select_related("player").filter(digest=secrecy.digest(token)).first()
    if session is None:
        banned.refuse(secrecy.digest(token))
    admit(session.player, session.digest, session.last_used)
    return session.player, session


def admit(player: Player, token_digest: str, last_used: datetime) -> None:
    """Let in a player who has shown this token. The session is renewed, though not written each time.

    Raises NotAuthenticated when it is over, and Banned when a moderator ended it.
    """
    now = datetime.now(UTC)
    if player.leaving or (player.expires_at <= now and expire(player)):
        banned.refuse(token_digest)
    stale = now - settings.SESSION_RENEWAL
    if player.last_seen <= stale:
        _renew(player, now)
    if last_used <= stale:
        Token.objects.filter(pk=token_digest).update(last_used=now)
    presence.mark([player.pk])


def issue_ticket(player: Player) -> tuple[str, datetime]:
    """A ticket that opens one stream within half a minute, and when that is over.

    Raises NotAuthenticated for a player who is forgotten at this very moment.
    """
    ticket, expires_at = secrecy.new_token(), timezone.now() + settings.TICKET_LIVES
    try:
        Ticket.objects.create(digest=secrecy.digest(ticket), player=player, expires_at=expires_at)
    except IntegrityError:
        raise NotAuthenticated from None
    return ticket, expires_at


def redeem_ticket(ticket: str) -> Player:
    """Whose ticket this is; it can't be used again. Raises NotAuthenticated."""
    issued = Ticket.objects.filter(pk=secrecy.digest(ticket), expires_at__gt=timezone.now())
    found = issued.select_related("player").first()
    if found is None or found.player.leaving or not issued.delete()[0]:
        raise NotAuthenticated
    presence.mark([found.player.pk])
    return found.player


def living(player_ids: Iterable[UUID]) -> set[UUID]:
    """Those whose session goes on; for streams, which authenticate only once."""
    found = Player.objects.filter(pk__in=list(player_ids), leaving=False)
    return {player.pk for player in found if not expire(player)}


def keep_alive(player_ids: Iterable[UUID]) -> None:
    """An open stream is as good as a request: renew these sessions."""
    now = timezone.now()
    stale = Player.objects.filter(pk__in=list(player_ids), leaving=False)
    for player in stale.filter(last_seen__lte=now - settings.SESSION_RENEWAL):
        _renew(player, now)


def _renew(player: Player, now: datetime) -> None:
    player.last_seen = now
    player.expires_at = max(player.expires_at, now + settings.SESSION_IDLE)
    Player.objects.filter(pk=player.pk, leaving=False).update(
        last_seen=player.last_seen, expires_at=player.expires_at
    )


def expire(player: Player) -> bool:
    """Forget a player whose time is over, unless somebody still needs it. True when it is gone."""
    now = timezone.now()
    if player.expires_at > now:
        return False
    needed_until = _needed_until(player)
    if needed_until and needed_until > now:
        Player.objects.filter(pk=player.pk, expires_at=player.expires_at).update(expires_at=needed_until)
        player.expires_at = needed_until
        return False
    if not _mark(player, Q(expires_at__lte=now) | Q(leaving=True)):
        return not Player.objects.filter(pk=player.pk).exists()
    forget(player, by="server")
    return True


def _needed_until(player: Player) -> datetime | None:
    answers: list[tuple[Any, Any]] = player_expiring.send(sender=Player, player=player)
    return max((until for _, until in answers if until), default=None)


def begin_forgetting(player: Player) -> bool:
    """From now on nobody can act as this player; `forget` does the rest. False if it is being forgotten."""
    return _mark(player, Q(leaving=False))


def _mark(player: Player, condition: Q | None = None) -> bool:
    """From now on nobody can act as this player, or sit down as it. False when `condition` fails."""
    living = Player.objects.filter(pk=player.pk)
    return bool((living.filter(condition) if condition else living).update(leaving=True))


def forget(player: Player, *, by: str) -> None:
    """Leave every seat in order, then forget name and secret. May be run again if cut short.

    `by` is "player" for a logout, "server" for a session that ran out, "moderator" for a ban.
    """
    _mark(player)
    Token.objects.filter(player=player).delete()
    presence.forget(player.pk)
    for _ in range(ATTEMPTS):
        player_left.send(sender=Player, player=player, by=by)
        try:
            Player.objects.filter(pk=player.pk).delete()
        except (ProtectedError, IntegrityError):
            # A seat was taken while the others were left.
            continue
        return
    raise Unavailable


def sweep_players(batch: int = 200) -> int:
    """Forget the players whose time is over; how many were looked at. Harmless twice or late."""
    with metrics.sweeping("players") as count:
        due = _claim(batch)
        for player in due:
            _look_after(player)
        Ticket.objects.filter(expires_at__lt=timezone.now()).delete()
        banned.sweep_bans()
        count(len(due))
    record_sweep("players", len(due))
    return len(due)


def _look_after(player: Player) -> None:
    try:
        if player.leaving:
            forget(player, by="server")
        else:
            expire(player)
    except Exception:
        # One player must not keep the others from being forgotten.
        log.exception("a player could not be forgotten yet")


def _claim(batch: int) -> list[Player]:
    over = Q(expires_at__lte=timezone.now()) | Q(leaving=True)
    with transaction.atomic():
        return list(
            Player.objects.filter(over)
            .order_by("expires_at")
            .select_for_update(skip_locked=True, no_key=True)[:batch]
        )


def record_sweep(name: str, size: int = 0) -> None:
    """Remember that a sweep was at work just now, and what it did: readiness is judged by it.

    Of several workers the last one counts, whichever writes first.
    """
    with connection.cursor() as cursor:
        cursor.execute(SWEPT, (name, timezone.now(), min(size, 2**31 - 1)))
