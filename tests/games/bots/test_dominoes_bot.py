"""The built-in dominoes players: legal, the same every time, better than chance; and their odds."""

from collections.abc import Callable, Iterator, Sequence
from itertools import product

import pytest

from games.bots import choose
from games.bots.dominoes import DETAIL, easy, normal, odds, strong
from games.bots.dominoes_deals import seen
from games.bots.dominoes_rounds import by_thumb
from games.bots.dominoes_search import DEALS, STEP, Play, Tally, weighed
from games.bots.dominoes_stakes import Stakes
from games.bots.dominoes_tiles import NO_ROW, NUMBER, bits_of, ends_of
from games.bots.odds import MoveOdds, best
from games.rules.dominoes import TILES, Options, State, View
from games.rules.game import Move, Seat, play
from tests.games.rules.seeded import SeededChance
from tests.games.rules.test_dominoes import EVERY_OPTION, any_of, game, legal, position

Policy = Callable[[View, Sequence[Move], Options, Seat], Move]

LEVELS = pytest.mark.parametrize("policy", [easy, normal, strong], ids=lambda policy: policy.__name__)
ROUND = Options(target=0)


def chosen(state: State, policy: Policy = easy) -> Move:
    """What the bot does where it is to move; it must be one of the legal moves."""
    assert state.seat is not None
    moves = legal(state)
    move = policy(game.view(state, state.seat), moves, state.options, state.seat)
    assert move in moves
    return move


def odds_of(state: State) -> dict[Move, MoveOdds]:
    assert state.seat is not None
    valued = odds(game.view(state, state.seat), legal(state), state.options, state.seat)
    assert [each.move for each in valued] == legal(state)
    return {each.move: each for each in valued}


def positions(
    seats: int, options: Options, seed: int, bots: Sequence[Seat], policy: Policy = easy
) -> Iterator[State]:
    """A game from its start to its end, by bots on these seats and uniformly at random on the others."""
    chance = SeededChance(seed)
    state, _ = game.start(seats, options, chance)
    yield state
    while state.seat is not None:
        move = chosen(state, policy) if state.seat in bots else any_of(legal(state), chance)
        state, _ = play(game, state, state.seat, move, chance)
        yield state


def finished(seats: int, options: Options, seed: int, bots: Sequence[Seat], policy: Policy = easy) -> State:
    *_, over = positions(seats, options, seed, bots, policy)
    return over


def others(*held: str, lying: str = "") -> list[str]:
    """All tiles but those in these hands and in the row."""
    gone = {tile for text in (*held, lying) for tile in text.replace(",", "").split()}
    return [tile for tile in TILES if tile not in gone]


# --- always legal, always the same --------------------------------------------------------------


@LEVELS
@pytest.mark.parametrize("options", EVERY_OPTION)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_bots_alone_play_legal_moves_to_the_end(policy: Policy, seats: int, options: Options) -> None:
    for seed in range(1 if policy is strong else 10):
        assert game.outcome(finished(seats, options, seed, range(seats), policy), frozenset()) is not None


@pytest.mark.parametrize("policy", [easy, normal], ids=lambda policy: policy.__name__)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_bots_play_whole_matches_to_the_end(policy: Policy, seats: int) -> None:
    assert game.outcome(finished(seats, Options(), 1, range(seats), policy), frozenset()) is not None


@LEVELS
def test_they_choose_legal_moves_in_positions_that_they_would_not_reach(policy: Policy) -> None:
    for state in positions(3, Options(target=20), 8, bots=()):
        assert state.seat is None or chosen(state, policy) in legal(state)


@LEVELS
def test_they_always_decide_the_same_way(policy: Policy) -> None:
    first, second = (finished(3, ROUND, 5, (0, 1, 2), policy) for _ in range(2))
    assert first == second


