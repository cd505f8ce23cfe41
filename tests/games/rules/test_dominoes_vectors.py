"""The worked examples of dominoes, as they stand in tests/vectors."""

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from games.rules import layout
from games.rules.chance import RecordedChance
from games.rules.dominoes import TILES, Options, State
from games.rules.game import Event, IllegalMove, Move, NotYourTurn, Seat, options_from, play
from tests.games.rules.seeded import SeededChance
from tests.games.rules.test_dominoes import (
    deal_of,
    first_seat,
    game,
    last,
    legal,
    pairs,
    plain,
    position,
    step,
)

VECTORS = Path(__file__).parents[2] / "vectors"
DOMINOES = json.loads((VECTORS / "dominoes.json").read_text())
SCENARIOS = DOMINOES["scenarios"]
TABLES = DOMINOES["tables"]
ROWS = json.loads((VECTORS / "dominoes-layout.json").read_text())["rows"]


def note(example: dict[str, Any]) -> str:
    return str(example["note"])


# Scenarios: one dealt round each


def dealt(scenario: dict[str, Any], options: Options) -> State:
    hands = scenario["hands"]
    chance = RecordedChance([first_seat(scenario["starter"], len(hands)), deal_of(hands, scenario["stock"])])
    state, _ = game.start(len(hands), options, chance)
    chance.finish()
    return state


def check(state: State, events: Sequence[Event], then: dict[str, Any]) -> None:
    """Everything that the example says about the position after its moves."""
    view = game.view(state, None)
    assert pairs(view) == then["row"]
    assert [end.pips for end in view.ends] == then["ends"]
    assert [list(hand) for hand in state.hands] == then["hands"]
    assert [plain(game.view(state, seat).hand) for seat in range(len(state.hands))] == then["hands"]
    assert view.stock == then["stock"]
    assert any(event.kind == "round_over" for event in events) is then["round_over"]
    assert (view.phase == "over") is then["round_over"]
    assert (view.last_round is not None) is then["round_over"]
    if then["result"]:
        check_result(state, events, then["result"])


def check_result(state: State, events: Sequence[Event], result: dict[str, Any]) -> None:
    over, shown = last(events, "round_over").data, plain(game.view(state, None).last_round)
    for told in (over, shown):
        assert told["blocked"] is (result["how"] == "blocked")
        assert told["winner"] == result["winner"]
        assert told["pips"] == result["pips"]
        assert told["points"] == sum(result["points"])
        assert told["hands"] == [list(hand) for hand in state.hands]
    assert over["scores"] == result["points"]
    outcome = game.outcome(state, frozenset())
    assert outcome is not None
    lowest = tuple(seat for seat, pips in enumerate(result["pips"]) if pips == min(result["pips"]))
    assert outcome.winners == (lowest if result["winner"] is None else (result["winner"],))
    assert list(outcome.scores) == result["points"]


def make(state: State, seat: Seat, move: dict[str, Any]) -> tuple[State, Sequence[Event]]:
    return play(game, state, seat, move["move"], RecordedChance([]))


@pytest.mark.parametrize("scenario", SCENARIOS, ids=note)
def test_scenario(scenario: dict[str, Any]) -> None:
    state = dealt(scenario, options_from(game, scenario["options"]))
    events: Sequence[Event] = ()
    for move in scenario["moves"]:
        if move.get("refused"):
            with pytest.raises((IllegalMove, NotYourTurn)):
                make(state, move["seat"], move)
        else:
            assert game.to_move(state) == {move["seat"]}
            state, events = make(state, move["seat"], move)
    check(state, events, scenario["then"])


@pytest.mark.parametrize("corners", [True, False])
@pytest.mark.parametrize("scenario", SCENARIOS, ids=note)
def test_scenario_with_any_corners_comes_out_the_same(scenario: dict[str, Any], corners: bool) -> None:
    luck = random.Random(scenario["note"])
    options = replace(options_from(game, scenario["options"]), corners=corners)
    state = dealt(scenario, options)
    events: Sequence[Event] = ()
    for move in scenario["moves"]:
        if not move.get("refused"):
            wanted = move["move"]
            ways = [way for way in legal(state) if way in (wanted, f"{wanted} cw", f"{wanted} ccw")]
            state, events = step(state, luck.choice(ways))
    check(state, events, scenario["then"])


# Tables: whole matches, told by the results of their rounds


@dataclass
class LastMove:
    """What the hands look like one move before the round ends, and the move that ends it."""

    seat: Seat
    hands: list[list[str]]


