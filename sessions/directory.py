"""Finding players by how their names begin."""

from django.db.models import QuerySet

from sessions.models import Player
from sessions.names import folded

MOST = 50


def ids_beginning(text: str) -> QuerySet[Player, object]:
    """The ids of at most fifty whose names begin so, in the form in which names are compared."""
    found = Player.objects.filter(folded__startswith=folded(text)).order_by("folded")
    return found.values_list("pk", flat=True)[:MOST]
