"""The bots of 7776: exact expectations, the solved rest of the game, legal moves, and three strengths."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path
from random import Random

import pytest

from games.bots import BOTS, POLICIES
from games.bots import choose as choose_move
from games.bots.dice7776 import DETAIL, USUAL, easy, for_points, luck, normal, odds, strong
from games.bots.dice7776_lead import Duel, chances
from games.bots.dice7776_rest import BITS, EVERY, FILE, choice, numbered, worth
from games.bots.dice7776_throws import ALL, WAYS, points_of, promises
from games.rules.chance import RecordedChance
from games.rules.dice7776 import COMBINATIONS, Combination, Dice7776, Options, Round, State, View, table
from games.rules.game import Move, Seat, play
from tests.games.rules.seeded import SeededChance

GAME = Dice7776()
VECTORS = json.loads((Path(__file__).parents[2] / "vectors" / "7776.json").read_text())

Policy = Callable[[View, Sequence[Move], Options, Seat], Move]

Taken = tuple[State, Seat, Move, State]
"""A move: before it, who made it, what it was, after it."""

LEVELS = pytest.mark.parametrize("policy", [easy, normal, strong], ids=lambda policy: policy.__name__)


def at_random(chance: SeededChance) -> Policy:
    return lambda view, legal_moves, options, seat: legal_moves[chance.shuffle(len(legal_moves))[0]]


def play_out(policies: Sequence[Policy], chance: SeededChance) -> list[Taken]:
    """A game, move by move. Every move is judged: an illegal one would raise."""
    state, _ = GAME.start(2, Options(), chance)
    taken = []
    while to_move := sorted(GAME.to_move(state)):
        for seat in to_move:
            move = policies[seat](GAME.view(state, seat), GAME.legal_moves(state, seat), Options(), seat)
            after, _ = play(GAME, state, seat, move, chance)
            taken.append((state, seat, move, after))
            state = after
    return taken


def scores_of(policies: Sequence[Policy], chance: SeededChance) -> tuple[int, ...]:
    *_, (*_, last) = play_out(policies, chance)
    return GAME.scores(last)


def facing(throw: tuple[int, ...], theirs: tuple[int, ...] = (1, 1, 2, 3, 5)) -> State:
    state, _ = GAME.start(2, Options(), RecordedChance([("roll", throw), ("roll", theirs)]))
    return state


def chosen(throw: tuple[int, ...], policy: Policy = strong) -> Move:
    state = facing(throw)
    return policy(GAME.view(state, 0), GAME.legal_moves(state, 0), Options(), 0)


def late(throw: tuple[int, ...], left: Sequence[Combination], lead: int) -> State:
    """A position in which both have the same combinations left, and seat 0 leads by so much."""
    used = [combination for combination in COMBINATIONS if combination not in left]
    shown = [Round(((1,) * 5,) * 2, (each, each), (0, 0)) for each in used]
    shown[0] = Round(((1,) * 5,) * 2, (used[0],) * 2, (lead, 0))
    return State(Options(), tuple(shown), (throw, (1, 2, 3, 4, 5)))


# --- what a throw promises ----------------------------------------------------------------------


def test_what_is_promised_is_the_mean_over_all_the_others_throws() -> None:
    throw = (2, 3, 3, 3, 6)
    tables = [table(throw + theirs) for theirs in product(range(1, 7), repeat=5)]
    for combination, promise in promises(throw).items():
        assert promise.points == pytest.approx(sum(each[combination] for each in tables) / 7776)
        failed = sum(each[combination] < 0 for each in tables) / 7776
        assert promise.fails == pytest.approx(failed)


def test_over_all_throws_the_promises_are_the_exact_points_and_chances_to_fail() -> None:
    for name, exact in VECTORS["exact_over_all_throws"].items():
        means = [(ways, promises(throw)[name]) for throw, ways in WAYS.items()]
        assert sum(ways * each.points for ways, each in means) / ALL == pytest.approx(exact["mean_score"])
        assert sum(ways * each.fails for ways, each in means) / ALL == pytest.approx(exact["p_fail"])
        assert USUAL[name] == pytest.approx(exact["mean_score"], abs=0.05)


# --- the rest of the game -----------------------------------------------------------------------


def test_the_shipped_numbers_are_those_that_the_solution_wrote() -> None:
    digest = hashlib.sha256(FILE.read_bytes()).hexdigest()
    assert digest == "e8c03a74f319f9d0c93236ce1dffbd195ec4dd460c245f1983d06cc707e75e6f"


def exactly(throw: tuple[int, ...], combination: Combination) -> Fraction:
    index = COMBINATIONS.index(combination)
    return Fraction(sum(ways * points_of(throw, other)[index] for other, ways in WAYS.items()), ALL)


def test_one_or_two_combinations_are_worth_exactly_what_fractions_say() -> None:
    means = {throw: {each: exactly(throw, each) for each in COMBINATIONS} for throw in WAYS}
    alone = {
        each: sum((ways * means[throw][each] for throw, ways in WAYS.items()), Fraction(0)) / ALL
        for each in COMBINATIONS
    }
    for each, value in alone.items():
        assert worth(BITS[each]) == pytest.approx(float(value), abs=1e-12)
    for one, other in combinations(COMBINATIONS, 2):
        best = [
            ways * max(means[throw][one] + alone[other], means[throw][other] + alone[one])
            for throw, ways in WAYS.items()
        ]
        value = sum(best, Fraction(0)) / ALL
        assert worth(numbered([one, other])) == pytest.approx(float(value), abs=1e-12)


def test_every_set_is_worth_the_mean_of_the_best_choices() -> None:
    """The equation that makes the numbers the best expected totals, for the whole game and 200 other sets."""
    for unused in [EVERY, *Random(7776).sample(range(1, EVERY), 200)]:
        best = [
            ways
            * max(
                promise.points + worth(unused ^ BITS[each])
                for each, promise in promises(throw).items()
                if unused & BITS[each]
            )
            for throw, ways in WAYS.items()
        ]
        assert worth(unused) == pytest.approx(sum(best) / ALL, abs=1e-9)


def test_the_best_expected_total_of_a_game() -> None:
    assert f"{worth(EVERY):.6f}" == "79.066977"


def test_a_game_that_is_over_is_worth_nothing_more() -> None:
    assert worth(0) == 0


# --- the policies -------------------------------------------------------------------------------


@LEVELS
def test_they_choose_legal_moves_to_the_end_of_every_game(policy: Policy) -> None:
    for seed in range(5):
        play_out((policy, policy), SeededChance(seed))


@LEVELS
def test_they_beat_a_random_player_clearly_from_either_seat(policy: Policy) -> None:
    wins = 0
    for seed in range(1, 31):
        mine, others = scores_of((policy, at_random(SeededChance(-seed))), SeededChance(seed))
        wins += mine > others
        others, mine = scores_of((at_random(SeededChance(-seed)), policy), SeededChance(seed))
        wins += mine > others
    assert wins >= 50


def test_played_for_points_the_totals_average_the_best_expected_one() -> None:
    """A hundred games, 200 totals of a spread of 107 points: within four standard errors."""
    totals = [
        total for seed in range(100) for total in scores_of((for_points, for_points), SeededChance(seed))
    ]
    assert sum(totals) / len(totals) == pytest.approx(worth(EVERY), abs=4 * 107 / 200**0.5)


@LEVELS
def test_the_same_view_brings_the_same_move_whatever_the_order_of_the_dice(policy: Policy) -> None:
    assert chosen((1, 2, 5, 5, 3), policy) == chosen((5, 3, 1, 5, 2), policy)


@LEVELS
def test_the_move_and_the_odds_are_the_same_whatever_is_hidden(policy: Policy) -> None:
    chance = SeededChance(5)
    for state, seat, _, _ in play_out((strong, normal), chance):
        guess = GAME.resample(state, seat, chance)
        assert guess != state
        moves = GAME.legal_moves(state, seat)
        views = GAME.view(state, seat), GAME.view(guess, seat)
        one, other = (policy(view, moves, Options(), seat) for view in views)
        assert one == other
        here, there = (odds(view, moves, Options(), seat) for view in views)
        assert here == there


def test_three_of_a_value_call_for_its_number() -> None:
    assert chosen((4, 4, 4, 1, 2), normal) == chosen((4, 4, 4, 1, 2), strong) == "choose 4"


def test_four_of_a_value_call_for_no_other_number() -> None:
    assert chosen((6, 6, 6, 6, 1)) in ("choose 6", "choose poker")


def test_easy_takes_the_most_points_there_are_now() -> None:
    assert chosen((4, 4, 4, 1, 2), easy) == "choose minor-sum"


def test_a_choice_left_alone_is_taken() -> None:
    for policy in (easy, normal, strong):
        assert policy(GAME.view(facing((1, 1, 2, 3, 4)), 0), ["choose 6"], Options(), 0) == "choose 6"


@LEVELS
def test_they_are_the_bots_of_7776(policy: Policy) -> None:
    assert POLICIES["7776"][policy.__name__] is policy
    state = facing((4, 4, 4, 1, 2))
    moves = GAME.legal_moves(state, 0)
    assert choose_move("7776", policy.__name__, GAME.view(state, 0), moves) == chosen((4, 4, 4, 1, 2), policy)


# --- odds ---------------------------------------------------------------------------------------


def test_odds_are_told_for_every_legal_move_in_order() -> None:
    state = facing((4, 4, 4, 1, 2))
    moves = GAME.legal_moves(state, 0)
    valued = odds(GAME.view(state, 0), moves)
    assert [each.move for each in valued] == list(moves)
    assert all(each.detail.keys() == DETAIL.keys() for each in valued)


def test_a_move_is_worth_its_points_and_the_rest() -> None:
    four = odds(GAME.view(facing((4, 4, 4, 1, 2)), 0), GAME.legal_moves(facing((4, 4, 4, 1, 2)), 0))[3]
    promised = promises((1, 2, 4, 4, 4))["4"]
    assert (four.detail["points"], four.detail["fails"]) == (promised.points, 0)
    assert four.detail["rest"] == worth(EVERY ^ BITS["4"])
    assert four.value == promised.points + worth(EVERY ^ BITS["4"])
    assert four.detail["wins"] is None


def test_the_chance_to_win_is_told_in_the_last_three_rounds() -> None:
    for left in (["1", "2"], ["1", "2", "3"]):
        state = late((1, 1, 1, 2, 2), left, 0)  # type: ignore[arg-type]  # combinations all
        valued = odds(GAME.view(state, 0), GAME.legal_moves(state, 0), Options(), 0)
        assert all(0 < each.detail["wins"] < 1 for each in valued)


# --- playing for the win ------------------------------------------------------------------------


def test_the_chance_to_win_with_two_to_go_is_exact() -> None:
    """All that the other may throw now, and all ten dice of the last round, one by one."""
    duel = Duel((1, 1, 2, 3, 6), 40, frozenset({"1", "poker"}), frozenset({"2", "major-sum"}))
    last: Counter[tuple[int, ...]] = Counter()
    for throw, ways in WAYS.items():
        for other, more in WAYS.items():
            last[tuple(table(throw + other).values())] += ways * more
    for mine, left in (("1", "poker"), ("poker", "1")):
        wins = Fraction(0)
        settled: dict[tuple[int, Combination], Fraction] = {}
        for other, ways in WAYS.items():
            now = table(duel.throw + other)
            theirs = choice(other, duel.theirs)
            [theirs_left] = duel.theirs - {theirs}
            lead = duel.lead + now[mine] - now[theirs]  # type: ignore[index]  # a combination
            if (lead, theirs_left) not in settled:
                here, there = COMBINATIONS.index(left), COMBINATIONS.index(theirs_left)
                ends = [(lead + end[here] - end[there], more) for end, more in last.items()]
                won = sum(more * (1 + (end > 0) - (end < 0)) for end, more in ends)
                settled[lead, theirs_left] = Fraction(won, 2 * ALL**2)
            wins += ways * settled[lead, theirs_left]
        assert chances(duel)[mine] == pytest.approx(float(wins / ALL))  # type: ignore[index]  # a combination


def test_with_one_to_go_there_is_the_chance_on_ones_own_dice() -> None:
    duel = Duel((6, 6, 6, 6, 6), 0, frozenset({"6"}), frozenset({"1"}))
    assert chances(duel) == {"6": 1.0}


def test_in_the_last_rounds_strong_plays_for_the_win_even_where_that_costs_points() -> None:
    differ = 0
    for lead in range(-80, 81, 8):
        for throw in [(1, 1, 2, 3, 4), (2, 2, 2, 5, 6), (3, 3, 3, 3, 1)]:
            state = late(throw, ["3", "poker", "major-sum"], lead)
            view, moves = GAME.view(state, 0), GAME.legal_moves(state, 0)
            valued = {each.move: each for each in odds(view, moves, Options(), 0)}
            ours = strong(view, moves, Options(), 0)
            assert valued[ours].detail["wins"] == max(each.detail["wins"] for each in valued.values())
            differ += ours != for_points(view, moves, Options(), 0)
    assert differ


def test_the_lead_is_that_of_the_bots_own_seat() -> None:
    """Both seats have the same left; only the number of the seat tells who is ahead."""
    state = late((1, 1, 2, 3, 6), ["1", "major-sum"], 60)
    state = State(state.options, state.history, (state.throws[0], state.throws[0]))
    ahead, behind = (
        odds(GAME.view(state, seat), GAME.legal_moves(state, seat), Options(), seat) for seat in (0, 1)
    )
    assert all(
        one.detail["wins"] > 0.5 > other.detail["wins"] for one, other in zip(ahead, behind, strict=True)
    )


# --- luck ---------------------------------------------------------------------------------------


def test_the_luck_of_a_throw_is_zero_on_the_average() -> None:
    mean = 0.0
    for throw, ways in WAYS.items():
        mean += ways / ALL * luck(None, None, facing(throw))[0]
    assert mean == pytest.approx(0, abs=1e-9)


def test_the_luck_of_a_reveal_is_zero_on_the_average_over_the_others_dice() -> None:
    mean = 0.0
    for theirs, ways in WAYS.items():
        state = late((1, 1, 2, 3, 6), ["1"], 0)
        before = State(state.options, state.history, (state.throws[0], theirs), (None, "1"))
        after, _ = play(GAME, before, 0, "choose 1", SeededChance(1))
        mean += ways / ALL * luck(before, "choose 1", after)[0]
    assert mean == pytest.approx(0, abs=1e-9)


def test_a_choice_that_reveals_nothing_has_no_luck() -> None:
    state = facing((1, 2, 3, 4, 5))
    after, _ = play(GAME, state, 0, "choose 1", SeededChance(1))
    assert luck(state, "choose 1", after) == (0, 0)


def test_a_total_is_the_best_expected_one_and_the_luck_less_what_was_given_away() -> None:
    taken = play_out((normal, easy), SeededChance(11))
    totals = [worth(EVERY) + gained for gained in luck(None, None, taken[0][0])]
    for before, seat, move, after in taken:
        valued = odds(GAME.view(before, seat), GAME.legal_moves(before, seat), Options(), seat)
        values = {each.move: each.value for each in valued}
        totals[seat] -= max(values.values()) - values[move]
        totals = [total + gained for total, gained in zip(totals, luck(before, move, after), strict=True)]
    assert totals == pytest.approx(GAME.scores(taken[-1][-1]))


def test_it_offers_what_a_games_bots_offer() -> None:
    assert BOTS["7776"].UNIT == "points"
