"""What the dominoes bots see of a round: deals that agree with it; rounds with open tiles; luck of deals."""

from collections import Counter
from dataclasses import replace
from itertools import islice
from typing import Literal

import pytest

from games.bots.dominoes_deals import fresh, seen
from games.bots.dominoes_luck import luck
from games.bots.dominoes_rounds import Round, played_out, solved
from games.bots.dominoes_stakes import Result, Stakes
from games.bots.dominoes_tiles import EVERY, HALVES, NO_ROW, bits_of, each, ends_of, pips_of
from games.rules import layout
from games.rules.dominoes import TILES, Options, State
from games.rules.game import play
from tests.games.rules.seeded import SeededChance
from tests.games.rules.test_dominoes import any_of, game, legal, position

ROUND = Options(target=0, corners=False)


def states(seats: int, options: Options, seed: int) -> list[State]:
    """The positions of a game of random moves in which a seat is to move."""
    chance, met = SeededChance(seed), []
    state, _ = game.start(seats, options, chance)
    while state.seat is not None:
        met.append(state)
        state, _ = play(game, state, state.seat, any_of(legal(state), chance), chance)
    return met


def opened(state: State) -> Round:
    """The same position with all tiles known, as the bots count."""
    assert state.seat is not None
    ends = [end.pips for end in layout.ends(state.row)]
    return Round(
        ends_of(*ends) if ends else NO_ROW,
        tuple(map(bits_of, state.hands)),
        tuple(bits_of((tile,)) for tile in state.stock),
        EVERY & ~bits_of(placed.tile for placed in layout.placed(state.row)),
        state.seat,
        state.options.dead_row == "at_once",
    )


# --- deals --------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_deal_looks_like_what_the_seat_sees(seats: int) -> None:
    for state in states(seats, ROUND, seats):
        seat, real = state.seat or 0, opened(state)
        for deal in islice(seen(game.view(state, seat), seat).deals(real.at_once), 5):
            assert (deal.ends, deal.outside, deal.seat) == (real.ends, real.outside, seat)
            assert deal.hands[seat] == real.hands[seat]
            assert [hand.bit_count() for hand in deal.hands] == [len(hand) for hand in state.hands]
            assert len(deal.stock) == len(state.stock)
            assert sum(deal.hands) + sum(deal.stock) == real.outside


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_no_deal_contradicts_what_draws_and_passes_told(seats: int) -> None:
    checked = 0
    for state in states(seats, ROUND, seats + 10):
        seat = state.seat or 0
        view = game.view(state, seat)
        for deal in islice(seen(view, seat).deals(at_once=True), 5):
            for hand, at_most in zip(deal.hands, view.at_most, strict=True):
                for pips, most in enumerate(at_most):
                    checked += most < hand.bit_count()
                    assert sum(pips in HALVES[tile.bit_length() - 1] for tile in each(hand)) <= most
    assert checked


def test_deals_that_agree_come_equally_often() -> None:
    """The other's two tiles; only the newer, drawn one can have a 6: an older one can not."""
    known = ((2,) * 7, (2, 2, 2, 2, 2, 2, 1))
    inside = {"5-5", "5-4", "3-3", "6-6", "6-2", "4-4", "2-1"}
    state = position("5-5 5-4", "3-3 6-6", row="5-3", stock="6-2 4-4 2-1", at_most=known)
    view = game.view(state, 0)
    table = seen(view, 0)
    table = replace(table, outside=bits_of(inside), rooms=table.rooms[:5])
    hands = Counter(deal.hands[1] for deal in islice(table.deals(at_once=True), 2400))
    # Two that have no 6, in either order, come twice as often as one with it.
    low = [bits_of(pair) for pair in (("3-3", "4-4"), ("3-3", "2-1"), ("4-4", "2-1"))]
    high = [bits_of((old, new)) for old in ("3-3", "4-4", "2-1") for new in ("6-6", "6-2")]
    assert set(hands) == {*low, *high}
    assert all(330 < hands[hand] < 470 for hand in low)
    assert all(140 < hands[hand] < 260 for hand in high)


def test_the_same_view_brings_the_same_deals() -> None:
    state = states(3, ROUND, 1)[4]
    view = game.view(state, state.seat or 0)
    one, other = (list(islice(seen(view, state.seat or 0).deals(at_once=True), 20)) for _ in range(2))
    assert one == other


# --- rounds -------------------------------------------------------------------------------------


def result_of(state: State) -> Result:
    """The result of a one-round game that is over, as the bots write it."""
    last = state.last_round
    assert last is not None
    if last.winner is not None:
        return last.winner, last.points
    least = min(last.pips)
    return ~sum(1 << seat for seat, pips in enumerate(last.pips) if pips == least), 0


