"""Finding players, and refused names, by how they begin."""

from django.db.models import QuerySet

from sessions import likeness
from sessions.models import Player, RefusedName
from sessions.names import folded

MOST = 50


def ids_beginning(text: str) -> QuerySet[Player, object]:
    """The ids of at most fifty whose names begin so, in the form in which names are compared."""
    found = Player.objects.filter(folded__startswith=folded(text)).order_by("folded")
    return found.values_list("pk", flat=True)[:MOST]


def words_beginning(text: str) -> QuerySet[RefusedName, object]:
    """The same of refused names, in the form in which those are compared."""
    found = RefusedName.objects.filter(form__startswith=likeness.plain_form(text)).order_by("form")
    return found.values_list("pk", flat=True)[:MOST]
