"""Fixtures for tests of tables: a clock that stands still until it is moved."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from time_machine import TimeMachineFixture

from tests.games.situations import NOON

Wait = Callable[[float], None]


@pytest.fixture
def wait(time_machine: TimeMachineFixture) -> Wait:
    """It is noon and stays so; `wait(seconds)` lets time pass."""
    time_machine.move_to(NOON, tick=False)

    def wait(seconds: float) -> None:
        time_machine.shift(timedelta(seconds=seconds))

    return wait
