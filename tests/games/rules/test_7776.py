"""The rules of 7776: the source sentence by sentence, the rulings row by row, and what is told to whom."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import FrozenInstanceError
from itertools import combinations_with_replacement, permutations
from typing import Any

import msgspec
import pytest

from games.rules.chance import ChanceMismatch, RecordedChance
from games.rules.dice7776 import (
    COMBINATIONS,
    NOTATION,
    RULES,
    Combination,
    Dice7776,
    Options,
    State,
    View,
    points,
    table,
)
from games.rules.game import Event, IllegalMove, NotYourTurn, Outcome, Seat, decode_state, encode, play
from tests.games.rules.seeded import SeededChance

GAME = Dice7776()
NOBODY: frozenset[Seat] = frozenset()
NUMBERS = COMBINATIONS[:6]
BOTH_SUMS = [("major-sum", "minor-sum"), ("minor-sum", "major-sum")]
ALIKE = [(combination, combination) for combination in COMBINATIONS[:14]]

ANY = ("11235", "24466")  # 34 pips, no value three times
SIXES = ("66666", "66666")


def dice(*throws: str) -> tuple[int, ...]:
    return tuple(int(face) for throw in throws for face in throw)


def luck(*throws: str) -> RecordedChance:
    return RecordedChance([("roll", dice(throw)) for throw in throws])


def brings(combination: Combination, *throws: str) -> int:
    assert len(dice(*throws)) == 10
    return points(combination, dice(*throws))


def begin(*throws: str) -> State:
    state, _ = GAME.start(2, Options(), luck(*throws or ANY))
    return state


def choose(state: State, seat: Seat, choice: str, *next_throws: str) -> tuple[State, Sequence[Event]]:
    """The next throws are needed where the choice completes a round."""
    return play(GAME, state, seat, f"choose {choice}", luck(*next_throws))


def play_round(state: State, choices: Sequence[str], *next_throws: str) -> tuple[State, Sequence[Event]]:
    state, _ = choose(state, 0, choices[0])
    return choose(state, 1, choices[1], *next_throws)


def play_rounds(choices: Sequence[Sequence[str]], *first_throws: str) -> State:
    """So many rounds, the first with its own throws. After the sixteenth nothing more is thrown."""
    state = begin(*first_throws)
    for number, pair in enumerate(choices, start=1):
        state, _ = play_round(state, pair, *ANY if number < 16 else ())
    return state


def visible(state: State, seat: Seat | None) -> bytes:
    """Everything that a seat can look at, to the byte."""
    moves = [] if seat is None else GAME.legal_moves(state, seat)
    return msgspec.json.encode((GAME.view(state, seat), moves, sorted(GAME.to_move(state))))


def as_json(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def told(events: Sequence[Event]) -> list[tuple[str, Seat | None, Any, Any]]:
    return [(event.kind, event.seat, as_json(event.data), as_json(event.own)) for event in events]


class TestTheSource:
    """One test for each sentence."""

    def test_each_player_throws_five_dice(self) -> None:
        state = begin("11235", "24466")
        assert [GAME.view(state, seat).throw for seat in (0, 1)] == [dice("11235"), dice("24466")]

    def test_the_opponents_do_not_know_the_outcome_of_each_others_throw(self) -> None:
        assert visible(begin("11235", "24466"), 0) == visible(begin("11235", "66666"), 0)
        assert visible(begin("11235", "24466"), 1) == visible(begin("66666", "24466"), 1)

    def test_each_player_decides_on_a_combination_in_secret(self) -> None:
        poker, _ = choose(begin(), 1, "poker")
        three, _ = choose(begin(), 1, "3")
        assert GAME.view(poker, 1).choice == "poker"
        assert visible(poker, 0) == visible(three, 0)

    def test_the_dice_are_revealed_when_both_players_have_decided(self) -> None:
        state, _ = choose(begin("11235", "24466"), 0, "1")
        assert GAME.view(state, 1).history == ()
        state, _ = choose(state, 1, "6", "12345", "12345")
        assert GAME.view(state, 1).history[0].throws == (dice("11235"), dice("24466"))

    def test_each_player_gains_or_loses_points_on_its_combination(self) -> None:
        state, _ = play_round(begin(), ("major-sum", "5"), "12345", "12345")
        assert GAME.scores(state) == (34, -70)

    def test_the_greater_score_wins(self) -> None:
        first = play_rounds([*BOTH_SUMS, *ALIKE], *SIXES)
        second = play_rounds([*reversed(BOTH_SUMS), *ALIKE], *SIXES)
        assert GAME.outcome(first, NOBODY) == Outcome((0,), "played_out", GAME.scores(first))
        assert GAME.outcome(second, NOBODY) == Outcome((1,), "played_out", GAME.scores(second))
        assert GAME.scores(first) == GAME.scores(second)[::-1] == (-393 + 60 + 36, -393 + 10 + 34)

    def test_there_are_sixteen_combinations(self) -> None:
        assert " ".join(COMBINATIONS) == (
            "1 2 3 4 5 6 two-of-a-kind three-of-a-kind four-of-a-kind poker "
            "2+2 3+2 minor-straight major-straight minor-sum major-sum"
        )

    def test_ones_own_dice_and_the_opponents_are_counted(self) -> None:
        state, _ = play_round(begin("55123", "56612"), ("5", "5"), "12345", "12345")
        assert GAME.scores(state) == (15, 15)

    def test_a_combination_may_be_selected_only_once_by_each_player(self) -> None:
        state, _ = play_round(begin(), ("1", "poker"), "12345", "12345")
        with pytest.raises(IllegalMove) as refusal:
            choose(state, 0, "1")
        assert list(refusal.value.legal_moves) == [f"choose {each}" for each in COMBINATIONS[1:]]
        assert "choose 1" in GAME.legal_moves(state, 1)

    @pytest.mark.parametrize("number", NUMBERS)
    def test_the_numbers_require_at_least_three_dice_of_the_value(self, number: Combination) -> None:
        others = "".join(each for each in NUMBERS if each != number)
        for many in range(11):
            fallen = dice(number * many, (others * 2)[: 10 - many])
            assert points(number, fallen) == (many * int(number) if many >= 3 else -70)

    def test_failing_a_number_costs_70(self) -> None:
        assert [brings(number, *ANY) for number in NUMBERS] == [-70] * 6

    def test_three_twos_give_6_on_2(self) -> None:
        assert brings("2", "22213", "45661") == 6

    def test_ten_sixes_give_60_on_6(self) -> None:
        assert brings("6", *SIXES) == 60

    def test_two_three_and_four_of_a_kind_require_as_many_dice_of_the_same_value(self) -> None:
        assert brings("two-of-a-kind", "11234", "56123") == 6
        assert brings("three-of-a-kind", "11123", "45623") == 3
        assert brings("four-of-a-kind", "11112", "34562") == 4

    def test_failing_three_or_four_of_a_kind_costs_10(self) -> None:
        assert brings("three-of-a-kind", *ANY) == -10
        assert brings("four-of-a-kind", "11123", "34566") == -10

    def test_two_of_a_kind_can_never_fail(self) -> None:
        assert all(table(fallen)["two-of-a-kind"] > 0 for fallen in every_throw_of_ten())

    def test_three_twos_give_6_on_three_of_a_kind(self) -> None:
        assert brings("three-of-a-kind", "22211", "34566") == 6

    def test_ten_sixes_give_12_on_two_of_a_kind(self) -> None:
        assert brings("two-of-a-kind", *SIXES) == 12

    def test_of_a_kind_the_greater_value_is_considered_first(self) -> None:
        assert brings("two-of-a-kind", "22222", "55534") == 10
        assert brings("three-of-a-kind", "22222", "55534") == 15
        assert brings("four-of-a-kind", "22222", "55534") == 8

    def test_poker_requires_five_dice_of_the_same_kind_and_costs_10_else(self) -> None:
        assert brings("poker", "66661", "12345") == -10
        assert brings("poker", "66661", "62345") == 100

    @pytest.mark.parametrize(("value", "worth"), [*zip("123456", (50, 60, 70, 80, 90, 100), strict=True)])
    def test_poker_gives_50_on_ones_60_on_twos_and_so_on(self, value: str, worth: int) -> None:
        others = "123456".replace(value, "")
        assert brings("poker", value * 5, others) == worth
        assert brings("poker", value * 5, value * 5) == worth

    def test_of_two_pokers_the_greater_value_is_considered_first(self) -> None:
        assert brings("poker", "33333", "44444") == 80

    def test_two_and_two_requires_two_different_pairs_and_costs_10_else(self) -> None:
        assert brings("2+2", "66666", "66661") == -10
        assert brings("2+2", "66666", "66611") == 14

    def test_two_twos_and_two_fours_give_12_on_two_and_two(self) -> None:
        assert brings("2+2", "22441", "11356") == 12

    def test_in_two_and_two_the_greater_values_are_considered_first(self) -> None:
        assert brings("2+2", "11223", "34455") == 18

    def test_three_and_two_is_like_two_and_two_with_a_triple(self) -> None:
        assert brings("3+2", *ANY) == -10
        assert brings("3+2", "11122", "34566") == 15

    def test_two_twos_and_three_fours_give_16_on_three_and_two(self) -> None:
        assert brings("3+2", "44422", "11356") == 16

    def test_in_three_and_two_the_greater_values_are_considered_first(self) -> None:
        assert brings("3+2", "33344", "45566") == 24

    def test_a_minor_straight_is_1_to_5_for_15_and_costs_10_else(self) -> None:
        assert brings("minor-straight", "12345", "55555") == 15
        assert brings("minor-straight", "23456", "66666") == -10

    def test_a_major_straight_is_2_to_6_for_20_and_costs_10_else(self) -> None:
        assert brings("major-straight", "23456", "66666") == 20
        assert brings("major-straight", "12345", "55555") == -10

    def test_major_sum_is_the_sum_of_all_dice(self) -> None:
        assert brings("major-sum", *ANY) == 34

    def test_minor_sum_is_70_minus_the_sum_of_all_dice(self) -> None:
        assert brings("minor-sum", *ANY) == 36

    def test_7776_is_the_number_of_all_outcomes_of_a_throw(self) -> None:
        assert 6 ** len(begin().throws[0]) == int(GAME.slug) == 7776


class TestTheRulings:
    """One test for each sentence, or row of the table."""

    def test_it_is_for_exactly_two_seats(self) -> None:
        assert list(GAME.seats) == [2]

    def test_there_are_sixteen_rounds(self) -> None:
        state = play_rounds([*BOTH_SUMS, *ALIKE])
        assert len(GAME.view(state, None).history) == GAME.view(state, None).rounds == 16
        assert GAME.to_move(state) == NOBODY

    def test_both_may_choose_at_once_in_either_order(self) -> None:
        assert GAME.to_move(begin()) == {0, 1}
        zero_first, _ = choose(choose(begin(), 0, "1")[0], 1, "2", *SIXES)
        one_first, _ = choose(choose(begin(), 1, "2")[0], 0, "1", *SIXES)
        assert zero_first == one_first

    def test_each_chooses_one_of_its_unused_combinations_in_the_order_of_the_list(self) -> None:
        state = play_rounds([("poker", "1"), ("3+2", "major-sum")])
        mine = [each for each in COMBINATIONS if each not in ("poker", "3+2")]
        assert list(GAME.legal_moves(state, 0)) == [f"choose {each}" for each in mine]

    def test_dice_choices_and_points_are_shown_together(self) -> None:
        _, events = play_round(begin(), ("1", "major-sum"), *SIXES)
        revealed = {"round": 1, "throws": [list(dice(throw)) for throw in ANY]}
        revealed |= {"choices": ["1", "major-sum"], "points": [-70, 34], "scores": [-70, 34]}
        assert ("revealed", None, revealed, None) in told(events)

    def test_a_choice_is_final(self) -> None:
        state, _ = choose(begin(), 0, "1")
        assert list(GAME.legal_moves(state, 0)) == []
        with pytest.raises(NotYourTurn):
            choose(state, 0, "2")

    def test_all_ten_dice_count_for_both_whoever_threw_them(self) -> None:
        for fallen in ((1, 2, 2, 2, 3, 3, 4, 5, 6, 6), (6, 6, 6, 6, 1, 1, 5, 5, 5, 2)):
            swapped = (*fallen[5:], *fallen[:5])
            assert table(fallen) == table(swapped) == table(sorted(fallen)) == table(fallen[::-1])

    def test_equal_totals_are_a_draw(self) -> None:
        state = play_rounds([*BOTH_SUMS, *ALIKE])
        assert GAME.outcome(state, NOBODY) == Outcome((0, 1), "played_out", GAME.scores(state))

    def test_there_are_no_options(self) -> None:
        assert encode(Options()) == {}

    def test_a_number_counts_every_die_of_its_value(self) -> None:
        assert brings("1", "11111", "11112") == 9

    def test_more_dice_than_the_kind_asks_for_add_nothing(self) -> None:
        kinds: Sequence[Combination] = ("two-of-a-kind", "three-of-a-kind", "four-of-a-kind")
        assert [brings(kind, *SIXES) for kind in kinds] == [12, 18, 24]

    def test_the_greatest_value_that_has_as_many_counts_even_if_another_has_more(self) -> None:
        assert brings("two-of-a-kind", "33333", "33366") == 12
        assert brings("three-of-a-kind", "33333", "36661") == 18

    def test_nine_equal_dice_are_a_poker_of_that_value(self) -> None:
        assert brings("poker", "22222", "22226") == 60

    def test_one_value_four_times_is_not_two_pairs(self) -> None:
        assert brings("2+2", "11111", "11112") == -10

    def test_were_one_value_enough_for_two_and_two_no_ten_dice_could_fail_it(self) -> None:
        def pairs(fallen: Sequence[int]) -> int:
            return sum(fallen.count(value) // 2 for value in range(1, 7))

        assert all(pairs(fallen) >= 2 for fallen in every_throw_of_ten())

    def test_two_and_two_takes_the_greatest_pairs_and_no_third(self) -> None:
        assert brings("2+2", "66555", "44411") == 22

    def test_the_triple_may_be_the_lower_value(self) -> None:
        assert brings("3+2", "11166", "23455") == 15

    def test_of_two_triples_the_greater_is_the_three_and_the_other_the_two(self) -> None:
        assert brings("3+2", "55566", "61234") == 28

    def test_one_value_five_times_is_not_three_and_two(self) -> None:
        assert brings("3+2", "66666", "12345") == -10
        assert brings("3+2", *SIXES) == -10

    def test_the_greatest_triple_first_is_also_the_most_that_three_and_two_can_bring(self) -> None:
        for fallen in every_throw_of_ten():
            ways = [
                3 * three + 2 * two
                for three, two in permutations(range(1, 7), 2)
                if fallen.count(three) >= 3 and fallen.count(two) >= 2
            ]
            assert points("3+2", fallen) == max(ways, default=-10)

    def test_other_dice_do_not_matter_to_a_straight(self) -> None:
        assert [brings("minor-straight", "12345", rest) for rest in ("11111", "66666", "12345")] == [15] * 3
        assert [brings("major-straight", "23456", rest) for rest in ("11111", "66666", "23456")] == [20] * 3

    def test_a_straight_may_lie_in_both_throws(self) -> None:
        assert brings("minor-straight", "11135", "11124") == 15

    @pytest.mark.parametrize("missing", "12345")
    def test_a_minor_straight_fails_without_any_one_of_its_values(self, missing: str) -> None:
        assert brings("minor-straight", "12345".replace(missing, "6"), "66666") == -10

    @pytest.mark.parametrize("missing", "23456")
    def test_a_major_straight_fails_without_any_one_of_its_values(self, missing: str) -> None:
        assert brings("major-straight", "23456".replace(missing, "1"), "11111") == -10

    def test_the_sums_never_fail(self) -> None:
        for fallen in every_throw_of_ten():
            assert 10 <= points("major-sum", fallen) <= 60
            assert points("major-sum", fallen) + points("minor-sum", fallen) == 70

    def test_a_failed_number_costs_70_and_everything_else_that_fails_10(self) -> None:
        for fallen in every_throw_of_ten():
            for combination, brought in table(fallen).items():
                assert brought > 0 or brought == (-70 if combination in NUMBERS else -10)


def every_throw_of_ten() -> Iterable[tuple[int, ...]]:
    """The order does not matter, see above."""
    return combinations_with_replacement(range(1, 7), 10)


class TestLuck:
    def test_seat_0_throws_first_then_seat_1(self) -> None:
        chance = luck("12345", "65432")
        state, _ = GAME.start(2, Options(), chance)
        chance.finish()
        assert state.throws == (dice("12345"), dice("65432"))

    def test_the_dice_stay_as_thrown(self) -> None:
        state = begin("31542", "66162")
        assert GAME.view(state, 0).throw == (3, 1, 5, 4, 2)
        state, _ = play_round(state, ("1", "2"), "54321", "13131")
        assert GAME.view(state, None).history[0].throws == ((3, 1, 5, 4, 2), (6, 6, 1, 6, 2))
        assert GAME.view(state, 0).throw == (5, 4, 3, 2, 1)

    def test_a_choice_that_waits_for_the_other_needs_no_luck(self) -> None:
        choose(begin(), 0, "1")

    def test_a_reveal_throws_for_the_next_round(self) -> None:
        state, _ = play_round(begin(), ("1", "2"), "12345", "65432")
        assert state.throws == (dice("12345"), dice("65432"))
        with pytest.raises(ChanceMismatch):
            play_round(begin(), ("1", "2"))

    def test_nothing_is_thrown_after_the_last_reveal(self) -> None:
        state = play_rounds([*BOTH_SUMS, *ALIKE][:15])
        state, events = play_round(state, ALIKE[-1])
        assert [event.kind for event in events] == ["chose", "revealed"]


class TestEvents:
    def test_the_start_tells_each_seat_its_own_throw(self) -> None:
        _, events = GAME.start(2, Options(), luck("11235", "24466"))
        assert told(events) == [
            ("threw", 0, {"round": 1}, {"dice": [1, 1, 2, 3, 5]}),
            ("threw", 1, {"round": 1}, {"dice": [2, 4, 4, 6, 6]}),
        ]

    def test_a_choice_is_told_to_its_own_seat_and_to_others_only_that_it_is_made(self) -> None:
        _, events = choose(begin(), 1, "3+2")
        assert told(events) == [("chose", 1, {}, {"choice": "3+2"})]

    def test_a_round_ends_with_chose_then_revealed_then_threw_by_seat(self) -> None:
        state, _ = choose(begin(), 1, "6")
        state, events = choose(state, 0, "1", "12345", "65432")
        throws = [[1, 1, 2, 3, 5], [2, 4, 4, 6, 6]]
        scored: dict[str, Any] = {"points": [-70, -70], "scores": [-70, -70]}
        assert told(events) == [
            ("chose", 0, {}, {"choice": "1"}),
            ("revealed", None, {"round": 1, "throws": throws, "choices": ["1", "6"], **scored}, None),
            ("threw", 0, {"round": 2}, {"dice": [1, 2, 3, 4, 5]}),
            ("threw", 1, {"round": 2}, {"dice": [6, 5, 4, 3, 2]}),
        ]

    def test_points_are_of_the_round_and_scores_of_all_rounds_so_far(self) -> None:
        state = play_rounds([("major-sum", "poker")])
        _, events = play_round(state, ("minor-sum", "major-sum"), *ANY)
        assert as_json(events[1].data)["points"] == [36, 34]
        assert as_json(events[1].data)["scores"] == [70, 24]

    def test_only_the_choice_is_the_seats_own_doing(self) -> None:
        _, events = play_round(begin(), ("1", "2"), *SIXES)
        assert [event.by_seat for event in events] == [True, False, False, False]
        _, events = GAME.start(2, Options(), luck(*ANY))
        assert not any(event.by_seat for event in events)


class TestViews:
    def test_a_view_is_the_documented_json(self) -> None:
        """The example of the API's documentation."""
        state = begin("11123", "22246")
        state, _ = play_round(state, ("1", "2"), "11145", "11346")
        state, _ = play_round(state, ("poker", "3"), "12256", "33333")
        state, _ = choose(state, 1, "4")
        first = {"throws": [[1, 1, 1, 2, 3], [2, 2, 2, 4, 6]], "choices": ["1", "2"], "points": [3, 8]}
        second = {
            "throws": [[1, 1, 1, 4, 5], [1, 1, 3, 4, 6]],
            "choices": ["poker", "3"],
            "points": [50, -70],
        }
        assert list(as_json(GAME.view(state, 0)).items()) == [
            ("phase", "choose"),
            ("round", 3),
            ("rounds", 16),
            ("throw", [1, 2, 2, 5, 6]),
            ("choice", None),
            ("locked", [False, True]),
            ("used", [["1", "poker"], ["2", "3"]]),
            ("scores", [53, -62]),
            ("history", [first, second]),
        ]

    def test_a_watcher_has_no_throw_and_no_choice(self) -> None:
        state, _ = choose(begin(), 0, "1")
        view = GAME.view(state, None)
        assert (view.throw, view.choice, view.locked) == (None, None, (True, False))

    def test_a_locked_choice_is_seen_by_its_own_seat_only(self) -> None:
        state, _ = choose(begin(), 0, "1")
        assert [GAME.view(state, seat).choice for seat in (0, 1, None)] == ["1", None, None]

    def test_that_a_seat_has_chosen_is_seen_by_all(self) -> None:
        state, _ = choose(begin(), 1, "1")
        assert [GAME.view(state, seat).locked for seat in (0, 1, None)] == [(False, True)] * 3

    def test_a_locked_choice_is_not_used_before_the_reveal(self) -> None:
        state = play_rounds([("poker", "1")])
        state, _ = choose(state, 0, "6")
        assert [GAME.view(state, seat).used for seat in (0, 1, None)] == [(("poker",), ("1",))] * 3
        state, _ = choose(state, 1, "5", *ANY)
        assert GAME.view(state, None).used == (("poker", "6"), ("1", "5"))

    def test_a_new_round_has_no_choices(self) -> None:
        view = GAME.view(play_rounds([("poker", "1")]), 0)
        assert (view.round, view.choice, view.locked) == (2, None, (False, False))

    @pytest.mark.parametrize("seat", [0, 1, None])
    def test_after_the_last_round_all_is_over(self, seat: Seat | None) -> None:
        state = play_rounds([*BOTH_SUMS, *ALIKE])
        view = GAME.view(state, seat)
        assert (view.phase, view.round, view.throw, view.choice) == ("over", 16, None, None)
        assert view.locked == (False, False)
        assert len(view.used[0]) == len(view.used[1]) == len(view.history) == 16
        assert GAME.to_move(state) == NOBODY

    @pytest.mark.parametrize("seat", [0, 1, None])
    def test_a_halted_game_is_over_and_shows_nothing_that_was_not_revealed(self, seat: Seat | None) -> None:
        before, _ = choose(play_rounds([("poker", "1")]), 0, "6")
        state = GAME.halt(before)
        view = GAME.view(state, seat)
        assert (view.phase, view.round, view.throw, view.choice) == ("over", 2, None, None)
        assert view.locked == (False, False)
        assert (view.used, view.scores) == (GAME.view(before, seat).used, GAME.scores(before))
        assert GAME.to_move(state) == NOBODY
        assert list(GAME.legal_moves(state, 1)) == []

    def test_scores_and_used_are_summed_from_the_history(self) -> None:
        view = GAME.view(play_rounds([*BOTH_SUMS, *ALIKE[:5]], *SIXES), None)
        assert view.scores == tuple(sum(each.points[seat] for each in view.history) for seat in (0, 1))
        assert view.used == tuple(tuple(each.choices[seat] for each in view.history) for seat in (0, 1))


