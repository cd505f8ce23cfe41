"""The database of an earlier server: its tables go on."""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

from django.apps import apps
from django.db.migrations import AddField, CreateModel
from django.db.migrations.loader import MigrationLoader

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


def added_columns() -> Iterator[Any]:
    """Of tables that were there before: each column as it is now."""
    for (label, _), migration in sorted(MigrationLoader(None).disk_migrations.items()):
        made = {each.name_lower for each in migration.operations if isinstance(each, CreateModel)}
        for each in migration.operations if label in ("games", "players") else ():
            if isinstance(each, AddField) and each.model_name_lower not in made:
                yield apps.get_model(label, each.model_name)._meta.get_field(each.name)


def test_a_server_that_does_not_know_a_column_yet_can_write_rows_without_it() -> None:
    """While processes are replaced the older ones work on the newer database."""
    columns = list(added_columns())
    assert "games.Table.looks" in map(str, columns)
    assert not [str(column) for column in columns if not column.null and not column.has_db_default()]
