"""The verifier finds true what the server's own code records, now and in the records kept here."""

from typing import Any

import msgspec
import pytest

from games.rules.registry import GAMES
from tests.records.play import record_of
from tests.verify.program import RECORDS, documented, record, verifier

KEPT = sorted(path.stem for path in RECORDS.glob("*.json"))
TRUE = verifier.Result(True, None, None, True, True, True, [])


@pytest.mark.parametrize("name", KEPT)
def test_the_kept_records_are_true(name: str) -> None:
    assert verifier.verify(record(name)) == TRUE


def test_every_game_has_kept_records() -> None:
    assert {record(name)["game"] for name in KEPT} == {*GAMES}


def test_the_record_of_the_page_is_true() -> None:
    assert verifier.verify(documented()[1]) == TRUE


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("game", sorted(GAMES))
def test_tables_played_at_random_are_true(game: str, seed: int) -> None:
    made: Any = msgspec.json.decode(msgspec.json.encode(record_of(game, f"verifier {seed}")))
    assert verifier.verify(made) == TRUE


def test_a_record_is_held_against_the_commitment_that_was_kept() -> None:
    given = record("dominoes")
    assert verifier.verify(given, given["fairness"]["commitment"].upper()) == TRUE
    found = verifier.verify(given, record("7776")["fairness"]["commitment"])
    assert (found.ok, found.whole, found.rules, found.seeds) == (False, True, True, False)
    assert "the one that was kept is 5674" in found.problem
