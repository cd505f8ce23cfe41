"""The rules of dominoes, sentence by sentence and ruling by ruling, and whole games against a slow oracle."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import msgspec
import pytest

from games.rules import layout
from games.rules.chance import Chance, Draw, RecordedChance
from games.rules.dominoes import TILES, Dominoes, Options, State, View
from games.rules.game import (
    BadOptions,
    Event,
    Game,
    IllegalMove,
    Move,
    NotYourTurn,
    Seat,
    decode_state,
    default_options,
    encode,
    options_from,
    play,
    replay,
)
from games.rules.leaks import Noted
from tests.games.rules.seeded import SeededChance

game: Game[State, Options] = Dominoes()

EVERY_OPTION = [
    Options(start, dead_row, 0, corners)  # type: ignore[arg-type]  # product() widens the literals
    for start, dead_row, corners in product(("rotate", "winner"), ("at_once", "draw_out"), (True, False))
]


def plain(value: Any) -> Any:
    """As a client gets it."""
    return json.loads(msgspec.json.encode(value))


def deal_of(hands: Sequence[Sequence[str]], stock: Sequence[str]) -> Draw:
    """The shuffle(28) that deals just these hands and this stock."""
    return "shuffle", [TILES.index(tile) for tile in (*(tile for hand in hands for tile in hand), *stock)]


def first_seat(starter: Seat, seats: int) -> Draw:
    """The shuffle(seats) that lets this seat begin."""
    return "shuffle", [starter, *(seat for seat in range(seats) if seat != starter)]


def row_of(lays: str) -> layout.Row:
    """A row from its first tile on: "6-5, 5-4 right, 6-1 left cw"."""
    begin, *others = lays.split(", ")
    row = layout.begin(begin)
    for other in others:
        tile, end, *corner = other.split()
        row = layout.extend(row, tile, end, corner[0] if corner else None)
    return row


def position(*hands: str, row: str = "", stock: str = "", **fields: Any) -> State:
    """A position by hand, of a one-round game unless `options` say else; tiles named nowhere are absent."""
    fields = {"options": Options(target=0), "round": 1, "starter": 0, "seat": 0, **fields}
    return State(
        hands=tuple(tuple(hand.split()) for hand in hands),
        stock=tuple(stock.split()),
        row=row_of(row) if row else (),
        **{"scores": (0,) * len(hands), **fields},
    )


def step(state: State, move: Move) -> tuple[State, list[Event]]:
    """The seat to move makes a legal move."""
    assert state.seat is not None
    after, events = play(game, state, state.seat, move, SeededChance(0))
    return after, list(events)


def legal(state: State) -> list[Move]:
    assert state.seat is not None
    return list(game.legal_moves(state, state.seat))


def any_of(moves: Sequence[Move], chance: Chance) -> Move:
    return moves[chance.shuffle(len(moves))[0]]


def told(events: Sequence[Event]) -> list[tuple[str, Seat | None]]:
    return [(event.kind, event.seat) for event in events]


def last(events: Sequence[Event], kind: str) -> Event:
    return next(event for event in reversed(events) if event.kind == kind)


DEAD_END = "6-5, 6-1 left ccw, 5-4 right, 4-3 right cw, 3-2 right cw"
"""The right end heads left and runs into the 6-1."""

BLOCKING = "6-5"
"""Seat 0 lays 5-4: the ends are 6 and 4, and nobody has either of them."""

DIRECTIONS = {"right": 1, "down": 1j, "left": -1, "up": -1j}
Half = tuple[int, complex]


def walk(view: View) -> list[tuple[Half, Half]]:
    """The row from left to right as halves (pips, cell), told from the cells alone.

    Cells are complex numbers, so that a quarter clockwise is a factor 1j. The walk begins at the tile on
    the origin and follows the neighbouring cells.
    """
    tiles = []
    for placed in view.row:
        cell = complex(placed.x, placed.y)
        pips = [int(half) for half in placed.tile.split("-")]
        tiles.append(((pips[0], cell), (pips[1], cell + DIRECTIONS[placed.facing])))
    origin = next((index for index, (half, _) in enumerate(tiles) if half[1] == 0), 0)
    for index in range(origin + 1, len(tiles)):
        if abs(tiles[index][0][1] - tiles[index - 1][1][1]) != 1:
            tiles[index] = tiles[index][::-1]
    for index in range(origin - 1, -1, -1):
        if abs(tiles[index][1][1] - tiles[index + 1][0][1]) != 1:
            tiles[index] = tiles[index][::-1]
    return tiles


def pairs(view: View) -> list[list[int]]:
    """The row as pairs of pips from the left end to the right end."""
    return [[left[0], right[0]] for left, right in walk(view)]


@dataclass
class Played:
    """One step of a random game."""

    before: State
    seat: Seat
    move: Move
    after: State
    events: Sequence[Event]


def random_game(seats: int, options: Options, seed: int) -> Iterator[Played]:
    """A game of uniformly random moves, step by step."""
    chance = SeededChance(seed)
    state, _ = game.start(seats, options, chance)
    while state.seat is not None:
        seat, move = state.seat, any_of(legal(state), chance)
        after, events = play(game, state, seat, move, chance)
        yield Played(state, seat, move, after, events)
        state = after


# The source, sentence by sentence


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_each_player_receives_seven_tiles(seats: int) -> None:
    state, _ = game.start(seats, Options(), SeededChance(1))
    assert [len(hand) for hand in state.hands] == [7] * seats
    assert len(state.stock) == 28 - 7 * seats


def test_in_total_there_are_28_tiles() -> None:
    assert len(set(TILES)) == 28
    state, _ = game.start(3, Options(), SeededChance(1))
    assert sorted([*state.stock, *(tile for hand in state.hands for tile in hand)]) == sorted(TILES)


def test_each_half_has_zero_to_six_pips_and_the_greater_is_written_first() -> None:
    assert {layout.halves(tile) for tile in TILES} == {(a, b) for a in range(7) for b in range(7) if a >= b}


def test_seven_of_the_tiles_have_the_same_number_of_pips_at_both_ends() -> None:
    doubles = [tile for tile in TILES if tile[0] == tile[2]]
    assert doubles == ["0-0", "1-1", "2-2", "3-3", "4-4", "5-5", "6-6"]


def test_the_player_who_begins_lays_a_tile_of_its_choice() -> None:
    state = position("6-4 5-5 1-0", "3-3")
    assert legal(state) == ["lay 6-4", "lay 5-5", "lay 1-0"]


def test_the_first_tile_lies_in_the_middle_of_the_table() -> None:
    state, _ = step(position("6-4 5-5", "3-3 6-0"), "lay 6-4")
    assert plain(game.view(state, None).row) == [{"tile": "6-4", "x": 0, "y": 0, "facing": "right"}]


def test_the_next_player_places_a_tile_at_either_end() -> None:
    state = position("6-6 6-5 5-4", "0-0", row="6-5", options=Options(target=0, corners=False))
    assert legal(state) == ["lay 6-6 left", "lay 6-5 left", "lay 6-5 right", "lay 5-4 right"]


def test_and_so_on_for_the_remaining_players_in_seat_order_and_around() -> None:
    state = position("5-3 1-1", "6-3 4-2 2-2", "6-5 4-4 0-0", seat=1)
    seats = [state.seat]
    for move in ("lay 6-3", "lay 6-5 left", "lay 5-3 right", "draw"):
        state, _ = step(replace(state, stock=("5-0", "1-0")), move)
        seats.append(state.seat)
    assert seats == [1, 2, 0, 1, 2]


def test_a_tile_is_laid_only_if_one_half_matches_one_end() -> None:
    state = position("6-4 5-4 3-2 6-3", "0-0", row="6-5")
    assert {move.split()[1] for move in legal(state)} == {"6-4", "5-4", "6-3"}
    with pytest.raises(IllegalMove):
        step(state, "lay 3-2 left")
    with pytest.raises(IllegalMove):
        step(state, "lay 6-4 right")


def test_the_other_half_becomes_the_new_end() -> None:
    state, _ = step(position("6-4 3-2", "4-0 5-0", row="6-5"), "lay 6-4 left")
    assert [end.pips for end in game.view(state, None).ends] == [4, 5]
    assert pairs(game.view(state, None)) == [[4, 6], [6, 5]]


def test_players_form_corners_at_will() -> None:
    state = position("5-4 3-2", "4-0 6-0", row="6-5")
    assert legal(state) == ["lay 5-4 right", "lay 5-4 right cw", "lay 5-4 right ccw"]


def test_a_row_that_comes_to_a_dead_end_is_straightened_by_itself() -> None:
    state = position("2-0 1-1", "6-1 5-5", row=DEAD_END)
    state, events = step(state, "lay 2-0 right")
    assert told(events) == [("straightened", None), ("laid", 0)]
    assert {placed.y for placed in game.view(state, None).row} == {0}


def test_a_player_who_cannot_lay_must_take_one_of_the_covered_tiles() -> None:
    state = position("3-2", "4-0 6-0", row="6-5", stock="6-4 1-1")
    assert legal(state) == ["draw"]
    state, events = step(state, "draw")
    assert (state.hands[0], state.stock) == (("3-2", "6-4"), ("1-1",))
    assert told(events) == [("drew", 0)]


def test_a_player_who_can_lay_may_not_draw() -> None:
    state = position("6-2", "4-0", row="6-5", stock="6-4 1-1")
    with pytest.raises(IllegalMove):
        step(state, "draw")


def test_who_draws_misses_the_turn_even_if_the_drawn_tile_fits() -> None:
    state, _ = step(position("3-2", "4-0 6-0", row="6-5", stock="6-4 1-1"), "draw")
    assert game.to_move(state) == {1}


def test_if_no_player_can_lay_all_tiles_the_lowest_pip_total_wins_the_round() -> None:
    _, events = step(position("5-4 5-5", "2-0", "3-3", row=BLOCKING), "lay 5-4 right")
    over = last(events, "round_over").data
    assert (over["blocked"], over["winner"], over["pips"]) == (True, 1, [10, 2, 6])


def test_the_winner_of_a_blocked_round_receives_the_differences_as_with_4_9_and_14_pips() -> None:
    _, events = step(position("5-4 3-1", "5-2 2-0", "5-5 2-2", row=BLOCKING), "lay 5-4 right")
    over = last(events, "round_over").data
    assert (over["winner"], over["pips"], over["points"]) == (0, [4, 9, 14], 15)
    assert over["scores"] == [15, 0, 0]


def test_joint_lowest_is_a_drawn_round_without_points() -> None:
    _, events = step(position("5-4 3-1", "2-2", "5-5", row=BLOCKING), "lay 5-4 right")
    over = last(events, "round_over").data
    assert (over["winner"], over["points"], over["scores"]) == (None, 0, [0, 0, 0])


def test_players_above_the_lowest_may_tie_without_a_draw() -> None:
    _, events = step(position("5-4 3-1", "5-5", "3-3 2-2", row=BLOCKING), "lay 5-4 right")
    assert last(events, "round_over").data["points"] == 12


def test_the_first_to_reach_the_target_wins_the_game() -> None:
    options = Options(target=50)
    state, _ = step(position("5-4", "6-4", row="6-5", options=options, scores=(40, 49)), "lay 5-4 right")
    outcome = game.outcome(state, frozenset())
    assert outcome is not None
    assert (outcome.winners, outcome.reason, outcome.scores) == ((0,), "played_out", (50, 49))


def test_one_point_short_of_the_target_the_game_goes_on() -> None:
    options = Options(target=50)
    state, _ = step(position("5-4", "6-4", row="6-5", options=options, scores=(39, 49)), "lay 5-4 right")
    assert game.outcome(state, frozenset()) is None
    assert (state.round, state.scores, state.seat) == (2, (49, 49), 1)


def test_in_a_one_round_game_who_lays_all_tiles_first_is_the_winner() -> None:
    state, _ = step(position("5-4", "6-4", row="6-5", scores=(0, 0)), "lay 5-4 right")
    outcome = game.outcome(state, frozenset())
    assert outcome is not None
    assert (outcome.winners, outcome.scores) == ((0,), (10, 0))


def test_laying_the_last_tile_ends_the_round() -> None:
    _, events = step(position("5-4", "6-4 1-0", row="6-5", stock="3-3"), "lay 5-4 right")
    assert told(events) == [("laid", 0), ("round_over", None)]


def test_the_winner_receives_the_pips_of_the_tiles_the_opponents_hold() -> None:
    _, events = step(position("5-4", "6-4 1-0", "3-3", row="6-5", stock="5-5"), "lay 5-4 right")
    over = last(events, "round_over").data
    assert (over["winner"], over["blocked"], over["points"]) == (0, False, 10 + 1 + 6)
    assert over["hands"] == [[], ["6-4", "1-0"], ["3-3"]]


# The rulings


def test_tiles_are_dealt_in_seat_order_from_the_shuffle_and_the_rest_is_the_stock() -> None:
    chance = RecordedChance([first_seat(1, 2), ("shuffle", range(28))])
    state, _ = game.start(2, Options(), chance)
    chance.finish()
    assert state.hands == (
        ("0-0", "1-0", "1-1", "2-0", "2-1", "2-2", "3-0"),
        ("3-1", "3-2", "3-3", "4-0", "4-1", "4-2", "4-3"),
    )
    assert state.stock == TILES[14:]
    assert (TILES[14], TILES[-1]) == ("4-4", "6-6")


def test_the_stock_is_drawn_from_its_front_and_a_hand_keeps_the_order_dealt_then_drawn() -> None:
    state = position("3-2 1-1", "2-1 1-0", row="6-5", stock="4-4 5-0 4-3 6-6")
    for _ in range(3):
        state, _ = step(state, "draw")
    assert state.hands == (("3-2", "1-1", "4-4", "4-3"), ("2-1", "1-0", "5-0"))


@pytest.mark.parametrize("starter", [0, 1, 2])
def test_the_first_seat_of_round_1_is_drawn(starter: Seat) -> None:
    chance = RecordedChance([first_seat(starter, 3), ("shuffle", range(28))])
    state, _ = game.start(3, Options(), chance)
    assert state.starter == starter
    assert game.to_move(state) == {starter}


def won_round(winner: Seat, options: Options, starter: Seat) -> State:
    hands = ["6-4", "6-3", "6-2"]
    hands[winner] = "5-4"
    before = position(*hands, row="6-5", options=options, starter=starter, seat=winner)
    return step(before, "lay 5-4 right")[0]


def drawn_round(options: Options, starter: Seat, **fields: Any) -> State:
    before = position("5-4 3-1", "2-2", "5-5", row=BLOCKING, options=options, starter=starter, **fields)
    return step(before, "lay 5-4 right")[0]


def test_the_next_seat_starts_each_round_also_after_a_drawn_one() -> None:
    assert won_round(0, Options(), starter=1).starter == 2
    assert won_round(0, Options(), starter=2).starter == 0
    assert drawn_round(Options(), starter=1).starter == 2


def test_start_winner_lets_the_winner_begin_and_after_a_drawn_round_the_same_seat_again() -> None:
    assert won_round(1, Options(start="winner"), starter=2).starter == 1
    assert won_round(0, Options(start="winner"), starter=2).starter == 0
    assert drawn_round(Options(start="winner"), starter=2).starter == 2
    assert game.to_move(won_round(1, Options(start="winner"), starter=2)) == {1}


def test_the_end_is_named_except_for_the_first_tile() -> None:
    with pytest.raises(IllegalMove):
        step(position("6-4 5-5", "3-3"), "lay 6-4 left")
    with pytest.raises(IllegalMove):
        step(position("6-4 5-5", "3-3 6-6", row="6-5"), "lay 6-4")


def test_a_tile_is_written_with_its_greater_half_first() -> None:
    with pytest.raises(IllegalMove):
        step(position("6-4 5-5", "3-3 6-6", row="6-5"), "lay 4-6 left")


def test_a_double_is_no_spinner_there_are_two_ends_only() -> None:
    state = position("6-6 3-1", "6-2 6-1 5-0", row="6-5, 6-3 left")
    state, _ = step(replace(state, hands=(("3-3", "3-1"), state.hands[1])), "lay 3-3 left")
    assert [end.pips for end in game.view(state, None).ends] == [3, 5]
    assert len({move.split()[2] for move in legal(replace(state, seat=0))}) == 1


def test_when_nothing_fits_and_nothing_is_covered_the_server_passes_with_an_event() -> None:
    state = position("6-4 6-1", "3-2", "3-1 2-2", "4-0", row="6-5")
    state, events = step(state, "lay 6-4 left")
    assert told(events) == [("laid", 0), ("passed", 1), ("passed", 2)]
    assert game.to_move(state) == {3}


def test_the_turn_can_come_back_to_the_same_seat_when_all_others_are_passed() -> None:
    state, events = step(position("6-4 4-1", "3-2", "3-3", row="6-5"), "lay 6-4 left")
    assert told(events) == [("laid", 0), ("passed", 1), ("passed", 2)]
    assert game.to_move(state) == {0}


def test_nobody_is_passed_while_a_tile_is_covered() -> None:
    state, events = step(position("6-4 4-1", "3-2", row="6-5", stock="0-0"), "lay 6-4 left")
    assert (told(events), legal(state)) == ([("laid", 0)], ["draw"])


def test_after_the_last_covered_tile_is_drawn_who_cannot_lay_is_passed() -> None:
    state, events = step(position("2-1", "3-2", "6-0 1-1", row="6-5", stock="3-3"), "draw")
    assert told(events) == [("drew", 0), ("passed", 1)]
    assert game.to_move(state) == {2}


def test_going_out_can_win_nothing_at_all() -> None:
    _, events = step(position("5-4", "0-0", row="6-5"), "lay 5-4 right")
    over = last(events, "round_over").data
    assert (over["winner"], over["points"], over["blocked"]) == (0, 0, False)


def test_a_round_won_for_no_points_is_not_a_drawn_one() -> None:
    options = Options(start="winner")
    before = position("0-0", "5-4", row="6-5", seat=1, options=options, drawn_rounds=99)
    state, _ = step(before, "lay 5-4 right")
    assert (state.drawn_rounds, state.starter, game.outcome(state, frozenset())) == (0, 1, None)


def test_going_out_beats_a_block_made_by_the_same_tile() -> None:
    state = position("5-4", "3-2", "1-0", row="6-5")
    _, events = step(state, "lay 5-4 right")
    over = last(events, "round_over").data
    assert (over["winner"], over["blocked"], over["points"]) == (0, False, 6)


def test_a_dead_row_is_blocked_at_once_even_with_covered_tiles_left() -> None:
    _, events = step(position("5-4 3-1", "5-2 2-0", stock="3-3 2-2", row=BLOCKING), "lay 5-4 right")
    assert told(events) == [("laid", 0), ("round_over", None)]
    assert last(events, "round_over").data["blocked"] is True


def test_a_row_is_not_dead_while_a_covered_tile_fits() -> None:
    state, events = step(position("5-4 3-1", "5-2 2-0", stock="6-0 2-2", row=BLOCKING), "lay 5-4 right")
    assert (told(events), legal(state)) == ([("laid", 0)], ["draw"])


DRAW_OUT = Options(dead_row="draw_out", target=0)


def test_draw_out_lets_the_seats_first_draw_the_stock_empty() -> None:
    state = position("5-4 3-1", "5-2 2-0", stock="3-3 2-2", options=DRAW_OUT, row=BLOCKING)
    state, events = step(state, "lay 5-4 right")
    assert (told(events), legal(state)) == ([("laid", 0)], ["draw"])
    state, events = step(state, "draw")
    assert (told(events), legal(state)) == ([("drew", 1)], ["draw"])
    state, events = step(state, "draw")
    assert told(events) == [("drew", 0), ("round_over", None)]
    assert last(events, "round_over").data["pips"] == [4 + 4, 9 + 6]


def test_draw_out_with_an_empty_stock_is_blocked_at_once() -> None:
    _, events = step(position("5-4 3-1", "5-2", options=DRAW_OUT, row=BLOCKING), "lay 5-4 right")
    assert told(events) == [("laid", 0), ("round_over", None)]


def test_a_drawn_one_round_game_is_won_by_the_joint_lowest() -> None:
    state = drawn_round(Options(target=0), starter=1)
    outcome = game.outcome(state, frozenset())
    assert outcome is not None
    assert (outcome.winners, outcome.scores) == ((0, 1), (0, 0, 0))


def test_after_100_drawn_rounds_in_a_row_the_highest_score_wins() -> None:
    state = drawn_round(Options(), starter=1, drawn_rounds=99, scores=(3, 8, 5))
    outcome = game.outcome(state, frozenset())
    assert outcome is not None
    assert (outcome.winners, outcome.scores) == ((1,), (3, 8, 5))
    assert game.to_move(state) == frozenset()


def test_after_100_drawn_rounds_in_a_row_equal_scores_share() -> None:
    state = drawn_round(Options(), starter=1, drawn_rounds=99, scores=(8, 3, 8))
    outcome = game.outcome(state, frozenset())
    assert outcome is not None
    assert outcome.winners == (0, 2)


def test_after_99_drawn_rounds_in_a_row_the_game_goes_on() -> None:
    state = drawn_round(Options(), starter=1, drawn_rounds=98)
    assert (state.drawn_rounds, game.outcome(state, frozenset())) == (99, None)
    assert game.to_move(state) == {2}


def test_a_won_round_begins_the_count_of_drawn_rounds_anew() -> None:
    before = position("5-4", "6-4", row="6-5", options=Options(), drawn_rounds=99)
    assert step(before, "lay 5-4 right")[0].drawn_rounds == 0


def test_when_a_round_is_over_all_hands_are_shown_and_the_next_deal_follows_in_the_same_step() -> None:
    before = position("5-4 3-1", "2-2", "5-5", row=BLOCKING, options=Options())
    state, events = step(before, "lay 5-4 right")
    assert told(events) == [("laid", 0), ("round_over", None), ("dealt", 0), ("dealt", 1), ("dealt", 2)]
    shown = game.view(state, None).last_round
    assert shown is not None
    assert shown.hands == (("3-1",), ("2-2",), ("5-5",))
    assert (state.round, [len(hand) for hand in state.hands], len(state.stock), state.row) == (
        2,
        [7] * 3,
        7,
        (),
    )


def test_every_later_round_draws_one_shuffle_of_28() -> None:
    chance = RecordedChance([deal_of([TILES[21:], TILES[:7], TILES[7:14]], TILES[14:21])])
    before = position("5-4 3-1", "2-2", "5-5", row=BLOCKING, options=Options())
    state, _ = game.apply(before, 0, "lay 5-4 right", chance)
    chance.finish()
    assert (state.hands[0], state.stock) == (TILES[21:], TILES[14:21])


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        ({"start": "loser"}, "start"),
        ({"dead_row": "never"}, "dead_row"),
        ({"target": -1}, "target"),
        ({"target": 1001}, "target"),
        ({"target": "100"}, "target"),
        ({"corners": 1}, "corners"),
        ({"spinner": True}, "spinner"),
    ],
)
def test_options_outside_the_table_are_refused(given: dict[str, Any], wrong: str) -> None:
    with pytest.raises(BadOptions) as refused:
        options_from(game, given)
    assert list(refused.value.errors) == [wrong]


def test_the_first_value_of_an_option_is_its_default() -> None:
    assert default_options(game) == {"start": "rotate", "dead_row": "at_once", "target": 100, "corners": True}
    assert options_from(game, {"target": 1000}) == Options(target=1000)


def test_two_to_four_seats() -> None:
    assert list(game.seats) == [2, 3, 4]


# Outcome with seats that left


def test_a_seat_that_is_out_cannot_win_by_reaching_the_target() -> None:
    state = position("6-4", "6-3", "5-4", options=Options(target=50), scores=(7, 20, 60), seat=None)
    outcome = game.outcome(state, frozenset({2}))
    assert outcome is not None
    assert (outcome.winners, outcome.scores) == ((1,), (7, 20, 60))


def test_seats_not_out_share_the_first_place_among_them() -> None:
    state = position("6-4", "6-3", "5-4", options=Options(target=50), scores=(20, 20, 60), seat=None)
    outcome = game.outcome(state, frozenset({2}))
    assert outcome is not None
    assert outcome.winners == (0, 1)


def test_in_a_one_round_game_the_fewest_pips_win_among_the_seats_not_out() -> None:
    state, _ = step(position("5-4", "6-4", "2-2", "4-0", row="6-5"), "lay 5-4 right")
    outcome = game.outcome(state, frozenset({0}))
    assert outcome is not None
    assert (outcome.winners, outcome.scores) == ((2, 3), (18, 0, 0, 0))


def test_in_a_one_round_game_the_winner_of_the_round_stays_first_when_others_are_out() -> None:
    state, _ = step(position("5-4", "0-0", "2-2", row="6-5"), "lay 5-4 right")
    outcome = game.outcome(state, frozenset({2}))
    assert outcome is not None
    assert outcome.winners == (0,)


def test_in_a_drawn_one_round_game_a_joint_lowest_seat_that_is_out_does_not_share() -> None:
    outcome = game.outcome(drawn_round(Options(target=0), starter=0), frozenset({0}))
    assert outcome is not None
    assert outcome.winners == (1,)


def test_there_is_no_outcome_before_the_end() -> None:
    assert game.outcome(position("5-4 1-1", "6-4", row="6-5"), frozenset()) is None
    assert game.outcome(position("5-4 1-1", "6-4", row="6-5"), frozenset({0})) is None


# The view


def test_the_view_is_the_json_that_the_interface_promises() -> None:
    before = position("6-6 6-3 5-4", "1-0", "3-2", options=Options(target=60), scores=(12, 0, 3), stock="5-5")
    state, _ = step(before, "lay 6-6")
    assert plain(game.view(state, 0)) == {
        "phase": "lay",
        "round": 1,
        "starter": 0,
        "seat": 1,
        "hand": ["6-3", "5-4"],
        "hand_sizes": [2, 1, 1],
        "stock": 1,
        "scores": [12, 0, 3],
        "target": 60,
        "row": [{"tile": "6-6", "x": 0, "y": 0, "facing": "right"}],
        "ends": [
            {"pips": 6, "x": 0, "y": 0, "heading": "left"},
            {"pips": 6, "x": 1, "y": 0, "heading": "right"},
        ],
        "last_round": None,
        "at_most": [[2] * 7, [1] * 7, [1] * 7],
    }


def test_a_watcher_sees_all_but_a_hand() -> None:
    state, _ = game.start(3, Options(), SeededChance(4))
    seen, watched = plain(game.view(state, 1)), plain(game.view(state, None))
    assert watched["hand"] is None
    assert {**watched, "hand": list(state.hands[1])} == seen


def test_there_are_no_ends_before_the_first_tile() -> None:
    state, _ = game.start(2, Options(), SeededChance(4))
    assert (game.view(state, 0).row, game.view(state, 0).ends) == ((), ())


def test_the_last_round_is_told_with_its_row() -> None:
    state, _ = step(position("5-4", "6-4 1-0", row="6-5", options=Options()), "lay 5-4 right")
    assert plain(game.view(state, 0).last_round) == {
        "winner": 0,
        "blocked": False,
        "points": 11,
        "pips": [0, 11],
        "hands": [[], ["6-4", "1-0"]],
        "row": [
            {"tile": "6-5", "x": 0, "y": 0, "facing": "right"},
            {"tile": "5-4", "x": 2, "y": 0, "facing": "right"},
        ],
    }


def test_when_the_game_is_over_the_row_stays_as_it_lay() -> None:
    state, _ = step(position("5-4", "6-4 1-0", row="6-5", stock="3-3"), "lay 5-4 right")
    view = game.view(state, 1)
    assert (view.phase, view.seat, view.hand, view.stock) == ("over", None, ("6-4", "1-0"), 1)
    assert view.last_round is not None
    assert view.row == view.last_round.row
    assert (view.round, [placed.tile for placed in view.row]) == (1, ["6-5", "5-4"])


def test_when_the_game_is_over_nobody_may_move() -> None:
    state, _ = step(position("5-4", "6-4", row="6-5"), "lay 5-4 right")
    assert [list(game.legal_moves(state, seat)) for seat in (0, 1)] == [[], []]
    with pytest.raises(NotYourTurn):
        play(game, state, 1, "draw", SeededChance(0))


def test_the_schema_of_the_view_names_every_field() -> None:
    schema = msgspec.json.schema(View)
    fields = schema["$defs"]["View"]["properties"]
    assert list(fields) == list(plain(game.view(position("5-4", "6-4"), None)))
    assert fields["hand"]["anyOf"][1] == {"type": "null"}
    assert msgspec.json.schema(Options)["$defs"]["Options"]["properties"]["target"]["maximum"] == 1000


# What draws and passes tell


def told_of(state: State, seat: Seat) -> list[int]:
    """What everybody knows of a hand: for each number of pips how many tiles can have it."""
    return list(game.view(state, None).at_most[seat])


def test_of_a_fresh_hand_nothing_is_known_but_its_size() -> None:
    state, _ = game.start(2, Options(), SeededChance(1))
    assert told_of(state, 0) == told_of(state, 1) == [7] * 7


def test_who_draws_holds_neither_end_but_for_the_tile_drawn() -> None:
    state, _ = step(position("3-2 1-1", "4-0 6-0", row="6-5", stock="6-4 1-1"), "draw")
    assert told_of(state, 0) == [3, 3, 3, 3, 3, 1, 1]
    assert told_of(state, 1) == [2] * 7


def test_who_is_passed_holds_neither_end() -> None:
    state, _ = step(position("6-4 4-1", "3-2 3-3", row="6-5"), "lay 6-4 left")
    assert told_of(state, 1) == [2, 2, 2, 2, 0, 0, 2]


def test_a_tile_that_only_a_drawn_one_can_be_is_gone_once_it_is_laid() -> None:
    state, _ = step(position("3-2 1-1", "4-0 6-0", row="6-5", stock="6-4 1-1"), "draw")
    state, _ = step(step(state, "lay 6-0 left")[0], "draw")
    assert told_of(state, 0) == [1, 4, 4, 4, 4, 1, 2]
    state, _ = step(replace(state, row=row_of("6-5"), seat=0), "lay 6-4 left")
    assert told_of(state, 0) == [1, 3, 3, 3, 3, 1, 1]


def test_a_lay_that_any_tile_may_have_been_leaves_the_drawn_ones_as_likely() -> None:
    state, _ = step(position("3-2 1-1", "4-0 6-0", row="6-5", stock="6-4 1-1"), "draw")
    state, _ = step(replace(state, row=row_of("6-3"), seat=0), "lay 3-2 right")
    assert told_of(state, 0) == [2, 2, 2, 2, 2, 1, 1]


def test_a_new_deal_is_known_no_better_than_the_first() -> None:
    state = drawn_round(Options(), starter=1)
    assert [told_of(state, seat) for seat in range(3)] == [[7] * 7] * 3


@pytest.mark.parametrize("options", EVERY_OPTION)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_no_hand_ever_contradicts_what_is_told_of_it(seats: int, options: Options) -> None:
    for played in random_game(seats, replace(options, target=40), seed=3):
        assert_agrees(played.after)


def assert_agrees(state: State) -> None:
    """Of each hand only the newest tiles have pips that it once lacked."""
    for seat, hand in enumerate(state.hands):
        for pips, count in enumerate(told_of(state, seat)):
            assert 0 <= count <= len(hand)
            assert all(pips not in layout.halves(tile) for tile in hand[: len(hand) - count])


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_resampled_hand_does_not_contradict_it_either(seats: int) -> None:
    chance = SeededChance(seats)
    for played in random_game(seats, Options(target=40), seed=3):
        assert_agrees(game.resample(played.after, seats - 1, chance))


def test_resampling_leaves_deals_that_agree_equally_likely() -> None:
    """Of the two tiles of seat 1 only the newer, drawn one can have a 6."""
    known = ((2,) * 7, (2, 2, 2, 2, 2, 2, 1))
    state = position("5-5 5-4", "3-3 6-6", row="5-3", stock="6-2 4-4 2-1", at_most=known)
    guesses = [game.resample(state, 0, SeededChance(seed)).hands[1] for seed in range(2400)]
    deals = {(old, new) for old in ("3-3", "4-4", "2-1") for new in ("3-3", "4-4", "2-1", "6-6", "6-2")}
    assert set(guesses) == {(old, new) for old, new in deals if old != new}
    assert all(140 < guesses.count(deal) < 260 for deal in set(guesses))


def test_of_a_table_stored_without_it_nothing_is_known() -> None:
    state, _ = step(position("3-2 1-1", "4-0 6-0", row="6-5", stock="6-4 1-1"), "draw")
    stored = {name: value for name, value in encode(state).items() if name != "at_most"}
    assert told_of(decode_state(game, stored), 0) == [3] * 7


# The events


def test_dealt_tells_each_seat_its_own_hand_and_everybody_the_count() -> None:
    state, events = game.start(3, Options(), RecordedChance([first_seat(2, 3), ("shuffle", range(28))]))
    assert [event.seat for event in events] == [0, 1, 2]
    for event, hand in zip(events, state.hands, strict=True):
        assert event == Event(
            "dealt", event.seat, {"round": 1, "count": 7, "starter": 2}, {"hand": list(hand)}
        )


def test_laid_tells_the_tile_the_end_the_corner_and_the_place() -> None:
    state, events = step(position("6-4 5-5", "6-1 4-3"), "lay 6-4")
    place = {"x": 0, "y": 0, "facing": "right"}
    assert events == [Event("laid", 0, {"tile": "6-4", "end": None, "corner": None, **place}, by_seat=True)]
    state, events = step(state, "lay 6-1 left cw")
    place = {"x": 0, "y": -1, "facing": "up"}
    assert events[0] == Event(
        "laid", 1, {"tile": "6-1", "end": "left", "corner": "cw", **place}, by_seat=True
    )


def test_drew_tells_its_seat_alone_which_tile() -> None:
    _, events = step(position("3-2", "4-0 6-0", row="6-5", stock="6-4 1-1"), "draw")
    assert events == [Event("drew", 0, {}, {"tile": "6-4"}, by_seat=True)]


def test_passed_follows_by_itself() -> None:
    _, events = step(position("6-4 4-1", "3-2", row="6-5"), "lay 6-4 left")
    assert events[1] == Event("passed", 1, {})


def test_straightened_tells_the_row_before_the_new_tile() -> None:
    _, events = step(position("2-0 1-1", "6-0", row=DEAD_END), "lay 2-0 right")
    row = [
        {"tile": "6-1", "x": -1, "y": 0, "facing": "left"},
        {"tile": "6-5", "x": 0, "y": 0, "facing": "right"},
        {"tile": "5-4", "x": 2, "y": 0, "facing": "right"},
        {"tile": "4-3", "x": 4, "y": 0, "facing": "right"},
        {"tile": "3-2", "x": 6, "y": 0, "facing": "right"},
    ]
    assert events[0] == Event("straightened", None, {"row": row})


def test_round_over_tells_the_whole_round() -> None:
    before = position(
        "5-4 3-1", "5-2 2-0", "5-5 2-2", row=BLOCKING, options=Options(), scores=(1, 2, 3), round=7
    )
    _, events = step(before, "lay 5-4 right")
    data = {
        "round": 7,
        "winner": 0,
        "blocked": True,
        "points": 15,
        "pips": [4, 9, 14],
        "hands": [["3-1"], ["5-2", "2-0"], ["5-5", "2-2"]],
        "scores": [16, 2, 3],
    }
    assert events[1] == Event("round_over", None, data)
    assert {event.data["round"] for event in events[2:]} == {8}


def test_every_event_is_plain_json() -> None:
    for options in EVERY_OPTION:
        for played in random_game(3, replace(options, target=30), seed=5):
            for event in played.events:
                assert json.loads(json.dumps([event.data, event.own])) == [event.data, event.own]


# Halt, secrets, and what every game keeps


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_halted_game_is_over_and_reveals_nothing(seats: int) -> None:
    for played in random_game(seats, Options(target=40), seed=seats):
        halted = game.halt(played.before)
        assert game.to_move(halted) == frozenset()
        assert game.outcome(halted, frozenset()) is None
        for seat in (None, *range(seats)):
            view = plain(game.view(played.before, seat))
            assert plain(game.view(halted, seat)) == {**view, "phase": "over", "seat": None}
        assert all(not game.legal_moves(halted, seat) for seat in range(seats))


def test_a_game_that_was_played_out_keeps_its_outcome_when_halted() -> None:
    *_, played = random_game(2, Options(target=20), seed=3)
    assert game.halt(played.after) == played.after
    assert game.outcome(game.halt(played.after), frozenset()) is not None


@pytest.mark.parametrize("options", EVERY_OPTION)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_resampled_position_looks_the_same_to_the_seat(seats: int, options: Options) -> None:
    chance = SeededChance(seats)
    for played in random_game(seats, replace(options, target=20), seed=9):
        for state, seat in product((played.before, played.after), (None, *range(seats))):
            guess = game.resample(state, seat, chance)
            assert game.view(guess, seat) == game.view(state, seat)
            assert plain(replace(guess, hands=(), stock=())) == plain(replace(state, hands=(), stock=()))
            assert tiles_outside(guess) == tiles_outside(state)
            assert guess.seat is None or legal(guess)
            if seat is not None:
                assert game.legal_moves(guess, seat) == game.legal_moves(state, seat)


def tiles_outside(state: State) -> list[str]:
    return sorted([*state.stock, *(tile for hand in state.hands for tile in hand)])


def test_every_tile_that_a_seat_cannot_see_may_lie_anywhere_else() -> None:
    state, _ = game.start(3, Options(), SeededChance(2))
    guesses = [game.resample(state, 1, SeededChance(seed)) for seed in range(300)]
    unseen = set(TILES) - set(state.hands[1])
    assert {tile for guess in guesses for tile in guess.hands[0]} == unseen
    assert {tile for guess in guesses for tile in guess.hands[2]} == unseen
    assert {guess.stock[0] for guess in guesses} == unseen
    assert {guess.hands[1] for guess in guesses} == {state.hands[1]}


def test_a_watcher_knows_no_hand() -> None:
    state, _ = game.start(2, Options(), SeededChance(2))
    guesses = [game.resample(state, None, SeededChance(seed)) for seed in range(300)]
    assert {tile for guess in guesses for tile in guess.hands[1]} == set(TILES)


def test_with_an_empty_stock_the_seat_to_move_can_still_lay_after_resampling() -> None:
    state = position("6-4", "3-2 1-1", "2-2 1-0", "3-3 2-0", row="6-5")
    guesses = [game.resample(state, 1, SeededChance(seed)) for seed in range(300)]
    assert {guess.hands[0] for guess in guesses} == {("6-4",)}
    assert len({guess.hands[2] for guess in guesses}) == 4 * 3


def test_hands_that_have_been_shown_are_not_resampled() -> None:
    state, _ = step(position("5-4", "6-4 1-0", "3-3", row="6-5", stock="2-2 1-1"), "lay 5-4 right")
    guesses = [game.resample(state, 0, SeededChance(seed)) for seed in range(20)]
    assert {guess.hands for guess in guesses} == {state.hands}
    assert {guess.stock for guess in guesses} == {("2-2", "1-1"), ("1-1", "2-2")}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_game_ends_with_an_outcome_that_its_history_gives_again(seats: int) -> None:
    for seed in range(10):
        chance = SeededChance(seed)
        noted = Noted(chance)
        state, _ = game.start(seats, Options(target=60), noted)
        drawn, moves = noted.drawn, []
        while state.seat is not None:
            seat, move, noted = state.seat, any_of(legal(state), chance), Noted(chance)
            state, _ = play(game, state, seat, move, noted)
            moves.append((seat, move, noted.drawn))
        outcome = game.outcome(state, frozenset())
        assert outcome is not None
        assert outcome.scores == game.scores(state)
        assert max(outcome.scores) == outcome.scores[outcome.winners[0]] >= 60
        assert replay(game, seats, Options(target=60), drawn, moves) == state


def test_a_state_survives_the_round_trip_through_json() -> None:
    for seats in game.seats:
        for played in random_game(seats, Options(target=30), seed=7):
            assert decode_state(game, json.loads(json.dumps(encode(played.after)))) == played.after


# The oracle: a round kept by lists of pips, with every question answered by trying all tiles


@dataclass
class Oracle:
    """A round as one would keep it by hand: it knows the deal and then only the moves."""

    hands: list[list[str]]
    stock: list[str]
    dead_row: str
    row: list[list[int]]

    def can_lay(self, tiles: Sequence[str]) -> bool:
        ends = {str(self.row[0][0]), str(self.row[-1][1])}
        return any(half in ends for tile in tiles for half in tile.split("-"))

    def is_dead(self) -> bool:
        """Tries every tile of the set that is not in the row."""
        lying = {"-".join(map(str, sorted(pair, reverse=True))) for pair in self.row}
        return not self.can_lay([tile for tile in TILES if tile not in lying])

    def move(self, seat: Seat, move: Move) -> list[tuple[str, Seat | None]]:
        """Make the move; the events that must follow, without the ones that corners bring."""
        hand = self.hands[seat]
        if move == "draw":
            assert not self.can_lay(hand)
            hand.append(self.stock.pop(0))
            events: list[tuple[str, Seat | None]] = [("drew", seat)]
        else:
            self.lay(hand, *move.split()[1:3])
            events = [("laid", seat)]
        if not hand or (self.is_dead() and not (self.dead_row == "draw_out" and self.stock)):
            return [*events, ("round_over", None)]
        while not self.stock:
            seat = (seat + 1) % len(self.hands)
            if self.can_lay(self.hands[seat]):
                break
            events.append(("passed", seat))
        return events

    def lay(self, hand: list[str], tile: str, end: str | None = None) -> None:
        hand.remove(tile)
        greater, lesser = map(int, tile.split("-"))
        if end is None:
            self.row.append([greater, lesser])
        elif end == "left":
            inner = self.row[0][0]
            self.row.insert(0, [lesser, greater] if greater == inner else [greater, lesser])
        else:
            inner = self.row[-1][1]
            self.row.append([greater, lesser] if greater == inner else [lesser, greater])

    def result(self) -> tuple[Seat | None, int]:
        """The winner and its points, by comparing every pair of seats."""
        sums = [sum(int(half) for tile in hand for half in tile.split("-")) for hand in self.hands]
        for seat, hand in enumerate(self.hands):
            others = sums[:seat] + sums[seat + 1 :]
            if not hand:
                return seat, sum(others)
            if all(self.hands) and all(sums[seat] < other for other in others):
                return seat, sum(other - sums[seat] for other in others)
        return None, 0


@pytest.mark.parametrize("options", EVERY_OPTION)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_rules_agree_with_a_slow_oracle_on_random_rounds(seats: int, options: Options) -> None:
    ways = set()
    for seed in range(25):
        oracle = None
        for played in random_game(seats, options, seed):
            if oracle is None:
                hands = [list(hand) for hand in played.before.hands]
                oracle = Oracle(hands, list(played.before.stock), options.dead_row, [])
            expected = oracle.move(played.seat, played.move)
            assert [event for event in told(played.events) if event[0] != "straightened"] == expected
            assert [list(hand) for hand in played.after.hands] == oracle.hands
            assert list(played.after.stock) == oracle.stock
            assert pairs(game.view(played.after, None)) == oracle.row
        assert oracle is not None
        result = played.after.last_round
        assert result is not None
        assert (result.winner, result.points) == oracle.result()
        assert result.blocked is all(oracle.hands)
        ways.add((result.blocked, result.winner is None))
    assert ways >= {(True, False), (False, False)}
