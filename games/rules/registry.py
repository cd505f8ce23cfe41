"""The games that this server plays, and the earlier rules under which some tables are still played."""

from typing import Any

from games.rules.dice7776 import Dice7776
from games.rules.dominoes import Dominoes
from games.rules.game import Game
from games.rules.pickomino import Pickomino

GAMES: dict[str, Game[Any, Any]] = {
    game.slug: game
    for game in (
        Pickomino(),
        Dice7776(),
        Dominoes(),
    )
}
"""What new tables are opened with, by slug: one line each."""

EARLIER: tuple[Game[Any, Any], ...] = ()
"""Rules that new tables do not get any more, each with the `rules_version` that it had."""


class UnknownRules(LookupError):
    """A table was begun under rules that this server does not have."""

    def __init__(self, slug: str, rules_version: int) -> None:
        super().__init__(f"this server has no rules of {slug} in version {rules_version}")


def game_of(slug: str, rules_version: int) -> Game[Any, Any]:
    """The rules under which a table, or a record, began. Raises UnknownRules."""
    current = GAMES.get(slug)
    if current is not None and current.rules_version == rules_version:
        return current
    for game in EARLIER:
        if (game.slug, game.rules_version) == (slug, rules_version):
            return game
    raise UnknownRules(slug, rules_version)


def known_rules() -> list[tuple[str, int]]:
    """Slug and version of all rules that this server has."""
    return [(game.slug, game.rules_version) for game in (*GAMES.values(), *EARLIER)]
