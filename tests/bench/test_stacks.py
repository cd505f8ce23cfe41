"""The candidates for the stack: each has a whole command, and a name of its own."""

import os

from bench.stacks import candidates
from config.embedded.address import Address


def test_every_candidate_has_a_whole_command() -> None:
    for stack in candidates():
        part = stack.part("python", os.environ, Address("127.0.0.1", 8123))
        assert not [word for word in part.argv if "{" in word], part.argv
        assert any("8123" in word for word in part.argv)
        assert any(word.endswith(":application") for word in part.argv)


def test_no_two_candidates_share_a_title() -> None:
    titles = [stack.title for stack in candidates()]
    assert len(titles) == len(set(titles))
