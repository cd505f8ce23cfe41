"""What is hidden at a running table is on no page of the admin, whoever looks and whatever is asked for.

Every page is read in two worlds that differ in nothing but what is hidden: it must be the same, to the byte.
"""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.contenttypes.models import ContentType
from django.urls import URLPattern, URLResolver
from time_machine import TimeMachineFixture

from games.models import Event, Move, Report, Table, new_seed
from games.rules.chance import RecordedChance
from games.rules.game import encode, options_from
from sessions.models import Player
from tests.desk.staff import Staff, hire, table_page, without_tokens
from tests.games.situations import NOON, begun, events_of, ledger_of, row, told
from tests.people import Person

LOOKUPS = (
    *(
        "state",
        "state__contains",
        "state__throws__0__0__regex",
        "seed",
        "seed__startswith",
        "start_chance__0",
    ),
    *("code__startswith", "kept", "removed", "seats__client_seed__gt", "event__own__contains"),
)
# The same, by way of what other lists show.
DETOURS = {
    "games/report": (
        "table__state__throws__0__0__regex=[456]",
        "table__event__own__contains=1",
        "reason__in=1",
    ),
    "players/player": ("seat__table__state__throws__0__0__regex=[456]", "secret_hash__startswith=1"),
    "admin/logentry": ("user__password__startswith=p", "object_id__startswith=0"),
}
QUERIES = (
    "q=poker",
    "o=1.2.3",
    "p=1",
    "all=",
    "e=1",
    "_to_field=state",
    "_facets=True",
    "from=x",
    "_popup=1",
)
API = ("", "/events", "/record", "/replay", "/analysis", "/odds", "/stream")


@pytest.fixture(autouse=True)
def noon(time_machine: TimeMachineFixture) -> None:
    """Time stands still, since pages tell it."""
    time_machine.move_to(NOON, tick=False)


@pytest.fixture
def tables(noon: None, ann: Person, bob: Person) -> dict[str, str]:
    """A running table of each game that hides something; at the first Ann has chosen."""
    found = {game: begun(game, [ann, bob]) for game in ("7776", "dominoes")}
    assert ann.move(found["7776"], "choose poker").status == 201
    for table in found.values():
        assert bob.post(f"tables/{table}/reports", {"seat": 0, "reason": "cheating"}).status == 201
    return found


@pytest.fixture(params=["without the permission", "at a player's address", "without a cookie"])
def staff(request: pytest.FixtureRequest, groups: None, ann: Person) -> Staff:
    """Who must not see what is hidden."""
    if request.param == "without the permission":
        return hire("mo")
    address = ann.address if request.param == "at a player's address" else None
    return hire("boss", boss=True, address=address)


def other_world(table: str) -> None:
    """Let everything hidden have come out otherwise; what everybody may know stays."""
    ledger = ledger_of(table)
    game, drawn = ledger.game, [_otherwise(draw) for draw in row(table).start_chance]
    state, events = game.start(2, options_from(game, row(table).options), RecordedChance(drawn))
    Table.objects.filter(pk=table).update(start_chance=drawn, seed=new_seed())
    stored = [event for event in events_of(table) if event.own and event.kind != "chose"]
    for kept, event in zip(stored, [event for event in events if event.own], strict=True):
        Event.objects.filter(table_id=table, number=kept.number).update(own=encode(event.own))
    for move in Move.objects.filter(table_id=table):
        Move.objects.filter(pk=move.pk).update(move="choose minor-sum")
        Event.objects.filter(table_id=table, kind="chose").update(own={"choice": "minor-sum"})
        state, _ = game.apply(state, move.seat, "choose minor-sum", RecordedChance(()))
    assert encode(state) != row(table).state
    Table.objects.filter(pk=table).update(state=encode(state))


def _otherwise(draw: Any) -> Any:
    kind, values = draw
    if kind == "roll":
        return [kind, [7 - face for face in values]]
    return [kind, values[::-1] if len(values) > 4 else values]


