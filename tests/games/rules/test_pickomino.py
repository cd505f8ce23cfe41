"""The rules of Pickomino, sentence by sentence, then ruling by ruling."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import FrozenInstanceError, fields
from itertools import product
from typing import Any

import msgspec
import pytest

from games.rules.chance import ChanceMismatch, Draw, LiveChance, RecordedChance
from games.rules.game import (
    BadOptions,
    Event,
    IllegalMove,
    Move,
    NotYourTurn,
    Outcome,
    Seat,
    decode_state,
    default_options,
    encode,
    options_from,
    play,
    replay,
)
from games.rules.pickomino import DOMINOES, Options, Pickomino, State, View

GAME = Pickomino()
NOBODY: frozenset[Seat] = frozenset()
WORMS = dict(zip(DOMINOES, (1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4), strict=True))

TO_25 = ("roll WWW12345", "save W", "roll 55123", "save 5")  # ends on a total of 25, three dice left
TO_30 = ("roll W1234555", "save W", "roll 5555123", "save 5", "roll 321", "save 3", "roll 2W", "save 2")
NO_NEW_NUMBER = ("roll 55555123", "save 5", "roll 555")
NO_W = ("roll 55555444", "save 5", "roll 444", "save 4")
TWENTY = ("roll WWW11111", "save W", "roll 11111", "save 1")


def position(
    *stacks: Sequence[int],
    up: Iterable[int] | None = None,
    down: Iterable[int] = (),
    seat: Seat = 0,
    options: Options | None = None,
) -> State:
    """The start of `seat`'s turn. `up` is whatever lies nowhere else, unless given; two empty stacks, too."""
    piles = tuple(tuple(stack) for stack in stacks) or ((), ())
    elsewhere = {*down, *(domino for stack in piles for domino in stack)}
    face_up = set(DOMINOES) - elsewhere if up is None else up
    return State(options or Options(), seat, tuple(sorted(face_up)), tuple(sorted(down)), piles)


def pips(dice: Iterable[str | int]) -> tuple[int, ...]:
    """Dice as the chance gives them: its 6 is W."""
    return tuple(6 if die == "W" else int(die) for die in dice)


def after(state: State, *steps: str) -> tuple[State, list[Event]]:
    """Play moves as the seat whose turn it is, a roll with its dice: `roll WW123455`. With all events."""
    told: list[Event] = []
    for step in steps:
        move, _, dice = step.partition(" ") if step.startswith("roll") else (step, "", "")
        chance = RecordedChance([("roll", pips(dice))] if dice else [])
        (seat,) = GAME.to_move(state)
        state, events = play(GAME, state, seat, move, chance)
        chance.finish()
        told += events
    return state, told


def plain(value: Any) -> Any:
    """A value as a client reads it: what its JSON says."""
    return msgspec.json.decode(msgspec.json.encode(value))


def reached(state: State, *steps: str) -> State:
    return after(state, *steps)[0]


def moves(state: State) -> list[Move]:
    return [move for seat in GAME.to_move(state) for move in GAME.legal_moves(state, seat)]


def takes(state: State) -> list[Move]:
    return [move for move in moves(state) if move != "roll"]


def winners(state: State, out: Iterable[Seat] = ()) -> tuple[Seat, ...]:
    outcome = GAME.outcome(state, frozenset(out))
    assert outcome is not None
    return outcome.winners


def over(*stacks: Sequence[int], down: Iterable[int] = ()) -> State:
    """A game that has ended with these stacks."""
    return GAME.halt(position(*stacks, up=(), down=down))


