"""The seed of a table that is not over is in no byte that any road sends: all of them are searched for it."""

import logging
import traceback
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.core import serializers
from django.core.management import CommandError, call_command
from django.test import Client

from games.fairness import chance_for, luck_of
from games.ledger import Ledger
from games.models import Event, Move, Seat, Table
from games.queries import event_json
from games.stream import table_message
from games.sweeps import sweep_tables
from games.visits import look
from tests.conftest import Enter
from tests.games.conftest import Wait
from tests.games.situations import TURN, begun, events_of, ledger_of, play, player_of, row
from tests.games.test_rematch import end
from tests.games.test_secrets import heard, main_roads, roads
from tests.people import Person

GAMES = ["pickomino", "7776", "dominoes"]


def forms(table: str) -> list[bytes]:
    """Every way in which the seed could be written, whole or in part."""
    seed = bytes(row(table).seed)
    numbers = ",".join(map(str, seed[:8])).encode()
    whole = [
        seed.hex(),
        repr(seed)[2:-1],
        b64encode(seed).decode()[:40],
        urlsafe_b64encode(seed).decode()[:40],
    ]
    return [seed, seed[:16], numbers, *(form.encode() for form in whole), seed.hex()[:16].encode()]


def assert_hidden(table: str, *told: bytes | str) -> None:
    texts = [text.encode() if isinstance(text, str) else text for text in told]
    assert all(texts)
    for form in forms(table):
        assert not [text for text in texts if form.lower() in text.lower()], form


@pytest.fixture
def people(wait: Wait, enter: Enter) -> list[Person]:
    return [enter(), enter(), enter()]


def all_roads(person: Person, table: str) -> Iterator[bytes]:
    """What a person hears on every road to a table, the ones for what is over too."""
    # On an open table, others of the roads would seat somebody.
    yield from (main_roads if row(table).status == "open" else roads)(person, table)
    for method, path, body in [
        ("GET", f"tables/{table}/record", None),
        ("GET", f"tables/{table}/replay", None),
        ("GET", f"tables/{table}/replay?version=1&seat=0", None),
        ("PUT", f"tables/{table}/seats/me/client-seed", {"hex": "c0ffee"}),
        ("PUT", f"tables/{table}/seats/me/client-seed", {"hex": "no hex"}),
        ("POST", f"tables/{table}/rematch", {}),
        ("POST", f"tables/{table}/seats/me/return", {}),
        ("GET", f"tables/{table}/events?after=0&wait=0", None),
        ("GET", f"tables/{table}/stream", None),
        ("POST", "records/check", {"table": table}),
        ("GET", "", None),
        ("GET", "/", None),
    ]:
        yield heard(person, method, path, body)


@pytest.mark.parametrize("game", GAMES)
def test_while_a_table_is_open_and_while_it_is_played_no_road_tells_it(
    people: list[Person], game: str
) -> None:
    ann, bob, cid = people
    table = ann.open(game, capacity=2, client_seed="a0")
    for person in people:
        assert_hidden(table, *all_roads(person, table))
    answer = heard(bob, "POST", f"tables/{table}/seats", {"client_seed": "b0"})
    assert_hidden(table, answer)
    for seed in range(4):
        play([ann, bob], table, 3, seed)
        for person in people:
            assert_hidden(table, *all_roads(person, table))
    shown = ann.see(table)
    mover = people[shown["to_move"][0]]
    move = mover.see(table)["legal_moves"][0]
    assert_hidden(table, heard(mover, "POST", f"tables/{table}/moves", {"move": move}))
    assert cid.see(table)["fairness"]["server_seed"] is None


def test_the_search_would_find_it(people: list[Person]) -> None:
    table = begun("7776", people[:2])
    end(table)
    with pytest.raises(AssertionError):
        assert_hidden(table, heard(people[0], "GET", f"tables/{table}"))


def test_a_private_table_tells_it_to_nobody_either(people: list[Person]) -> None:
    ann, bob, cid = people
    table = ann.open("7776", visibility="private")
    code = ann.see(table)["code"]
    for person in people:
        assert_hidden(table, *all_roads(person, table))
        assert_hidden(table, heard(person, "POST", "tables/by-code", {"code": code}))
    assert_hidden(table, heard(bob, "POST", f"tables/{table}/seats", {"code": code}))
    assert_hidden(table, heard(cid, "POST", "tables/by-code", {"code": code}))


