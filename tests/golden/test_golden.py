"""Games that were once played lead to the same end, and can begin in as many ways as ever.

Where a rule changes on purpose, its `rules_version` goes up and `python -m tests.golden` writes new records.
"""

import pytest

from games.rules.game import options_from, replay
from games.rules.registry import GAMES
from tests.golden.record import Record, digest, read, settings, ways

RECORDS = [
    pytest.param(slug, record, id=f"{slug}-{number}")
    for slug in GAMES
    for number, record in enumerate(read(slug), start=1)
]


@pytest.mark.parametrize(("slug", "record"), RECORDS)
def test_a_recorded_game_leads_to_the_same_end(slug: str, record: Record) -> None:
    game = GAMES[slug]
    options = options_from(game, record.options)
    state = replay(game, record.seats, options, record.drawn, record.moves)
    assert game.scores(state) == record.scores
    assert game.outcome(state, frozenset()) == record.outcome
    assert digest(state) == record.state


@pytest.mark.parametrize(("slug", "record"), RECORDS)
def test_a_game_can_begin_in_as_many_ways(slug: str, record: Record) -> None:
    game = GAMES[slug]
    assert tuple(ways(game, record.seats, options_from(game, record.options))) == record.ways


@pytest.mark.parametrize("slug", GAMES)
def test_there_is_a_record_of_each_kind_of_table(slug: str) -> None:
    game = GAMES[slug]
    recorded = [(record.seats, options_from(game, record.options)) for record in read(slug)]
    assert recorded == settings(game)
