"""Rules alone: every game is measured whole, and block dominoes is the game that it is said to be."""

import pytest

from bench.rules import block_games, games, measure, run, table
from games.rules.registry import GAMES

MEASURED = {"legal moves", "play", "view", "encode", "decode", "games/s", "moves/s"}


@pytest.mark.parametrize("slug", GAMES)
def test_all_that_a_move_asks_is_measured(slug: str) -> None:
    found = measure(GAMES[slug], 1, seed=1)
    assert found.keys() == MEASURED
    assert all(value > 0 for value in found.values())


@pytest.mark.parametrize("slug", GAMES)
def test_a_seed_gives_the_same_games(slug: str) -> None:
    assert list(games(GAMES[slug], 1, seed=7)) == list(games(GAMES[slug], 1, seed=7))


def test_block_dominoes_has_no_more_moves_than_tiles_that_were_dealt() -> None:
    _, moves = block_games(20, seed=1)
    assert 20 * 2 < moves <= 20 * 14


def test_every_game_has_a_line() -> None:
    lines = table([run(1, 1, None), run(1, 2, None)]).splitlines()
    assert [line.split()[0] for line in lines[1:]] == list(GAMES)