class SeededChance:
    """Luck that a seed repeats, keeping what it gave."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self.drawn: list[Draw] = []

    def roll(self, dice: int) -> tuple[int, ...]:
        faces = tuple(self._random.randint(1, 6) for _ in range(dice))
        self.drawn.append(("roll", faces))
        return faces

    def shuffle(self, size: int) -> tuple[int, ...]:
        order = tuple(self._random.sample(range(size), size))
        self.drawn.append(("shuffle", order))
        return order


# The instructions, in their order.


def test_it_is_for_2_to_7_players() -> None:
    assert list(GAME.seats) == [2, 3, 4, 5, 6, 7]


@pytest.mark.parametrize("seats", GAME.seats)
def test_every_number_of_players_starts_with_empty_stacks_and_all_dominoes_face_up(seats: int) -> None:
    state, events = GAME.start(seats, Options(first="seat_0"), LiveChance())
    view = GAME.view(state, None)
    assert (view.phase, view.seat, view.stacks, view.worms) == ("roll", 0, ((),) * seats, (0,) * seats)
    assert [(shown.domino, shown.worms) for shown in view.bbq] == list(WORMS.items())
    assert view.face_down == ()
    assert not events


def test_the_goal_is_to_have_the_largest_number_of_worms_at_the_end() -> None:
    assert winners(over([33, 22], [29, 25, 21])) == (1,)


def test_a_turn_starts_by_rolling_the_8_dice() -> None:
    state = position()
    assert moves(state) == ["roll"]
    view = GAME.view(reached(state, "roll WW123455"), 0)
    assert (view.phase, view.dice, view.dice_left) == ("save", ("W", "W", 1, 2, 3, 4, 5, 5), 8)


def test_there_is_a_w_in_place_of_the_6() -> None:
    state, (rolled,) = GAME.apply(position(), 0, "roll", RecordedChance([("roll", (6, 1, 2, 3, 4, 5, 6, 6))]))
    assert rolled.data == {"dice": ["W", 1, 2, 3, 4, 5, "W", "W"]}
    assert moves(state) == ["save 1", "save 2", "save 3", "save 4", "save 5", "save W"]


@pytest.mark.parametrize(
    ("dice", "total"),
    [("1112", 3), ("2221", 6), ("3331", 9), ("4441", 12), ("5551", 15), ("WWW1", 15)],
)
def test_for_the_purpose_of_adding_the_dice_w_counts_as_5(dice: str, total: int) -> None:
    assert reached(position(), f"roll {dice}{dice[-1] * 4}", f"save {dice[0]}").total == total


def test_from_the_rolled_dice_one_number_is_selected_to_save() -> None:
    state = reached(position(), "roll WW144411")
    assert moves(state) == ["save 1", "save 4", "save W"]
    with pytest.raises(IllegalMove) as refused:
        after(state, "save 2")
    assert refused.value.legal_moves == ["save 1", "save 4", "save W"]


def test_all_dice_with_that_number_must_be_saved() -> None:
    view = GAME.view(reached(position(), "roll WW144411", "save 1"), 0)
    assert plain(view.saved) == [{"face": 1, "count": 3}]
    assert view.dice_left == 5
    for partly in ("save 1 1", "save 1 2", "save 11"):
        with pytest.raises(IllegalMove):
            after(reached(position(), "roll WW144411"), partly)


def test_a_number_that_is_already_saved_cannot_be_saved_again() -> None:
    state = reached(position(), "roll WW144411", "save 1", "roll 11234")
    assert moves(state) == ["save 2", "save 3", "save 4"]


def test_w_and_5_are_different_numbers() -> None:
    state = reached(position(), "roll WW144411", "save W", "roll 5W5W51", "save 5")
    assert plain(state.saved) == [{"face": "W", "count": 2}, {"face": 5, "count": 3}]


def test_after_saving_a_domino_is_collected_or_the_remaining_dice_are_rolled_again() -> None:
    state = reached(position(), *TO_25)
    assert moves(state) == [*(f"collect {domino}" for domino in (21, 22, 23, 24, 25)), "roll"]
    assert GAME.view(reached(state, "roll 123"), 0).dice == (1, 2, 3)
    with pytest.raises(ChanceMismatch):
        after(state, "roll 1234")


def test_at_least_1_w_is_needed_in_order_to_collect() -> None:
    state = reached(position(), "roll 55555123", "save 5")
    assert state.total == 25
    assert moves(state) == ["roll"]


@pytest.mark.parametrize(
    ("up", "collectable"),
    [
        ([21, 22, 23, 24, 25, 26, 36], [21, 22, 23, 24, 25]),
        ([21, 23, 26], [21, 23]),
        ([25, 30], [25]),
        ([26, 30], []),
    ],
)
def test_any_domino_with_a_number_less_than_or_equal_to_the_total_may_be_collected(
    up: list[int], collectable: list[int]
) -> None:
    assert takes(reached(position(up=up), *TO_25)) == [f"collect {domino}" for domino in collectable]


def test_a_collected_domino_is_added_to_the_stack_and_the_turn_is_over() -> None:
    state, events = after(position([36], [33]), *TO_25, "collect 25")
    assert state.stacks == ((36, 25), (33,))
    assert 25 not in state.face_up
    assert (state.seat, state.phase, state.total, state.dice_left) == (1, "roll", 0, 8)
    assert events[-1] == Event("collected", 0, {"domino": 25, "worms": 2}, by_seat=True)


def test_a_total_that_matches_the_top_of_another_stack_can_steal_it() -> None:
    assert takes(reached(position([], [21, 25], [26], up=[36]), *TO_25)) == ["steal 25"]


@pytest.mark.parametrize("stack", [[24], [26], [25, 22]])
def test_only_an_exact_match_with_the_top_can_steal(stack: list[int]) -> None:
    assert takes(reached(position([], stack, up=[36]), *TO_25)) == []


def test_a_stolen_domino_is_put_on_the_own_stack_and_the_turn_is_over() -> None:
    state, events = after(position([30], [36], [21, 25]), *TO_25, "steal 25")
    assert state.stacks == ((30, 25), (36,), (21,))
    assert (state.seat, state.phase, state.total) == (1, "roll", 0)
    assert events[-1] == Event("stole", 0, {"domino": 25, "worms": 2, "from": 2}, by_seat=True)


def test_stealing_needs_at_least_1_w_just_as_collecting() -> None:
    assert moves(reached(position([], [25]), "roll 55555123", "save 5")) == ["roll"]


def test_rolling_no_number_that_is_not_already_saved_busts_and_ends_the_turn() -> None:
    state, events = after(position(), "roll WW144411", "save 1", "roll 44W23", "save 4", "roll 141")
    assert [event.kind for event in events] == ["rolled", "saved", "rolled", "saved", "rolled", "busted"]
    assert events[-1].data["reason"] == "nothing_new"
    assert (state.seat, state.phase, state.dice, state.saved) == (1, "roll", (), ())


def test_one_new_number_is_enough_not_to_bust() -> None:
    assert moves(reached(position(), "roll WW144411", "save 1", "roll 11113")) == ["save 3"]


def test_a_bust_returns_the_top_domino_and_turns_over_the_largest() -> None:
    state, events = after(position([22, 25], [30]), *NO_NEW_NUMBER)
    assert state.stacks == ((22,), (30,))
    assert 25 in state.face_up
    assert state.face_down == (36,)
    assert events[-1].data == {"reason": "nothing_new", "returned": 25, "turned_over": 36}


def test_the_largest_is_not_turned_over_when_it_is_the_one_being_returned() -> None:
    state, events = after(position([22, 36], []), *NO_NEW_NUMBER)
    assert state.face_up[-1] == 36
    assert state.face_down == ()
    assert events[-1].data == {"reason": "nothing_new", "returned": 36, "turned_over": None}


def test_face_down_dominoes_can_never_be_collected() -> None:
    state = reached(position(up=[21, 36], down=[22, 25]), *TO_25)
    assert takes(state) == ["collect 21"]


def test_face_down_dominoes_stay_out_for_the_rest_of_the_game() -> None:
    state = reached(position(up=[21, 22, 23]), *NO_NEW_NUMBER, *NO_NEW_NUMBER)
    assert (state.face_up, state.face_down) == ((21,), (22, 23))


def test_all_6_numbers_saved_and_nothing_to_collect_or_steal_busts_with_dice_left() -> None:
    rolls = ("W1111111", "5111111", "411111", "31111", "2111", "1WW")
    steps = [step for dice in rolls for step in (f"roll {dice}", f"save {dice[0]}")]
    before, (state, events) = reached(position(), *steps[:-1]), after(position(), *steps)
    assert (before.total, before.dice_left) == (19, 3)
    assert events[-1].data["reason"] == "nothing_to_take"
    assert state.seat == 1


@pytest.mark.parametrize(("steps", "why"), [(NO_W, "no W"), (TWENTY, "a W, but a total of 20")])
def test_no_dice_left_and_nothing_to_collect_or_steal_busts(steps: Sequence[str], why: str) -> None:
    state, events = after(position(), *steps)
    assert events[-2].kind == "saved", why
    assert events[-1].data == {"reason": "nothing_to_take", "returned": None, "turned_over": 36}
    assert state.seat == 1


def test_no_dice_left_but_something_to_take_is_no_bust() -> None:
    state = reached(position(), "roll WWWWWWW5", "save W", "roll 5", "save 5")
    assert moves(state) == [f"collect {domino}" for domino in DOMINOES]


def test_no_dice_left_but_something_to_steal_is_no_bust() -> None:
    steps = ("roll WWW12345", "save W", "roll 22234", "save 2", "roll 34", "save 3", "roll 1", "save 1")
    assert moves(reached(position([], [25], up=[36]), *steps)) == ["steal 25"]


def test_the_game_ends_when_no_face_up_domino_is_left() -> None:
    before = reached(position([21], [29], up=[24], down=[36]), *TO_25)
    assert GAME.outcome(before, NOBODY) is None
    state = reached(before, "collect 24")
    assert GAME.to_move(state) == frozenset()
    assert GAME.outcome(state, NOBODY) == Outcome((1,), "played_out", (2, 3))


def test_players_count_the_worms_on_all_dominoes_of_their_stack() -> None:
    state = position([21, 24, 36], [25, 28, 29, 32], [33])
    assert GAME.scores(state) == GAME.view(state, None).worms == (6, 10, 4)
    assert GAME.scores(position(DOMINOES, [])) == (40, 0)


def test_the_most_worms_win_over_the_largest_domino() -> None:
    assert winners(over([36], [25, 26, 21])) == (1,)


def test_a_tie_is_won_by_the_largest_domino_wherever_it_lies_in_the_stack() -> None:
    assert winners(over([33, 22], [29, 25])) == (0,)
    assert winners(over([21, 22], [25], [])) == (1,)


def test_the_largest_domino_decides_among_the_tied_players_only() -> None:
    assert winners(over([36], [29, 25], [26, 30])) == (2,)


# The rulings, row by row.


def test_w_is_worth_5_and_worms_grow_with_every_fourth_domino() -> None:
    view = GAME.view(position(), 0)
    assert {shown.domino: shown.worms for shown in view.bbq} == WORMS


@pytest.mark.parametrize(("seats", "order"), [(2, (1, 0)), (3, (2, 0, 1)), (7, (4, 6, 0, 1, 2, 3, 5))])
def test_the_first_seat_is_the_first_of_a_shuffle(seats: int, order: tuple[int, ...]) -> None:
    chance = RecordedChance([("shuffle", order)])
    state, events = GAME.start(seats, Options(), chance)
    chance.finish()
    assert GAME.to_move(state) == {order[0]}
    assert not events


def test_option_first_seat_0_draws_nothing() -> None:
    chance = LiveChance()
    state, _ = GAME.start(4, Options(first="seat_0"), chance)
    assert GAME.to_move(state) == {0}
    assert chance.drawn == []


def test_every_roll_is_a_move_the_first_of_a_turn_too() -> None:
    state = reached(position(), *TO_25, "collect 25")
    assert state.dice == ()
    assert moves(state) == ["roll"]


def test_a_roll_draws_as_many_dice_as_are_left_and_nothing_else_draws() -> None:
    chance = SeededChance(1)
    state, events = GAME.apply(reached(position(), "roll WWW12345", "save W"), 0, "roll", chance)
    assert [(kind, len(faces)) for kind, faces in chance.drawn] == [("roll", 5)]
    assert events[0].by_seat
    GAME.apply(state, 0, moves(state)[0], RecordedChance([]))


def test_one_cannot_stop_without_taking() -> None:
    assert moves(reached(position(), "roll 55555123", "save 5")) == ["roll"]
    for stop in ("pass", "stop", "bust", ""):
        with pytest.raises(IllegalMove):
            after(reached(position(), *TO_25), stop)


def test_after_all_six_numbers_no_roll_is_offered_though_dice_are_left() -> None:
    rolls = ("W1111111", "5111111", "411111", "31111", "2211", "1W")
    steps = [step for dice in rolls for step in (f"roll {dice}", f"save {dice[0]}")]
    state = reached(position(), *steps)
    assert (state.total, state.dice_left) == (22, 1)
    assert moves(state) == ["collect 21", "collect 22"]


def test_five_numbers_and_dice_left_offer_a_roll() -> None:
    state = reached(position(), *TO_30)
    assert (len(state.saved), state.dice_left) == (4, 1)
    assert moves(state)[-1] == "roll"


def test_only_higher_dominoes_left_must_be_rolled_on() -> None:
    assert moves(reached(position([21], [22], up=[33, 36]), *TO_25)) == ["roll"]


@pytest.mark.parametrize(
    ("up", "offered"),
    [([21, 24, 25, 26], ["collect 25"]), ([21, 23, 26], ["collect 23"]), ([26, 36], [])],
)
def test_option_collect_nearest_offers_the_exact_number_or_else_the_next_lower_one_there(
    up: list[int], offered: list[str]
) -> None:
    state = position(up=up, options=Options(collect="nearest"))
    assert takes(reached(state, *TO_25)) == offered


def test_option_collect_nearest_leaves_stealing_as_it_is() -> None:
    state = position([], [25], options=Options(collect="nearest"))
    assert moves(reached(state, *TO_25)) == ["collect 24", "steal 25", "roll"]


def test_option_collect_nearest_takes_the_highest_for_a_total_above_36() -> None:
    state = position(up=[21, 34], down=[35, 36], options=Options(collect="nearest"))
    assert moves(reached(state, "roll WWWWWWWW", "save W")) == ["collect 34"]


def test_stealing_is_never_forced() -> None:
    assert moves(reached(position([], [21, 25], up=[22, 36]), *TO_25)) == ["collect 22", "steal 25", "roll"]


def test_nobody_steals_from_oneself() -> None:
    assert moves(reached(position([25], [22], up=[21, 36]), *TO_25)) == ["collect 21", "roll"]


def test_totals_37_to_40_can_steal_nothing() -> None:
    for steps in (("roll WWWWWWWW", "save W"), ("roll WWWWWWW3", "save W", "roll 3", "save 3")):
        state = reached(position([], [36], [35]), *steps)
        assert moves(state) == [f"collect {domino}" for domino in range(21, 35)]


def test_a_bust_happens_by_itself_and_is_told_after_the_move() -> None:
    _, events = after(position([], [30], seat=1), *NO_NEW_NUMBER)
    rolled, busted = events[-2:]
    assert (rolled.kind, rolled.seat, rolled.by_seat) == ("rolled", 1, True)
    assert (busted.kind, busted.seat, busted.by_seat) == ("busted", 1, False)


def test_a_bust_returns_one_domino_only() -> None:
    assert reached(position([22, 23, 25], []), *NO_NEW_NUMBER).stacks == ((22, 23), ())


def test_the_busting_domino_returns_before_one_is_turned_over() -> None:
    state = reached(position([30], [22], up=[21, 28], down=[36]), *NO_NEW_NUMBER)
    assert (state.face_up, state.face_down) == ((21, 28, 30), (36,))


def test_the_largest_is_sought_among_the_face_up_dominoes_only() -> None:
    state, events = after(position([25], [], up=[21, 34], down=[35, 36]), *NO_NEW_NUMBER)
    assert (state.face_up, state.face_down) == ((21, 25), (34, 35, 36))
    assert events[-1].data["turned_over"] == 34


def test_option_turn_over_returned_turns_over_even_the_returned_domino() -> None:
    state = position([22, 36], [], options=Options(turn_over_returned=True))
    state, events = after(state, *NO_NEW_NUMBER)
    assert (state.stacks, state.face_down) == (((22,), ()), (36,))
    assert events[-1].data == {"reason": "nothing_new", "returned": 36, "turned_over": 36}


def test_option_turn_over_returned_still_turns_over_the_largest() -> None:
    state = position([22], [], options=Options(turn_over_returned=True))
    assert after(state, *NO_NEW_NUMBER)[1][-1].data["turned_over"] == 36


def test_a_bust_with_an_empty_stack_turns_the_largest_over_all_the_same() -> None:
    state, events = after(position(), *NO_NEW_NUMBER)
    assert state.face_down == (36,)
    assert events[-1].data == {"reason": "nothing_new", "returned": None, "turned_over": 36}


def test_option_turn_over_on_empty_bust_false_turns_nothing_over() -> None:
    state = position(options=Options(turn_over_on_empty_bust=False))
    state, events = after(state, *NO_NEW_NUMBER)
    assert (state.face_up, state.face_down) == (DOMINOES, ())
    assert events[-1].data == {"reason": "nothing_new", "returned": None, "turned_over": None}


def test_option_turn_over_on_empty_bust_false_changes_no_other_bust() -> None:
    state = position([22], [], options=Options(turn_over_on_empty_bust=False))
    assert after(state, *NO_NEW_NUMBER)[1][-1].data["turned_over"] == 36


def test_the_game_can_end_by_a_bust_with_an_empty_stack() -> None:
    state, events = after(position([], [29], up=[21], down=[36]), *NO_NEW_NUMBER)
    assert events[-1].data["turned_over"] == 21
    assert GAME.outcome(state, NOBODY) == Outcome((1,), "played_out", (0, 3))


@pytest.mark.parametrize("turn_over_returned", [False, True])
@pytest.mark.parametrize("returned", [21, 36])
def test_a_bust_that_returns_a_domino_leaves_one_face_up(returned: int, turn_over_returned: bool) -> None:
    options = Options(turn_over_returned=turn_over_returned)
    state = reached(position([returned], [], up=[24], options=options), *NO_NEW_NUMBER)
    assert state.face_up
    assert state.seat == 1


def test_a_steal_does_not_end_the_game() -> None:
    assert reached(position([], [25], up=[36]), *TO_25, "steal 25").seat == 1


def test_if_nobody_has_a_domino_all_share() -> None:
    outcome = GAME.outcome(over([], [], [], down=DOMINOES), NOBODY)
    assert outcome == Outcome((0, 1, 2), "played_out", (0, 0, 0))


def test_seats_that_are_out_cannot_win_but_keep_their_score() -> None:
    state = over([36], [33], [21, 22, 23])
    assert winners(state) == (0,)
    assert GAME.outcome(state, frozenset({0})) == Outcome((1,), "played_out", (4, 4, 3))
    assert winners(state, out={0, 1}) == (2,)


def test_if_no_eligible_seat_has_a_domino_all_eligible_seats_share() -> None:
    assert winners(over([36], [], []), out={0}) == (1, 2)


def test_if_every_seat_is_out_nobody_wins() -> None:
    assert winners(over([36], []), out={0, 1}) == ()


# What all three games promise.


@pytest.mark.parametrize("seat", range(7))
def test_turn_order_is_seat_order_and_wraps_round(seat: Seat) -> None:
    state = position(*[[]] * 7, seat=seat)
    assert reached(state, *TO_25, "collect 25").seat == (seat + 1) % 7
    assert reached(state, *NO_NEW_NUMBER).seat == (seat + 1) % 7


def test_a_seat_out_of_turn_has_no_moves() -> None:
    state = position([], [], [], seat=1)
    assert GAME.to_move(state) == {1}
    assert [list(GAME.legal_moves(state, seat)) for seat in range(3)] == [[], ["roll"], []]
    with pytest.raises(NotYourTurn):
        play(GAME, state, 0, "roll", SeededChance(1))


@pytest.mark.parametrize(
    "move", ["Roll", "roll ", " roll", "roll 8", "save w", "save 6", "save W", "collect 21"]
)
def test_a_move_is_exactly_one_of_the_legal_ones(move: str) -> None:
    with pytest.raises(IllegalMove):
        play(GAME, position(), 0, move, SeededChance(1))


def test_an_unknown_move_is_not_applied_even_without_a_judge() -> None:
    with pytest.raises(IllegalMove):
        GAME.apply(position(), 0, "jump 3", RecordedChance([]))


def test_a_halted_game_is_over_and_keeps_its_dominoes() -> None:
    state = GAME.halt(reached(position([21], [22]), *TO_25))
    view = GAME.view(state, 0)
    assert (view.phase, view.seat, view.dice, view.saved, view.total) == ("over", None, (), (), 0)
    assert (view.worms, len(view.bbq)) == ((1, 1), 14)
    assert GAME.to_move(state) == frozenset()
    assert [list(GAME.legal_moves(state, seat)) for seat in range(2)] == [[], []]


def test_a_halted_game_was_not_played_out() -> None:
    assert GAME.outcome(GAME.halt(position([21], [22])), NOBODY) is None


def test_halting_a_game_that_is_over_changes_nothing() -> None:
    state = reached(position(up=[25]), *TO_25, "collect 25")
    assert GAME.halt(state) == state


def test_nothing_is_hidden() -> None:
    state = reached(position([21], [22], []), "roll WW144411")
    assert GAME.resample(state, 0, RecordedChance([])) == state
    assert GAME.view(state, None) == GAME.view(state, 0) == GAME.view(state, 2)


def test_the_view_is_the_documented_json() -> None:
    state = position([23], [], up=[21, 22], down=[36])
    state = reached(state, "roll 55512344", "save 5", "roll 22134", "save 2", "roll 14W")
    assert plain(GAME.view(state, 0)) == {
        "phase": "save",
        "seat": 0,
        "dice": [1, 4, "W"],
        "saved": [{"face": 5, "count": 3}, {"face": 2, "count": 2}],
        "total": 19,
        "dice_left": 3,
        "bbq": [{"domino": 21, "worms": 1}, {"domino": 22, "worms": 1}],
        "face_down": [36],
        "stacks": [[{"domino": 23, "worms": 1}], []],
        "worms": [1, 0],
    }


def test_the_view_is_in_phase_roll_then_save_then_decide_then_over() -> None:
    state = position(up=[25])
    phases = [GAME.view(state, 0).phase]
    for step in (*TO_25, "collect 25"):
        state = reached(state, step)
        phases.append(GAME.view(state, 0).phase)
    assert phases == ["roll", "save", "decide", "save", "decide", "over"]


def test_the_view_when_over_has_no_seat_and_no_dice() -> None:
    view = GAME.view(reached(position(up=[25]), *TO_25, "collect 25"), 0)
    assert (view.phase, view.seat, view.dice, view.saved) == ("over", None, (), ())
    assert (view.total, view.dice_left, view.bbq) == (0, 8, ())


def test_events_tell_faces_as_views_do() -> None:
    _, events = after(position(), "roll WW144411", "save W", "roll 551234", "save 5")
    assert [(event.kind, event.data) for event in events] == [
        ("rolled", {"dice": ["W", "W", 1, 4, 4, 4, 1, 1]}),
        ("saved", {"face": "W", "count": 2, "total": 10}),
        ("rolled", {"dice": [5, 5, 1, 2, 3, 4]}),
        ("saved", {"face": 5, "count": 2, "total": 20}),
    ]
    assert all(event.by_seat and event.seat == 0 and event.own is None for event in events)


def test_the_view_has_a_schema_that_describes_every_field() -> None:
    described = msgspec.json.schema(View)["$defs"]["View"]["properties"]
    assert list(described) == [field.name for field in fields(View)]
    assert described["phase"]["enum"] == ["decide", "over", "roll", "save"]
    assert {"type": "null"} in described["seat"]["anyOf"]
    assert described["dice"]["items"]["anyOf"] == [
        {"type": "integer", "minimum": 1, "maximum": 5},
        {"enum": ["W"]},
    ]


def test_the_default_options_are_the_text_as_it_stands() -> None:
    assert default_options(GAME) == {
        "first": "random",
        "collect": "any",
        "turn_over_returned": False,
        "turn_over_on_empty_bust": True,
    }


def test_options_are_refused_by_name() -> None:
    with pytest.raises(BadOptions) as refused:
        options_from(GAME, {"first": "oldest", "collect": "none", "turn_over_returned": 1, "speed": 3})
    assert set(refused.value.errors) == {"first", "collect", "turn_over_returned", "speed"}
    assert options_from(GAME, {"collect": "nearest"}) == Options(collect="nearest")


def test_the_texts_for_clients_name_every_option_and_every_move() -> None:
    assert all(field.name in GAME.rules for field in fields(Options))
    assert all(
        f"\n{move}" in f"\n{GAME.notation}" for move in ("roll: ", "save N: ", "collect D: ", "steal D: ")
    )


def test_a_position_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        position().seat = 1  # type: ignore[misc]  # that it is refused is what is tested


ALL_OPTIONS = [
    options_from(GAME, dict(zip(default_options(GAME), chosen, strict=True)))
    for chosen in product(("random", "seat_0"), ("any", "nearest"), (False, True), (False, True))
]


@pytest.mark.parametrize("options", ALL_OPTIONS, ids=repr)
@pytest.mark.parametrize("seats", [2, 3, 7])
def test_random_games_keep_their_dominoes_end_and_replay(seats: int, options: Options) -> None:
    chance, choice = SeededChance(seats), random.Random(seats)
    state, _ = GAME.start(seats, options, chance)
    drawn, history = chance.drawn, []
    while GAME.to_move(state):
        seat, legal = state.seat, moves(state)
        assert seat is not None
        assert legal, "a seat that is to move has a move"
        assert len(set(legal)) == len(legal)
        move, chance.drawn, before = choice.choice(legal), [], encode(state)
        following, events = play(GAME, state, seat, move, chance)
        history.append((seat, move, chance.drawn))
        assert encode(state) == before
        assert_sound(following, events, seat)
        state = following
    assert GAME.outcome(state, NOBODY) is not None
    assert replay(GAME, seats, options, drawn, history) == state


def assert_sound(state: State, events: Sequence[Event], seat: Seat) -> None:
    """What holds after every step: all dominoes are there, in order; the state and events are plain JSON."""
    assert sorted([*state.face_up, *state.face_down, *(d for s in state.stacks for d in s)]) == [*DOMINOES]
    assert list(state.face_up) == sorted(state.face_up)
    assert list(state.face_down) == sorted(state.face_down)
    assert decode_state(GAME, plain(encode(state))) == state
    assert [event.by_seat for event in events] == [event.kind != "busted" for event in events]
    assert events[0].by_seat
    assert all(event.seat == seat for event in events)
    assert all(plain(event.data) == event.data for event in events)
    assert (GAME.outcome(state, NOBODY) is None) == bool(state.face_up)
