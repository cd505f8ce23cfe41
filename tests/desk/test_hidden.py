"""What is hidden at a running table is on no page of the admin, whoever looks and whatever is asked for.

Every page is read in two worlds that differ in nothing but what is hidden: it must be the same, to the byte.
"""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib import admin
from django.urls import URLPattern, URLResolver
from time_machine import TimeMachineFixture

from games.models import Event, Move, Table, new_seed
from games.rules.chance import RecordedChance
from games.rules.game import encode, options_from
from sessions.models import Player
from tests.desk.staff import Staff, hire, table_page, without_tokens
from tests.games.situations import NOON, begun, events_of, ledger_of, row, told
from tests.people import Person

LOOKUPS = (
    *("state", "state__contains", "state__throws__0__0", "seed", "seed__startswith", "start_chance__0"),
    *("code__startswith", "kept", "removed", "seats__client_seed__gt", "event__own__contains"),
)


@pytest.fixture(autouse=True)
def noon(time_machine: TimeMachineFixture) -> None:
    """Time stands still, since pages tell it."""
    time_machine.move_to(NOON, tick=False)


@pytest.fixture
def tables(noon: None, ann: Person, bob: Person) -> dict[str, str]:
    """A running table of each game that hides something; at the first Ann has chosen."""
    found = {game: begun(game, [ann, bob]) for game in ("7776", "dominoes")}
    assert ann.move(found["7776"], "choose poker").status == 201
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
    player = str(Player.objects.get(name="Ann").pk)
    yield from sorted(_paths(admin.site.get_urls(), table, player))
    for lookup in LOOKUPS:
        yield f"/admin/games/table/?{lookup}=1"
    for query in ("q=poker", "o=1.2.3", "p=1", "all=", "e=1", "_to_field=state", "_facets=True", "from=x"):
        yield f"/admin/games/table/?{query}"
    for version in range(row(table).version + 1):
        yield f"{table_page(table)}?version={version}&seat={version % 3}"
    yield "/admin/search/?s=poker"


def _paths(patterns: Any, table: str, player: str, prefix: str = "/admin/") -> Iterator[str]:
    for pattern in patterns:
        route = prefix + str(pattern.pattern).removeprefix("^")
        if isinstance(pattern, URLResolver):
            yield from _paths(pattern.url_patterns, table, player, route)
        elif isinstance(pattern, URLPattern) and "logout" not in route:
            thing = player if "/player/" in route else table
            filled = re.sub(r"<(\w+:)?(object_id|table_id|player_id)>", thing, route)
            filled = re.sub(r"<(\w+:)?(content_type_id|id)>", "1", filled)
            yield re.sub(r"\(\?P<app_label>[^)]*\)\$|\(\?P<url>.*", "games/", filled)


def read_all(staff: Staff, table: str) -> dict[str, tuple[int, str]]:
    found = {}
    for path in every_path(table):
        answer = staff.client.get(path)
        found[path] = (answer.status_code, without_tokens(answer.content) + str(answer.get("Location", "")))
    return found


@pytest.mark.parametrize("game", ["7776", "dominoes"])
def test_no_page_tells_what_is_hidden(staff: Staff, tables: dict[str, str], game: str) -> None:
    table = tables[game]
    before = read_all(staff, table)
    assert before[table_page(table)][0] == before["/admin/games/table/"][0] == 200
    other_world(table)
    after = read_all(staff, table)
    assert [path for path in before if before[path] != after[path]] == []
    assert not [path for path, (_, page) in before.items() if "choose poker" in page]


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


def test_nobody_can_look_in_a_browser_in_which_a_player_entered(
    groups: None, tables: dict[str, str], ann: Person, bob: Person
) -> None:
    looker, table = hire("liz", "look_at_hidden"), tables["7776"]
    looker.see(table)
    looker.client.post(
        "/api/v1/sessions",
        {"name": "Bob", "secret": bob.secret},
        content_type="application/json",
        REMOTE_ADDR=bob.address,
    )
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
