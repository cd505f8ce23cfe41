"""The stored state is a cache of the history: replaying start and moves gives it again."""

import random
from typing import Any

import pytest

from games.rules.game import encode, options_from, replay
from games.rules.registry import GAMES
from games.sweeps import sweep_tables
from tests.conftest import Enter
from tests.games.conftest import Wait
from tests.games.situations import TURN, as_json, begun, moves_of, play, row, seats_of
from tests.people import Person, seat_all

OPTIONS: dict[str, list[dict[str, Any]]] = {
    "pickomino": [{}, {"first": "seat_0", "collect": "nearest", "turn_over_returned": True}],
    "7776": [{}],
    "dominoes": [{}, {"target": 0}, {"start": "winner", "dead_row": "draw_out", "corners": False}],
}


def replayed(table: str) -> object:
    """What the history of a table leads to, as it would be stored."""
    stored = row(table)
    game = GAMES[stored.game]
    moves = [(move.seat, move.move, move.chance) for move in moves_of(table)]
    options = options_from(game, stored.options)
    state = replay(game, len(seats_of(table)), options, stored.start_chance, moves)
    if stored.outcome and stored.outcome["reason"] != "played_out":
        state = game.halt(state)
    return as_json(encode(state))


def play_absently(people: list[Person], table: str, wait: Wait, steps: int) -> None:
    """Some move, some are late, some come back."""
    luck = random.Random("absent")
    for _ in range(steps):
        shown = people[0].see(table)
        if not shown["to_move"]:
            return
        mover = people[luck.choice(shown["to_move"])]
        match luck.randrange(4):
            case 0:
                wait(TURN)
                sweep_tables()
            case 1:
                wait(1)
                sweep_tables()
            case _:
                moves = mover.see(table)["legal_moves"]
                if moves:
                    assert mover.move(table, luck.choice(moves)).status == 201


CASES = [(game, options) for game, variants in OPTIONS.items() for options in variants]


@pytest.mark.parametrize(("game", "options"), CASES)
def test_pain_34_the_state_is_the_replay_of_the_chance_and_the_moves(
    ann: Person, bob: Person, game: str, options: dict[str, Any]
) -> None:
    table = seat_all(game, [ann, bob], options=options)
    for seed in range(5):
        assert replayed(table) == row(table).state
        play([ann, bob], table, 12, seed)
    assert replayed(table) == row(table).state


@pytest.mark.parametrize("game", ["pickomino", "7776", "dominoes"])
def test_with_stand_ins_and_returns(wait: Wait, enter: Enter, game: str) -> None:
    people = [enter(), enter()]
    table = seat_all(game, people, options={"target": 30} if game == "dominoes" else {})
    play_absently(people, table, wait, 40)
    assert {move.by for move in moves_of(table)} == {"player", "stand_in"}
    assert replayed(table) == row(table).state


@pytest.mark.parametrize("game", ["pickomino", "7776", "dominoes"])
def test_with_bots(wait: Wait, enter: Enter, game: str) -> None:
    ann = enter()
    table = ann.open(game, capacity=2)
    ann.post(f"tables/{table}/bots", {})
    for _ in range(30):
        shown = ann.see(table)
        if shown["legal_moves"]:
            assert ann.move(table, shown["legal_moves"][0]).status == 201
        wait(1)
        sweep_tables()
    assert "bot" in {move.by for move in moves_of(table)}
    assert replayed(table) == row(table).state


@pytest.mark.parametrize("game", ["pickomino", "dominoes"])
def test_with_a_seat_that_left(wait: Wait, enter: Enter, game: str) -> None:
    people = [enter() for _ in range(3)]
    table = seat_all(game, people)
    play(people, table, 7)
    people[1].delete(f"tables/{table}/seats/me")
    for _ in range(12):
        wait(1)
        sweep_tables()
        shown = people[0].see(table)
        for person in (people[0], people[2]):
            moves = person.see(table)["legal_moves"]
            if moves and shown["status"] == "playing":
                assert person.move(table, moves[0]).status == 201
                break
    assert replayed(table) == row(table).state


@pytest.mark.parametrize("game", ["pickomino", "7776", "dominoes"])
def test_a_forfeit_is_the_replay_halted(ann: Person, bob: Person, game: str) -> None:
    table = seat_all(game, [ann, bob])
    play([ann, bob], table, 7)
    ann.delete(f"tables/{table}/seats/me")
    assert row(table).outcome["reason"] == "forfeit"
    assert replayed(table) == row(table).state


@pytest.mark.parametrize("game", ["pickomino", "7776", "dominoes"])
def test_an_abandoned_table_is_the_replay_halted(wait: Wait, enter: Enter, game: str) -> None:
    people = [enter(), enter()]
    table = seat_all(game, people)
    play(people, table, 5)
    while row(table).paused_at is None:
        wait(TURN)
        sweep_tables()
    wait(3600)
    sweep_tables()
    assert row(table).outcome["reason"] == "abandoned"
    assert replayed(table) == row(table).state


def test_a_table_that_was_played_out(ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    play([ann, bob], table, 32)
    assert row(table).outcome["reason"] == "played_out"
    assert replayed(table) == row(table).state
    assert len(moves_of(table)) == 32
