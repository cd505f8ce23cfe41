"""What a seat may not know reaches it by no road: the answers are compared to the byte, and searched.

A game is taken to a position, then to another that differs only in what is hidden; whatever happens
next must look the same to those who may not know, and the clock stands still so that nothing else
can differ.
"""

import itertools
import json
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client

from games.models import Event, Move
from games.rules import dice7776
from games.rules.game import encode
from games.rules.registry import GAMES
from games.sweeps import sweep_tables
from tests.conftest import Enter
from tests.games.conftest import Wait
from tests.games.rules.seeded import SeededChance
from tests.games.situations import (
    NOON,
    TURN,
    begun,
    events_of,
    hands,
    kinds,
    last_round,
    play,
    put_state,
    row,
    state_of,
)
from tests.people import API, Person

_client = Client()


def heard(person: Person, method: str, path: str, body: Any = None) -> bytes:
    """Everything that comes back: status, headers and body."""
    raw = b"" if body is None else json.dumps(body).encode()
    token = f"Bearer {person.token}"
    address = f"{API}/{path}"
    response = _client.generic(
        method, address, raw, content_type="application/json", HTTP_AUTHORIZATION=token
    )
    headers = "\n".join(f"{name}: {value}" for name, value in sorted(response.headers.items()))
    return f"{response.status_code}\n{headers}\n".encode() + response.content


def main_roads(person: Person, table: str) -> list[bytes]:
    """What a person is told of a table by its view, its events and a refused move."""
    return [
        heard(person, "GET", f"tables/{table}"),
        heard(person, "GET", f"tables/{table}/events"),
        heard(person, "POST", f"tables/{table}/moves", {"move": "no such move"}),
    ]


def roads(person: Person, table: str) -> list[bytes]:
    """What a person is told of a table on all the roads that do not change it."""
    return [
        *main_roads(person, table),
        heard(person, "GET", "tables"),
        heard(person, "GET", "tables?mine=true"),
        heard(person, "GET", "sessions/current"),
        heard(person, "POST", f"tables/{table}/moves", {"move": "roll", "version": 0}),
        heard(person, "POST", f"tables/{table}/moves", {"move": "roll", "version": 10**6}),
        heard(person, "POST", f"tables/{table}/seats", {}),
        heard(person, "POST", f"tables/{table}/start"),
        heard(person, "POST", f"tables/{table}/bots", {}),
        heard(person, "GET", f"tables/{table}/state"),
    ]


Act = Callable[[], None]


def hears(state: Any, table: str, listeners: Sequence[Person], act: Act) -> list[bytes]:
    """What the listeners hear when a table is in this state, before and after an act that is then undone."""
    told: list[bytes] = []
    with transaction.atomic():
        put_state(table, state)
        told += itertools.chain.from_iterable(roads(person, table) for person in listeners)
        act()
        told += itertools.chain.from_iterable(roads(person, table) for person in listeners)
        transaction.set_rollback(True)
    return told


def nothing() -> None:
    pass


@pytest.fixture
def people(wait: Wait, enter: Enter) -> list[Person]:
    return [enter(), enter(), enter()]


def other_throw(state: dice7776.State, seat: int) -> dice7776.State:
    """The same, but this seat threw something else."""
    throws = list(state.throws)
    throws[seat] = tuple(face % 6 + 1 for face in throws[seat])
    return replace(state, throws=tuple(throws))


# --- 7776 ---


@pytest.mark.parametrize("seat", [0, 1])
def test_pain_09_a_throw_reaches_neither_the_opponent_nor_a_watcher(people: list[Person], seat: int) -> None:
    table = begun("7776", people[:2])
    state = state_of(table)
    listeners = [people[1 - seat], people[2]]
    assert hears(state, table, listeners, nothing) == hears(
        other_throw(state, seat), table, listeners, nothing
    )
    own = [people[seat]]
    assert hears(state, table, own, nothing) != hears(other_throw(state, seat), table, own, nothing)


