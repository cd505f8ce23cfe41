"""Put a game's promises to the test: `manage.py check_game SLUG`."""

from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import fields, replace
from itertools import product
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from django.core.management.base import BaseCommand, CommandError
from msgspec import Meta

from games.rules.chance import LiveChance
from games.rules.contract import ContractBroken, at_random, check_description, check_game
from games.rules.game import Game, encode
from games.rules.registry import GAMES


class Command(BaseCommand):
    help = "Plays a game with every number of seats and each of its options, and checks its promises."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", choices=sorted(GAMES))
        parser.add_argument("--games", type=int, default=1, help="games for each number of seats and option")

    def handle(self, *args: Any, slug: str, games: int, **options: Any) -> None:
        game = GAMES[slug]
        try:
            check_description(game)
            played = sum(_check(game, seats, chosen) for seats, chosen in _tables(game) for _ in range(games))
        except ContractBroken as broken:
            raise CommandError(f"{game.name}: {broken}") from broken
        self.stdout.write(f"{game.name} keeps its promises in {played} games.")


def _check(game: Game[Any, Any], seats: int, chosen: Any) -> int:
    chance = LiveChance()
    try:
        check_game(game, seats, chosen, chance, at_random(chance))
    except ContractBroken as broken:
        raise ContractBroken(f"with {seats} seats and {encode(chosen)}: {broken}") from broken
    return 1


def _tables(game: Game[Any, Any]) -> Iterator[tuple[int, Any]]:
    """Every number of seats, with the default options and with each option changed alone."""
    types_of = get_type_hints(game.options_type, include_extras=True)
    default = game.options_type()
    changed = [
        replace(default, **{field.name: value})
        for field in fields(game.options_type)
        for value in _others(types_of[field.name], getattr(default, field.name))
    ]
    yield from product(game.seats, [default, *changed])


def _others(kind: Any, default: Any) -> list[Any]:
    """The other values of an option; of a number its least, since the greatest may take for ever."""
    notes: tuple[Any, ...] = ()
    if get_origin(kind) is Annotated:
        kind, *rest = get_args(kind)
        notes = tuple(rest)
    if get_origin(kind) is Literal:
        values = list(get_args(kind))
    elif kind is bool:
        values = [False, True]
    else:
        values = [note.ge for note in notes if isinstance(note, Meta) and note.ge is not None]
    return [value for value in values if value != default]
