"""The verifier's 7776 does what the worked examples in tests/vectors say."""

from typing import Any

import pytest

from tests.verify.program import VECTORS, luck, read, verifier

EXAMPLES = read(VECTORS / "7776.json")


def throws(of_round: dict[str, Any]) -> list[list[Any]]:
    return [["roll", faces] for faces in of_round["throws"]]


@pytest.mark.parametrize("example", EXAMPLES["throws"], ids=lambda example: example["note"])
def test_ten_dice_give_each_combination_its_points(example: dict[str, Any]) -> None:
    dice = [face for throw in example["throws"] for face in throw]
    given = {name: verifier.points(name, dice) for name in verifier.COMBINATIONS}
    assert given == example["scores"]


@pytest.mark.parametrize("table", EXAMPLES["tables"], ids=lambda table: table["note"])
@pytest.mark.parametrize("order", [(0, 1), (1, 0)], ids=str)
def test_a_whole_game_is_scored_round_by_round_whoever_chooses_first(
    table: dict[str, Any], order: tuple[int, int]
) -> None:
    rounds = table["rounds"]
    game = verifier.SevenSevenSevenSix(2, {}, luck(*throws(rounds[0])))
    for now, following in zip(rounds, [*rounds[1:], None], strict=True):
        for seat in order:
            move = f"choose {now['choices'][seat]}"
            assert seat in game.to_move()
            assert move in game.legal(seat)
            drawn = throws(following) if following and seat == order[1] else []
            game.apply(seat, move, luck(*drawn))
        assert game.scores() == now["scores"]
    assert game.over
    assert game.to_move() == []


def test_equal_totals_are_a_draw() -> None:
    game = verifier.SevenSevenSevenSix(2, {}, luck(["roll", [1] * 5], ["roll", [1] * 5]))
    game.points = [7, 7]
    assert game.winners([0, 1]) == [0, 1]
    assert game.winners([1]) == [1]


def test_a_seat_that_has_chosen_is_not_to_move_again() -> None:
    game = verifier.SevenSevenSevenSix(2, {}, luck(["roll", [1] * 5], ["roll", [1] * 5]))
    game.apply(1, "choose poker", luck())
    assert game.to_move() == [0]
