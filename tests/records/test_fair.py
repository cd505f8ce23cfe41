"""Luck that anybody can check: as docs/fairness.md specifies it, and even at every place."""

import hmac
import json
import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from games.rules.chance import StreamChance
from games.rules.fair import Luck, commitment, u32
from games.rules.verify import verify

PAGE = Path(__file__).parents[2] / "docs" / "fairness.md"
TABLE = "0197d0a4-9f10-7b52-8d3c-1a2b3c4d5e6f"

# The values that chi-square stays below in 99.9 of 100 trials, by degrees of freedom.
BELOW = {5: 20.52, 27: 55.48}


@cache
def examples() -> list[Any]:
    """What stands as JSON on the page."""
    blocks = re.findall(r"```json\n(.*?)```", PAGE.read_text(), re.DOTALL)
    return [json.loads(block) for block in blocks]


def cases() -> list[Any]:
    [vectors] = [example for example in examples() if "cases" in example]
    return list(vectors["cases"])


def luck_of(case: Any) -> Luck:
    return Luck(bytes.fromhex(case["server_seed"]), case["table"], tuple(case["client_seeds"]))


@pytest.mark.parametrize("case", cases())
def test_the_vectors_of_the_page(case: Any) -> None:
    luck = luck_of(case)
    assert commitment(luck.server_seed) == case["commitment"]
    for block in case["blocks"]:
        chance = luck.block(block["n"])
        for kind, values in block["draws"]:
            assert list(getattr(chance, kind)(len(values))) == values


def test_the_bytes_of_the_page() -> None:
    case = cases()[0]
    luck = luck_of(case)
    assert (luck.message(0) + u32(0)).hex() == case["message_0_0"]
    for name, chunk in case.items():
        if found := re.fullmatch(r"chunk_(\d+)_(\d+)", name):
            n, c = map(int, found.groups())
            made = hmac.digest(luck.server_seed, luck.message(n) + u32(c), "sha256")
            assert made.hex() == chunk


def test_the_record_of_the_page_is_true() -> None:
    [record] = [example for example in examples() if "lines" in example]
    assert verify(record).ok
    assert [line["kind"] for line in record["lines"]].count("left") == 2
    canonical = json.dumps({**record, "hash": None}, sort_keys=True, separators=(",", ":"))
    assert canonical.startswith('{"fairness":{"client_seeds":["c0ffee",null,"07"],"commitment":"630dcd29')


def test_the_verdict_of_the_page_is_the_answer_to_that_record_with_another_die() -> None:
    [record] = [json.loads(json.dumps(example)) for example in examples() if "lines" in example]
    [told] = [example for example in examples() if "whole" in example]
    record["lines"][0]["chance"][0][1][1] = 2
    verdict = verify(record)
    assert {name: getattr(verdict, name) for name in told} == told


def luck(client_seeds: tuple[str | None, ...] = ("c0ffee", None), table: str = TABLE, seed: int = 7) -> Luck:
    return Luck(bytes([seed] * 32), table, client_seeds)


def test_the_same_seeds_give_the_same_luck() -> None:
    assert luck().block(3).roll(50) == luck().block(3).roll(50)


@pytest.mark.parametrize(
    "other",
    [
        luck(seed=8),
        luck(table=TABLE.replace("0197", "0198")),
        luck(client_seeds=("c0ffed", None)),
        luck(client_seeds=(None, "c0ffee")),
        luck(client_seeds=("c0ffee", None, None)),
        luck(client_seeds=("0c0ffee", None)),
        luck(client_seeds=("c0ffee", "00")),
    ],
)
def test_other_seeds_another_table_or_other_seats_give_other_luck(other: Luck) -> None:
    assert other.block(3).roll(50) != luck().block(3).roll(50)


def test_every_block_has_luck_of_its_own() -> None:
    assert len({luck().block(number).roll(50) for number in range(100)}) == 100


def test_no_two_lists_of_client_seeds_make_the_same_message() -> None:
    seeds = [None, "0", "00", "a", "aa", "aaa"]
    lists = [(one, other) for one in seeds for other in seeds] + [(one,) for one in seeds]
    assert len({luck(client_seeds=each).message(0) for each in lists}) == len(lists)


def test_no_byte_is_used_twice() -> None:
    stream = iter(range(250))
    chance = StreamChance(stream)
    faces = chance.roll(100) + tuple(place + 1 for place in chance.shuffle(6))
    assert faces[:100] == tuple(number % 6 + 1 for number in range(100))
    assert next(stream) == 105


def test_pain_35_bytes_that_would_favour_some_faces_are_passed_over() -> None:
    assert StreamChance(iter([252, 253, 254, 255, 251, 0])).roll(2) == (6, 1)
    # 256 is no multiple of 3 either, but of 2.
    assert StreamChance(iter([255, 2, 255])).shuffle(3) == (0, 1, 2)


def test_the_seed_is_not_in_what_a_luck_looks_like() -> None:
    assert "07" * 4 not in repr(luck())
    assert "\\x07" not in repr(luck())


def test_a_shuffle_of_more_than_a_byte_can_choose_from_is_refused() -> None:
    assert sorted(luck().block(0).shuffle(256)) == list(range(256))
    with pytest.raises(ValueError, match="at most 256"):
        luck().block(0).shuffle(257)


def chi_square(counts: Counter[int], values: Iterable[int]) -> float:
    values = list(values)
    expected = counts.total() / len(values)
    return sum((counts[value] - expected) ** 2 / expected for value in values)


def test_a_million_dice_are_even_at_every_place_of_a_throw() -> None:
    throws = [luck().block(number).roll(8) for number in range(125_000)]
    for place in zip(*throws, strict=True):
        assert chi_square(Counter(place), range(1, 7)) < BELOW[5]
    assert chi_square(Counter(chain.from_iterable(throws)), range(1, 7)) < BELOW[5]


@pytest.mark.timeout(300)
def test_a_hundred_thousand_shuffles_are_even_at_every_place() -> None:
    shuffles = [luck().block(number).shuffle(28) for number in range(100_000)]
    for place in zip(*shuffles, strict=True):
        assert chi_square(Counter(place), range(28)) < BELOW[27]


def test_neighbouring_dice_are_even_too() -> None:
    dice = luck().block(0).roll(180_000)
    pairs = Counter(6 * one + other - 7 for one, other in zip(dice[::2], dice[1::2], strict=True))
    assert chi_square(pairs, range(36)) < 66.62  # 35 degrees of freedom


def test_the_stream_goes_on_as_long_as_it_is_asked() -> None:
    chance = luck().block(0)
    assert len({chance.shuffle(28) for _ in range(100)}) == 100