@pytest.mark.parametrize("seat", [0, 1])
def test_pain_09_of_a_choice_only_locked_is_told(people: list[Person], seat: int) -> None:
    table = begun("7776", people[:2])
    state = state_of(table)
    listeners = [people[1 - seat], people[2]]

    def choosing(what: str) -> Act:
        def act() -> None:
            assert people[seat].move(table, f"choose {what}").status == 201

        return act

    told = [hears(state, table, listeners, choosing(what)) for what in ("poker", "3+2", "1")]
    assert told[0] == told[1] == told[2]
    own = [people[seat]]
    assert hears(state, table, own, choosing("poker")) != hears(state, table, own, choosing("3+2"))


def test_a_choice_changes_nothing_that_the_opponent_may_do(people: list[Person]) -> None:
    ann, bob, _ = people
    table = begun("7776", [ann, bob])
    before = bob.see(table)
    ann.move(table, "choose poker")
    after = bob.see(table)
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {"version", "to_move", "view"}
    assert {name for name in before["view"] if before["view"][name] != after["view"][name]} == {"locked"}
    assert bob.events(table)[-1] == {
        "version": 7, "kind": "chose", "seat": 0, "by": "player", "data": {}, "at": "2026-12-01T12:00:00Z",
    }  # fmt: skip


def test_the_throws_of_the_next_round_are_as_secret(people: list[Person]) -> None:
    table = begun("7776", people[:2])
    play(people[:2], table, 4)
    state = state_of(table)
    assert len(state.history) == 2
    listeners = [people[1], people[2]]
    assert hears(state, table, listeners, nothing) == hears(other_throw(state, 0), table, listeners, nothing)


def test_what_a_stand_in_chose_is_as_secret(people: list[Person], wait: Wait) -> None:
    ann, bob, cid = people
    table = begun("7776", [ann, bob])
    ann.move(table, "choose poker")
    wait(TURN)
    sweep_tables()
    wait(1)
    sweep_tables()
    assert bob.see(table)["view"]["locked"] == [False, True]
    for person in (ann, cid):
        chose = [event for event in person.events(table) if event["kind"] == "chose"]
        assert [event["seat"] for event in chose] == [0, 1, 1]
        assert "own" not in chose[-1]
        assert "own" not in chose[1]


def test_at_a_halt_an_unrevealed_round_is_never_shown(people: list[Person]) -> None:
    ann, bob, cid = people
    table = begun("7776", [ann, bob])
    state = state_of(table)

    def leave() -> None:
        assert ann.move(table, "choose poker").status == 201
        assert ann.delete(f"tables/{table}/seats/me").status == 204

    listeners = [bob, cid]
    assert hears(state, table, listeners, leave) == hears(other_throw(state, 0), table, listeners, leave)


# --- dominoes ---


def resampled(state: Any, seat: int | None, seed: int) -> Any:
    return GAMES["dominoes"].resample(state, seat, SeededChance(seed))


@pytest.mark.parametrize("seat", [0, 1])
def test_pain_08_hands_and_stock_reach_neither_the_others_nor_a_watcher(
    people: list[Person], seat: int
) -> None:
    table = begun("dominoes", people[:2])
    state = state_of(table)
    for seed in range(3):
        other = resampled(state, seat, seed)
        assert other != state
        assert hears(state, table, [people[seat]], nothing) == hears(other, table, [people[seat]], nothing)
        other = resampled(state, None, seed)
        assert hears(state, table, [people[2]], nothing) == hears(other, table, [people[2]], nothing)


def test_pain_08_a_drawn_tile_is_told_to_its_seat_alone(people: list[Person]) -> None:
    ann, bob, cid = people
    table = begun("dominoes", [ann, bob])
    state = hands(["3-3", "2-1"], ["6-5", "6-4"], seat=0, stock=["6-6", "1-0", "3-0"])

    def draw() -> None:
        assert ann.move(table, "lay 3-3").status == 201
        assert bob.move(table, "draw").status == 201

    other = replace(state, stock=("5-5", "2-0", "3-0"))
    assert hears(state, table, [ann, cid], draw) == hears(other, table, [ann, cid], draw)
    assert hears(state, table, [bob], draw) != hears(other, table, [bob], draw)


