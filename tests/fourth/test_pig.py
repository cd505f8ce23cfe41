"""The rules of Pig, sentence by sentence."""

from games.rules.chance import RecordedChance
from games.rules.game import play
from tests.fourth.pig import Options, Pig, State

GAME = Pig()


def after(state: State, *moves: str, dice: tuple[int, ...] = ()) -> State:
    """These moves of whoever's turn it is, with these dice."""
    chance = RecordedChance([("roll", (die,)) for die in dice])
    for move in moves:
        assert state.seat is not None
        state, _ = play(GAME, state, state.seat, move, chance)
    chance.finish()
    return state


def at(scores: tuple[int, ...], seat: int = 0, turn: int = 0) -> State:
    return State(Options(), seat, turn, scores)


def test_two_to_six_is_added_to_the_points_of_the_turn() -> None:
    assert after(at((0, 0)), "roll", "roll", dice=(2, 6)) == at((0, 0), turn=8)


def test_a_1_takes_the_points_of_the_turn_and_ends_it() -> None:
    assert after(at((5, 7), seat=1, turn=9), "roll", dice=(1,)) == at((5, 7), seat=0)


def test_a_hold_adds_the_points_of_the_turn_and_ends_it() -> None:
    assert after(at((5, 7), turn=9), "hold") == at((14, 7), seat=1)


def test_one_holds_only_after_a_roll() -> None:
    assert GAME.legal_moves(at((0, 0)), 0) == ("roll",)
    assert set(GAME.legal_moves(at((0, 0), turn=2), 0)) == {"roll", "hold"}


def test_who_holds_with_enough_has_won() -> None:
    over = after(at((0, 97, 0), seat=1, turn=3), "hold")
    outcome = GAME.outcome(over, frozenset())
    assert GAME.to_move(over) == frozenset()
    assert outcome is not None
    assert (outcome.winners, outcome.scores) == ((1,), (0, 100, 0))


def test_of_those_who_are_still_in_the_greatest_score_wins() -> None:
    over = after(at((20, 97, 20), seat=1, turn=3), "hold")
    outcome = GAME.outcome(over, frozenset({1}))
    assert outcome is not None
    assert outcome.winners == (0, 2)
