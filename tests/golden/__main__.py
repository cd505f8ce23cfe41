"""Plays and writes the golden records anew: `python -m tests.golden`, or with the slugs of some games."""

import sys

from games.rules.registry import GAMES
from tests.golden.record import record, settings, write

for slug in sys.argv[1:] or GAMES:
    game = GAMES[slug]
    write(slug, [record(game, *each, f"{slug} {number}") for number, each in enumerate(settings(game))])
