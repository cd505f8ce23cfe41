"""The best way through the rest of a Pickomino turn: exact, as the table of chances and slow play say."""

import csv
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from games.bots.pickomino_turn import START, TOTALS, Payoffs, Spot, counted, reaching, rest
from games.rules.pickomino import FACES, worms

VECTORS = Path(__file__).parents[2] / "vectors"
TABLE = list(csv.DictReader((VECTORS / "pickomino_turn_table.csv").read_text().splitlines()))

FIRST_TURN = Payoffs(
    tuple(float(worms(min(total, 36))) if total >= 21 else None for total in TOTALS), bust=0.0
)
"""In worms, with every domino on the BBQ and no stack to lose from."""

# As no table has them: gaps between the totals, takes that lose, and a bust that is better than most of them.
UNEVEN = Payoffs(tuple({21: -2.0, 25: 3.5, 30: 1.0}.get(total) for total in TOTALS), bust=-0.5)
DREADED = Payoffs(tuple(total / 10 - 3 if total >= 21 else None for total in TOTALS), bust=0.25)

SPOTS = [
    Spot(("W",), 3, 25),
    Spot((5,), 3, 25),
    Spot((1, 2, "W"), 3, 14),
    Spot((1, 2, 4, 5), 2, 21),
    Spot((3, 4, 5, "W"), 2, 25),
    Spot((1, 2, 3, 4, "W"), 1, 21),
    Spot((1, 2, 3, 4, 5), 1, 25),
]


@cache
def slow(spot: Spot, payoffs: Payoffs, other: Payoffs) -> tuple[float, float]:
    """What a spot after a save brings, and of something else: by trying every throw, dice in order."""
    roll = slow_roll(spot, payoffs, other)
    value, also = payoffs.takes[spot.total], other.takes[spot.total]
    stop = None if value is None or also is None or "W" not in spot.numbers else (value, also)
    return max((each for each in (stop, roll) if each), default=(payoffs.bust, other.bust))


@cache
def slow_roll(spot: Spot, payoffs: Payoffs, other: Payoffs) -> tuple[float, float] | None:
    if not spot.dice_left or len(spot.numbers) == len(FACES):
        return None
    throws = list(product(FACES, repeat=spot.dice_left))
    found = [
        max(
            (
                slow(spot.saving(face, throw.count(face)), payoffs, other)
                for face in {*throw}.difference(spot.numbers)
            ),
            default=(payoffs.bust, other.bust),
        )
        for throw in throws
    ]
    return sum(value for value, _ in found) / len(throws), sum(also for _, also in found) / len(throws)


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row["total"])
def test_a_turn_reaches_at_least_each_total_as_often_as_the_table_says(row: dict[str, str]) -> None:
    reached = reaching(int(row["total"])).after_rolling(START)
    assert reached == pytest.approx(float(row["p_at_least_with_worm"]), abs=1e-12)
    assert reached == pytest.approx(int(row["p_at_least_numerator_over_6pow36"]) / 6**36, rel=1e-12)


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row["total"])
def test_a_turn_reaches_exactly_each_total_as_often_as_the_table_says(row: dict[str, str]) -> None:
    total = int(row["total"])
    reached = reaching(total, total).after_rolling(START)
    assert reached == pytest.approx(float(row["p_exact_with_worm"]), abs=1e-12)
    assert reached == pytest.approx(int(row["p_exact_numerator_over_6pow36"]) / 6**36, rel=1e-12)


def test_the_table_has_every_total_from_21_to_40() -> None:
    assert [int(row["total"]) for row in TABLE] == list(range(21, 41))


def test_the_first_turn_of_a_game_brings_1_64473_worms() -> None:
    assert rest(FIRST_TURN).after_rolling(START) == pytest.approx(1.64473, abs=5e-6)


@pytest.mark.parametrize("payoffs", [FIRST_TURN, UNEVEN, DREADED], ids=["first turn", "uneven", "dreaded"])
@pytest.mark.parametrize("spot", SPOTS, ids=str)
def test_it_finds_what_trying_every_throw_finds(spot: Spot, payoffs: Payoffs) -> None:
    after_rolling, _ = slow_roll(spot, payoffs, payoffs) or (0, 0)
    after_saving, _ = slow(spot, payoffs, payoffs)
    assert rest(payoffs).after_rolling(spot) == pytest.approx(after_rolling)
    assert rest(payoffs).after_saving(spot) == pytest.approx(after_saving)


@pytest.mark.parametrize("payoffs", [FIRST_TURN, DREADED], ids=["first turn", "dreaded"])
@pytest.mark.parametrize("spot", SPOTS, ids=str)
def test_it_counts_something_else_on_the_way_of_the_best_play(spot: Spot, payoffs: Payoffs) -> None:
    busts = Payoffs(tuple(0.0 if total >= 21 else None for total in TOTALS), bust=1.0)
    _, after_rolling = slow_roll(spot, payoffs, busts) or (0, 0)
    _, after_saving = slow(spot, payoffs, busts)
    assert counted(payoffs, busts).after_rolling(spot) == pytest.approx(after_rolling)
    assert counted(payoffs, busts).after_saving(spot) == pytest.approx(after_saving)


def test_to_count_what_it_plays_for_changes_nothing() -> None:
    assert counted(FIRST_TURN, FIRST_TURN).after_rolling(START) == rest(FIRST_TURN).after_rolling(START)


def test_a_take_that_is_worse_than_a_bust_is_made_where_there_is_nothing_else() -> None:
    assert rest(DREADED).after_saving(Spot(FACES, 1, 21)) == pytest.approx(-0.9)


def test_with_no_dice_left_and_nothing_to_take_it_is_a_bust() -> None:
    assert rest(UNEVEN).after_saving(Spot((4, 5), 0, 36)) == -0.5
    assert rest(UNEVEN).after_saving(Spot((4, "W"), 0, 36)) == -0.5