def test_pain_08_a_lay_tells_nothing_of_the_rest_of_the_hand(people: list[Person]) -> None:
    ann, bob, cid = people
    table = begun("dominoes", [ann, bob])
    state = hands(["6-4", "2-1", "5-0"], ["6-5", "4-4"], stock=["6-6", "1-0"])

    def lay() -> None:
        assert ann.move(table, "lay 6-4").status == 201

    other = replace(state, hands=(("6-6", "6-4", "1-0"), state.hands[1]), stock=("2-1", "5-0"))
    assert hears(state, table, [bob, cid], lay) == hears(other, table, [bob, cid], lay)


def test_at_a_forfeit_no_hand_is_shown(people: list[Person]) -> None:
    ann, bob, cid = people
    table = begun("dominoes", [ann, bob])
    state = state_of(table)

    def leave() -> None:
        assert ann.delete(f"tables/{table}/seats/me").status == 204

    told = hears(state, table, [bob], leave)
    assert told == hears(resampled(state, 1, 5), table, [bob], leave)
    assert hears(state, table, [cid], leave) == hears(resampled(state, None, 5), table, [cid], leave)


def test_who_left_knows_no_more_than_a_watcher(people: list[Person]) -> None:
    ann, _, _ = people
    table = begun("dominoes", people)
    ann.delete(f"tables/{table}/seats/me")
    assert ann.see(table)["view"]["hand"] is None
    assert all("own" not in event for event in ann.events(table))


# --- whole games, searched ---


def test_through_a_whole_game_of_7776_no_unrevealed_throw_is_in_any_answer(people: list[Person]) -> None:
    table = begun("7776", people[:2])
    luck = random.Random("7776")
    for _ in range(16):
        throws = [",".join(map(str, throw)).encode() for throw in state_of(table).throws]
        known = json.dumps(encode(state_of(table).history), separators=(",", ":")).encode()
        seats = luck.sample([0, 1], 2)
        choose(people[seats[0]], table, luck)
        for listener, (seat, throw) in itertools.product((0, 1, 2), enumerate(throws)):
            # What the listener threw itself, or has been shown, looks like that for good reason.
            if listener != seat and throw not in known and throw not in throws[listener : listener + 1]:
                assert not any(throw in answer for answer in main_roads(people[listener], table))
        choose(people[seats[1]], table, luck)
    assert row(table).status == "finished"


def choose(person: Person, table: str, luck: random.Random) -> None:
    move = luck.choice(person.see(table)["legal_moves"])
    assert person.move(table, move).status == 201


@pytest.mark.parametrize("seats", [2, 3])
def test_through_a_whole_round_of_dominoes_no_hidden_tile_is_in_any_answer(
    people: list[Person], seats: int
) -> None:
    table = begun("dominoes", people[:seats], options={"target": 0})
    luck = random.Random("dominoes")
    while (state := state_of(table)).seat is not None:
        for seat, person in enumerate(people):
            hidden = [tile for holder, hand in enumerate(state.hands) if holder != seat for tile in hand]
            for answer in main_roads(person, table):
                assert not [tile for tile in [*hidden, *state.stock] if f'"{tile}"'.encode() in answer]
        choose(people[state.seat], table, luck)
    assert row(table).status == "finished"


def test_the_answer_to_a_move_tells_nothing_of_the_others(people: list[Person]) -> None:
    ann, bob, _ = people
    table = begun("7776", [ann, bob])
    state = state_of(table)

    def answered(state: Any) -> bytes:
        with transaction.atomic():
            put_state(table, state)
            answer = heard(bob, "POST", f"tables/{table}/moves", {"move": "choose poker"})
            transaction.set_rollback(True)
        return answer

    assert answered(state).startswith(b"201")
    assert answered(state) == answered(other_throw(state, 0))


