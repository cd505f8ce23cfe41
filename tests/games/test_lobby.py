"""`GET /tables?game=&status=&mine=true&cursor=`: the lobby, or one's own tables."""

import re
from uuid import UUID

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import queries
from games.models import Table
from tests.conftest import Enter
from tests.games.conftest import Wait
from tests.games.situations import begun, put_tables, row
from tests.people import Person

SUMMARY = {
    "id", "game", "status", "capacity", "options", "visibility", "turn_seconds", "hints", "seats",
    "created_at",
    "you",
    "your_turn",
}  # fmt: skip


def listed(person: Person, query: str = "") -> list[str]:
    answer = person.get(f"tables{query}")
    assert answer.status == 200, answer
    assert answer.json.keys() == {"results", "next"}
    return [summary["id"] for summary in answer["results"]]


def test_a_summary_has_its_members(ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    (summary,) = ann.get("tables")["results"]
    shown = ann.see(table)
    assert summary.keys() == SUMMARY
    assert {name: summary[name] for name in SUMMARY - {"created_at", "your_turn"}} == {
        name: shown[name] for name in SUMMARY - {"created_at", "your_turn"}
    }
    assert summary["created_at"] == row(table).created_at.isoformat().replace("+00:00", "Z")


def test_your_turn_and_you_are_the_callers_own(ann: Person, bob: Person, cid: Person) -> None:
    begun("pickomino", [ann, bob])
    told = [(s["you"], s["your_turn"]) for p in (ann, bob, cid) for s in p.get("tables")["results"]]
    assert told == [(0, True), (1, False), (None, False)]


def test_newest_first(ann: Person, bob: Person) -> None:
    tables = [person.open("7776") for person in (ann, bob, ann, bob)]
    assert listed(ann) == tables[::-1]


def test_open_and_playing_tables_unless_status_names_one(ann: Person) -> None:
    by_status = {status: put_tables(1, [ann], status=status)[0] for status in Table.Status.values}
    assert listed(ann) == [by_status["playing"], by_status["open"]]
    for status, table in by_status.items():
        assert listed(ann, f"?status={status}") == [table]
        assert listed(ann, f"?status={status}&mine=true") == [table]
    assert listed(ann, "?mine=true") == [by_status["playing"], by_status["open"]]


def test_a_plan_that_is_kept_is_for_one_status(ann: Person) -> None:
    """One for any would go through all tables where few have the status."""
    for _ in range(8):
        for status in Table.Status.values:
            ann.get(f"tables?status={status}")
        queries.open_tables({})
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement FROM pg_prepared_statements WHERE statement LIKE '%ORDER BY%'")
        kept = [statement for (statement,) in cursor.fetchall() if "games_table" in statement]
    assert not [statement for statement in kept if re.search(r'status"? (=|IN) \(?\$', statement)]


def test_game_filters(ann: Person) -> None:
    tables = {game: ann.open(game) for game in ("pickomino", "7776", "dominoes")}
    for game, table in tables.items():
        assert listed(ann, f"?game={game}") == [table]
    assert listed(ann, "?game=7776&status=playing") == []


def test_mine_are_the_tables_at_which_one_sits(ann: Person, bob: Person, cid: Person) -> None:
    first = ann.open("dominoes")
    second = bob.open("dominoes")
    ann.sit(second)
    bob.open("dominoes")
    assert listed(ann, "?mine=true") == [second, first]
    assert listed(cid, "?mine=true") == []
    assert len(listed(ann, "?mine=false")) == 3


def test_private_tables_are_shown_to_those_who_sit_there_as_theirs_only(ann: Person, bob: Person) -> None:
    table = ann.open("7776", visibility="private")
    assert listed(ann) == []
    assert listed(bob) == []
    assert listed(bob, "?mine=true") == []
    assert listed(ann, "?mine=true") == [table]


def test_a_summary_does_not_tell_the_code(ann: Person) -> None:
    ann.open("7776", visibility="private")
    (summary,) = ann.get("tables?mine=true")["results"]
    assert summary.keys() == SUMMARY


def test_50_a_page(ann: Person, bob: Person) -> None:
    tables = put_tables(120, [bob])[::-1]
    pages, path = [], "tables"
    while True:
        answer = ann.get(path)
        pages.append([summary["id"] for summary in answer["results"]])
        if answer["next"] is None:
            break
        path = f"tables?cursor={answer['next']}"
    assert pages == [tables[:50], tables[50:100], tables[100:]]


def test_a_last_page_that_is_full_has_no_next(ann: Person, bob: Person) -> None:
    put_tables(50, [bob])
    assert ann.get("tables")["next"] is None


def test_cursors_keep_to_the_filters(ann: Person, bob: Person) -> None:
    mine = put_tables(60, [ann], game="dominoes")[::-1]
    put_tables(60, [bob], game="dominoes")
    put_tables(60, [ann], game="7776")
    answer = ann.get("tables?mine=true&game=dominoes")
    assert [summary["id"] for summary in answer["results"]] == mine[:50]
    assert listed(ann, f"?mine=true&game=dominoes&cursor={answer['next']}") == mine[50:]


def test_tables_opened_meanwhile_shift_no_page(ann: Person, bob: Person) -> None:
    tables = put_tables(60, [bob])[::-1]
    cursor = ann.get("tables")["next"]
    put_tables(10, [bob])
    assert listed(ann, f"?cursor={cursor}") == tables[50:]


def test_a_table_that_is_gone_can_still_be_a_cursor(ann: Person, bob: Person) -> None:
    tables = put_tables(60, [bob])[::-1]
    cursor = ann.get("tables")["next"]
    Table.objects.filter(pk=cursor).update(status="closed", wake_at=None)
    assert listed(ann, f"?cursor={cursor}") == tables[50:]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("?cursor=x", "cursor"), ("?cursor=", "cursor"), ("?cursor=1", "cursor"), ("?cursor=%00", "cursor"),
        ("?game=chess", "game"), ("?status=over", "status"), ("?status=", "status"), ("?mine=yes", "mine"),
        ("?mine=1", "mine"), ("?page=2", "page"), ("?Game=7776", "Game"),
    ],
)  # fmt: skip
def test_a_query_that_nobody_knows_is_invalid(ann: Person, query: str, field: str) -> None:
    answer = ann.get(f"tables{query}")
    assert (answer.status, answer.code) == (400, "invalid")
    assert list(answer["errors"]) == [field]


