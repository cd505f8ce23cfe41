"""All lists of the admin: however long, a page is read by an index in its order, whatever the filters."""

import re
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from bench.desk import filtered, path_of
from config.lists import PAGE
from games.models import Table
from sessions.models import Player
from tests.desk.staff import Staff

MODELS: list[Any] = sorted(admin.site._registry, key=lambda model: str(model._meta.label))
PATIENT = "SET LOCAL enable_{} = off"
# Those who leave are gone in a moment: few rows are passed over. And a small table is joined row by row.
PASSED_OVER = re.compile(r"Filter: \(NOT leaving\)|Join Filter")


def page_read(queries: CaptureQueriesContext) -> str:
    """The statement that reads the rows of the page."""
    [statement] = [query["sql"] for query in queries if query["sql"].endswith(f"LIMIT {PAGE + 1}")]
    return statement


def plan(statement: str) -> str:
    """How the statement is answered where there are too many rows to sort them, or to read them all."""
    with connection.cursor() as cursor:
        for way in ("seqscan", "bitmapscan", "sort", "hashjoin", "mergejoin"):
            cursor.execute(PATIENT.format(way))
        cursor.execute(f"EXPLAIN {statement}")
        return "\n".join(line for (line,) in cursor.fetchall())


@pytest.mark.parametrize("model", MODELS)
def test_each_choice_of_a_lists_filters_is_read_by_an_index_in_its_order(boss: Staff, model: Any) -> None:
    for wanted in filtered(model, admin.site._registry[model]):
        with CaptureQueriesContext(connection) as queries:
            boss.page(path_of(model), **wanted)
        assert len(queries) <= 12
        assert not [query for query in queries if "COUNT(*)" in query["sql"]]
        read = plan(page_read(queries))
        assert "Sort" not in read, (wanted, read)
        assert "Filter" not in PASSED_OVER.sub("", read), (wanted, read)


def test_what_staff_did_is_read_by_an_index_too(boss: Staff) -> None:
    with CaptureQueriesContext(connection) as queries:
        boss.page("/admin/admin/logentry/", q=boss.user.username)
    assert "Filter" not in plan(page_read(queries))
    assert "Sort" not in plan(page_read(queries))


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
