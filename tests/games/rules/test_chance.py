"""Luck: drawn live and noted, or handed back as it was recorded and in no other way."""

from collections import Counter
from collections.abc import Hashable, Iterable
from itertools import permutations
from math import sqrt

import pytest

from games.rules.chance import ChanceMismatch, LiveChance, RecordedChance


def test_a_roll_gives_as_many_dice_as_were_asked_for_each_with_a_face_of_1_to_6() -> None:
    for dice in range(9):
        faces = LiveChance().roll(dice)
        assert len(faces) == dice
        assert set(faces) <= {1, 2, 3, 4, 5, 6}


@pytest.mark.parametrize("size", [0, 1, 2, 7, 28])
def test_a_shuffle_is_a_permutation(size: int) -> None:
    assert sorted(LiveChance().shuffle(size)) == list(range(size))


def test_live_luck_notes_what_it_gave_in_order() -> None:
    chance = LiveChance()
    given = [("roll", chance.roll(5)), ("shuffle", chance.shuffle(28)), ("roll", chance.roll(8))]
    assert chance.drawn == given


def test_live_luck_is_new_at_every_call() -> None:
    chance = LiveChance()
    assert len({chance.roll(50) for _ in range(20)}) == 20
    assert len({chance.shuffle(50) for _ in range(20)}) == 20


def test_every_face_is_equally_likely() -> None:
    assert_uniform(LiveChance().roll(60_000), range(1, 7))


def test_every_order_of_a_shuffle_is_equally_likely() -> None:
    chance = LiveChance()
    assert_uniform((chance.shuffle(4) for _ in range(24_000)), permutations(range(4)))


def assert_uniform(draws: Iterable[Hashable], possible: Iterable[Hashable]) -> None:
    """Within eight standard deviations: sound luck fails this less than once in 10¹³ runs."""
    counts = Counter(draws)
    values = list(possible)
    each = counts.total() / len(values)
    bound = 8 * sqrt(each * (1 - 1 / len(values)))
    assert set(counts) <= set(values)
    assert all(abs(counts[value] - each) < bound for value in values)


def test_recorded_luck_gives_again_what_was_drawn() -> None:
    live = LiveChance()
    given = [live.roll(5), live.shuffle(7), live.roll(8)]
    recorded = RecordedChance(live.drawn)
    assert [recorded.roll(5), recorded.shuffle(7), recorded.roll(8)] == given
    recorded.finish()


def test_recorded_luck_gives_tuples_of_the_lists_that_json_makes_of_them() -> None:
    recorded = RecordedChance([("roll", [1, 6]), ("shuffle", [1, 0])])
    assert recorded.roll(2) == (1, 6)
    assert recorded.shuffle(2) == (1, 0)


def test_asking_for_more_than_was_recorded_is_refused() -> None:
    with pytest.raises(ChanceMismatch, match="nothing is recorded"):
        RecordedChance([]).roll(5)


def test_asking_for_another_number_of_dice_is_refused() -> None:
    with pytest.raises(ChanceMismatch, match="a roll of 5 was asked for, a roll of 2 is recorded"):
        RecordedChance([("roll", (1, 2))]).roll(5)


def test_asking_for_another_size_of_shuffle_is_refused() -> None:
    with pytest.raises(ChanceMismatch, match="a shuffle of 3 was asked for, a shuffle of 2 is recorded"):
        RecordedChance([("shuffle", (1, 0))]).shuffle(3)


def test_asking_for_dice_where_a_shuffle_is_recorded_is_refused() -> None:
    with pytest.raises(ChanceMismatch, match="a roll of 2 was asked for, a shuffle of 2 is recorded"):
        RecordedChance([("shuffle", (1, 0))]).roll(2)


def test_asking_for_a_shuffle_where_dice_are_recorded_is_refused() -> None:
    with pytest.raises(ChanceMismatch, match="a shuffle of 2 was asked for, a roll of 2 is recorded"):
        RecordedChance([("roll", (1, 1))]).shuffle(2)


@pytest.mark.parametrize("face", [0, 7, -1])
def test_a_recorded_die_without_a_face_of_1_to_6_is_refused(face: int) -> None:
    with pytest.raises(ChanceMismatch, match="no face"):
        RecordedChance([("roll", (1, face))]).roll(2)


@pytest.mark.parametrize("order", [(0, 0), (1, 2), (0, -1)])
def test_a_recorded_order_that_is_no_permutation_is_refused(order: tuple[int, ...]) -> None:
    with pytest.raises(ChanceMismatch, match="no permutation"):
        RecordedChance([("shuffle", order)]).shuffle(2)


def test_recorded_luck_that_is_left_over_is_refused_at_the_end() -> None:
    recorded = RecordedChance([("roll", (1,)), ("roll", (2,)), ("roll", (3,))])
    recorded.roll(1)
    with pytest.raises(ChanceMismatch, match="2 recorded draws were not used"):
        recorded.finish()
