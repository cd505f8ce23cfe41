"""The arena: bots play each other without a database, and the count is right."""

import re
from collections.abc import Iterator
from io import StringIO
from itertools import count
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.bots import POLICIES
from games.bots.arena import Entrant, contest
from games.rules.chance import Chance
from games.rules.game import BadOptions, IllegalMove, Outcome
from games.rules.registry import GAMES
from tests.games.rules.seeded import SeededChance


def chances(games: int) -> Iterator[Chance]:
    return (SeededChance(seed) for seed in range(games))


def met(slug: str, levels: list[str], games: int, **options: Any) -> list[Entrant]:
    seconds = count()
    return contest(GAMES[slug], levels, options, chances(games), lambda: next(seconds))


def run(*given: str) -> str:
    told = StringIO()
    call_command("arena", *given, stdout=told)
    return told.getvalue()


@pytest.mark.parametrize("slug", GAMES)
def test_every_game_is_played_with_every_number_of_seats(slug: str) -> None:
    for seats in GAMES[slug].seats:
        entrants = met(slug, ["easy"] * seats, 2)
        assert [len(entrant.scores) for entrant in entrants] == [2] * seats
        assert sum(entrant.share for entrant in entrants) == pytest.approx(1)


def test_the_same_luck_brings_the_same_games() -> None:
    one, other = (met("7776", ["normal", "easy"], 6) for _ in range(2))
    assert one == other


def test_the_seats_turn_with_every_game() -> None:
    """With the same luck twice, the same two bots get each other's scores."""
    levels = ["easy", "easy"]
    pair = contest(GAMES["7776"], levels, {}, iter([SeededChance(1), SeededChance(1)]), lambda: 0.0)
    assert pair[0].scores == pair[1].scores[::-1]


def test_options_are_those_of_the_table() -> None:
    [short, _] = met("dominoes", ["easy", "easy"], 4, target=0)
    [long, _] = met("dominoes", ["easy", "easy"], 4, target=200)
    assert len(short.seconds) < len(long.seconds)
    with pytest.raises(BadOptions):
        met("dominoes", ["easy", "easy"], 1, target=-1)


def test_every_decision_is_timed() -> None:
    [entrant, other] = met("7776", ["easy", "normal"], 3)
    assert list(entrant.seconds) == list(other.seconds) == [1.0] * 48
    entrant.seconds[0] = 5.0
    assert (entrant.slower_than(0.5), entrant.slower_than(1)) == (1.0, 5.0)


def test_a_shared_win_is_a_part_of_one() -> None:
    entrant = Entrant("easy")
    entrant.add(0, Outcome((0,), "played_out", (9, 1)))
    entrant.add(0, Outcome((0, 1), "played_out", (5, 5)))
    entrant.add(1, Outcome((0,), "played_out", (9, 1)))
    assert (entrant.wins, entrant.shared, entrant.share) == (1, 1, 0.5)
    assert entrant.score == 5


def test_the_interval_is_two_standard_errors_of_the_shares() -> None:
    """100 games, 60 of them won: 60 % within 1.96 × √(0.6 × 0.4 / 99)."""
    entrant = Entrant("easy", shares=[1.0] * 60 + [0.0] * 40)
    assert entrant.interval == pytest.approx((0.6 - 0.09651, 0.6 + 0.09651), abs=1e-5)


def test_an_interval_stays_within_what_is_possible() -> None:
    assert Entrant("easy", shares=[1.0, 0.0]).interval == (0, 1)


def test_a_bot_that_breaks_the_rules_is_told_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(POLICIES["7776"], "easy", lambda *_: "choose wisely")
    with pytest.raises(IllegalMove):
        met("7776", ["easy", "normal"], 1)


def test_the_command_prints_wins_scores_and_times() -> None:
    told = run("7776", "--seats", "normal,easy", "--games", "20", "--seed", "a")
    assert told.startswith("7776, 20 games, seed a, options {}\neven would be 50.0%\nnormal   wins ")
    assert re.search(r"mean score -?\d+\.\d\d \(-?\d+\.\d\d to -?\d+\.\d\d\)", told)
    assert "p99" in told


def test_the_command_needs_no_database() -> None:
    """No fixture here lets a test use one: a query would raise."""
    assert "target" in run(
        "dominoes", "--seats", "easy,easy,easy", "--games", "1", "--options", '{"target": 0}'
    )


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (["--seats", "easy,grand"], "has no bots grand"),
        (["--seats", "easy"], "has 2 to 2 seats"),
        (["--games", "0"], "--games"),
        (["--options", "{"], "--options"),
        *((["--options", text], "--options") for text in ("[]", "[[]]", "5", "null", '"first"')),
        (["--options", '{"target": 1}'], "--options"),
    ],
)
def test_the_command_says_what_it_can_not_do(given: list[str], why: str) -> None:
    with pytest.raises(CommandError, match=why):
        run("7776", *given)
