"""Let bots play each other, without a database: `manage.py arena 7776 --seats strong,normal --games 2000`."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from random import Random
from time import process_time
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.bots import POLICIES
from games.bots.arena import Entrant, contest
from games.rules.chance import Chance
from games.rules.game import BadOptions
from games.rules.registry import GAMES

MOST_GAMES = 1_000_000


class SeededChance:
    """Luck that is the same for the same seed; nothing that anybody may bet on."""

    def __init__(self, seed: str) -> None:
        self._random = Random(seed)  # noqa: S311  # bots among themselves

    def roll(self, dice: int) -> tuple[int, ...]:
        return tuple(self._random.choices(range(1, 7), k=dice))

    def shuffle(self, size: int) -> tuple[int, ...]:
        return tuple(self._random.sample(range(size), size))


class Command(BaseCommand):
    help = "Plays bots against each other: wins with 95 % intervals, mean scores, and time per decision."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", choices=sorted(GAMES))
        parser.add_argument("--seats", default="strong,normal", help="a level for each seat, by commas")
        parser.add_argument("--games", type=int, default=200, help="how many games; the seats turn each time")
        parser.add_argument("--options", default="{}", help="the table's options, as JSON")
        parser.add_argument("--seed", default="1", help="another seed, other luck")

    def handle(self, *args: Any, game: str, seats: str, games: int, **given: Any) -> None:
        levels = seats.split(",")
        _check(game, levels, games)
        options = _object(given["options"])
        try:
            entrants = contest(GAMES[game], levels, options, _chances(given["seed"], games), process_time)
        except BadOptions as error:
            raise CommandError(f"--options: {error.errors}") from error
        self.stdout.write(f"{game}, {games} games, seed {given['seed']}, options {json.dumps(options)}")
        self.stdout.write(f"even would be {1 / len(levels):.1%}")
        for entrant in entrants:
            self.stdout.write(_line(entrant))


def _check(game: str, levels: list[str], games: int) -> None:
    if unknown := set(levels) - set(POLICIES.get(game, {})):
        known = ", ".join(POLICIES.get(game, {})) or "none"
        raise CommandError(f"{game} has no bots {', '.join(sorted(unknown))}; it has: {known}")
    if len(levels) not in GAMES[game].seats:
        raise CommandError(f"{game} has {GAMES[game].seats[0]} to {GAMES[game].seats[-1]} seats")
    if not 1 <= games <= MOST_GAMES:
        raise CommandError(f"--games can be 1 to {MOST_GAMES}")


def _object(text: str) -> dict[str, Any]:
    try:
        options = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise CommandError(f"--options is no JSON: {error}") from error
    if not isinstance(options, dict):
        raise CommandError("--options is no JSON object")
    return options


def _chances(seed: str, games: int) -> Iterator[Chance]:
    return (SeededChance(f"{seed} {number}") for number in range(games))


def _line(entrant: Entrant) -> str:
    low, high = entrant.interval
    least, greatest = entrant.score_interval
    half, most, longest = (entrant.slower_than(part) * 1e3 for part in (0.5, 0.99, 1))
    return (
        f"{entrant.level:8} wins {entrant.share:.1%} ({low:.1%} to {high:.1%}):"
        f" {entrant.wins} alone, {entrant.shared} shared;"
        f" mean score {entrant.score:.2f} ({least:.2f} to {greatest:.2f});"
        f" a decision p50 {half:.2f} ms, p99 {most:.2f} ms, at most {longest:.2f} ms"
    )