def test_quick_matches_and_rematches_hide_theirs(people: list[Person]) -> None:
    ann, bob, _ = people
    answer = heard(ann, "POST", "matches", {"game": "7776"})
    table = str(Table.objects.get().pk)
    assert_hidden(table, answer, heard(bob, "POST", "matches", {"game": "7776"}))
    end(table)
    again = ann.post(f"tables/{table}/rematch")["id"]
    assert_hidden(again, heard(bob, "POST", f"tables/{table}/rematch"), heard(ann, "GET", f"tables/{again}"))


def seen(table: str) -> Ledger:
    """As streams read it."""
    found = look(row(table).pk, 0, 200)
    assert found is not None
    return found[0]


def test_the_messages_of_a_stream_hide_it_until_the_last_one(people: list[Person]) -> None:
    ann, bob, _ = people
    table = begun("7776", [ann, bob])
    for number in range(4):
        play([ann, bob], table, 1, number)
        ledger = seen(table)
        for person in people:
            assert_hidden(table, table_message(ledger, player_of(person), events_of(table)))
    end(table)
    last = table_message(seen(table), player_of(ann), events_of(table))
    assert bytes(row(table).seed).hex().encode() in last


def test_no_event_holds_it_not_even_the_last_one(people: list[Person]) -> None:
    table = begun("pickomino", people)
    play(people, table, 9)
    end(table)
    for event in Event.objects.all():
        assert_hidden(table, repr([event_json(event, seat) for seat in (None, 0, 1, 2)]))
        assert_hidden(table, repr([event.data, event.own, str(event), repr(event)]))


def test_names_and_representations_of_rows_do_not_hold_it(people: list[Person]) -> None:
    table = begun("7776", people[:2])
    play(people[:2], table, 3)
    ledger = ledger_of(table)
    things: list[Any] = [row(table), ledger, luck_of(ledger), chance_for(ledger, 0)]
    things += [*Seat.objects.all(), *Move.objects.all()]
    assert_hidden(table, *map(str, things), *map(repr, things))


def test_logs_do_not_hold_it_whatever_goes_wrong(
    people: list[Person], wait: Wait, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob, _ = people

    def broken(*_: object) -> str:
        raise RuntimeError("no idea")

    with caplog.at_level(logging.DEBUG):
        table = begun("dominoes", [ann, bob])
        play([ann, bob], table, 6)
        ann.move(table, "no such move")
        monkeypatch.setattr("games.course.choose", broken)
        wait(TURN)
        sweep_tables()
        monkeypatch.setattr("games.course.move_for", broken)
        wait(TURN)
        sweep_tables()
        Move.objects.filter(table_id=table, number=2).update(move="draw twice")
        with pytest.raises(CommandError):
            call_command("check_histories", stderr=StringIO())
    assert "a bot failed" in caplog.text
    assert "differs from its history" in caplog.text
    assert_hidden(table, caplog.text)


def test_a_traceback_does_not_hold_it(people: list[Person]) -> None:
    table = begun("7776", people[:2])
    ledger = ledger_of(table)
    luck = luck_of(ledger)
    assert luck
    try:
        luck.block(0).shuffle(1_000)
    except ValueError as error:
        assert_hidden(table, "".join(traceback.format_exception(error)))
    else:
        pytest.fail("so many were shuffled")


def test_the_admin_does_not_show_it(people: list[Person]) -> None:
    table = begun("dominoes", people[:2])
    User.objects.create_superuser("root", password="a long enough password")
    client = Client()
    assert client.login(username="root", password="a long enough password")
    models: list[Any] = [
        model for model in admin.site._registry if model._meta.app_label in ("games", "players")
    ]
    paths = ["/admin/"]
    for model in models:
        path = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        paths += [path, *(f"{path}{thing.pk}/change/" for thing in model.objects.all()[:3])]
    assert_hidden(table, *(client.get(path, follow=True).content for path in paths))


def test_a_form_that_is_made_from_the_model_would_not_have_it() -> None:
    assert not Table._meta.get_field("seed").editable


def test_it_is_nowhere_else_in_the_database(people: list[Person]) -> None:
    table = begun("7776", people[:2])
    play(people[:2], table, 5)
    kept = [serializers.serialize("json", model.objects.all()) for model in (Seat, Move, Event)]
    assert_hidden(table, *kept)
