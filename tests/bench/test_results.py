"""Runs on disk: what a new run is compared with, and when a change counts."""

from pathlib import Path
from typing import Literal

import pytest

from bench.results import Result, kept, load, merged, result, save, table, verdict
from bench.run import Line

Better = Literal["more", "less"]


def line(*ours: float, better: Better = "more", name: str = "moves") -> Line:
    return Line.of(name, "per second", ours, "pgbench", [100.0] * len(ours), better)


def test_each_sample_is_compared_with_the_one_beside_it() -> None:
    made = Line.of("moves", "per second", [10, 40, 90], "pgbench", [100, 200, 300])
    assert made.ratio.median == pytest.approx(0.2)
    assert made.ratio.least == pytest.approx(0.1)
    assert made.ratio.greatest == pytest.approx(0.3)


def test_samples_without_one_beside_them_are_refused() -> None:
    with pytest.raises(ValueError, match="zip"):
        Line.of("moves", "per second", [10, 40], "pgbench", [100])


@pytest.mark.parametrize(
    ("now", "before", "better", "said"),
    [
        ((20, 21, 22), (40, 41, 42), "more", "-49% WORSE"),
        ((40, 41, 42), (20, 21, 22), "more", "+95% better"),
        ((40, 41, 42), (20, 21, 22), "less", "+95% WORSE"),
        ((20, 21, 22), (40, 41, 42), "less", "-49% better"),
        ((20, 30, 45), (40, 41, 42), "more", "-27%"),  # the spreads touch: it may be chance
        ((38, 38, 38), (40, 41, 42), "more", "-7%"),  # less than anybody would act on
    ],
)
def test_a_change_is_marked_when_it_is_great_and_beyond_chance(
    now: tuple[float, ...], before: tuple[float, ...], better: Better, said: str
) -> None:
    assert verdict(line(*now, better=better), line(*before, better=better)) == said


def test_a_line_that_is_new_has_nothing_to_be_compared_with() -> None:
    run, before = result("full", {"moves": [line(1, name="new")]}), result("full", {"moves": [line(1)]})
    assert table(run, before).splitlines()[-1].endswith("new")


def test_a_saved_run_is_read_back(tmp_path: Path) -> None:
    run = result("full", {"moves": [line(1, 2, 3)], "views": [line(4, better="less")]})
    save(run, tmp_path / "results" / "last.json")
    assert load(tmp_path / "results" / "last.json") == run


def test_there_need_be_no_run_before(tmp_path: Path) -> None:
    assert load(tmp_path / "last.json") is None


def test_a_run_of_one_bench_leaves_the_others_of_the_last_run() -> None:
    last = Result("then", "", "full", {"moves": [line(1)], "views": [line(2)]})
    new = Result("now", "", "full", {"views": [line(3)]})
    assert merged(last, new) == Result("now", "", "full", {"moves": [line(1)], "views": [line(3)]})


def test_runs_of_different_sizes_are_kept_apart() -> None:
    assert kept("full") != kept("quick")


def test_the_run_that_is_in_the_repository_can_be_compared_with() -> None:
    run = load(kept("full"))
    assert run is not None
    assert table(run, run).count("+0%") == sum(map(len, run.benches.values()))
