"""The verifier draws what docs/fairness.md says that the seeds give."""

from hashlib import sha256
from typing import Any

import pytest

from tests.verify.program import documented, verifier

CASES = documented()[0]


def block(case: dict[str, Any], number: int) -> Any:
    return verifier.Block(case["server_seed"], case["table"], case["client_seeds"], number)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["server_seed"][:8])
def test_a_block_gives_the_draws_in_order(case: dict[str, Any]) -> None:
    for of_block in case["blocks"]:
        drawing = block(case, of_block["n"])
        for kind, values in of_block["draws"]:
            assert getattr(drawing, kind)(len(values)) == values


def test_messages_and_chunks_are_those_of_the_page() -> None:
    case = CASES[0]
    assert (block(case, 0).message + verifier.u32(0)).hex() == case["message_0_0"]
    for name, number, chunk in [("chunk_0_0", 0, 0), ("chunk_0_1", 0, 1), ("chunk_7_0", 7, 0)]:
        assert block(case, number).chunk(chunk).hex() == case[name]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["server_seed"][:8])
def test_the_commitment_is_that_of_the_seed(case: dict[str, Any]) -> None:
    assert sha256(bytes.fromhex(case["server_seed"])).hexdigest() == case["commitment"]


def test_bytes_that_would_make_some_results_likelier_are_passed_over() -> None:
    drawing = block(CASES[0], 0)
    drawing.chunk = lambda number: bytes([255, 252, 251, 6, 254, 5] * 6)[:32]
    assert drawing.roll(4) == [6, 1, 6, 6]
