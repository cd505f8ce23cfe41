"""PUT /tables/{id}/seats/me/client-seed: each player's share of the luck, put before the start."""

from typing import Any

import pytest

from games.models import Seat
from games.rules.fair import Luck
from tests.conftest import Enter
from tests.games.situations import begun, events_of, moves_of, play, row, seats_of, unchanged
from tests.games.test_rematch import end
from tests.people import Answer, Person


def put(person: Person, table: str, digits: Any) -> Answer:
    return person.put(f"tables/{table}/seats/me/client-seed", {"hex": digits})


def client_seeds(person: Person, table: str) -> Any:
    return person.see(table)["fairness"]["client_seeds"]


def luck_of(table: str) -> Luck:
    seeds = tuple(seat.client_seed for seat in seats_of(table))
    return Luck(bytes(row(table).seed), table, seeds)


def test_it_is_shown_from_the_start_on_and_not_before(ann: Person, bob: Person, cid: Person) -> None:
    table = ann.open("pickomino", capacity=3)
    bob.sit(table)
    assert put(bob, table, "c0ffee").status == 204
    assert client_seeds(ann, table) == client_seeds(bob, table) == []
    cid.sit(table)
    for person in (ann, bob, cid):
        assert client_seeds(person, table) == [None, "c0ffee", None]


def test_nobody_is_told_that_it_was_put(ann: Person, bob: Person) -> None:
    table = ann.open("pickomino", capacity=3)
    bob.sit(table)
    before, events = ann.get(f"tables/{table}"), events_of(table)
    assert put(bob, table, "c0ffee").status == 204
    after = ann.get(f"tables/{table}")
    assert (after.headers["ETag"], after.json) == (before.headers["ETag"], before.json)
    assert [event.pk for event in events_of(table)] == [event.pk for event in events]


def test_put_again_it_replaces_what_was_put(ann: Person, bob: Person) -> None:
    table = ann.open("7776")
    for digits in ("1", "2", "3"):
        assert put(ann, table, digits).status == 204
    bob.sit(table)
    assert client_seeds(bob, table) == ["3", None]


def test_capital_letters_become_small_ones_and_leading_zeros_stay(ann: Person, bob: Person) -> None:
    table = ann.open("7776")
    assert put(ann, table, "00ABCdef").status == 204
    bob.sit(table)
    assert client_seeds(bob, table) == ["00abcdef", None]


@pytest.mark.parametrize("digits", ["0", "f" * 64])
def test_one_to_sixty_four_digits_are_taken(ann: Person, digits: str) -> None:
    assert put(ann, ann.open(), digits).status == 204


@pytest.mark.parametrize(
    "digits",
    ["", "f" * 65, "g", "0x1", " 1", "1 ", "1\n", "١", "é", None, 7, 1.5, True, ["1"], {"hex": "1"}],
)
def test_anything_else_is_not(ann: Person, digits: object) -> None:
    table = ann.open()
    with unchanged(table):
        answer = put(ann, table, digits)
    assert (answer.status, answer.code) == (400, "invalid")
    assert list(answer["errors"]) == ["hex"]


@pytest.mark.parametrize("body", [{}, {"seed": "1"}, {"hex": "1", "seat": 1}, [], None])
def test_the_body_has_one_member(ann: Person, body: object) -> None:
    assert ann.put(f"tables/{ann.open()}/seats/me/client-seed", body).code == "invalid"


