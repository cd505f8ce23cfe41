"""A real server process for each test that asks for one."""

import sys
from collections.abc import Iterator

import pytest

from tests.live.servers import Server, start_server


@pytest.fixture
def server(transactional_db: None) -> Iterator[Server]:
    """Ends before the database is emptied; what it said last is shown when the test fails."""
    with start_server() as server:
        yield server
    sys.stdout.write(server.tail)