@LEVELS
def test_they_are_the_bots_of_dominoes(policy: Policy) -> None:
    for state in positions(2, ROUND, 3, bots=(0, 1)):
        if state.seat is not None:
            view = game.view(state, state.seat)
            same = choose("dominoes", policy.__name__, view, legal(state), state.options, state.seat)
            assert same == chosen(state, policy)


@LEVELS
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_move_and_the_odds_are_the_same_whatever_is_hidden(policy: Policy, seats: int) -> None:
    """The others' hands and the stock are dealt anew, which the seat can't tell."""
    chance, anew = SeededChance(seats), 0
    for state in positions(seats, ROUND, seats, bots=()):
        if state.seat is not None:
            other = game.resample(state, state.seat, chance)
            anew += other != state
            assert chosen(other, policy) == chosen(state, policy)
            assert policy is easy or odds_of(other) == odds_of(state)
    assert anew > 5


@LEVELS
def test_they_lay_straight_on(policy: Policy) -> None:
    for seed in range(1 if policy is strong else 10):
        state = finished(3, ROUND, seed, (0, 1, 2), policy)
        assert {laid.y for laid in state.row} == {0}


@LEVELS
def test_they_draw_when_nothing_fits(policy: Policy) -> None:
    stock = " ".join(others("3-2", "6-6", lying="6-5"))
    assert chosen(position("3-2", "6-6", row="6-5", stock=stock), policy) == "draw"


# --- what easy and normal do --------------------------------------------------------------------


def test_easy_lays_heavy_tiles_first() -> None:
    assert chosen(position("1-0 6-3 2-0", "5-5")) == "lay 6-3"


def test_easy_would_rather_be_rid_of_a_double() -> None:
    assert chosen(position("6-5 5-5", "4-4", row="6-0, 5-0 right")) == "lay 5-5 right"


def test_easy_keeps_the_row_open_for_its_own_tiles() -> None:
    """The 6-5 fits both ends; at the right it leaves the 6 open for the other two."""
    assert chosen(position("6-5 6-2 6-1", "3-3", row="6-4, 5-4 right")) == "lay 6-5 right"


def test_normal_closes_the_row_to_the_next_seat() -> None:
    """The other once had neither a 6 nor a 1: the lighter tile makes these the ends."""
    known = ((4,) * 7, (2, 0, 2, 2, 2, 2, 0))
    hands = "5-4 5-1 3-2 0-0", "4-3 4-2"
    stock = " ".join(others(*hands, lying="6-0, 5-0"))
    state = position(*hands, row="6-0, 5-0 right", stock=stock, at_most=known)
    assert chosen(state, easy) == "lay 5-4 right"
    assert chosen(state, normal) == "lay 5-1 right"


# --- what strong does ---------------------------------------------------------------------------


def test_strong_goes_out_when_it_can() -> None:
    stock = " ".join(others("6-1", "3-2 4-4", lying="6-5"))
    state = position("6-1", "3-2 4-4", row="6-5", stock=stock)
    assert chosen(state, strong) == "lay 6-1 left"
    assert odds_of(state)["lay 6-1 left"].value == 1


def test_strong_lays_what_lets_it_lay_again_when_the_other_has_shown_that_it_cannot() -> None:
    """The other has one tile, no 6 and no 1. After 5-1 nothing of it fits, and 6-1 goes out."""
    known = ((2,) * 7, (1, 0, 1, 1, 1, 1, 0))
    stock = " ".join(others("5-1 6-1", "4-3", lying="6-0, 5-0"))
    state = position("5-1 6-1", "4-3", row="6-0, 5-0 right", stock=stock, at_most=known)
    assert chosen(state, strong) == "lay 5-1 right"


def test_strong_is_the_best_of_its_odds() -> None:
    for state in positions(2, ROUND, 6, bots=(0, 1)):
        if state.seat is not None and len(legal(state)) > 1:
            assert odds_of(state)[chosen(state, strong)].value == best(list(odds_of(state).values())).value


