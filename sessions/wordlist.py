"""The moderators' list of refused names, and the names of people who are here that came into question."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from config.errors import Invalid, NotFound
from sessions import likeness, refused
from sessions.models import NameState, Player, RefusedName

BATCH = 2_000
SHORTEST = 2
LONGEST = 64


def add_word(*, word: str, by: Any, whole: bool = False) -> RefusedName:
    """Refuse a word from now on. Who is here under a matching name is put before a moderator.

    `whole`: only where it is the whole name. A word that is there already stays as it is. Raises Invalid.
    """
    form = read_word(word, whole=whole)
    with transaction.atomic():
        fresh = RefusedName(word=word, whole=whole, form=form, by=by, created_at=timezone.now())
        RefusedName.objects.bulk_create([fresh], ignore_conflicts=True)
        question(lambda name: refused.matches(name, [(form, whole)]))
    return RefusedName.objects.get(form=form, whole=whole)


def read_word(word: str, *, whole: bool) -> str:
    """The form by which it is compared. Raises Invalid."""
    form = likeness.plain_form(word)
    if not form or len(word) > LONGEST:
        raise Invalid({"word": [f"It must hold something to compare, in at most {LONGEST} characters."]})
    if not whole and len(form) < SHORTEST:
        raise Invalid({"word": ["It is too short to be looked for within names."]})
    return form


def remove_word(*, word_id: int) -> None:
    """Refuse a word no longer; names that are in question by it stay so. Raises NotFound."""
    if not RefusedName.objects.filter(pk=word_id).delete()[0]:
        raise NotFound


def keep_name(*, player_id: UUID) -> None:
    """Let a name be that is in question. Raises NotFound."""
    waiting = Player.objects.filter(pk=player_id, name_state=NameState.QUESTION)
    if not waiting.update(name_state=NameState.KEPT):
        raise NotFound


def look_over_names() -> int:
    """Put names before a moderator that match a word of either list; how many are new to that.

    For words that were added to the settings; a name that was let be is left alone.
    """
    words = (*refused.from_settings(), *refused.kept())
    if not words:
        return 0
    return question(lambda name: refused.matches(name, words), states=(NameState.FINE,))


def question(
    is_meant: Callable[[str], bool], states: tuple[str, ...] = (NameState.FINE, NameState.KEPT)
) -> int:
    """Put all who are here under such a name before a moderator; how many they are."""
    names = Player.objects.filter(leaving=False, name_state__in=states).values_list("pk", "name")
    meant = [pk for pk, name in names.iterator(chunk_size=BATCH) if is_meant(name)]
    return sum(
        Player.objects.filter(pk__in=meant[start : start + BATCH]).update(name_state=NameState.QUESTION)
        for start in range(0, len(meant), BATCH)
    )