class TestTheEnd:
    def test_there_is_no_outcome_before_the_last_reveal(self) -> None:
        state = play_rounds([*BOTH_SUMS, *ALIKE][:15])
        for each in (begin(), state, choose(state, 0, ALIKE[-1][0])[0]):
            assert GAME.outcome(each, NOBODY) is None

    def test_a_halted_game_was_not_played_out(self) -> None:
        assert GAME.outcome(GAME.halt(begin()), NOBODY) is None

    @pytest.mark.parametrize(
        ("out", "winners"), [(set(), (0,)), ({0}, (1,)), ({1}, (0,)), ({0, 1}, ())], ids=str
    )
    def test_a_seat_that_is_out_can_not_win(self, out: set[Seat], winners: tuple[Seat, ...]) -> None:
        state = play_rounds([*BOTH_SUMS, *ALIKE], *SIXES)
        assert GAME.outcome(state, frozenset(out)) == Outcome(winners, "played_out", GAME.scores(state))

    def test_of_a_draw_only_who_is_not_out_wins(self) -> None:
        outcome = GAME.outcome(play_rounds([*BOTH_SUMS, *ALIKE]), frozenset({0}))
        assert outcome is not None
        assert outcome.winners == (1,)

    def test_halting_a_game_that_is_over_changes_nothing(self) -> None:
        state = play_rounds([*BOTH_SUMS, *ALIKE])
        assert GAME.halt(state) == state


