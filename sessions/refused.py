"""Names that nobody may take: a word list in the settings, and one that moderators keep.

A word is found anywhere in a name; one of the settings that begins with `=` only where it is the whole name.
Both are compared by how they look: without case, accents, blanks and signs, with digits read as letters.
"""

from collections.abc import Iterable
from functools import cache
from itertools import chain
from typing import TypeAlias

from django.conf import settings

from sessions.likeness import plain_form, plain_forms
from sessions.models import RefusedName

WHOLE = "="

# The form of a word, and whether it must be the whole name.
Word: TypeAlias = tuple[str, bool]


def is_refused(nickname: str) -> bool:
    """Whether a name holds, or is, a word of either list."""
    return matches(nickname, chain(from_settings(), kept()))


def matches(nickname: str, words: Iterable[Word]) -> bool:
    forms = plain_forms(nickname)
    return any(word == form if whole else word in form for word, whole in words for form in forms)


def from_settings() -> tuple[Word, ...]:
    return _read(tuple(settings.REFUSED_NAMES))


@cache
def _read(words: tuple[str, ...]) -> tuple[Word, ...]:
    found = ((plain_form(word.removeprefix(WHOLE)), word.startswith(WHOLE)) for word in words)
    return tuple(each for each in found if each[0])


def kept() -> Iterable[Word]:
    """Those of the moderators."""
    return RefusedName.objects.values_list("form", "whole")
