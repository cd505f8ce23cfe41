"""Built-in bots: each chooses a move from what its seat may see, and from nothing else."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from games.bots import dice7776, dominoes, pickomino
from games.rules.game import Move

Policy: TypeAlias = Callable[[Any, Sequence[Move]], Move]

LEVELS = ("easy",)
STAND_IN = "easy"

POLICIES: dict[str, dict[str, Policy]] = {
    "pickomino": {"easy": pickomino.easy},
    "7776": {"easy": dice7776.easy},
    "dominoes": {"easy": dominoes.easy},
}


def choose(game: str, level: str, view: Any, legal_moves: Sequence[Move]) -> Move:
    """One of `legal_moves`. A game without a policy of its own gets the first one.

    `view` is an instance of the game's `view_type`, as the bot's seat sees it.
    """
    policy = POLICIES.get(game, {}).get(level)
    return policy(view, legal_moves) if policy else legal_moves[0]