def last_move(result: dict[str, Any]) -> LastMove:
    """Hands of the wished pips beside the row 6-5, to be ended by `lay 5-4 right`.

    Nobody holds a 6 or a 4, so that tile ends the round either way: as the last one, or by a block.
    """
    free = [tile for tile in TILES if not {4, 6} & set(layout.halves(tile))]
    hands: list[list[str]] = []
    for pips in result["pips"]:
        hand = hand_of(pips, free)
        free = [tile for tile in free if tile not in hand]
        hands.append(hand)
    seat = result["winner"] if result["how"] == "out" else 0
    hands[seat].append("5-4")
    return LastMove(seat, hands)


def hand_of(pips: int, tiles: Sequence[str]) -> list[str]:
    """A smallest hand of just so many pips; not the 0-0, which would add a tile but no pips."""
    useful = [tile for tile in tiles if tile != "0-0"]
    hands = (hand for size in range(len(useful) + 1) for hand in combinations(useful, size))
    return list(next(hand for hand in hands if total(hand) == pips))


def total(hand: Sequence[str]) -> int:
    return sum(sum(layout.halves(tile)) for tile in hand)


@pytest.mark.parametrize("table", TABLES, ids=note)
def test_table(table: dict[str, Any]) -> None:
    options = Options(target=table["target"])
    starter = table["rounds"][0]["starter"]
    chance = SeededChance(1)
    drawn = [first_seat(starter, table["players"]), ("shuffle", chance.shuffle(28))]
    state, _ = game.start(table["players"], options, RecordedChance(drawn))
    for wanted in table["rounds"]:
        view = game.view(state, None)
        assert (view.round, view.starter, view.seat) == (
            wanted["round"],
            wanted["starter"],
            wanted["starter"],
        )
        ending = last_move(wanted)
        before = position(*map(" ".join, ending.hands), row="6-5")
        state = replace(state, hands=before.hands, stock=(), row=before.row, seat=ending.seat)
        state, events = play(game, state, ending.seat, "lay 5-4 right", chance)
        over = last(list(events), "round_over").data
        assert over["round"] == wanted["round"]
        assert over["blocked"] is (wanted["how"] == "blocked")
        assert over["winner"] == wanted["winner"]
        assert over["pips"] == wanted["pips"]
        assert over["points"] == sum(wanted["points"])
        assert over["scores"] == wanted["totals"] == list(game.scores(state))
        assert (game.to_move(state) == frozenset()) is wanted["game_over"]
    outcome = game.outcome(state, frozenset())
    assert (outcome is not None) is table["expect"]["game_over"]
    assert list(game.scores(state)) == table["expect"]["totals"]
    if outcome is not None:
        assert outcome.winners == (table["expect"]["winner"],)
        assert list(outcome.scores) == table["expect"]["totals"]


# Layout: one row each, whoever lays its tiles


def tile_of(move: Move) -> str:
    return move.split()[1]


@pytest.mark.parametrize(
    "example", ROWS, ids=[f"row {index}: {row['note']}" for index, row in enumerate(ROWS)]
)
def test_layout(example: dict[str, Any]) -> None:
    """Seat 0 holds just the tiles of the row, in order, and lays them all; seat 1 holds the others."""
    tiles = [tile_of(move) for move in example["moves"]]
    state = position(" ".join(tiles), " ".join(tile for tile in TILES if tile not in tiles))
    straightened_at = []
    for index, move in enumerate(example["moves"]):
        state, events = step(replace(state, seat=0), move)
        if events[0].kind == "straightened":
            straightened_at.append(index)
    assert straightened_at == example["straightened_at"]
    assert plain(game.view(state, None).row) == example["row"]
    assert plain(game.view(state, None).ends) == example["ends"]


@pytest.mark.parametrize(
    "example", ROWS, ids=[f"row {index}: {row['note']}" for index, row in enumerate(ROWS)]
)
def test_layout_events_tell_the_same_row(example: dict[str, Any]) -> None:
    """A client that only follows the events holds the same row at the end."""
    tiles = [tile_of(move) for move in example["moves"]]
    state = position(" ".join(tiles), " ".join(tile for tile in TILES if tile not in tiles))
    row: list[dict[str, Any]] = []
    for move in example["moves"]:
        state, events = step(replace(state, seat=0), move)
        for event in events:
            if event.kind == "straightened":
                row = list(event.data["row"])
            elif event.kind == "laid":
                laid = {key: event.data[key] for key in ("tile", "x", "y", "facing")}
                row = [laid, *row] if event.data["end"] == "left" else [*row, laid]
    assert row == example["row"]
