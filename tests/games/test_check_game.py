"""`manage.py check_game`: a game that keeps its promises is told so, and any other is not."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from games.rules.registry import GAMES
from tests.games.rules.broken import ShowsTheOthersThrow


def test_a_game_that_keeps_its_promises_is_told_so() -> None:
    out = StringIO()
    call_command("check_game", "7776", stdout=out)
    assert out.getvalue() == "7776 keeps its promises in 1 games.\n"


def test_a_game_that_breaks_one_is_told_which_and_with_what(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "7776", ShowsTheOthersThrow())
    with pytest.raises(CommandError, match=r"7776: with 2 seats and \{\}: "):
        call_command("check_game", "7776")


def test_only_games_of_the_registry_can_be_checked() -> None:
    with pytest.raises(CommandError, match="invalid choice: 'chess'"):
        call_command("check_game", "chess")