# --- the reveal ---


def test_a_reveal_shows_everything_to_everybody(people: list[Person]) -> None:
    ann, bob, _ = people
    table = begun("7776", [ann, bob])
    put_state(table, last_round(throws=((1, 1, 1, 1, 2), (6, 6, 6, 6, 5))))
    ann.move(table, "choose major-sum")
    bob.move(table, "choose major-sum")
    for person in people:
        shown = person.see(table)["view"]["history"][-1]
        assert shown["throws"] == [[1, 1, 1, 1, 2], [6, 6, 6, 6, 5]]
        assert shown["choices"] == ["major-sum", "major-sum"]


# --- other roads ---


def test_what_is_drawn_for_later_is_told_to_nobody(people: list[Person]) -> None:
    table = begun("dominoes", people[:2])
    for person in people:
        for answer in roads(person, table):
            assert b"chance" not in answer
            assert b"shuffle" not in answer
            assert b'"stock":[' not in answer


def test_the_admin_shows_no_hidden_values(people: list[Person]) -> None:
    ann, bob, _ = people
    table = begun("dominoes", [ann, bob])
    ann.move(table, "draw")
    hidden = [f'"{tile}"' for hand in state_of(table).hands for tile in hand]
    User.objects.create_superuser("root", password="a long enough password")
    client = Client()
    assert client.login(username="root", password="a long enough password")
    models: list[Any] = [
        model for model in admin.site._registry if model._meta.app_label in ("games", "players")
    ]
    for model in models:
        path = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        paths = [path, *(f"{path}{thing.pk}/change/" for thing in model.objects.all()[:3])]
        pages = [client.get(path).content.decode() for path in paths]
        for page in pages:
            readable = page.replace("&quot;", '"')
            assert not [tile for tile in hidden if tile in readable]


def test_names_of_rows_hold_no_secrets(people: list[Person]) -> None:
    ann, bob, _ = people
    table = begun("7776", [ann, bob])
    ann.move(table, "choose poker")
    told = [str(thing) for thing in (row(table), *Move.objects.all(), *Event.objects.all())]
    assert not [text for text in told if "poker" in text or ann.name in text]


def test_logs_hold_no_secrets(people: list[Person], caplog: pytest.LogCaptureFixture) -> None:
    ann, bob, _ = people
    with caplog.at_level("INFO"):
        table = begun("dominoes", [ann, bob])
        play([ann, bob], table, 4)
        ann.move(table, "no such move")
    tiles = [tile for hand in state_of(table).hands for tile in hand]
    assert not [tile for tile in tiles if tile in caplog.text]


def test_no_name_stands_in_an_event_or_a_move(people: list[Person]) -> None:
    _, bob, _ = people
    table = begun("pickomino", people)
    play(people, table, 5)
    bob.delete(f"tables/{table}/seats/me")
    stored = json.dumps([[event.data, event.own] for event in events_of(table)]) + str(
        list(Move.objects.filter(table_id=table).values())
    )
    assert not [person.name for person in people if person.name in stored]


@pytest.mark.parametrize("game", ["pickomino", "7776", "dominoes"])
def test_pain_35_luck_does_not_follow_the_clock_or_a_seed(people: list[Person], game: str) -> None:
    starts = set()
    for _ in range(8):
        random.seed(1)
        table = begun(game, people[:2], options={"first": "random"} if game == "pickomino" else {})
        if game == "pickomino":
            mover = people[row(table).state["seat"]]
            mover.move(table, "roll")
        moves = list(Move.objects.filter(table_id=table).values_list("chance", flat=True))
        starts.add(json.dumps([row(table).start_chance, moves]))
    assert len(starts) > 1
    assert row(table).created_at == NOON
    assert "started" in kinds(table)
