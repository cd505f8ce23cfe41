"""Built-in bots: each chooses a move from what its seat may see, and from nothing else."""

from collections.abc import Sequence
from typing import Any

from games.bots import dice7776, dominoes, pickomino
from games.bots.odds import MoveOdds, Policy
from games.rules.game import Move, Seat
from games.rules.registry import GAMES

LEVELS = ("easy", "normal", "strong")
STAND_IN = "normal"

BOTS: dict[str, Any] = {"pickomino": pickomino, "7776": dice7776, "dominoes": dominoes}

POLICIES: dict[str, dict[str, Policy]] = {
    game: {level: getattr(bot, level) for level in LEVELS} for game, bot in BOTS.items()
}
# For the arena: nobody is seated with it.
POLICIES["7776"]["for-points"] = dice7776.for_points


def choose(
    game: str, level: str, view: Any, legal_moves: Sequence[Move], options: Any = None, seat: Seat = 0
) -> Move:
    """One of `legal_moves`. A game without policies of its own gets the first one.

    `view` is an instance of the game's `view_type`, as the bot's seat sees it; `options` of its
    `options_type`, the defaults unless given.
    """
    policy = POLICIES.get(game, {}).get(level)
    return policy(view, legal_moves, options or _defaults(game), seat) if policy else legal_moves[0]


def odds(
    game: str, view: Any, legal_moves: Sequence[Move], options: Any = None, seat: Seat = 0
) -> tuple[MoveOdds, ...]:
    """What each legal move is worth, in their order; nothing for a game that has no such numbers."""
    bot = BOTS.get(game)
    return bot.odds(view, legal_moves, options or _defaults(game), seat) if bot else ()


def _defaults(game: str) -> Any:
    return GAMES[game].options_type()
