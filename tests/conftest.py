"""Fixtures for all tests: people who have entered."""

import itertools
from collections.abc import Callable

import pytest

from tests.people import Person

_names = itertools.count(1)

Enter = Callable[..., Person]


@pytest.fixture
def enter(db: None) -> Enter:
    """Lets somebody in: `enter()`, or `enter("Ann")`."""

    def enter(name: str | None = None) -> Person:
        person = Person(name or f"Person {next(_names)}x")
        assert person.enter().status == 201
        return person

    return enter


@pytest.fixture
def ann(enter: Enter) -> Person:
    return enter("Ann")


@pytest.fixture
def bob(enter: Enter) -> Person:
    return enter("Bob")


@pytest.fixture
def cid(enter: Enter) -> Person:
    return enter("Cid")
