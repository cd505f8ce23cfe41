"""Put a game's promises to the test: `manage.py check_game SLUG`."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.rules.chance import LiveChance
from games.rules.contract import ContractBroken, at_random, check_description, check_game
from games.rules.game import Game, encode
from games.rules.registry import GAMES, UnknownRules, game_of
from games.rules.variants import variants


class Command(BaseCommand):
    help = "Plays a game with every number of seats and each of its options, and checks its promises."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", choices=sorted(GAMES))
        parser.add_argument("--games", type=int, default=1, help="games for each number of seats and option")
        parser.add_argument("--rules-version", type=int, help="earlier rules, instead of the current ones")

    def handle(self, *args: Any, slug: str, games: int, rules_version: int | None, **options: Any) -> None:
        game = _named(slug, rules_version)
        try:
            check_description(game)
            played = sum(_check(game, *table) for table in variants(game) for _ in range(games))
        except ContractBroken as broken:
            raise CommandError(f"{game.name}: {broken}") from broken
        self.stdout.write(f"{game.name} keeps its promises in {played} games.")


def _named(slug: str, rules_version: int | None) -> Game[Any, Any]:
    try:
        return GAMES[slug] if rules_version is None else game_of(slug, rules_version)
    except UnknownRules as unknown:
        raise CommandError(f"{slug}: {unknown}.") from None


def _check(game: Game[Any, Any], seats: int, chosen: Any) -> int:
    chance = LiveChance()
    try:
        check_game(game, seats, chosen, chance, at_random(chance))
    except ContractBroken as broken:
        raise ContractBroken(f"with {seats} seats and {encode(chosen)}: {broken}") from broken
    return 1
