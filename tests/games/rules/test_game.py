"""What holds for every game: judging a move, making it, replaying a history, options and stored states."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

import msgspec
import pytest

from games.rules.chance import ChanceMismatch, Draw, RecordedChance
from games.rules.dice7776 import COMBINATIONS, Dice7776, State
from games.rules.game import (
    BadOptions,
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
from games.rules.registry import GAMES
from tests.games.rules.seeded import SeededChance

GAME = Dice7776()
NO_LUCK = RecordedChance([])
OPTIONS = options_from(GAME, {})

ONES: Draw = ("roll", (1, 1, 1, 1, 1))
TWOS: Draw = ("roll", (2, 2, 2, 2, 2))
ROUND: list[tuple[Seat, Move, list[Draw]]] = [(0, "choose 1", []), (1, "choose poker", [TWOS, ONES])]


def start() -> State:
    state, _ = GAME.start(2, OPTIONS, RecordedChance([ONES, TWOS]))
    return state


@dataclass(frozen=True, slots=True)
class Various:
    """One option of each sort."""

    target: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 100
    who: Literal["random", "seat_0"] = "random"
    corners: bool = True


class WithOptions(Dice7776):
    options_type: ClassVar[type] = Various


def test_a_legal_move_is_made() -> None:
    state, events = play(GAME, start(), 0, "choose 1", NO_LUCK)
    assert state == GAME.apply(start(), 0, "choose 1", NO_LUCK)[0]
    assert [event.kind for event in events] == ["chose"]


def test_a_seat_that_has_moved_and_is_not_to_move_again_is_refused() -> None:
    state, _ = play(GAME, start(), 0, "choose 1", NO_LUCK)
    with pytest.raises(NotYourTurn):
        play(GAME, state, 0, "choose 2", NO_LUCK)


def test_a_seat_that_is_not_to_move_is_told_so_whatever_its_move() -> None:
    state, _ = play(GAME, start(), 0, "choose 1", NO_LUCK)
    with pytest.raises(NotYourTurn):
        play(GAME, state, 0, "nonsense", NO_LUCK)


@pytest.mark.parametrize("seat", [-1, 2, 99])
def test_a_seat_that_does_not_exist_is_not_to_move(seat: int) -> None:
    with pytest.raises(NotYourTurn):
        play(GAME, start(), seat, "choose 1", NO_LUCK)


def test_nobody_is_to_move_after_halt() -> None:
    with pytest.raises(NotYourTurn):
        play(GAME, GAME.halt(start()), 0, "choose 1", NO_LUCK)


@pytest.mark.parametrize(
    "move",
    [
        "",
        " ",
        "choose",
        "choose ",
        "choose 7",
        "Choose 1",
        "CHOOSE 1",
        "choose Poker",
        " choose 1",
        "choose 1 ",
        "choose  1",
        "choose\t1",
        "choose\n1",
        "choose 1\n",
        "choose\u00a01",
        "choose １",
        "choose 1 1",
        "choose 1; choose 2",
        "choose two of a kind",
        "roll",
        "1",
    ],
)
def test_any_other_text_than_a_legal_move_is_illegal(move: str) -> None:
    with pytest.raises(IllegalMove):
        play(GAME, start(), 0, move, NO_LUCK)


def test_an_illegal_move_is_answered_with_the_legal_ones() -> None:
    with pytest.raises(IllegalMove) as refusal:
        play(GAME, start(), 0, "choose 7", NO_LUCK)
    assert list(refusal.value.legal_moves) == [f"choose {combination}" for combination in COMBINATIONS]


def test_a_refused_move_uses_no_luck() -> None:
    chance = RecordedChance([ONES])
    with pytest.raises(IllegalMove):
        play(GAME, start(), 0, "roll", chance)
    assert chance.roll(5) == (1, 1, 1, 1, 1)


def test_a_history_leads_to_the_state_that_was_played() -> None:
    state, _ = play(GAME, start(), 0, "choose 1", NO_LUCK)
    state, _ = play(GAME, state, 1, "choose poker", RecordedChance([TWOS, ONES]))
    assert replay(GAME, 2, OPTIONS, [ONES, TWOS], ROUND) == state


def test_no_moves_lead_to_the_start() -> None:
    assert replay(GAME, 2, OPTIONS, [ONES, TWOS], []) == start()


@pytest.mark.parametrize("drawn", [[ONES], [ONES, TWOS, ONES], [ONES, ("shuffle", (0, 1, 2, 3, 4))]])
def test_a_start_with_other_luck_than_it_needs_is_refused(drawn: list[Draw]) -> None:
    with pytest.raises(ChanceMismatch):
        replay(GAME, 2, OPTIONS, drawn, [])


@pytest.mark.parametrize("drawn", [[], [ONES], [ONES, TWOS, ONES], [("roll", (1, 2)), ONES]])
def test_a_move_with_other_luck_than_it_needs_is_refused(drawn: list[Draw]) -> None:
    with pytest.raises(ChanceMismatch):
        replay(GAME, 2, OPTIONS, [ONES, TWOS], [(0, "choose 1", []), (1, "choose poker", drawn)])


def test_luck_that_a_move_did_not_need_is_not_kept_for_the_next() -> None:
    with pytest.raises(ChanceMismatch):
        replay(GAME, 2, OPTIONS, [ONES, TWOS], [(0, "choose 1", [TWOS, ONES]), (1, "choose poker", [])])


def test_an_illegal_move_in_a_history_is_refused() -> None:
    with pytest.raises(IllegalMove):
        replay(GAME, 2, OPTIONS, [ONES, TWOS], [*ROUND, (0, "choose 1", [])])


def test_a_move_out_of_turn_in_a_history_is_refused() -> None:
    with pytest.raises(NotYourTurn):
        replay(GAME, 2, OPTIONS, [ONES, TWOS], [(0, "choose 1", []), (0, "choose 2", [])])


def test_options_that_are_not_given_have_their_defaults() -> None:
    assert options_from(WithOptions(), {}) == Various(100, "random", True)


def test_options_that_are_given_are_taken() -> None:
    given = {"target": 0, "who": "seat_0", "corners": False}
    assert options_from(WithOptions(), given) == Various(0, "seat_0", False)


def test_the_defaults_are_told() -> None:
    assert default_options(WithOptions()) == {"target": 100, "who": "random", "corners": True}
    assert default_options(GAME) == {}


@pytest.mark.parametrize(
    "given",
    [
        {"target": True},
        {"target": False},
        {"target": 100.0},
        {"target": 0.5},
        {"target": "100"},
        {"target": None},
        {"target": [100]},
        {"target": -1},
        {"target": 1001},
        {"target": 10**30},
        {"who": "Random"},
        {"who": "seat_1"},
        {"who": 0},
        {"who": None},
        {"who": {}},
        {"corners": 0},
        {"corners": 1},
        {"corners": "true"},
        {"corners": None},
        {"unheard_of": 1},
        {"Target": 100},
        {"": 1},
    ],
    ids=str,
)
def test_wrong_types_wrong_values_and_unknown_options_are_refused_by_name(given: Mapping[str, Any]) -> None:
    with pytest.raises(BadOptions) as refusal:
        options_from(WithOptions(), given)
    assert refusal.value.errors.keys() == given.keys()
    for told in refusal.value.errors.values():
        assert all(sentence.endswith(".") for sentence in told)


def test_everything_that_is_wrong_is_told_at_once() -> None:
    given = {"target": -1, "who": "me", "corners": "no", "unheard_of": 1, "another": 2}
    with pytest.raises(BadOptions) as refusal:
        options_from(WithOptions(), given)
    assert refusal.value.errors.keys() == given.keys()


def test_what_is_right_beside_what_is_wrong_is_not_told() -> None:
    with pytest.raises(BadOptions) as refusal:
        options_from(WithOptions(), {"target": 5, "who": "me"})
    assert refusal.value.errors.keys() == {"who"}


@pytest.mark.parametrize("slug", GAMES)
def test_a_state_is_the_same_after_it_was_stored_as_json(slug: str) -> None:
    game = GAMES[slug]
    state, _ = game.start(game.seats[0], options_from(game, {}), SeededChance(slug))
    assert decode_state(game, json.loads(json.dumps(encode(state)))) == state


@pytest.mark.parametrize(
    "change",
    [
        {"throws": [[1, 2, 3, 4, 5]] * 2, "choices": ["seven", None]},
        {"throws": [[1, 2, 3, 4, 7]] * 2},
        {"throws": [[1, 2, 3, 4]] * 2},
        {"choices": [None]},
        {"choices": [None, None, None]},
    ],
    ids=str,
)
def test_what_is_no_state_is_not_taken_for_one(change: Mapping[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        decode_state(GAME, {**encode(start()), **change})


def test_the_registry_knows_each_game_by_its_slug() -> None:
    assert set(GAMES) >= {"pickomino", "7776", "dominoes"}
    assert all(game.slug == slug for slug, game in GAMES.items())