def begun() -> State:
    """A round of two before its first lay."""
    state, _ = game.start(2, ROUND, SeededChance(1))
    return state


def tried(*plays: tuple[Play, float], further: bool = False, budget: int = 10**6) -> list[Tally]:
    """What comes of such plays, each with its worth in pips, in a round that has just begun."""
    seat = begun().seat or 0
    table, stakes = seen(game.view(begun(), seat), seat), Stakes((0, 0), 0)
    return weighed(table, plays, stakes, at_once=True, further=further, budget=budget)


def first_lays() -> list[Play]:
    return [(bits_of((tile,)), NUMBER[tile]) for tile in begun().hands[begun().seat or 0]]


def test_its_budget_is_counted_in_positions() -> None:
    """The last deal is finished, on which each play is tried that is not behind."""
    plays = [(play, 0.0) for play in first_lays()]
    deals = [max(tally.deals for tally in tried(*plays, budget=budget)) for budget in (1, 300, 3000)]
    assert deals == sorted(deals)
    assert deals[0] == 1 < deals[1] < deals[2]


def test_of_plays_that_come_to_the_same_the_rule_of_thumb_decides() -> None:
    """What it finds behind is tried no further; nor is the best then, unless its number is wanted."""
    play = first_lays()[0]
    for further, most in ((False, STEP), (True, DEALS)):
        worse, better = tried((play, 10), (play, 11), further=further)
        assert (worse.deals, better.deals) == (STEP, most)
        assert 0 < worse.value < better.value < 1
        assert better.behind is None
        assert worse.behind is not None
        assert worse.behind[0] is better


def test_a_round_is_played_out_by_own_hands_alone() -> None:
    """Doubles and heavy tiles first, the row kept open, and nothing where nothing fits."""
    assert by_thumb(NO_ROW, bits_of(("1-0", "6-3", "2-0"))) == (bits_of(("6-3",)), ends_of(6, 3))
    assert by_thumb(ends_of(6, 0), bits_of(("6-5", "0-0"))) == (bits_of(("6-5",)), ends_of(5, 0))
    assert by_thumb(ends_of(6, 1), bits_of(("6-4", "6-1", "4-4"))) == (bits_of(("6-4",)), ends_of(4, 1))
    assert by_thumb(ends_of(6, 1), bits_of(("5-5", "3-0"))) is None


@LEVELS
def test_each_beats_uniformly_random_moves(policy: Policy) -> None:
    """Rounds, every second with the seats changed; the bots win about three of four."""
    wins = 0
    for seed, bot in product(range(20), (0, 1)):
        outcome = game.outcome(finished(2, ROUND, seed, (bot,), policy), frozenset())
        assert outcome is not None
        wins += outcome.winners == (bot,)
    assert wins > 22


# --- odds ---------------------------------------------------------------------------------------


def test_the_odds_tell_what_the_documented_keys_say() -> None:
    for seats in (2, 3, 4):
        for state in positions(seats, Options(target=10), 2, bots=range(seats)):
            for told in odds_of(state).values() if state.seat is not None else ():
                assert told.detail.keys() == DETAIL.keys()
                assert 0 <= told.value <= 1


def test_a_corner_changes_no_odds() -> None:
    """It fits and scores the same, so it is worth the same."""
    state, _ = game.start(2, ROUND, SeededChance(4))
    state, _ = play(game, state, state.seat or 0, legal(state)[0], SeededChance(4))
    for move, told in odds_of(state).items():
        if move.endswith((" cw", " ccw")):
            assert told.value == odds_of(state)[move.rsplit(" ", 1)[0]].value


def test_without_a_target_who_wins_the_round_wins() -> None:
    """And a drawn round is shared. Only of the best play: the others' values tell how far they are behind."""
    for state in positions(2, ROUND, 7, bots=()):
        if state.seat is not None:
            told = best(list(odds_of(state).values()))
            assert told.detail["round"] <= told.value <= told.detail["round"] + 0.2
