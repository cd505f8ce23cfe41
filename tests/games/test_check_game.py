"""`manage.py check_game`: a game that keeps its promises is told so, and any other is not."""

from io import StringIO
from typing import ClassVar

import pytest
from django.core.management import CommandError, call_command

from games.api import MoveShape
from games.models import Event, Move, Table
from games.rules import registry
from games.rules.game import LONGEST_KIND, LONGEST_MOVE, LONGEST_SLUG
from games.rules.registry import GAMES
from tests.games.rules.broken import ShowsTheOthersThrow


class BrokenLater(ShowsTheOthersThrow):
    rules_version: ClassVar[int] = 2


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


def test_earlier_rules_are_checked_when_their_version_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "EARLIER", (GAMES["7776"],))
    monkeypatch.setitem(GAMES, "7776", BrokenLater())
    out = StringIO()
    call_command("check_game", "7776", "--rules-version", "1", stdout=out)
    assert out.getvalue() == "7776 keeps its promises in 1 games.\n"
    with pytest.raises(CommandError, match="7776: with 2 seats"):
        call_command("check_game", "7776")
    with pytest.raises(CommandError, match="no rules of 7776 in version 3"):
        call_command("check_game", "7776", "--rules-version", "3")


def test_what_the_contract_lets_through_has_room_where_it_is_stored() -> None:
    assert Table._meta.get_field("game").max_length == LONGEST_SLUG
    assert Move._meta.get_field("move").max_length == LONGEST_MOVE
    assert Event._meta.get_field("kind").max_length == LONGEST_KIND
    assert MoveShape(data={"move": "x" * LONGEST_MOVE}).is_valid()
