"""The built-in Pickomino players: legal, the same every time, better than chance; their odds, and luck."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import product

import pytest

from games.bots import choose
from games.bots.odds import MoveOdds
from games.bots.pickomino import DETAIL, easy, luck, normal, odds, strong
from games.bots.pickomino_turn import START, reaching
from games.rules.game import Move, encode, play
from games.rules.pickomino import DOMINOES, FACES, Options, Saved, State, View
from tests.games.rules.test_pickomino import GAME, NOBODY, TO_25, SeededChance, position, reached

Policy = Callable[[View, Sequence[Move], Options, int], Move]

OPTIONS = [
    replace(options, turn_over_returned=returned, turn_over_on_empty_bust=empty)
    for options in (Options(collect="any"), Options(collect="nearest"))
    for returned, empty in product((False, True), repeat=2)
]

LEVELS = pytest.mark.parametrize("policy", [easy, normal, strong], ids=lambda policy: policy.__name__)


def chosen(state: State, policy: Policy = strong) -> Move:
    assert state.seat is not None
    return policy(
        GAME.view(state, state.seat), GAME.legal_moves(state, state.seat), state.options, state.seat
    )


def odds_of(state: State) -> dict[Move, MoveOdds]:
    assert state.seat is not None
    legal = GAME.legal_moves(state, state.seat)
    valued = odds(GAME.view(state, state.seat), legal, state.options, state.seat)
    assert [each.move for each in valued] == list(legal)
    return {each.move: each for each in valued}


def game(policies: Sequence[Policy], seed: int, options: Options | None = None) -> list[State]:
    """Every position of a game in which each seat has its own policy. Every move is judged."""
    chance = SeededChance(seed)
    state, _ = GAME.start(len(policies), options or Options(), chance)
    positions = [state]
    while state.seat is not None:
        state, _ = play(GAME, state, state.seat, chosen(state, policies[state.seat]), chance)
        positions.append(state)
    return positions


def at_random(seed: int) -> Policy:
    choice = random.Random(seed)
    return lambda view, legal_moves, options, seat: choice.choice(legal_moves)


def wins(one: Policy, other: Policy, games: int) -> int:
    """How many games of two the one wins, half of them on each seat."""
    won = 0
    for seed, seat in product(range(games // 2), (0, 1)):
        policies = [other, other]
        policies[seat] = one
        outcome = GAME.outcome(game(policies, seed)[-1], NOBODY)
        won += outcome is not None and outcome.winners == (seat,)
    return won


def wandering(seed: int, decisions: int, options: Options | None = None) -> Iterator[State]:
    """Positions as random play meets them, at tables of any size."""
    choice, chance = random.Random(seed), SeededChance(seed)
    while decisions:
        state, _ = GAME.start(choice.choice(GAME.seats), options or choice.choice(OPTIONS), chance)
        while state.seat is not None and decisions:
            yield state
            decisions -= 1
            move = choice.choice(GAME.legal_moves(state, state.seat))
            state, _ = play(GAME, state, state.seat, move, chance)


# --- always legal, always the same --------------------------------------------------------------


@LEVELS
@pytest.mark.parametrize("seats", GAME.seats)
def test_it_makes_legal_moves_to_the_end_of_every_game(policy: Policy, seats: int) -> None:
    assert GAME.outcome(game([policy] * seats, seed=seats)[-1], NOBODY)


@LEVELS
@pytest.mark.parametrize("options", OPTIONS, ids=repr)
def test_it_plays_under_every_option(policy: Policy, options: Options) -> None:
    assert GAME.outcome(game([policy] * 3, 1, options)[-1], NOBODY)


@LEVELS
def test_it_makes_legal_moves_in_positions_that_it_would_not_reach(policy: Policy) -> None:
    for state in wandering(2, decisions=200):
        assert state.seat is not None
        assert chosen(state, policy) in GAME.legal_moves(state, state.seat)


@LEVELS
def test_it_decides_alike_whatever_the_order_of_the_moves(policy: Policy) -> None:
    for state in game([policy] * 3, 3)[:-1]:
        seat = state.seat or 0
        view, legal = GAME.view(state, seat), GAME.legal_moves(state, seat)
        assert chosen(state, policy) == policy(view, legal[::-1], state.options, seat)
        assert chosen(state, policy) == choose("pickomino", policy.__name__, view, legal, state.options, seat)


@LEVELS
def test_what_it_may_not_know_changes_neither_its_move_nor_the_odds(policy: Policy) -> None:
    """Nothing is hidden in Pickomino but the dice to come: any other luck leaves both as they are."""
    for seed, state in enumerate(wandering(5, decisions=25)):
        other = GAME.resample(state, state.seat, SeededChance(seed))
        assert chosen(other, policy) == chosen(state, policy)
        assert odds_of(other) == odds_of(state)


# --- what easy does -----------------------------------------------------------------------------


def test_easy_saves_a_w_while_it_has_none() -> None:
    assert chosen(reached(position(), "roll WW123455"), easy) == "save W"


def test_easy_saves_many_good_dice_rather_than_few() -> None:
    assert chosen(reached(position(), "roll 11155442"), easy) == "save 5"
    assert chosen(reached(position(), "roll 44445112"), easy) == "save 4"


def test_easy_steals_when_it_can() -> None:
    assert chosen(reached(position([], [25]), *TO_25), easy) == "steal 25"


def test_easy_rolls_on_while_little_is_at_stake() -> None:
    assert chosen(reached(position(), *TO_25), easy) == "roll"


def test_easy_takes_the_best_domino_when_a_roll_is_dangerous() -> None:
    assert chosen(reached(position(), *TO_25, "roll 44W", "save 4"), easy) == "collect 33"


# --- what normal and strong do ------------------------------------------------------------------

TO_30_WITH_4 = ("roll WWWW1234", "save W", "roll 5511", "save 5")  # a total of 30, two dice left


def test_normal_does_not_mind_to_lose_its_top_and_strong_does() -> None:
    """28 are two worms; whatever is new makes three, and three rolls of four show something new.

    That is more than two, but the fourth costs the four worms of 36.
    """
    saved = (Saved("W", 2), Saved(5, 2), Saved(4, 2))
    state = replace(position([22, 36], []), saved=saved)
    assert odds_of(state)["roll"].detail["bust"] == pytest.approx((3 / 6) ** 2)
    assert odds_of(state)["roll"].detail["worms"] < 2
    assert (chosen(state, normal), chosen(state)) == ("roll", "collect 28")


def test_strong_takes_the_last_domino_when_that_wins() -> None:
    state = reached(position([30], [25], up=(21,)), *TO_25)
    assert odds_of(state)["collect 21"].value == 1
    assert chosen(state) == "collect 21"


def test_strong_does_not_end_a_game_that_it_would_lose() -> None:
    """To collect the last domino would leave it with one worm against four; 33 can still be stolen."""
    state = reached(position([], [33], up=(21,)), *TO_25)
    assert odds_of(state)["collect 21"].value == 0
    assert chosen(state) == "roll"


def test_strong_ends_a_game_in_which_the_larger_domino_breaks_the_tie() -> None:
    """With 24 both have two worms, and 24 is larger than 23."""
    state = reached(position([22], [21, 23], up=(24,)), *TO_25)
    assert odds_of(state)["collect 24"].value == 1
    assert chosen(state) == "collect 24"


def test_strong_steals_rather_than_collect_as_many_worms() -> None:
    state = reached(position([], [21, 30]), *TO_30_WITH_4)
    assert odds_of(state)["steal 30"].value > odds_of(state)["collect 29"].value
    assert chosen(state) == "steal 30"


@pytest.mark.parametrize("policy", [normal, strong])
def test_they_stop_where_nothing_is_worth_more(policy: Policy) -> None:
    saved = (Saved("W", 4), Saved(5, 3))
    state = replace(position(up=range(21, 36)), saved=saved)  # 35, and one die left
    assert chosen(state, policy) == "collect 35"


@pytest.mark.parametrize("policy", [normal, strong])
def test_they_save_a_lone_w_rather_than_a_lone_5_when_it_is_their_last_chance(policy: Policy) -> None:
    """Both make 25, but without a W nothing can be had."""
    state = position()
    state = replace(state, saved=(Saved(4, 5),), dice=(5, "W", 1))
    assert chosen(state, policy) == "save W"


# --- who beats whom -----------------------------------------------------------------------------


@LEVELS
def test_each_beats_uniformly_random_choice(policy: Policy) -> None:
    assert wins(policy, at_random(1), games=12) >= 10


# --- the odds -----------------------------------------------------------------------------------


def test_the_odds_tell_what_the_documented_keys_say() -> None:
    for state in wandering(6, decisions=40):
        for each in odds_of(state).values():
            assert each.detail.keys() == DETAIL.keys()
            assert 0 <= each.value <= 1
            assert 0 <= each.detail["bust"] <= 1 + 1e-12
            assert encode(each.detail) == each.detail


def test_the_odds_of_the_first_roll_are_those_of_the_table_of_chances() -> None:
    (roll,) = odds_of(position()).values()
    assert roll.detail["reach"] == {
        str(domino): pytest.approx(reaching(domino).after_rolling(START)) for domino in DOMINOES
    }


def test_a_top_is_reached_with_its_exact_total_only() -> None:
    (roll,) = odds_of(position([], [21, 30], up=(25,))).values()
    assert roll.detail["reach"] == {
        "25": pytest.approx(reaching(25).after_rolling(START)),
        "30": pytest.approx(reaching(30, 30).after_rolling(START)),
    }


def test_with_the_nearest_only_a_domino_is_reached_below_the_next_one() -> None:
    (roll,) = odds_of(position(up=(21, 25), options=Options(collect="nearest"))).values()
    assert roll.detail["reach"] == {
        "21": pytest.approx(reaching(21, 24).after_rolling(START)),
        "25": pytest.approx(reaching(25).after_rolling(START)),
    }


def test_a_take_is_sure() -> None:
    collect = odds_of(reached(position(), *TO_25))["collect 24"]
    assert collect.detail == {"worms": 1, "bust": 0, "reach": {"24": 1}}


def test_what_is_out_of_reach_is_absent() -> None:
    state = reached(position(), *TO_25, "roll 441", "save 1")  # 26, and two dice left
    assert list(odds_of(state)["roll"].detail["reach"]) == [
        str(domino) for domino in DOMINOES if domino <= 34
    ]


def test_a_bust_loses_the_worms_of_the_top() -> None:
    """With 1 to 5 saved and one die left only a W is new, and without it nothing can be had."""
    saved = tuple(Saved(face, count) for face, count in ((1, 1), (2, 1), (3, 1), (4, 1), (5, 3)))
    (roll,) = odds_of(replace(position([36], []), saved=saved)).values()
    assert roll.detail["bust"] == pytest.approx(5 / 6)
    assert roll.detail["worms"] == pytest.approx(5 / 6 * -4 + 1 / 6 * 3)  # with the W 30: three worms
    assert roll.detail["reach"] == {str(domino): pytest.approx(1 / 6) for domino in range(21, 31)}


def test_the_best_of_the_odds_is_what_strong_does() -> None:
    for state in wandering(7, decisions=40):
        valued = odds_of(state)
        assert valued[chosen(state)].value == max(each.value for each in valued.values())


# --- luck ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "saved",
    [
        (Saved("W", 3), Saved(5, 2), Saved(4, 1)),
        (Saved(1, 1), Saved(2, 1), Saved(3, 1), Saved(4, 1), Saved(5, 3)),
        (Saved(5, 5),),
    ],
    ids=["W", "no W", "three dice"],
)
def test_the_luck_of_a_roll_is_zero_on_the_average(saved: tuple[Saved, ...]) -> None:
    before = replace(position([36], [25]), saved=saved)
    gained = []
    for dice in product(FACES, repeat=before.dice_left):
        after = reached(before, "roll " + "".join(map(str, dice)))
        mine, others = luck(before, "roll", after)
        assert others == 0
        gained.append(mine)
    assert min(gained) < 0 < max(gained)
    assert sum(gained) / len(gained) == pytest.approx(0, abs=1e-9)


def test_a_roll_of_many_ws_is_luckier_than_one_of_none() -> None:
    state = position()
    one, none = (luck(state, "roll", reached(state, f"roll {dice}"))[0] for dice in ("WWWW5551", "11122334"))
    assert one > 0 > none


def test_a_decision_has_no_luck() -> None:
    state = reached(position(), "roll WWW12345")
    assert luck(state, "save W", reached(state, "save W")) == (0, 0)
    state = reached(position(), *TO_25)
    assert luck(state, "collect 25", reached(state, "collect 25")) == (0, 0)


def test_it_is_no_luck_to_begin() -> None:
    assert luck(None, None, position()) == (0, 0)
