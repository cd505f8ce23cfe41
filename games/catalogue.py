"""The games as clients learn of them: rules and notation as text, options and view as JSON Schema."""

from functools import cache
from typing import Any

import msgspec

from games.bots import LEVELS
from games.rules.registry import GAMES


@cache
def game_json(slug: str) -> dict[str, Any]:
    """One entry of `/games`. Raises KeyError."""
    game = GAMES[slug]
    return {
        "game": game.slug,
        "name": game.name,
        "seats": {"min": game.seats[0], "max": game.seats[-1]},
        "rules": game.rules,
        "options": msgspec.json.schema(game.options_type),
        "view": msgspec.json.schema(game.view_type),
        "notation": game.notation,
        "bots": list(LEVELS),
    }
