"""The database of an earlier server: its tables go on."""

from importlib import import_module

from django.apps import apps

from games.models import Table
from tests.games.situations import begun, row
from tests.people import Person

fairness = import_module("games.migrations.0004_fairness")


def test_tables_that_are_open_get_a_seed_each_and_those_that_started_get_none(
    ann: Person, bob: Person
) -> None:
    tables = [ann.open("7776"), ann.open("7776"), begun("7776", [ann, bob])]
    Table.objects.update(seed=None)
    fairness.give_seeds(apps, None)
    one, other, started = (row(table).seed for table in tables)
    assert len(bytes(one)) == len(bytes(other)) == 32
    assert bytes(one) != bytes(other)
    assert started is None