def test_after_the_start_it_is_too_late(ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    with unchanged(table):
        assert put(ann, table, "c0ffee").code == "not_open"
    end(table)
    with unchanged(table):
        assert put(ann, table, "c0ffee").code == "not_open"


def test_only_who_sits_there_puts_one(ann: Person, bob: Person, cid: Person) -> None:
    table = ann.open("pickomino", capacity=3)
    assert put(bob, table, "1").code == "not_seated"
    private = ann.open("pickomino", visibility="private")
    assert put(cid, private, "1").code == "not_found"
    assert put(cid, "0197d0a4-9f10-7b52-8d3c-1a2b3c4d5e6f", "1").code == "not_found"
    assert Person().put(f"tables/{table}/seats/me/client-seed", {"hex": "1"}).code == "not_authenticated"


def test_leaving_the_seat_drops_it(ann: Person, bob: Person, cid: Person) -> None:
    table = ann.open("pickomino", capacity=3)
    bob.sit(table)
    put(bob, table, "c0ffee")
    bob.delete(f"tables/{table}/seats/me")
    cid.sit(table)
    assert [seat.client_seed for seat in seats_of(table)] == [None, None]
    bob.sit(table)
    assert client_seeds(ann, table) == [None, None, None]


def test_it_goes_with_its_seat_when_the_seats_are_renumbered(ann: Person, bob: Person, cid: Person) -> None:
    table = ann.open("pickomino", capacity=4)
    for person, digits in ((bob, "b0"), (cid, "c0")):
        person.sit(table)
        put(person, table, digits)
    bob.delete(f"tables/{table}/seats/me")
    ann.post(f"tables/{table}/start")
    assert cid.see(table)["you"] == 1
    assert client_seeds(ann, table) == [None, "c0"]


def test_a_bot_has_none(ann: Person) -> None:
    table = ann.open("7776")
    put(ann, table, "a0")
    ann.post(f"tables/{table}/bots", {})
    assert client_seeds(ann, table) == ["a0", None]


def test_who_leaves_the_game_leaves_it_there(ann: Person, bob: Person, cid: Person) -> None:
    table = ann.open("pickomino", capacity=3)
    bob.sit(table, client_seed="b0")
    cid.sit(table)
    bob.delete(f"tables/{table}/seats/me")
    assert client_seeds(ann, table) == [None, "b0", None]


# --- it comes with the seat, since the last seat starts the game


def test_it_comes_along_with_sitting_down(ann: Person, bob: Person) -> None:
    table = ann.open("7776", client_seed="A0")
    answer = bob.sit(table, client_seed="b0")
    assert answer["fairness"]["client_seeds"] == ["a0", "b0"]


def test_who_sits_already_keeps_the_one_that_was_put(ann: Person, bob: Person) -> None:
    table = ann.open("pickomino", capacity=3, client_seed="a0")
    assert ann.sit(table, client_seed="a1").status == 200
    bob.sit(table, client_seed="b0")
    ann.post(f"tables/{table}/start")
    assert client_seeds(ann, table) == ["a0", "b0"]


def test_it_comes_along_with_a_quick_match(ann: Person, bob: Person) -> None:
    table = ann.post("matches", {"game": "7776", "client_seed": "a0"})["id"]
    assert bob.post("matches", {"game": "7776", "client_seed": "b0"})["id"] == table
    assert client_seeds(ann, table) == ["a0", "b0"]


def test_it_comes_along_with_a_rematch(ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    end(table)
    again = ann.post(f"tables/{table}/rematch", {"client_seed": "a0"})["id"]
    assert bob.post(f"tables/{table}/rematch", {"client_seed": "b0"}).status == 201
    # The order is turned by one.
    assert client_seeds(ann, again) == ["b0", "a0"]


def test_a_rematch_begins_without_those_of_the_game_before(ann: Person, bob: Person) -> None:
    table = ann.open("7776", client_seed="a0")
    bob.sit(table, client_seed="b0")
    end(table)
    again = ann.post(f"tables/{table}/rematch")["id"]
    bob.post(f"tables/{table}/rematch")
    assert client_seeds(ann, again) == [None, None]


@pytest.mark.parametrize("path", ["tables", "matches", "tables/{}/seats", "tables/{}/rematch"])
@pytest.mark.parametrize("digits", ["", "xyz", "f" * 65, 7])
def test_a_bad_one_seats_nobody(ann: Person, bob: Person, path: str, digits: object) -> None:
    table = ann.open("7776")
    given = {"client_seed": digits} | ({} if "{}" in path else {"game": "7776"})
    answer = bob.post(path.replace("{}", table), given)
    assert (answer.status, answer.code) == (400, "invalid")
    assert list(answer["errors"]) == ["client_seed"]
    assert Seat.objects.count() == 1


def test_null_is_none(ann: Person, bob: Person) -> None:
    table = ann.open("7776", client_seed=None)
    bob.sit(table, client_seed=None)
    assert client_seeds(ann, table) == [None, None]


# --- the luck follows from it


@pytest.mark.parametrize("game", ["pickomino", "7776", "dominoes"])
def test_pain_35_all_luck_follows_from_the_seeds_of_server_and_players(enter: Enter, game: str) -> None:
    ann, bob = enter(), enter()
    table = ann.open(game, capacity=2, client_seed="a0")
    bob.sit(table, client_seed="00b0")
    play([ann, bob], table, 45)
    luck = luck_of(table)
    assert luck.client_seeds == ("a0", "00b0")
    for number, drawn in enumerate([row(table).start_chance, *(move.chance for move in moves_of(table))]):
        chance = luck.block(number)
        assert [[kind, list(getattr(chance, kind)(len(values)))] for kind, values in drawn] == drawn
    assert any(move.chance for move in moves_of(table))
