"""The moderators' players: who is here, since when, at which tables, and taking somebody off them."""

from collections.abc import Iterable, Mapping
from uuid import UUID

import pytest
from django.contrib.admin.models import LogEntry
from django.db import connection
from django.test.utils import CaptureQueriesContext

from config.acts import parts_of
from config.staff import Link, _offers
from sessions.models import Player
from tests.conftest import Enter
from tests.desk.staff import Staff, hire
from tests.games.situations import begun, row
from tests.people import Person
from tests.staff import committed

LIST = "/admin/players/player/"


def page_of(name: str) -> str:
    return f"{LIST}{Player.objects.get(name=name).pk}/change/"


def test_the_list_shows_since_when_last_seen_and_at_how_many_tables(
    mo: Staff, ann: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun("7776", [ann, bob])
    ann.open("dominoes")

    def count(ids: Iterable[UUID]) -> Mapping[UUID, int]:
        return dict.fromkeys(ids, 17)

    monkeypatch.setattr("games.admin.players.count_reports", count)
    page = mo.page(LIST, q="Ann")
    for shown in ("Ann", "0\xa0minutes", ">2<", ">17<"):
        assert shown in page
    assert "Bob" not in page


def test_a_player_is_found_by_id_and_by_the_beginning_of_a_name(mo: Staff, ann: Person, bob: Person) -> None:
    for wanted in (str(Player.objects.get(name="Ann").pk), "aN"):
        page = mo.page(LIST, q=wanted)
        assert page_of("Ann") in page
        assert page_of("Bob") not in page


def test_who_has_gone_is_not_shown(mo: Staff, ann: Person, bob: Person) -> None:
    path = page_of("Ann")
    ann.delete("sessions/current")
    assert path not in mo.page(LIST)
    assert mo.get(path).status_code == 404


def test_a_list_of_50_players_asks_no_more_than_one_of_2(mo: Staff, enter: Enter) -> None:
    asked = []
    for size in (2, 50):
        Player.objects.all().delete()
        enter()
        first = Player.objects.get()
        Player.objects.bulk_create(
            Player(
                name=f"N{n}",
                folded=f"n{n}",
                created_at=first.created_at,
                last_seen=first.last_seen,
                expires_at=first.expires_at,
            )
            for n in range(size)
        )
        with CaptureQueriesContext(connection) as queries:
            mo.page(LIST)
        asked.append(len(queries))
    assert asked[0] == asked[1]
    assert not [sql for sql in queries if "COUNT(*)" in sql["sql"].upper()]


def test_a_player_s_page_leads_to_its_tables(mo: Staff, ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    assert f"/admin/games/table/{table}/change/" in mo.page(page_of("Ann"))
    assert page_of("Ann") in mo.see(table)


def test_a_player_is_taken_off_all_tables_and_it_is_in_the_log(mo: Staff, ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    path = page_of("Ann").replace("change", "remove")
    assert "Say why" in mo.client.post(path, {"reason": ""}, follow=True).content.decode()
    assert row(table).status == "playing"
    assert "Removed from 1 table." in mo.client.post(path, {"reason": "Rude"}, follow=True).content.decode()
    assert row(table).status == "finished"
    assert LogEntry.objects.count() == 2
    assert ann.get("tables?mine=true").status == 200


def test_removing_needs_its_permission(ann: Person, bob: Person, groups: None) -> None:
    watcher = hire("wim", "view_player", group=None)
    assert "Remove" not in watcher.page(page_of("Ann"))
    path = page_of("Ann").replace("change", "remove")
    assert watcher.client.post(path, {"reason": "Rude"}).status_code == 403


def test_a_player_is_banned_and_it_is_in_the_log(mo: Staff, ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    path = page_of("Ann")
    assert "Ban this player" in mo.page(path)
    ban = path.replace("change", "ban")
    mo.client.post(ban, {"reason": "Rude", "hours": "999999"})
    assert ann.get("tables").status == 200
    with committed():
        mo.client.post(ban, {"reason": "Ann was rude", "hours": "24", "address": "on"})
    assert ann.get("tables").code == "banned"
    assert row(table).status == "finished"
    assert parts_of(LogEntry.objects.get()) == ("Banned for 24 hours, with its addresses", "[name] was rude")


def test_a_reason_full_of_names_is_cut_where_it_grows_too_long(mo: Staff, ann: Person, bob: Person) -> None:
    table, reason = begun("7776", [ann, bob]), "Ann " * 125
    mo.act(table, "extend", reason, seat="0", seconds="5")
    with committed():
        mo.client.post(page_of("Ann").replace("change", "ban"), {"reason": reason, "hours": "24"})
    whys = [parts_of(entry)[1] for entry in LogEntry.objects.all()]
    assert len(whys) == 2
    assert all(why.startswith("[name] [name]") and len(why) <= 500 for why in whys)


def test_others_offer_what_else_can_be_done(mo: Staff, ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(
        _offers, "players.player", [lambda request, player: [Link("Ban…", f"/x/{player.pk}")]]
    )
    assert f'href="/x/{Player.objects.get(name="Ann").pk}">Ban…' in mo.page(page_of("Ann"))
