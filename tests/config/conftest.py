"""No test here leaves a process."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.config.running import processes_about


@pytest.fixture(autouse=True)
def nothing_left(tmp_path: Path) -> Iterator[None]:
    yield
    left = processes_about(tmp_path)
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    assert left == []
