"""Names and secrets as people type them: one form to show, one to compare, one to hash."""

import re
import unicodedata

from django.conf import settings
from precis_i18n import get_profile

# RFC 8266 folds case to compare names, not to show them.
NICKNAME = get_profile("NicknameCasePreserved")
OPAQUE = get_profile("OpaqueString")

# Clients name the seats of bots and of who has left themselves: nobody may look like one.
RESERVED = re.compile(
    r"(seat|player|stand-?in|server|moderator|bot"
    r"|bot[ -]?(easy|normal|strong)|(easy|normal|strong)[ -]?bot)[ #-]*\d*"
)


class Unacceptable(Exception):
    """A name or secret that can't be used; the text says why, without repeating it."""


def shown(name: str) -> str:
    """The name as others see it: RFC 8266 Nickname, outer and repeated blanks gone.

    Raises Unacceptable.
    """
    _check_length(name, settings.NAME_LENGTHS)
    nickname = _enforce(NICKNAME, name)
    _check_length(nickname, settings.NAME_LENGTHS)
    if not any(map(_is_visible, nickname)):
        raise Unacceptable("It holds nothing that can be seen.")
    if RESERVED.fullmatch(folded(nickname)):
        raise Unacceptable("This name would look like a seat's or a bot's.")
    return nickname


def folded(nickname: str) -> str:
    """The form in which names are compared: look-alikes in case or width fall together."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", nickname).casefold())


def without(text: str, name: str, instead: str, longest: int | None = None) -> str:
    """The text with something else wherever the name stands in it as a word, in capitals or not.

    For what people write about a player, so that the name does not outlive it there. What grows too long
    by that is cut to `longest`.
    """
    words = r"\s+".join(map(re.escape, name.split()))
    if words:
        text = re.sub(rf"(?<!\w){words}(?!\w)", lambda _: instead, text, flags=re.IGNORECASE)
    return text[:longest]


def prepared(secret: str) -> str:
    """The secret as it is hashed: RFC 8265 OpaqueString. Raises Unacceptable."""
    _check_length(secret, settings.SECRET_LENGTHS)
    opaque = _enforce(OPAQUE, secret)
    _check_length(opaque, settings.SECRET_LENGTHS)
    return opaque


def _enforce(profile: object, value: str) -> str:
    try:
        enforced: str = profile.enforce(value)  # type: ignore[attr-defined]  # precis-i18n has no types
    except UnicodeError:
        raise Unacceptable("It holds characters that can't be used, or nothing but blanks.") from None
    return enforced


def _is_visible(character: str) -> bool:
    """Letters, numbers, punctuation and symbols; a mark alone, or the blank Braille pattern, is none."""
    return unicodedata.category(character)[0] in "LNPS" and character != "\u2800"


def _check_length(value: str, lengths: tuple[int, int]) -> None:
    least, most = lengths
    if not least <= len(value) <= most:
        raise Unacceptable(f"It must have {least} to {most} characters.")
