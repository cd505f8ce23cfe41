"""`POST /tables/{id}/bots`: the host, before the start, seats a built-in bot."""

from typing import Any

import pytest

from games.bots import LEVELS, POLICIES, STAND_IN, choose
from games.rules.registry import GAMES
from tests.conftest import Enter
from tests.games.conftest import Wait
from tests.games.situations import (
    PAUSE,
    TURN,
    begun,
    events_of,
    moves_of,
    put_tables,
    row,
    state_of,
    told,
    unchanged,
)
from tests.people import Answer, Person


def seat_bot(host: Person, table: str, body: Any = None) -> Answer:
    return host.post(f"tables/{table}/bots", body)


@pytest.mark.parametrize("body", [None, {}, {"level": "easy"}])
def test_a_bot_sits_in_the_lowest_free_seat(ann: Person, body: Any) -> None:
    table = ann.open("pickomino")
    answer = seat_bot(ann, table, body)
    assert answer.status == 201
    assert answer.json == ann.see(table)
    bot = {"seat": 1, "name": None, "kind": "bot", "level": "easy", "connected": True}
    assert answer["seats"][1] == {**bot, "stand_in": False, "left": False}
    assert events_of(table)[-1].data == {"kind": "bot"}


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_can_be_seated_and_moves(wait: Wait, enter: Enter, level: str) -> None:
    ann = enter()
    table = ann.open("7776")
    assert seat_bot(ann, table, {"level": level})["seats"][1]["level"] == level
    wait(PAUSE)
    assert ann.see(table)["view"]["locked"] == [False, True]


def test_a_bot_chooses_as_its_level_does_from_what_its_seat_sees(wait: Wait, enter: Enter) -> None:
    """With the table's options, and with its own number: the move is the policy's."""
    ann = enter()
    table = ann.open("7776")
    seat_bot(ann, table, {"level": "strong"})
    for _ in range(3):
        state, game = state_of(table), GAMES["7776"]
        expected = choose("7776", "strong", game.view(state, 1), game.legal_moves(state, 1), seat=1)
        wait(PAUSE)
        ann.see(table)
        assert moves_of(table)[-1].move == expected
        ann.move(table, ann.see(table)["legal_moves"][0])


def test_who_stands_in_plays_as_a_normal_bot(wait: Wait, enter: Enter) -> None:
    ann, bob = enter(), enter()
    table = begun("7776", [ann, bob])
    bob.move(table, "choose 6")
    state, game = state_of(table), GAMES["7776"]
    expected = choose("7776", STAND_IN, game.view(state, 0), game.legal_moves(state, 0), seat=0)
    wait(TURN)
    bob.see(table)
    assert (STAND_IN, moves_of(table)[-1].move, moves_of(table)[-1].by) == ("normal", expected, "stand_in")


def test_a_game_without_bots_of_its_own_gets_its_first_legal_move(
    wait: Wait, enter: Enter, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = enter()
    table = ann.open("7776")
    seat_bot(ann, table, {"level": "strong"})
    monkeypatch.delitem(POLICIES, "7776")
    wait(PAUSE)
    ann.see(table)
    assert moves_of(table)[-1].move == "choose 1"


def test_several_bots(ann: Person) -> None:
    table = ann.open("pickomino")
    for _ in range(5):
        seat_bot(ann, table)
    assert [seat["kind"] for seat in ann.see(table)["seats"]] == ["human", *["bot"] * 5]


def test_the_game_starts_by_itself_when_a_bot_takes_the_last_seat(ann: Person) -> None:
    table = ann.open("7776")
    answer = seat_bot(ann, table)
    assert (answer.status, answer["status"]) == (201, "playing")
    assert told(table, after=2)[1] == ("started", None, "server")


@pytest.mark.parametrize(
    "body", [{"level": "hard"}, {"level": None}, {"level": 1}, {"seat": 1}, {"level": "easy\x00"}, [], "easy"]
)
def test_a_level_that_is_not_built_in_is_invalid(ann: Person, body: Any) -> None:
    table = ann.open("pickomino")
    with unchanged(table):
        answer = seat_bot(ann, table, body)
    assert (answer.status, answer.code) == (400, "invalid")


def test_only_the_host_seats_bots(ann: Person, bob: Person, cid: Person) -> None:
    table = ann.open("pickomino")
    bob.sit(table)
    with unchanged(table):
        assert seat_bot(bob, table).code == "not_host"
        assert seat_bot(cid, table).code == "not_seated"
    assert seat_bot(cid, ann.open("7776", visibility="private")).code == "not_found"
    assert seat_bot(Person(), table).code == "not_authenticated"


def test_before_the_start_only(ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    with unchanged(table):
        assert seat_bot(ann, table).code == "not_open"


def test_a_full_table_is_full(ann: Person) -> None:
    (table,) = put_tables(1, [ann], capacity=1)
    assert seat_bot(ann, table).code == "table_full"


def test_a_bot_moves_after_a_pause_by_itself_and_its_moves_are_its_own(wait: Wait, enter: Enter) -> None:
    ann = enter()
    table = ann.open("7776")
    seat_bot(ann, table)
    version = row(table).version
    ann.see(table)
    assert row(table).version == version
    wait(PAUSE)
    assert ann.see(table)["view"]["locked"] == [False, True]
    assert told(table, after=version) == [("chose", 1, "bot")]


@pytest.mark.parametrize("policy", [lambda *_: 1 / 0, lambda *_: "choose wisely"])
def test_a_bot_that_fails_stops_no_table(
    wait: Wait, enter: Enter, monkeypatch: pytest.MonkeyPatch, policy: Any
) -> None:
    ann = enter()
    table = ann.open("7776")
    seat_bot(ann, table)
    monkeypatch.setitem(POLICIES["7776"], "easy", policy)
    wait(PAUSE)
    assert ann.see(table)["view"]["locked"] == [False, True]


def test_a_bot_has_no_deadline(wait: Wait, enter: Enter) -> None:
    ann, bob = enter(), enter()
    table = ann.open("7776")
    seat_bot(ann, table)
    ann.move(table, "choose poker")
    shown = bob.see(table)
    assert (shown["to_move"], shown["deadline"]) == ([1], None)
