"""How a turn of Pickomino can end, as the rules make it, and what chance to win that leaves."""

import random
from dataclasses import replace
from itertools import chain

import pytest

from games.bots.pickomino_chances import EXACTLY, win_chances
from games.bots.pickomino_ends import ends, table
from games.bots.pickomino_turn import START, reaching
from games.rules.game import Seat, play
from games.rules.pickomino import DOMINOES, Options, State
from tests.games.rules.test_pickomino import GAME, NOBODY, SeededChance, over, position, reached

NEAREST = Options(collect="nearest")


def busted(state: State) -> State:
    after = ends(state, state.seat or 0).after[None]
    return replace(after, seat=state.seat, options=state.options)


# --- the ends of a turn -------------------------------------------------------------------------


def test_any_domino_up_to_the_total_can_be_collected() -> None:
    takes = ends(position(), 0).takes
    assert takes[20] == ()
    assert takes[23] == ("collect 21", "collect 22", "collect 23")
    assert takes[36] == takes[40] == tuple(f"collect {domino}" for domino in DOMINOES)


def test_or_only_the_nearest_as_the_option_says() -> None:
    takes = ends(position(up=(21, 24, 30), options=NEAREST), 0).takes
    assert [takes[total] for total in (21, 23, 24, 29, 40)] == [
        ("collect 21",), ("collect 21",), ("collect 24",), ("collect 24",), ("collect 30",),
    ]  # fmt: skip


def test_the_others_tops_can_be_stolen_with_their_own_totals() -> None:
    turn = ends(position([22], [26, 25], [30], seat=1, up=(21,)), 1)
    assert {total: takes for total, takes in enumerate(turn.takes) if len(takes) > 1} == {
        22: ("collect 21", "steal 22"),
        30: ("collect 21", "steal 30"),
    }
    assert turn.reaches() == {"collect 21": (21, 40), "steal 22": (22, 22), "steal 30": (30, 30)}


@pytest.mark.parametrize("options", [Options(), NEAREST], ids=repr)
def test_what_can_be_taken_is_what_is_legal_in_play(options: Options) -> None:
    """In 60 games, at each decision with a W saved."""
    choice, chance, seen = random.Random(4), SeededChance(4), 0
    for _ in range(60):
        state, _ = GAME.start(choice.choice(GAME.seats), options, chance)
        while (seat := state.seat) is not None:
            legal = GAME.legal_moves(state, seat)
            if state.phase == "decide" and "W" in state.numbers:
                took = ends(table(GAME.view(state, seat), options), seat).takes[state.total]
                assert list(took) == [move for move in legal if move != "roll"]
                seen += 1
            state, _ = play(GAME, state, seat, choice.choice(legal), chance)
    assert seen > 500


def test_each_take_leads_to_the_table_that_the_rules_make() -> None:
    state = position([22], [26, 25])
    turn = ends(state, 0)
    assert turn.after["collect 30"].stacks == ((22, 30), (26, 25))
    assert turn.after["steal 25"].stacks == ((22, 25), (26,))
    assert {after.seat for after in turn.after.values()} == {1}
    assert set(turn.after) == {None, *chain(*turn.takes)}


def test_a_bust_returns_the_top_and_turns_the_largest_over() -> None:
    after = busted(position([22, 30], []))
    assert (after.stacks, after.face_down, 30 in after.face_up) == (((22,), ()), (36,), True)


def test_a_bust_turns_the_returned_one_over_only_if_the_option_says_so() -> None:
    state = position([22, 36], [])
    assert busted(state).face_down == ()
    assert busted(replace(state, options=Options(turn_over_returned=True))).face_down == (36,)


def test_a_bust_with_an_empty_stack_turns_one_over_unless_the_option_says_no() -> None:
    assert busted(position()).face_down == (36,)
    assert busted(position(options=Options(turn_over_on_empty_bust=False))).face_down == ()


def test_the_gains_are_the_worms_that_come_into_the_stack_or_leave_it() -> None:
    gains = ends(position([22, 30], [25]), 0).gains()
    assert (gains[None], gains["collect 36"], gains["steal 25"]) == (-3, 4, 2)


def test_the_table_of_a_view_is_that_of_the_beginning_of_the_turn() -> None:
    state = position([22], [25], seat=1, options=NEAREST)
    later = reached(state, "roll WW123455", "save W")
    assert table(GAME.view(later, 1), NEAREST) == state


# --- the chance to win --------------------------------------------------------------------------


def test_how_likely_a_steal_is_agrees_with_the_best_play_for_it() -> None:
    for domino in DOMINOES:
        exactly = reaching(domino, domino).after_rolling(START)
        assert EXACTLY[domino] == pytest.approx(exactly, abs=0.0005)


@pytest.mark.parametrize("seats", GAME.seats)
def test_at_the_start_all_have_the_same_chance(seats: Seat) -> None:
    assert win_chances(position(*[()] * seats)) == pytest.approx((1 / seats,) * seats)


@pytest.mark.parametrize("stacks", [([36], [21]), ([30, 22], [30 - 1, 22 + 1, 21]), ([21], [])])
def test_who_has_more_worms_is_more_likely_to_win(stacks: tuple[list[int], list[int]]) -> None:
    ahead, behind = win_chances(position(*stacks, up=(25, 26)))
    assert (ahead > behind) == (GAME.scores(position(*stacks))[0] > GAME.scores(position(*stacks))[1])


def test_a_lead_counts_the_more_the_fewer_worms_are_left() -> None:
    early, late = position([36], []), position([36], [], up=(21,))
    assert win_chances(late)[0] > win_chances(early)[0] > 0.5


def test_a_top_that_is_easily_stolen_is_worth_less() -> None:
    """Both have 22 and 33, five worms; what differs is which of them lies on top."""
    safe, open_ = position([22, 33], [26]), position([33, 22], [26])
    assert win_chances(safe)[0] > win_chances(open_)[0]


def test_when_the_game_is_over_the_chances_are_its_outcome() -> None:
    assert win_chances(over([22], [36])) == (0, 1)
    assert win_chances(over([21, 24], [25])) == (0, 1)  # two worms each: the largest domino wins
    assert win_chances(over([], [], [])) == (1 / 3,) * 3
    assert GAME.outcome(over([22], [36]), NOBODY)
