"""The moderators' tables: found, seen as people see them, stepped through, acted upon."""

import re
from collections.abc import Iterable
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.db import connection
from django.test.utils import CaptureQueriesContext

from config.acts import parts_of
from games.models import Event, Seat, Table
from sessions.models import NameState, Player
from tests.conftest import Enter
from tests.desk.staff import Staff, hire, table_page
from tests.games.situations import begun, play, put_tables, row, told
from tests.people import Person

LIST = "/admin/games/table/"
NASTY = "<img src=x onerror=alert(1)>"[:24]
BACKWARDS = "nn\u202eA"


def shown(page: str, tables: Iterable[str]) -> list[bool]:
    return [table_page(table) in page for table in tables]


# --- finding


def test_the_list_shows_each_table_with_its_seats_and_whom_it_waits_for(
    mo: Staff, ann: Person, bob: Person
) -> None:
    begun("pickomino", [ann, bob])
    page = mo.page(LIST)
    for told_of in ("pickomino", "playing", "2 of 2", "Ann", "Bob"):
        assert told_of in page
    assert page.count('<bdi class="name">Ann</bdi>') == 2
    assert page.count('<bdi class="name">Bob</bdi>') == 1


def test_a_table_is_found_by_its_id_its_code_and_the_beginning_of_a_name(
    mo: Staff, ann: Person, bob: Person
) -> None:
    tables = [ann.open("7776", visibility="private"), bob.open("dominoes")]
    code = row(tables[0]).code
    for wanted, found in (
        (tables[0], [True, False]),
        (code, [True, False]),
        (f"{code[:4]}-{code[4:]}".lower(), [True, False]),
        ("an", [True, False]),
        ("BOB", [False, True]),
        ("nobody", [False, False]),
        ("%", [False, False]),
    ):
        assert shown(mo.page(LIST, q=wanted), tables) == found, wanted


def test_tables_are_filtered_by_status_and_game(mo: Staff, ann: Person, bob: Person) -> None:
    tables = [ann.open("7776"), begun("7776", [ann, bob]), ann.open("dominoes")]
    for query, found in (
        ({"status": "open"}, [True, False, True]),
        ({"game": "7776"}, [True, True, False]),
        ({"game": "7776", "status": "playing"}, [False, True, False]),
    ):
        assert shown(mo.page(LIST, **query), tables) == found, query


def test_pages_lead_through_all_tables_newest_first(mo: Staff, enter: Enter) -> None:
    people = [enter() for _ in range(3)]
    put_tables(120, people)
    tables = [str(pk) for pk in Table.objects.order_by("-pk").values_list("pk", flat=True)]
    seen: list[str] = []
    query: dict[str, Any] = {}
    for _ in range(3):
        page = mo.page(LIST, **query)
        seen += [table for table in tables if table_page(table) in page]
        query = {"from": seen[-1]}
    assert seen == tables
    assert "Older" not in page


@pytest.mark.parametrize("query", [{}, {"status": "open"}, {"q": "Person"}])
def test_a_list_of_50_tables_counts_nothing_and_asks_no_more_than_one_of_5(
    mo: Staff, enter: Enter, query: dict[str, str]
) -> None:
    people = [enter() for _ in range(7)]
    asked: list[int] = []
    for _ in range(2):
        put_tables(5 if not asked else 60, people)
        with CaptureQueriesContext(connection) as queries:
            mo.page(LIST, **query)
        asked.append(len(queries))
    assert asked[0] == asked[1] <= 16
    assert not [sql for sql in queries if "COUNT(" in sql["sql"].upper()]


# --- one table


@pytest.mark.parametrize("game", ["pickomino", "7776", "dominoes"])
def test_a_running_table_is_shown_as_a_watcher_sees_it_at_every_version(
    mo: Staff, ann: Person, bob: Person, game: str
) -> None:
    table = begun(game, [ann, bob])
    play([ann, bob], table, 8)
    for version in range(1, row(table).version + 1):
        page = mo.see(table, version=version)
        assert f"{version} of {row(table).version}" in page
        assert ('class="board"' in page) == (version >= 4), version


@pytest.mark.parametrize("game", ["pickomino", "7776", "dominoes"])
def test_a_table_that_is_over_is_shown_as_each_seat_saw_it_at_every_version(
    mo: Staff, ann: Person, bob: Person, game: str
) -> None:
    table = begun(game, [ann, bob])
    play([ann, bob], table, 8)
    bob.delete(f"tables/{table}/seats/me")
    for seat in ("", "0", "1"):
        for version in range(1, row(table).version + 1, 3):
            assert "What happened" in mo.see(table, version=version, seat=seat)


def test_a_seat_sees_its_own_throw_in_the_history_and_not_the_others(
    mo: Staff, ann: Person, bob: Person
) -> None:
    table = begun("7776", [ann, bob])
    throws = {seat: person.see(table)["view"]["throw"] for seat, person in enumerate((ann, bob))}
    version = row(table).version
    bob.delete(f"tables/{table}/seats/me")
    for seat, throw in throws.items():
        page = mo.see(table, version=version, seat=seat)
        dice = "".join(f'aria-label="{face}"' for face in throw)
        labels = "".join(part.split(">")[0] for part in page.split('role="img" ')[1:])
        assert labels == dice
    assert 'role="img"' not in mo.see(table, version=version)


