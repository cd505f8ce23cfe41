"""Writes the golden records and counts anew: `python -m tests.golden`, or with the slugs of some games.

Those of earlier rules stay as they are.
"""

import sys

from games.rules.registry import GAMES
from tests.golden import counts, record

for slug in sys.argv[1:] or GAMES:
    game = GAMES[slug]
    record.write(game, list(record.records(game)))
    counts.path(game).write_text(counts.text(game))
