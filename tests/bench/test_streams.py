"""Messages to many watchers: a long run is looked at in stretches, so that it has a spread."""

from bench.streams import stretches


def test_a_run_is_looked_at_in_five_stretches() -> None:
    seconds = [n / 1_000 for n in range(1, 31)]
    assert stretches(seconds, 1) == [6, 12, 18, 24, 30]


def test_a_short_run_is_looked_at_message_by_message() -> None:
    assert stretches([0.003, 0.001], 0.5) == [3, 1]


def test_what_is_left_over_makes_no_stretch_of_its_own() -> None:
    assert stretches([0.001] * 13, 0.5) == [1] * 6
