"""Is a record true? True ones pass, however they came about; tampering is found and named."""

import random
from copy import deepcopy
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.rules.record import NotARecord, read
from games.rules.registry import GAMES
from games.rules.verify import Verdict, verify
from tests.records.play import record_of
from tests.records.tampering import TAMPERINGS, JSONRecord, Tampering, reseal, true_record

TRUE = Verdict(ok=True, line=None, problem=None, whole=True, rules=True, seeds=True)


def as_sent(record: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(record))


@pytest.mark.parametrize("slug", GAMES)
def test_pain_36_records_of_tables_played_at_random_are_true(slug: str) -> None:
    ends = set()
    for number in range(30):
        record = as_sent(record_of(slug, number))
        assert verify(record) == TRUE, number
        ends.add(record["outcome"]["reason"])
    assert "played_out" in ends
    assert ends & {"forfeit", "abandoned", "voided"}


@pytest.mark.parametrize("slug", GAMES)
def test_what_is_tampered_with_was_true(slug: str) -> None:
    assert verify(true_record(slug)) == TRUE


@pytest.mark.parametrize("tampering", TAMPERINGS, ids=lambda tampering: tampering.name)
def test_tampering_is_found_and_named(tampering: Tampering) -> None:
    record, line = tampering.tampered()
    verdict = verify(record)
    assert verdict.ok is False
    assert getattr(verdict, tampering.part) is False
    assert verdict.line == line, verdict
    assert verdict.problem
    assert tampering.words in verdict.problem


@pytest.mark.parametrize(("kind", "level"), [("human", "strong"), ("bot", None)])
def test_a_human_has_no_level_and_a_bot_has_one(kind: str, level: str | None) -> None:
    record = deepcopy(true_record("7776"))
    record["seats"][0] = {"kind": kind, "level": level}
    verdict = verify(reseal(record))
    assert (verdict.ok, verdict.whole) == (False, False)


def test_a_bot_has_no_client_seed() -> None:
    record = deepcopy(true_record("7776"))
    record["seats"][0] = {"kind": "bot", "level": "easy"}
    record["fairness"]["client_seeds"][0] = "c0ffee"
    verdict = verify(reseal(record))
    assert (verdict.ok, verdict.seeds) == (False, False)


@pytest.mark.parametrize("tampering", TAMPERINGS, ids=lambda tampering: tampering.name)
def test_without_a_new_hash_the_record_is_not_even_whole(tampering: Tampering) -> None:
    record = deepcopy(true_record(tampering.game))
    tampering.change(record)
    assert verify(record).whole is False


def test_with_a_new_hash_it_is_whole_and_still_not_true() -> None:
    record, _ = next(each for each in TAMPERINGS if each.name == "a die").tampered()
    verdict = verify(record)
    assert (verdict.whole, verdict.seeds) == (True, False)


def test_the_earliest_line_is_told() -> None:
    record = deepcopy(true_record("7776"))
    for number in (20, 12, 16):
        record["lines"][number - 1]["move"] = "choose nothing"
    record["outcome"]["scores"][0] += 1
    assert verify(record).line == 12


def test_the_members_may_stand_in_any_order() -> None:
    record = dict(reversed(true_record("pickomino").items()))
    assert verify(record) == TRUE


def test_a_hash_in_capitals_is_another_one() -> None:
    record = true_record("7776")
    assert verify({**record, "hash": record["hash"].upper()}).whole is False


@pytest.mark.parametrize("end", ["\n", "\r\n", " ", "\0", "\u2028", "ä", '"', "\\"])
def test_strings_that_json_could_write_in_two_ways_are_in_no_record(end: str) -> None:
    record = deepcopy(true_record("7776"))
    record["lines"][0]["move"] += end
    verdict = verify(reseal(record))
    if end == " ":
        assert (verdict.whole, verdict.rules) == (True, False)
    else:
        assert (verdict.line, verdict.whole, verdict.rules) == (1, False, None)


@pytest.mark.parametrize(
    "given", [None, True, 1, 1.5, "", "record", [], [{}], {}, {"format": 1}, {"lines": [1]}]
)
def test_what_is_no_record_is_told_so(given: Any) -> None:
    verdict = verify(given)
    assert (verdict.ok, verdict.whole, verdict.rules, verdict.seeds) == (False, False, None, None)
    assert verdict.problem
    assert verdict.problem.startswith("This is no record: ")


def test_what_was_given_is_not_repeated_at_length() -> None:
    verdict = verify({**true_record("7776"), "lines": [{"kind": "x" * 10_000}]})
    assert verdict.problem
    assert len(verdict.problem) < 300


# --- whatever is given, there is a verdict

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(anything)
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_anything_gets_a_verdict(given: Any) -> None:
    assert verify(given).ok is False


LIKELY: list[Any] = [
    None, True, False, 0, 1, -1, 7, 255, 256, 2**31, 10**30, 1.0, 1e300, "", "roll", "draw", "bot", "\n", "ü",
    "0" * 64, [], {}, [[]], ["roll", [1]], ["shuffle", [0]], [["shuffle", [1, 0]]],
    {"kind": "left", "seat": 0}, {"kind": "ended", "reason": "voided"},
]  # fmt: skip


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every member and item within a value: where it stands, and under which name or number."""
    if isinstance(value, dict):
        inner = list(value.items())
    else:
        inner = list(enumerate(value)) if isinstance(value, list) else []
    return [(value, key) for key, _ in inner] + [place for _, each in inner for place in places(each)]


def disturb(record: JSONRecord, luck: random.Random) -> None:
    holder, key = luck.choice(places(record))
    match luck.randrange(4):
        case 0:
            del holder[key]
        case 1:
            other, name = luck.choice(places(record))
            holder[key] = deepcopy(other[name])
        case 2 if isinstance(holder, list):
            holder.insert(key, deepcopy(luck.choice(LIKELY)))
        case _:
            holder[key] = deepcopy(luck.choice(LIKELY))


@pytest.mark.parametrize("slug", GAMES)
def test_a_disturbed_record_gets_a_verdict(slug: str) -> None:
    luck = random.Random(f"disturb {slug}")
    original = true_record(slug)
    for _ in range(150):
        record = deepcopy(original)
        for _ in range(luck.randint(1, 4)):
            disturb(record, luck)
        verdict = verify(reseal(record) if luck.random() < 0.5 else record)
        assert verdict.ok is False or is_harmless(record, original)


def is_harmless(record: JSONRecord, original: JSONRecord) -> bool:
    """What nobody can find in the file alone, once it has a new hash: who of two moved, a level, a leave."""
    try:
        changed, true = read(reseal(record)), read(original)
    except NotARecord:
        return False
    return (changed.start, changed.fairness, changed.table) == (true.start, true.fairness, true.table)