@pytest.mark.parametrize("dead_row", ["at_once", "draw_out"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_round_goes_on_as_in_the_rules(seats: int, dead_row: Literal["at_once", "draw_out"]) -> None:
    """Step by step: lays, draws, passes, and how it ends."""
    options = replace(ROUND, dead_row=dead_row)
    for seed in range(20):
        chance = SeededChance(seed)
        state, _ = game.start(seats, options, chance)
        while state.seat is not None:
            here = opened(state)
            move = any_of(legal(state), chance)
            after, _ = play(game, state, state.seat, move, chance)
            if move == "draw":
                then = here.missed()
            else:
                tile = bits_of((move.split()[1],))
                ends = ends_of(*(end.pips for end in game.view(after, None).ends))
                assert (tile, ends) in list(here.lays())
                then = here.laid(tile, ends)
            if after.seat is None:
                stakes = Stakes((0,) * seats, 0)
                assert solved(then, stakes)[0] == played_out(then)[0] == result_of(after)
            else:
                while then.seat != after.seat:
                    then = then.missed()
                assert then == opened(after)
            state = after


def slowly(state: State) -> tuple[float, ...]:
    """Each seat's share if all see all tiles and play for their own; by the rules, with nothing forgotten."""
    if state.seat is None:
        outcome = game.outcome(state, frozenset())
        assert outcome is not None
        winners = outcome.winners
        return tuple((seat in winners) / len(winners) for seat in range(len(state.hands)))
    seat = state.seat
    shares = [slowly(play(game, state, seat, move, SeededChance(0))[0]) for move in legal(state)]
    return max(shares, key=lambda share: share[seat])


def test_a_solved_round_of_two_is_worth_what_trying_everything_finds() -> None:
    tried = 0
    for seed in range(12):
        for state in states(2, ROUND, seed):
            here = opened(state)
            if here.outside.bit_count() <= 8:
                tried += 1
                result, _ = solved(here, Stakes((0, 0), 0))
                assert Stakes((0, 0), 0)[result] == slowly(state)
                break
    assert tried > 4


def test_the_pips_of_a_hand_are_those_of_its_tiles() -> None:
    assert pips_of(EVERY) == sum(map(sum, HALVES)) == 168
    assert [pips_of(bits_of((tile,))) for tile in TILES] == [sum(layout.halves(tile)) for tile in TILES]


# --- stakes -------------------------------------------------------------------------------------


def test_without_a_target_the_round_is_the_game() -> None:
    stakes = Stakes((0, 0, 0), 0)
    assert stakes[1, 20] == (0, 1, 0)
    assert stakes[~0b101, 0] == (0.5, 0, 0.5)


def test_who_reaches_the_target_has_won() -> None:
    assert Stakes((90, 80), 100)[0, 10] == (1, 0)
    assert Stakes((90, 80), 100)[1, 25] == (0, 1)


def test_on_the_way_to_the_target_each_point_counts() -> None:
    stakes = Stakes((50, 50), 100)
    assert stakes[~0b11, 0] == (0.5, 0.5)
    shares = [stakes[0, points][0] for points in range(0, 50, 5)]
    assert shares == sorted(set(shares))
    assert all(sum(stakes[0, points]) == pytest.approx(1) for points in range(0, 50, 5))


# --- luck ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_luck_of_a_deal_is_zero_on_the_average(seats: int) -> None:
    """And what one seat gains by it the others lose."""
    gained = [0.0] * seats
    for seed in range(400):
        state, _ = game.start(seats, ROUND, SeededChance(f"{seats} {seed}"))
        each_luck = luck(None, None, state)
        assert sum(each_luck) == pytest.approx(0)
        gained = [total + got for total, got in zip(gained, each_luck, strict=True)]
    assert all(abs(total) / 400 < 0.06 for total in gained)


def test_a_later_deal_is_beside_what_its_starter_may_expect() -> None:
    """At a table with a target each new round brings a deal, and nothing else does."""
    state, _ = game.start(2, Options(target=60), SeededChance(1))
    chance, deals = SeededChance(2), 0
    while state.seat is not None:
        move = legal(state)[0]
        after, _ = play(game, state, state.seat, move, chance)
        got = luck(state, move, after)
        deals += any(got)
        assert any(got) == (after.seat is not None and after.round > state.round)
        state = after
    assert deals


def test_heavy_doubles_are_bad_luck() -> None:
    light = "1-0 2-0 2-1 3-0 3-1 3-2 4-0"
    heavy = "6-6 5-5 4-4 3-3 6-5 6-4 5-4"
    stock = " ".join(tile for tile in TILES if tile not in f"{light} {heavy}".split())
    state = position(light, heavy, stock=stock)
    assert luck(None, None, state)[0] > 0.1


def test_fresh_deals_are_whole_deals_and_always_the_same() -> None:
    one, other = (list(islice(fresh(3, at_once=True), 5)) for _ in range(2))
    assert one == other
    for begun in one:
        assert sum(begun.hands) + sum(begun.stock) == EVERY
        assert [hand.bit_count() for hand in begun.hands] == [7, 7, 7]
