"""The built-in dominoes bot: always legal, always to the end, and better than chance."""

from collections.abc import Sequence
from itertools import product

import pytest

from games.bots.dominoes import easy
from games.rules.dominoes import Options, State
from games.rules.game import Move, Seat, play
from tests.games.rules.seeded import SeededChance
from tests.games.rules.test_dominoes import EVERY_OPTION, any_of, game, legal, position


def chosen(state: State) -> Move:
    """What the bot does where it is to move; it must be one of the legal moves."""
    assert state.seat is not None
    moves = legal(state)
    move = easy(game.view(state, state.seat), moves)
    assert move in moves
    return move


def finished(seats: int, options: Options, seed: int, bots: Sequence[Seat]) -> State:
    """A game played to its end, by bots on these seats and uniformly at random on the others."""
    chance = SeededChance(seed)
    state, _ = game.start(seats, options, chance)
    while state.seat is not None:
        move = chosen(state) if state.seat in bots else any_of(legal(state), chance)
        state, _ = play(game, state, state.seat, move, chance)
    return state


@pytest.mark.parametrize("options", EVERY_OPTION)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_bots_alone_play_legal_moves_to_the_end(seats: int, options: Options) -> None:
    for seed in range(10):
        state = finished(seats, options, seed, bots=range(seats))
        assert game.outcome(state, frozenset()) is not None


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_bots_play_whole_matches_to_the_end(seats: int) -> None:
    assert game.outcome(finished(seats, Options(), 1, bots=range(seats)), frozenset()) is not None


def test_the_bot_lays_straight_on() -> None:
    for seed in range(10):
        state = finished(3, Options(target=0), seed, bots=(0, 1, 2))
        assert {laid.y for laid in state.row} == {0}


def test_the_bot_draws_when_nothing_fits() -> None:
    assert chosen(position("3-2", "6-6", row="6-5", stock="6-4")) == "draw"


def test_the_bot_lays_heavy_tiles_first() -> None:
    assert chosen(position("1-0 6-3 2-0", "5-5")) == "lay 6-3"


def test_the_bot_would_rather_be_rid_of_a_double() -> None:
    assert chosen(position("6-5 5-5", "4-4", row="6-0, 5-0 right")) == "lay 5-5 right"


def test_the_bot_keeps_the_row_open_for_its_own_tiles() -> None:
    """The 6-5 fits both ends; at the right it leaves the 6 open for the other two."""
    assert chosen(position("6-5 6-2 6-1", "3-3", row="6-4, 5-4 right")) == "lay 6-5 right"


def test_the_bot_always_decides_the_same_way() -> None:
    assert finished(3, Options(target=30), 5, bots=(0, 1, 2)) == finished(
        3, Options(target=30), 5, bots=(0, 1, 2)
    )


def test_the_bot_beats_uniformly_random_moves() -> None:
    """A hundred matches, every second with the seats changed; the bot wins about four of five."""
    wins = 0
    for seed, bot in product(range(50), (0, 1)):
        outcome = game.outcome(finished(2, Options(target=50), seed, bots=(bot,)), frozenset())
        assert outcome is not None
        wins += outcome.winners == (bot,)
    assert wins > 65