def test_open_tables_that_nobody_touched_are_not_shown_even_before_they_are_closed(
    wait: Wait, enter: Enter
) -> None:
    ann = enter()
    stale = ann.open("7776")
    wait(settings.TABLE_OPEN.total_seconds())
    fresh = ann.open("7776")
    assert row(stale).status == "open"
    assert listed(ann) == [fresh]
    assert listed(ann, "?mine=true") == [fresh]
    assert listed(ann, "?status=open") == [fresh]


def test_a_playing_table_that_is_due_is_shown(wait: Wait, enter: Enter) -> None:
    ann, bob = enter(), enter()
    table = begun("pickomino", [ann, bob])
    wait(121)
    assert listed(ann) == [table]


def test_the_lobby_is_never_stored(ann: Person) -> None:
    assert ann.get("tables").headers["Cache-Control"] == "no-store"


def test_who_has_not_entered_sees_no_tables(db: None) -> None:
    assert Person().get("tables").code == "not_authenticated"


def test_pain_17_the_lobby_is_what_the_tables_are(ann: Person, bob: Person, cid: Person) -> None:
    def seated() -> list[int]:
        return [len(summary["seats"]) for summary in cid.get("tables?game=dominoes&status=open")["results"]]

    assert seated() == []
    table = ann.open("dominoes")
    assert seated() == [1]
    bob.sit(table)
    assert seated() == [2]
    bob.delete(f"tables/{table}/seats/me")
    assert seated() == [1]
    ann.delete(f"tables/{table}/seats/me")
    assert seated() == []


def test_pain_33_three_queries_for_a_page_of_50_full_tables(enter: Enter) -> None:
    people = [enter() for _ in range(7)]
    put_tables(60, people)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        answer = people[0].get("tables")
    assert len(answer["results"]) == 50
    assert all(len(summary["seats"]) == 7 for summary in answer["results"])
    assert len(queries) <= 3, [query["sql"] for query in queries]


def test_ids_are_uuids(ann: Person) -> None:
    assert UUID(ann.open("7776")).version == 7
