"""The worked examples of Pickomino, every one of them."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from games.rules.chance import RecordedChance
from games.rules.game import Event, IllegalMove, play
from games.rules.pickomino import Options, State
from tests.games.rules.test_pickomino import GAME, NOBODY, moves, pips, plain, position

VECTORS = Path(__file__).parents[2] / "vectors" / "pickomino.json"
SCENARIOS: Sequence[Mapping[str, Any]] = json.loads(VECTORS.read_text())["scenarios"]


def begin(scenario: Mapping[str, Any]) -> State:
    given = scenario["start"]
    return position(
        *given.get("stacks", [[]] * scenario["seats"]),
        up=given.get("up"),
        down=given.get("down", ()),
        seat=given.get("turn", 0),
        options=msgspec.convert(scenario["options"], Options),
    )


def make(state: State, move: Mapping[str, Any]) -> tuple[State, Sequence[Event]]:
    chance = RecordedChance([("roll", pips(move["dice"]))] if "dice" in move else [])
    (seat,) = GAME.to_move(state)
    if move.get("refused"):
        with pytest.raises(IllegalMove):
            play(GAME, state, seat, move["move"], chance)
        return state, ()
    following, events = play(GAME, state, seat, move["move"], chance)
    chance.finish()
    return following, events


def logged(event: Event) -> list[Any]:
    data = event.data
    match event.kind:
        case "busted":
            return ["bust", event.seat, data["reason"], data["returned"], data["turned_over"]]
        case "collected":
            return ["collect", event.seat, data["domino"]]
        case "stole":
            return ["steal", event.seat, data["from"], data["domino"]]
    return []


def legal(state: State) -> dict[str, Any]:
    """The legal moves in the examples' short form; in phase `roll` they name `roll` only."""
    found = [move.split() for move in moves(state)]
    if state.phase != "decide":
        return {kind: True for (kind,) in found}
    return {
        "roll": ["roll"] in found,
        "collect": [int(domino) for kind, *rest in found if kind == "collect" for domino in rest],
        "steal": [int(domino) for kind, *rest in found if kind == "steal" for domino in rest],
    }


def holds(state: State, events: Sequence[Event]) -> dict[str, Any]:
    """What there is to say of a position, as the examples say it."""
    view = plain(GAME.view(state, None))
    outcome = GAME.outcome(state, NOBODY)
    told = {
        "face_up": [shown["domino"] for shown in view["bbq"]],
        "stacks": [[shown["domino"] for shown in stack] for stack in view["stacks"]],
        "saved": {str(saved["face"]): saved["count"] for saved in view["saved"]},
        "legal": legal(state),
        "over": outcome is not None,
        "log": [line for line in map(logged, events) if line],
    } | {key: view[key] for key in ("face_down", "phase", "total", "dice_left", "worms")}
    return told | ({"turn": view["seat"]} if outcome is None else {"winners": list(outcome.winners)})


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario["note"])
def test_the_worked_example_holds(scenario: Mapping[str, Any]) -> None:
    state = begin(scenario)
    told: list[Event] = []
    for move in scenario["moves"]:
        state, events = make(state, move)
        told += events
    assert holds(state, told) == scenario["then"]
