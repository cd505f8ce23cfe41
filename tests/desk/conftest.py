"""Fixtures for tests of the desk: its groups are there even after a test that empties the database."""

from importlib import import_module

import pytest
from django.apps import apps

from tests.desk.staff import Staff, hire

desk = import_module("games.migrations.0007_desk")


@pytest.fixture
def groups(db: None) -> None:
    desk.make_groups(apps, None)


@pytest.fixture
def mo(groups: None) -> Staff:
    """A moderator."""
    return hire("mo")


@pytest.fixture
def boss(groups: None) -> Staff:
    """Who may do everything."""
    return hire("boss", boss=True)
