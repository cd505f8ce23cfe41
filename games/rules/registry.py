"""The games that this server plays: one line each."""

from typing import Any

from games.rules.dice7776 import Dice7776
from games.rules.dominoes import Dominoes
from games.rules.game import Game
from games.rules.pickomino import Pickomino

GAMES: dict[str, Game[Any, Any]] = {game.slug: game for game in (Pickomino(), Dice7776(), Dominoes())}