class TestResampling:
    def test_what_a_seat_sees_stays_to_the_byte(self) -> None:
        for seat in (0, 1, None):
            state, _ = choose(play_rounds([("poker", "1")]), 0, "6")
            assert visible(GAME.resample(state, seat, SeededChance(1)), seat) == visible(state, seat)

    def test_the_other_throw_is_rolled_anew(self) -> None:
        state = GAME.resample(begin("11235", "24466"), 0, luck("65432"))
        assert state.throws == (dice("11235"), dice("65432"))

    def test_to_a_watcher_both_throws_are_unknown(self) -> None:
        state = GAME.resample(begin(), None, luck("65432", "12345"))
        assert state.throws == (dice("65432"), dice("12345"))

    def test_a_hidden_choice_is_drawn_from_what_its_seat_has_not_used(self) -> None:
        state, _ = choose(play_rounds([(each, each) for each in COMBINATIONS[:13]]), 0, "minor-sum")
        draws = {GAME.resample(state, 1, SeededChance(seed)).choices for seed in range(50)}
        assert draws == {(each, None) for each in COMBINATIONS[13:]}

    def test_a_choice_that_is_not_made_is_not_drawn(self) -> None:
        assert GAME.resample(begin(), None, SeededChance(1)).choices == (None, None)

    def test_ones_own_choice_is_known(self) -> None:
        state, _ = choose(begin(), 0, "6")
        assert GAME.resample(state, 0, SeededChance(1)).choices == ("6", None)

    def test_nothing_is_hidden_when_all_is_over(self) -> None:
        for state in (GAME.halt(begin()), play_rounds([*BOTH_SUMS, *ALIKE])):
            assert GAME.resample(state, 0, luck()) == state


class TestValues:
    def test_a_state_can_not_be_changed(self) -> None:
        with pytest.raises(FrozenInstanceError):
            begin().choices = ("1", "1")  # type: ignore[misc]

    def test_a_state_survives_json_in_every_phase(self) -> None:
        chosen, _ = choose(begin(), 0, "1")
        for state in (begin(), chosen, play_rounds([*BOTH_SUMS, *ALIKE]), GAME.halt(begin())):
            assert decode_state(GAME, as_json(encode(state))) == state

    def test_the_view_has_a_schema_that_tells_what_each_field_is(self) -> None:
        definitions = msgspec.json.schema(View)["$defs"]
        fields: Mapping[str, Mapping[str, Any]] = definitions["View"]["properties"]
        assert definitions["View"]["required"] == list(fields)
        assert all(field["description"] for field in fields.values())
        assert fields["phase"]["enum"] == ["choose", "over"]
        assert fields["throw"]["anyOf"][0]["items"] == {"type": "integer", "minimum": 1, "maximum": 6}

    def test_the_texts_for_clients_name_every_combination_and_both_penalties(self) -> None:
        for combination in COMBINATIONS:
            assert combination in RULES
            assert combination in NOTATION
        assert "-70" in RULES
        assert "-10" in RULES
