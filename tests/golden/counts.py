"""Counts in how many ways a game can go: one file for each version of a game, one line a count.

    pickomino 2 {"collect":"nearest"} 4 15

are the game, the seats, the options that are not the default ones, how many moves ahead, and how many legal
lines of so many moves there are, when the start has the luck of `SeededChance(0)` and every nth move that of
`SeededChance(n)`.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from games.rules.game import Game, default_options, encode
from games.rules.variants import variants
from tests.games.rules.seeded import SeededChance

DEEP, MANY = 10, 1000  # moves ahead, and lines from which no further moves are counted


def path(game: Game[Any, Any]) -> Path:
    return Path(__file__).with_name(f"{game.slug}-{game.rules_version}.counts")


def text(game: Game[Any, Any]) -> str:
    """The counts of every kind of table, as they are written."""
    return "".join(
        f"{game.slug} {seats} {shown(game, options)} {depth} {count}\n"
        for seats, options in variants(game)
        for depth, count in enumerate(lines(game, seats, options), start=1)
    )


def shown(game: Game[Any, Any], options: Any) -> str:
    usual = default_options(game)
    changed = {name: value for name, value in encode(options).items() if value != usual[name]}
    return json.dumps(changed, separators=(",", ":"), sort_keys=True)


def lines(game: Game[Any, Any], seats: int, options: Any) -> Iterator[int]:
    """How many legal lines begin at the start: those of one move, of two moves, three …"""
    states = [game.start(seats, options, SeededChance(0))[0]]
    for depth in range(1, DEEP + 1):
        moves = [
            (state, seat, move)
            for state in states
            for seat in sorted(game.to_move(state))
            for move in game.legal_moves(state, seat)
        ]
        yield len(moves)
        if len(moves) > MANY:
            return
        states = [game.apply(*each, SeededChance(depth))[0] for each in moves]