def every_path(table: str) -> Iterator[str]:
    """Every address of the admin, with ids that exist, and with queries for what is hidden."""
    yield from sorted(_paths(admin.site.get_urls(), _ids(table)))
    yield from (f"/admin/games/table/?{lookup}=[456]" for lookup in LOOKUPS)
    yield from (f"/admin/games/table/?{query}" for query in QUERIES)
    for version in range(row(table).version + 1):
        yield f"{table_page(table)}?version={version}&seat={version % 3}"
    yield "/admin/search/?s=poker"


def every_detour(table: str) -> Iterator[str]:
    """Other lists, other ways of asking, and what else the server tells a browser of staff."""
    for listed, lookups in DETOURS.items():
        yield from (f"/admin/{listed}/?{query}" for query in (*lookups, *QUERIES))
    for query in ("_popup=1", "_to_field=state", "_changelist_filters=state%3D1"):
        yield f"{table_page(table)}?{query}"
        yield f"/admin/games/report/{table}/change/?{query.replace('=state', '=table')}"
    for field in ("seat&field_name=table", "report&field_name=player"):
        yield f"/admin/autocomplete/?app_label=games&model_name={field}&term=poker"
    yield from ("/admin/search/?s=poker&extended=1", "/metrics", "/api/schema")
    # Who has logged in at the desk is nobody to the API.
    yield from (f"/api/v1/tables/{table}{rest}" for rest in API)


