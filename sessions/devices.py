"""Which browser somebody uses: a cookie that staff's pages and entering set, kept as a keyed hash only.

It opens no door. It tells a moderator who plays in the same browser, and nothing else is done with it.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.db.models import Q
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from sessions.models import Guess, Token
from sessions.secrecy import hide_address, mark_of, new_token

COOKIE = "boneyard_browser"
LIVES = timedelta(days=365)
# As `new_token` makes them.
VALUE = re.compile(r"[A-Za-z0-9_-]{43}")


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """From where somebody asks: an address, and the browser's cookie if it showed one."""

    address: str
    cookie: str | None


def shown_cookie(request: HttpRequest) -> str | None:
    """The browser's cookie; None where it shows none that could be ours."""
    value = request.COOKIES.get(COOKIE, "")
    return value if VALUE.fullmatch(value) else None


def cookie_of(request: HttpRequest) -> str:
    """The browser's cookie, or a new one for it."""
    return shown_cookie(request) or new_token()


def hidden(cookie: str) -> str:
    """What is kept of it."""
    return mark_of("browser", cookie)


def keep(cookie: str, response: HttpResponseBase) -> None:
    """Have the browser keep it, for a year from now."""
    response.set_cookie(
        COOKIE, cookie, max_age=LIVES, secure=settings.SESSION_COOKIE_SECURE, httponly=True, samesite="Lax"
    )


def enters_from(player_ids: Iterable[UUID], where: Whereabouts) -> bool:
    """Whether one of these players ever entered, or tried to, from this address or in this browser."""
    ids = list(player_ids)
    if Guess.objects.filter(player__in=ids, address=hide_address(where.address)).exists():
        return True
    # Of a browser that shows nothing, nothing can be said.
    return where.cookie is None or Token.objects.filter(_of(ids, where.cookie)).exists()


def _of(ids: list[UUID], cookie: str) -> Q:
    return Q(player__in=ids, device=hidden(cookie))
