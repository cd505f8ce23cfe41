"""The worked examples of 7776: throws, whole tables, and exact odds over all throws."""

import json
from itertools import combinations_with_replacement
from math import factorial, prod
from pathlib import Path
from typing import Any

import pytest

from games.rules.chance import Draw, RecordedChance
from games.rules.dice7776 import COMBINATIONS, Combination, Dice7776, Options, points, table
from games.rules.game import Move, Seat, encode, play, replay

VECTORS = json.loads((Path(__file__).parents[2] / "vectors" / "7776.json").read_text())
GAME = Dice7776()


def rolls(throws: list[list[int]]) -> list[Draw]:
    return [("roll", throw) for throw in throws]


@pytest.mark.parametrize("example", VECTORS["throws"], ids=lambda example: example["note"])
def test_all_sixteen_combinations_on_a_throw(example: dict[str, Any]) -> None:
    first, second = example["throws"]
    assert table(first + second) == table(second + first) == example["scores"]
    assert {each: points(each, first + second) for each in COMBINATIONS} == example["scores"]


@pytest.mark.parametrize("example", VECTORS["tables"], ids=lambda example: example["note"])
@pytest.mark.parametrize("order", [(0, 1), (1, 0)], ids=["seat 0 chooses first", "seat 1 chooses first"])
def test_a_whole_table(example: dict[str, Any], order: tuple[int, int]) -> None:
    rounds = example["rounds"]
    state, _ = GAME.start(2, Options(), RecordedChance(rolls(rounds[0]["throws"])))
    for number, (this, following) in enumerate(zip(rounds, [*rounds[1:], None], strict=True), start=1):
        assert GAME.view(state, None).round == number
        luck = RecordedChance(rolls(following["throws"]) if following else [])
        for seat in order:
            state, events = play(GAME, state, seat, f"choose {this['choices'][seat]}", luck)
        luck.finish()
        assert encode_json(events[1].data) == {"round": number, **this}
        assert list(GAME.scores(state)) == this["scores"]
    shown = [{name: this[name] for name in ("throws", "choices", "points")} for this in rounds]
    assert encode_json(GAME.view(state, None))["history"] == shown
    assert GAME.outcome(state, frozenset()) is not None


@pytest.mark.parametrize("example", VECTORS["tables"], ids=lambda example: example["note"])
def test_a_whole_table_is_replayed_from_its_throws_and_choices(example: dict[str, Any]) -> None:
    throws = [rolls(this["throws"]) for this in example["rounds"]]
    first_choices: list[tuple[Seat, Move, list[Draw]]] = [
        (0, f"choose {this['choices'][0]}", []) for this in example["rounds"]
    ]
    second_choices = [
        (1, f"choose {this['choices'][1]}", luck)
        for this, luck in zip(example["rounds"], [*throws[1:], []], strict=True)
    ]
    moves = [move for pair in zip(first_choices, second_choices, strict=True) for move in pair]
    state = replay(GAME, 2, Options(), throws[0], moves)
    assert list(GAME.scores(state)) == example["rounds"][-1]["scores"]


def encode_json(value: Any) -> Any:
    return json.loads(json.dumps(encode(value)))


@pytest.fixture(scope="module")
def all_throws() -> dict[tuple[int, ...], int]:
    """The 3003 ways in which ten dice can fall, unordered, and how many of the 6¹⁰ ordered ones each is."""
    return {
        dice: factorial(10) // prod(factorial(dice.count(face)) for face in range(1, 7))
        for dice in combinations_with_replacement(range(1, 7), 10)
    }


def test_all_throws_are_counted(all_throws: dict[tuple[int, ...], int]) -> None:
    assert len(all_throws) == 3003
    assert sum(all_throws.values()) == 6**10


@pytest.mark.parametrize("combination", COMBINATIONS)
def test_the_exact_odds_over_all_throws(
    combination: Combination, all_throws: dict[tuple[int, ...], int]
) -> None:
    fails = total = 0
    for dice, ways in all_throws.items():
        brought = points(combination, dice)
        fails += ways * (brought < 0)  # whatever succeeds brings at least 2
        total += ways * brought
    exact = VECTORS["exact_over_all_throws"][combination]
    assert fails / 6**10 == pytest.approx(exact["p_fail"], rel=1e-14, abs=0)
    assert total / 6**10 == pytest.approx(exact["mean_score"], rel=1e-14)
