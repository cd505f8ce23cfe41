"""The built-in Pickomino player: legal, the same every time, and better than chance."""

import random

import pytest

from games.bots import choose
from games.bots.pickomino import easy
from games.rules.game import Move, Outcome, play
from games.rules.pickomino import Options, State
from tests.games.rules.test_pickomino import GAME, NOBODY, TO_25, SeededChance, position, reached


def chosen(state: State) -> Move:
    assert state.seat is not None
    return easy(GAME.view(state, state.seat), GAME.legal_moves(state, state.seat))


def self_play(seed: int, seats: int, options: Options | None = None) -> list[State]:
    """Every position of a game in which the bot has all seats."""
    chance = SeededChance(seed)
    state, _ = GAME.start(seats, options or Options(), chance)
    positions = [state]
    while state.seat is not None:
        state, _ = play(GAME, state, state.seat, chosen(state), chance)
        positions.append(state)
    return positions


@pytest.mark.parametrize("seats", GAME.seats)
def test_it_makes_legal_moves_to_the_end_of_every_game(seats: int) -> None:
    games = [self_play(seed, seats) for seed in range(20)]
    assert sum(map(len, games)) > 2000
    assert all(GAME.outcome(game[-1], NOBODY) for game in games)


@pytest.mark.parametrize(
    "options",
    [Options(collect="nearest"), Options(turn_over_returned=True), Options(turn_over_on_empty_bust=False)],
    ids=repr,
)
def test_it_plays_under_every_option(options: Options) -> None:
    assert all(GAME.outcome(self_play(seed, 3, options)[-1], NOBODY) for seed in range(20))


def test_it_makes_legal_moves_in_positions_that_it_would_not_reach() -> None:
    choice, chance, seen = random.Random(2), SeededChance(2), 0
    while seen < 3000:
        state, _ = GAME.start(choice.choice(GAME.seats), Options(), chance)
        while state.seat is not None:
            legal = GAME.legal_moves(state, state.seat)
            assert chosen(state) in legal
            state, _ = play(GAME, state, state.seat, choice.choice(legal), chance)
            seen += 1


def test_it_decides_alike_whatever_the_order_of_the_moves() -> None:
    for state in self_play(3, 3)[:-1]:
        view, legal = GAME.view(state, state.seat), GAME.legal_moves(state, state.seat or 0)
        assert easy(view, legal) == easy(view, legal[::-1]) == choose("pickomino", "easy", view, legal)


def test_it_saves_a_w_while_it_has_none() -> None:
    assert chosen(reached(position(), "roll WW123455")) == "save W"


def test_it_saves_many_good_dice_rather_than_few() -> None:
    assert chosen(reached(position(), "roll 11155442")) == "save 5"
    assert chosen(reached(position(), "roll 44445112")) == "save 4"


def test_it_steals_when_it_can() -> None:
    assert chosen(reached(position([], [25]), *TO_25)) == "steal 25"


def test_it_rolls_on_while_little_is_at_stake() -> None:
    assert chosen(reached(position(), *TO_25)) == "roll"


def test_it_takes_the_best_domino_when_a_roll_is_dangerous() -> None:
    assert chosen(reached(position(), *TO_25, "roll 44W", "save 4")) == "collect 33"


def test_it_beats_uniformly_random_choice() -> None:
    wins = [bot in match(seed, bot).winners for seed in range(50) for bot in (0, 1)]
    assert sum(wins) >= 90


def match(seed: int, bot: int) -> Outcome:
    """A game of two in which the other seat chooses at random."""
    choice, chance = random.Random(seed), SeededChance(seed)
    state, _ = GAME.start(2, Options(), chance)
    while state.seat is not None:
        legal = GAME.legal_moves(state, state.seat)
        move = chosen(state) if state.seat == bot else choice.choice(legal)
        state, _ = play(GAME, state, state.seat, move, chance)
    outcome = GAME.outcome(state, NOBODY)
    assert outcome is not None
    return outcome
