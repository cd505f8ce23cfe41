"""What is changed in a record is found and named; what no file can show is found by the hash alone."""

from dataclasses import asdict
from typing import Any

import pytest

from tests.records.tampering import TAMPERINGS as MORE
from tests.records.tampering import Tampering
from tests.verify.program import verifier
from tests.verify.tampering import TAMPERINGS, hash_of, tampered

tampering = pytest.mark.parametrize("entry", TAMPERINGS, ids=lambda entry: entry["kind"])


@tampering
def test_without_a_new_hash_every_change_is_found(entry: dict[str, Any]) -> None:
    found = verifier.verify(tampered(entry, new_hash=False))
    assert not found.ok
    assert not found.whole
    if entry["finds"] is None:
        assert (found.rules, found.seeds, found.line) == (True, True, None)
        assert found.problem == f"The hash is not that of the record, which is {entry['hash']}."


@tampering
def test_with_a_new_hash_rules_and_seeds_find_what_they_can(entry: dict[str, Any]) -> None:
    changed = tampered(entry, new_hash=True)
    assert hash_of(changed) == entry["hash"]
    found = asdict(verifier.verify(changed))
    problems = [[one["part"], one["line"], one["text"]] for one in found["problems"]]
    expected = entry["finds"] or {"whole": True, "rules": True, "seeds": True, "problems": []}
    assert {part: found[part] for part in ("whole", "rules", "seeds")} | {"problems": problems} == expected
    first = problems[0] if problems else [None, None, None]
    assert (found["ok"], found["line"], found["problem"]) == (not problems, first[1], first[2])


@pytest.mark.parametrize("tampering", MORE, ids=lambda tampering: tampering.name)
def test_what_the_server_s_check_is_tried_on_is_found_too(tampering: Tampering) -> None:
    record, line = tampering.tampered()
    found = verifier.verify(record)
    assert not found.ok
    if found.rules is not None:
        assert getattr(found, tampering.part) is False
        assert found.line == line


def test_a_changed_hash_is_found() -> None:
    found = verifier.verify(tampered(TAMPERINGS[0] | {"edits": [], "hash": "0" * 64}, new_hash=True))
    assert (found.ok, found.line, found.whole, found.rules, found.seeds) == (False, None, False, True, True)


def test_the_kinds_are_many_and_each_is_there_once() -> None:
    kinds = [entry["kind"] for entry in TAMPERINGS]
    assert len({*kinds}) == len(kinds) >= 20