def every_post(table: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """What lists and pages might be sent, none of which does anything."""
    edited = {"form-TOTAL_FORMS": 1, "form-INITIAL_FORMS": 1, "form-0-id": table, "form-0-state": "x"}
    for listed in ("games/table", *DETOURS):
        for action in ("delete_selected", "export", "uphold"):
            chosen = {"action": action, "_selected_action": [table], "select_across": 1, "index": 0}
            yield f"/admin/{listed}/", chosen
        yield f"/admin/{listed}/?_popup=1", {**edited, "_save": "Save", "id": table}
    for page in ("change", "delete", "history"):
        yield f"/admin/games/table/{table}/{page}/", {"state": "x", "post": "yes", "_saveasnew": 1}


def _ids(table: str) -> dict[str, str]:
    """What there is of each kind, and whatever else is asked for by the table's id."""
    report = str(Report.objects.get(table_id=table).pk)
    return {"/player/": str(Player.objects.get(name="Ann").pk), "/report/": report, "/": table}


def _paths(patterns: Any, ids: dict[str, str], prefix: str = "/admin/") -> Iterator[str]:
    for pattern in patterns:
        route = prefix + str(pattern.pattern).removeprefix("^")
        if isinstance(pattern, URLResolver):
            yield from _paths(pattern.url_patterns, ids, route)
        elif isinstance(pattern, URLPattern) and "logout" not in route:
            thing = next(found for kind, found in ids.items() if kind in route)
            filled = re.sub(r"<(\w+:)?(object_id|table_id|player_id)>", thing, route)
            kind = str(ContentType.objects.get_for_model(Table).pk)
            filled = re.sub(r"<(\w+:)?content_type_id>", kind, filled)
            filled = re.sub(r"<(\w+:)?id>", "1", filled)
            yield re.sub(r"\(\?P<app_label>[^)]*\)\$|\(\?P<url>.*", "games/", filled)


Answers = dict[str, tuple[int, str]]


def read_all(staff: Staff, table: str) -> Answers:
    return {path: _told(staff.client.get(path)) for path in every_path(table)}


def try_all(staff: Staff, table: str) -> Answers:
    found = {path: _told(staff.client.get(path)) for path in every_detour(table)}
    for path, form in every_post(table):
        found[f"POST {path} {form}"] = _told(staff.client.post(path, form))
        staff.client.cookies.pop("messages", None)
    return found


def _told(answer: Any) -> tuple[int, str]:
    return answer.status_code, without_tokens(answer.content) + str(answer.get("Location", ""))


@pytest.mark.parametrize("game", ["7776", "dominoes"])
def test_no_page_tells_what_is_hidden(staff: Staff, tables: dict[str, str], game: str) -> None:
    table = tables[game]
    before = read_all(staff, table)
    assert before[table_page(table)][0] == before["/admin/games/table/"][0] == 200
    other_world(table)
    after = read_all(staff, table)
    assert [path for path in before if before[path] != after[path]] == []
    assert not [path for path, (_, page) in before.items() if "choose poker" in page]


@pytest.mark.parametrize("staff", ["at a player's address"], indirect=True)
def test_nor_does_any_detour(staff: Staff, tables: dict[str, str]) -> None:
    table = tables["7776"]
    before = try_all(staff, table)
    other_world(table)
    after = try_all(staff, table)
    assert [asked for asked in before if before[asked] != after[asked]] == []
    assert {before[f"/api/v1/tables/{table}{rest}"][0] for rest in API} == {401}
    assert row(table).status == "playing"
    assert not Report.objects.exclude(decided_at=None).exists()


def test_a_look_is_refused_and_shows_nothing(staff: Staff, tables: dict[str, str]) -> None:
    table = tables["dominoes"]
    staff.client.cookies.pop("boneyard_browser", None)
    page = staff.look(table).content.decode()
    assert "What is hidden" not in page
    assert 'role="img"' not in page
    assert row(table).looks == 0


def test_who_may_look_sees_every_hand_once_and_the_table_is_told_when_it_is_over(
    groups: None, tables: dict[str, str], ann: Person, bob: Person
) -> None:
    looker, table = hire("liz", "look_at_hidden"), tables["dominoes"]
    plain = looker.see(table)
    hands = [tile for person in (ann, bob) for tile in person.see(table)["view"]["hand"]]
    page = looker.look(table, "Told to each other by phone").content.decode()
    assert [tile for tile in hands if f'aria-label="{tile}"' not in page] == []
    assert without_tokens(looker.see(table).encode()).count('role="img"') == plain.count('role="img"') == 0
    bob.delete(f"tables/{table}/seats/me")
    assert ("looked", None, "moderator") in told(table)
    assert "Looked at" in looker.see(table)


def test_a_look_lets_nobody_see_more_than_once(groups: None, tables: dict[str, str], bob: Person) -> None:
    looker, table = hire("liz", "look_at_hidden"), tables["dominoes"]
    looker.see(table)
    looked = looker.look(table)
    assert b"What is hidden, as it is now" in looked.content
    assert "no-store" in looked["Cache-Control"]
    again = looker.get(f"/admin/games/table/{table}/look/")
    assert again.url.startswith(table_page(table))
    for other in tables.values():
        assert "What is hidden, as it is now" not in looker.see(other)
    _enter_in_browser_of(looker, bob)
    assert b"What is hidden, as it is now" not in looker.look(table).content
    looker.user.user_permissions.clear()
    assert looker.look(tables["7776"]).status_code == 403
    looker.client.logout()
    assert looker.client.get(table_page(table)).status_code == 302
    assert row(table).looks == 1


def _enter_in_browser_of(staff: Staff, person: Person) -> None:
    entry = {"name": person.name, "secret": person.secret}
    kind, address = "application/json", person.address
    staff.client.post("/api/v1/sessions", entry, content_type=kind, REMOTE_ADDR=address)


def test_nobody_can_look_in_a_browser_in_which_a_player_entered(
    groups: None, tables: dict[str, str], ann: Person, bob: Person
) -> None:
    looker, table = hire("liz", "look_at_hidden"), tables["7776"]
    looker.see(table)
    _enter_in_browser_of(looker, bob)
    page = looker.look(table).content.decode()
    assert "You can" in page
    assert "What is hidden, as it is now" not in page
    assert "refused a look" in looker.page("/admin/admin/logentry/")


def test_the_seed_of_a_table_is_on_no_page_even_for_who_looks(groups: None, tables: dict[str, str]) -> None:
    looker, table = hire("boss", boss=True), tables["7776"]
    looker.see(table)
    seed = bytes(row(table).seed)
    pages = [looker.look(table).content, looker.see(table).encode()]
    assert b"What is hidden, as it is now" in pages[0]
    assert not [page for page in pages if seed.hex().encode() in page or repr(seed).encode() in page]
