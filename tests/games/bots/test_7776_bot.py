"""The easy bot of 7776: sound expectations, legal moves, and better than chance."""

import json
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path

import pytest

from games.bots import choose as choose_move
from games.bots.dice7776 import USUAL, easy, expected
from games.rules.chance import RecordedChance
from games.rules.dice7776 import COMBINATIONS, Dice7776, Options, State, View, table
from games.rules.game import Move, play
from tests.games.rules.seeded import SeededChance

GAME = Dice7776()
VECTORS = json.loads((Path(__file__).parents[2] / "vectors" / "7776.json").read_text())

Policy = Callable[[View, Sequence[Move]], Move]


def at_random(chance: SeededChance) -> Policy:
    return lambda _, legal_moves: legal_moves[chance.shuffle(len(legal_moves))[0]]


def play_out(policies: Sequence[Policy], chance: SeededChance) -> tuple[int, ...]:
    """The scores of a game. Every move is judged: an illegal one would raise."""
    state, _ = GAME.start(2, Options(), chance)
    while to_move := sorted(GAME.to_move(state)):
        for seat in to_move:
            move = policies[seat](GAME.view(state, seat), GAME.legal_moves(state, seat))
            state, _ = play(GAME, state, seat, move, chance)
    return GAME.scores(state)


def facing(throw: tuple[int, ...], theirs: tuple[int, ...] = (1, 1, 2, 3, 5)) -> State:
    state, _ = GAME.start(2, Options(), RecordedChance([("roll", throw), ("roll", theirs)]))
    return state


def chosen(throw: tuple[int, ...]) -> Move:
    state = facing(throw)
    return easy(GAME.view(state, 0), GAME.legal_moves(state, 0))


def test_it_chooses_legal_moves_to_the_end_of_every_game() -> None:
    for seed in range(20):
        play_out((easy, easy), SeededChance(seed))


def test_it_beats_a_random_player_clearly() -> None:
    scores = [play_out((easy, at_random(SeededChance(-seed))), SeededChance(seed)) for seed in range(1, 61)]
    assert sum(easys > others for easys, others in scores) >= 50


def test_it_plays_as_well_from_the_other_seat() -> None:
    scores = [play_out((at_random(SeededChance(-seed)), easy), SeededChance(seed)) for seed in range(1, 61)]
    assert sum(easys > others for others, easys in scores) >= 50


def test_what_is_expected_is_the_mean_over_all_the_others_throws() -> None:
    throw = (2, 3, 3, 3, 6)
    tables = [table(throw + theirs) for theirs in product(range(1, 7), repeat=5)]
    for combination in COMBINATIONS:
        mean = sum(each[combination] for each in tables) / 7776
        assert expected(throw)[combination] == pytest.approx(mean)


def test_the_usual_points_are_the_exact_means_over_all_throws() -> None:
    means = {name: exact["mean_score"] for name, exact in VECTORS["exact_over_all_throws"].items()}
    assert {name: pytest.approx(usual, abs=0.05) for name, usual in USUAL.items()} == means


def test_three_of_a_value_call_for_its_number() -> None:
    assert chosen((4, 4, 4, 1, 2)) == "choose 4"


def test_four_of_a_value_call_for_no_other_number() -> None:
    assert chosen((6, 6, 6, 6, 1)) in ("choose 6", "choose poker")


def test_a_choice_left_alone_is_taken() -> None:
    assert easy(GAME.view(facing((1, 1, 2, 3, 4)), 0), ["choose 6"]) == "choose 6"


def test_the_same_view_brings_the_same_move_whatever_the_order_of_the_dice() -> None:
    assert chosen((1, 2, 5, 5, 3)) == chosen((5, 3, 1, 5, 2)) == chosen((1, 2, 5, 5, 3))


def test_it_is_the_easy_bot_of_7776() -> None:
    state = facing((4, 4, 4, 1, 2))
    assert choose_move("7776", "easy", GAME.view(state, 0), GAME.legal_moves(state, 0)) == "choose 4"
