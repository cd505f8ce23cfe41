"""What docs/bots.md says of the bots is so, and its examples run."""

import json
import re
import shlex
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from config.embedded.process import ROOT
from games.bots import BOTS, LEVELS
from games.bots.dice7776_rest import EVERY, worth
from games.rules.game import encode
from games.rules.registry import GAMES
from tests.games.rules.seeded import SeededChance

PAGE = (ROOT / "docs" / "bots.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_every_level_of_every_game_is_told() -> None:
    told = re.findall(r"^\| `(\w+)` \| [^|]+ \|$", PAGE, re.MULTILINE)
    assert told == [*LEVELS] * len(BOTS)


def test_the_best_expected_total_of_7776_has_six_digits() -> None:
    assert f"**{worth(EVERY):.6f}** points" in PAGE


def test_the_mind_of_a_bot_that_it_shows_chooses() -> None:
    [source] = blocks("python")
    names: dict[str, Any] = {}
    exec(source, names)  # the page's own example
    assert names["choose"]({"legal_moves": ["roll", "collect 21", "collect 23", "steal 22"]}) == "collect 23"
    assert names["choose"]({"legal_moves": ["save 1", "save W"]}) == "save 1"


def test_the_odds_that_it_shows_have_the_members_of_those_that_are_told() -> None:
    [shown] = map(json.loads, blocks("json"))
    game = GAMES["7776"]
    state, _ = game.start(2, game.options_type(), SeededChance(1))
    legal = game.legal_moves(state, 0)
    told = encode(BOTS["7776"].odds(game.view(state, 0), legal, game.options_type(), 0))
    [move] = shown["moves"]
    assert move.keys() == told[0].keys()
    assert move["detail"].keys() == told[0]["detail"].keys() == BOTS["7776"].DETAIL.keys()
    assert move["move"] in legal
    assert shown["best"] == move["move"]
    assert shown["unit"] == BOTS["7776"].UNIT


@pytest.mark.parametrize(
    "line", re.findall(r"^\$ \.venv/bin/python manage\.py (arena .+)$", PAGE, re.MULTILINE)
)
def test_its_arena_is_held_as_it_says(line: str) -> None:
    out = StringIO()
    call_command(*shlex.split(line), "--games", "2", stdout=out)
    assert "wins" in out.getvalue()
