"""What is measured of more than one: clients are dealt out, loads taken by turns, rows counted once."""

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from bench.load import drive, request
from bench.meter import Burst
from bench.place import another, working_in
from bench.reads import readers
from bench.scale import by_turns, compared
from bench.tables import make_tables
from bench.web import Fleet, Web
from games.models import Table
from tests.live.servers import database_url, start_server


def burst(rate: float, database_cpu: float | None = 0.001) -> Burst:
    return Burst(10, rate, 0.01, 0.02, 0.002, database_cpu, 0.001)


def test_loads_are_taken_by_turns_once_all_are_warm() -> None:
    done: list[str] = []

    def play(name: str) -> Burst:
        done.append(name)
        return burst(len(done))

    found = by_turns({"one": lambda: play("one"), "two": lambda: play("two")}, 2)
    assert done == ["one", "two"] * 3
    assert [each.rate for each in found["two"]] == [4, 6]


def test_each_load_is_compared_with_the_one_of_its_round() -> None:
    lines = {
        line.unit: line for line in compared("two", [burst(10), burst(30)], "one", [burst(20), burst(30)])
    }
    assert (lines["moves/s"].ratio.least, lines["moves/s"].ratio.greatest) == (0.5, 1)
    assert lines["ms CPU, web"].better == "less"


def test_where_postgresql_cannot_be_seen_nothing_is_said_of_it() -> None:
    lines = compared("two", [burst(1, None)], "one", [burst(1, None)])
    assert "ms CPU, PostgreSQL" not in {line.unit for line in lines}


def test_clients_are_dealt_out_among_the_servers(transactional_db: None) -> None:
    with start_server() as one, start_server() as other:
        fleet = Fleet([Web(server.port, server.process.pid) for server in (one, other)])
        before = [web.cpu for web in fleet.webs]
        drive(fleet.port, readers([request("GET", "/api/v1/games")], 4, 200))
        assert all(web.cpu > earlier for web, earlier in zip(fleet.webs, before, strict=True))
        assert fleet.memory > max(web.memory for web in fleet.webs)


@pytest.mark.django_db(transaction=True)
def test_another_database_is_empty_has_its_own_tables_and_goes_in_the_end() -> None:
    with another(database_url(), "besides") as besides:
        with working_in(besides):
            made = make_tables(besides, "7776", 3)
            assert Table.objects.filter(pk__in=[table.id for table in made]).count() == 3
        assert not Table.objects.exists()
    with psycopg.connect(database_url()) as database:
        name = conninfo_to_dict(besides)["dbname"]
        assert not database.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone()
