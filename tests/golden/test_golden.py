"""Games that were once played lead to the same end, and can go in as many ways as ever, version by version.

Where a rule changes on purpose, its `rules_version` goes up and `python -m tests.golden` writes new files.
"""

from dataclasses import replace
from typing import Any

import pytest

from games.rules import hidden
from games.rules.chance import Chance
from games.rules.dominoes import Dominoes, State
from games.rules.game import Game, Step, each_state, options_from
from games.rules.registry import EARLIER, GAMES
from tests.golden import counts
from tests.golden.__main__ import is_kept
from tests.golden.record import digest, read, tables

PLAYED = [pytest.param(game, id=f"{game.slug}-{game.rules_version}") for game in (*GAMES.values(), *EARLIER)]


@pytest.mark.parametrize("game", PLAYED)
def test_recorded_games_lead_to_the_same_end(game: Game[Any, Any]) -> None:
    for record in read(game):
        options = options_from(game, record.options)
        states = list(each_state(game, record.seats, options, record.drawn, record.moves))
        assert game.scores(states[-1]) == record.scores
        assert game.outcome(states[-1], frozenset()) == record.outcome
        # A table that goes on across an upgrade has these stored: other fields or values are other rules.
        assert digest(states) == record.states


@pytest.mark.parametrize("game", PLAYED)
def test_there_is_a_record_of_each_kind_of_table(game: Game[Any, Any]) -> None:
    assert [(record.seats, options_from(game, record.options)) for record in read(game)] == tables(game)


@pytest.mark.parametrize("game", PLAYED)
def test_a_game_can_go_in_as_many_ways(game: Game[Any, Any]) -> None:
    assert counts.text(game).splitlines() == counts.path(game).read_text().splitlines()


class Otherwise(Dominoes):
    """The same game to its end, whose first state is stored otherwise."""

    def start(self, seats: int, options: Any, chance: Chance) -> Step[State]:
        state, events = super().start(seats, options, chance)
        return replace(state, at_most=tuple(hidden.anything(len(hand)) for hand in state.hands)), events


def test_what_is_stored_is_not_changed_without_a_new_version_not_even_by_writing_anew() -> None:
    assert is_kept(GAMES["dominoes"])
    assert not is_kept(Otherwise())


def test_a_line_counts_once_for_each_way_to_move() -> None:
    """7776: two seats with sixteen choices each, then the other's sixteen, then the next round's fifteen."""
    assert list(counts.lines(GAMES["7776"], 2, GAMES["7776"].options_type())) == [32, 512, 512 * 30]