def test_versions_and_seats_that_are_not_there_show_the_nearest(mo: Staff, ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    last = row(table).version
    for version, seen in ((0, 1), (10**30, last), ("x", last), (-1, last)):
        assert f"{seen} of {last}" in mo.see(table, version=version, seat="99")


@pytest.mark.parametrize("path", ["nonsense", "0197c0de-0000-7000-8000-000000000000"])
def test_a_table_that_is_not_there_is_not_found(mo: Staff, path: str) -> None:
    assert mo.get(f"{LIST}{path}/change/").status_code == 404


def test_names_stay_text_and_turn_nothing_around(mo: Staff, ann: Person, bob: Person) -> None:
    table = begun("pickomino", [ann, bob])
    Player.objects.filter(name="Ann").update(name=NASTY)
    Player.objects.filter(name="Bob").update(name=BACKWARDS)
    Player.objects.update(name_state=NameState.QUESTION)
    player = Player.objects.get(name=NASTY)
    report = bob.post(f"tables/{table}/reports", {"seat": 0, "reason": "name"})["id"]
    for path in (
        LIST,
        table_page(table),
        "/admin/players/player/",
        f"/admin/players/player/{player.pk}/change/",
        "/admin/players/nameinquestion/",
        "/admin/games/report/",
        f"/admin/games/report/{report}/change/",
    ):
        page = mo.page(path)
        assert NASTY not in page
        assert '<bdi class="name">&lt;img src=x' in page
        assert page.count(BACKWARDS) == page.count(f'<bdi class="name">{BACKWARDS}</bdi>')


# --- acts


def test_a_moderator_voids_a_table_and_it_is_in_the_log(mo: Staff, ann: Person, bob: Person) -> None:
    table = begun("dominoes", [ann, bob])
    page = mo.act(table, "void", "They let each other win").content.decode()
    assert "nobody has won" in page
    assert told(table)[-1] == ("finished", None, "moderator")
    (entry,) = LogEntry.objects.all()
    assert (entry.user, parts_of(entry)) == (mo.user, ("Voided the table", "They let each other win"))
    for path in ("/admin/admin/logentry/", f"{LIST}{table}/history/"):
        page = mo.page(path)
        for part in ("mo", "Voided the table", "They let each other win"):
            assert f">{part}<" in re.sub(r"\s*([<>])\s*", r"\1", page), part


def test_a_moderator_closes_removes_and_extends(mo: Staff, ann: Person, bob: Person, cid: Person) -> None:
    waiting, playing = ann.open("7776"), begun("pickomino", [ann, bob, cid])
    mo.act(waiting, "close")
    mo.act(playing, "remove", seat=1)
    mo.act(playing, "extend", seat=0, seconds=300)
    assert told(waiting)[-1] == ("closed", None, "moderator")
    assert told(playing)[-2:] == [("left", 1, "moderator"), ("extended", 0, "moderator")]
    assert LogEntry.objects.count() == 3


def test_a_name_in_a_reason_does_not_outlive_its_player(mo: Staff, ann: Person, bob: Person) -> None:
    mo.act(begun("dominoes", [ann, bob]), "void", "bob let Ann win")
    assert parts_of(LogEntry.objects.get()) == ("Voided the table", "[name] let [name] win")


@pytest.mark.parametrize(
    "form",
    [
        {"act": "void", "reason": " "},
        {"act": "void", "reason": "x" * 501},
        {"act": "close"},
        {"act": "explode"},
        {"act": "remove"},
        {"act": "remove", "seat": "7"},
        {"act": "extend", "seat": "0"},
        {"act": "extend", "seat": "0", "seconds": "999999"},
        {"act": "extend", "seat": "1", "seconds": "60"},
        {},
    ],
)
def test_an_act_that_can_not_be_is_refused_in_words(
    mo: Staff, ann: Person, bob: Person, form: dict[str, str]
) -> None:
    table = begun("pickomino", [ann, bob])
    before = row(table).version
    answer = mo.client.post(f"{LIST}{table}/act/", {"reason": "Insults", **form}, follow=True)
    assert answer.status_code == 200
    assert row(table).version == before
    assert LogEntry.objects.count() == 0


def test_acts_are_posted_and_need_their_permission(mo: Staff, ann: Person, bob: Person) -> None:
    table = begun("pickomino", [ann, bob])
    watcher = hire("wim", "view_table", group=None)
    for path in ("act/", "look/"):
        assert mo.get(f"{LIST}{table}/{path}").url.startswith(table_page(table))
    assert watcher.act(table, "void").status_code == 403
    assert mo.look(table).status_code == 403
    assert "Void" not in watcher.see(table)
    assert row(table).status == "playing"


@pytest.mark.parametrize("path", ["add/", "{table}/delete/"])
def test_nothing_is_saved_or_deleted_behind_the_lock(
    boss: Staff, ann: Person, bob: Person, path: str
) -> None:
    table = begun("pickomino", [ann, bob])
    assert boss.get(LIST + path.format(table=table)).status_code == 403
    assert boss.client.post(LIST + path.format(table=table), {"post": "yes"}).status_code == 403
    boss.client.post(table_page(table), {"status": "finished"})
    boss.client.post(LIST, {"action": "delete_selected", "_selected_action": table, "post": "yes"})
    assert row(table).status == "playing"
    assert Seat.objects.count() == 2
    assert Event.objects.filter(table_id=table).exists()
