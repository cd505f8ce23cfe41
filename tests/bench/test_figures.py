"""Figures: medians, quantiles, and tables in plain text."""

import pytest

from bench.figures import Figure, columns, quantile, short


def test_a_figure_is_the_median_with_the_least_and_the_greatest() -> None:
    assert Figure.of([3, 1, 2]) == Figure(2, 1, 3)


def test_no_samples_give_no_figure() -> None:
    with pytest.raises(ValueError, match="samples"):
        Figure.of([])


@pytest.mark.parametrize(
    ("share", "value"), [(0.5, 50), (0.99, 99), (0.991, 100), (1, 100), (0.01, 1), (0.001, 1)]
)
def test_a_quantile_is_a_value_that_was_measured(share: float, value: int) -> None:
    assert quantile(range(100, 0, -1), share) == value


def test_the_99th_of_few_is_the_greatest() -> None:
    assert quantile([5, 1, 3], 0.99) == 5


@pytest.mark.parametrize(
    ("value", "text"), [(1234.5, "1,234"), (56.78, "56.8"), (1.234, "1.23"), (0.1234, "0.123")]
)
def test_numbers_are_shown_by_the_digits_that_count(value: float, text: str) -> None:
    assert short(value) == text


def test_columns_are_as_wide_as_their_widest_cell() -> None:
    assert (
        columns(["", "rate"], [["moves", "1,234"], ["a", "5"]]) == "        rate\nmoves  1,234\na          5"
    )
