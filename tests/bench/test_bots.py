"""The benchmark of the bots asks for every level in every game, and counts what they keep."""

import pytest

from bench.bots import acts, decisions, ends, kept, measure, table
from games.bots import BOTS, LEVELS
from games.rules.registry import GAMES


@pytest.mark.parametrize("slug", BOTS)
def test_each_level_the_odds_and_the_luck_are_measured(slug: str) -> None:
    game = GAMES[slug]
    found = measure(game, ends(game)[0], 3, seed=1)
    assert list(found) == [*LEVELS, "odds", "luck"] == list(acts(game))
    assert all(len(taken) == 3 for taken in found.values())
    assert f"{slug}, 2 seats  strong" in table({f"{slug}, 2 seats": found})


@pytest.mark.parametrize("slug", BOTS)
def test_only_decisions_with_a_choice_count(slug: str) -> None:
    asked = decisions(GAMES[slug], 2, seed=1)
    for at in (next(asked) for _ in range(20)):
        assert len(at.legal_moves) > 1
        assert at.move in at.legal_moves


def test_what_is_kept_is_told_in_megabytes() -> None:
    assert kept(1, seed=1) < 100
