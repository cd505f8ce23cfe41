"""pgbench beside us: its figures are read, and its transaction does what a move does."""

import psycopg
import pytest

from bench.limit import STATE_BYTES, limit, read_rate, state
from bench.scripts import SCRIPTS
from tests.live.servers import database_url

TOLD = """\
latency average = 5.104 ms
initial connection time = 11.5 ms
tps = 3134.801234 (without initial connection time)
"""


def test_the_rate_and_the_latency_are_read() -> None:
    rate, latency = read_rate(TOLD)
    assert rate == 3134.801234
    assert latency == pytest.approx(0.005104)


def test_what_pgbench_does_not_say_is_not_made_up() -> None:
    with pytest.raises(ValueError, match="aborted"):
        read_rate("pgbench: error: client 3 aborted")


def test_a_row_is_about_as_long_as_said() -> None:
    assert abs(len(state()) - STATE_BYTES) < STATE_BYTES / 10


@pytest.mark.parametrize("script", ["plain", "guarded"])
def test_each_transaction_moves_on_one_version_and_adds_one_row(transactional_db: None, script: str) -> None:
    with limit(database_url(), None) as pgbench:
        rate = pgbench.rate(script, 1, clients=2)
        with psycopg.connect(database_url()) as database:
            moves = database.execute("SELECT count(*) FROM bench.moves").fetchone()
            versions = database.execute("SELECT sum(version - 1) FROM bench.tables").fetchone()
    assert moves == versions
    assert moves is not None
    assert moves[0] >= rate.rate / 2


def test_every_script_runs_and_nothing_is_left_in_the_end(transactional_db: None) -> None:
    with limit(database_url(), None) as pgbench:
        assert all(pgbench.rate(script, 1, clients=1).rate > 0 for script in SCRIPTS)
    with psycopg.connect(database_url()) as database:
        assert database.execute("SELECT to_regnamespace('bench')").fetchone() == (None,)
