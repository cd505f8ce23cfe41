"""Writes the golden records and counts anew: `python -m tests.golden`, or with the slugs of some games.

Those of earlier rules stay as they are. So do those of a version by which games would go otherwise by now,
since tables that are stored would: raise it, or delete its files if nobody has played by it yet.
"""

import sys
from typing import Any

from games.rules.game import Game
from games.rules.registry import GAMES
from tests.golden import counts, record


def is_kept(game: Game[Any, Any]) -> bool:
    """Whether games that were recorded under this version, if any, still go as they went."""
    try:
        return not record.path(game).exists() or all(record.holds(game, known) for known in record.read(game))
    except Exception:
        # Moves that are not legal any more, luck that does not fit, whatever the rules stumble over.
        return False


def main(slugs: list[str]) -> None:
    for game in [GAMES[slug] for slug in slugs or GAMES]:
        if not is_kept(game):
            sys.exit(f"{game.slug} is not what it was in version {game.rules_version}: see docs/games.md")
        record.write(game, list(record.records(game)))
        counts.path(game).write_text(counts.text(game))


if __name__ == "__main__":
    main(sys.argv[1:])
