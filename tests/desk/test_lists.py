"""All lists of the admin: however long, a page is read by an index in its order, whatever the filters."""

from typing import Any
from uuid import UUID

import pytest
from django.contrib import admin
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from bench.desk import filtered, path_of
from bench.filling import fill, write_one
from config.lists import PAGE
from games.models import Table
from sessions.models import Player
from tests.conftest import Enter
from tests.desk.staff import Staff
from tests.games.situations import begun

MODELS: list[Any] = sorted(admin.site._registry, key=lambda model: str(model._meta.label))
MANY = 2_000
# Where half of the rows are wanted, or a third, it is right to step over the others.
FEW = 4 * PAGE
PATIENT = "SET LOCAL enable_{} = off"


@pytest.fixture
def crowded(boss: Staff, enter: Enter) -> None:
    """So many rows that PostgreSQL tells ways apart: with a few, all of them cost the same."""
    table = UUID(begun("dominoes", [enter(), enter()]))
    write_one(table, boss.user)
    connection.check_constraints()  # indexes are made anew only when none is left to be checked
    fill(connection.connection, table, MANY, MANY)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def page_read(queries: CaptureQueriesContext) -> str:
    """The statement that reads the rows of the page."""
    [statement] = [query["sql"] for query in queries if query["sql"].endswith(f"LIMIT {PAGE + 1}")]
    return statement


def steps(statement: str) -> list[dict[str, Any]]:
    """What the statement was answered by, where there are too many rows to sort them or to read them all."""
    with connection.cursor() as cursor:
        for way in ("seqscan", "bitmapscan", "sort", "hashjoin", "mergejoin"):
            cursor.execute(PATIENT.format(way))
        # To walk through some thousands is quick, so a row that is read and not shown is called dear.
        cursor.execute("SET LOCAL cpu_operator_cost = 10")
        cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {statement}")
        [(found,)] = cursor.fetchall()
    waiting, done = [each["Plan"] for each in found], []
    while waiting:
        done.append(waiting.pop())
        waiting += done[-1].get("Plans", ())
    return done


def sorted_by(found: list[dict[str, Any]]) -> list[str]:
    """The steps that put rows in order."""
    return [each["Node Type"] for each in found if each["Node Type"].endswith("Sort")]


def passed_over(found: list[dict[str, Any]]) -> int:
    """How many rows were read and not shown."""
    return sum(each.get("Rows Removed by Filter", 0) * each["Actual Loops"] for each in found)


@pytest.mark.usefixtures("crowded")
def test_each_choice_of_a_lists_filters_is_read_by_an_index_in_its_order(boss: Staff) -> None:
    for model in MODELS:
        for wanted in filtered(model, admin.site._registry[model]):
            with CaptureQueriesContext(connection) as queries:
                boss.page(path_of(model), **wanted)
            assert len(queries) <= 12
            assert not [query for query in queries if "COUNT(*)" in query["sql"]]
            read = steps(page_read(queries))
            assert not sorted_by(read), (model, wanted, read)
            assert passed_over(read) < FEW, (model, wanted, read)


@pytest.mark.usefixtures("crowded")
def test_what_staff_did_is_read_by_an_index_too(boss: Staff) -> None:
    with CaptureQueriesContext(connection) as queries:
        boss.page("/admin/admin/logentry/", q="gone")
    read = steps(page_read(queries))
    assert not sorted_by(read)
    assert not passed_over(read)


@pytest.mark.parametrize("model", [Table, Player])
def test_a_list_that_is_asked_often_is_planned_each_time_for_what_is_asked(boss: Staff, model: Any) -> None:
    """A plan that serves any status may go through the whole table for one that no row has."""
    for _ in range(8):
        boss.page(path_of(model))
        boss.page(path_of(model), q="Zoe")
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement FROM pg_prepared_statements")
        kept = [statement for (statement,) in cursor.fetchall()]
    assert not [statement for statement in kept if "LIMIT" in statement and model._meta.db_table in statement]


def test_what_stands_for_no_row_and_no_filter_finds_nothing_and_breaks_no_list(boss: Staff) -> None:
    for model in admin.site._registry:
        path = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        for name in ("q", "from", "status", "game", "decided", "kind", "reason"):
            for text in ("\x00", "%", "9" * 30, "\ud7ff\uffff"):
                assert boss.get(path, **{name: text}).status_code in (200, 302, 400), (path, name, text)
        assert boss.get(f"{path}\x00/change/").status_code == 400
        kind = ContentType.objects.get_for_model(model).pk
        assert boss.get(f"/admin/r/{kind}/1/").status_code == 404
