"""The verifier's Pickomino does what the worked examples in tests/vectors say."""

from typing import Any

import pytest

from tests.verify.program import VECTORS, luck, options, read, verifier

SCENARIOS = read(VECTORS / "pickomino.json")["scenarios"]


def position(scenario: dict[str, Any]) -> Any:
    chosen = options(verifier.Pickomino, first="seat_0", **scenario["options"])
    game = verifier.Pickomino(scenario["seats"], chosen, luck())
    start = scenario["start"]
    game.stacks = [list(stack) for stack in start.get("stacks", game.stacks)]
    gone = {*start.get("down", []), *(domino for stack in game.stacks for domino in stack)}
    game.bbq = list(start.get("up", [])) or [domino for domino in range(21, 37) if domino not in gone]
    game.seat = start.get("turn", 0)
    return game


def make(game: Any, move: dict[str, Any]) -> None:
    allowed = move["move"] in game.legal(game.seat)
    assert allowed is not move.get("refused", False)
    if allowed:
        faces = [6 if face == "W" else face for face in move.get("dice", [])]
        game.apply(game.seat, move["move"], luck(["roll", faces]))


def legal(game: Any) -> dict[str, Any]:
    moves = [move.split() for move in game.legal(game.seat)]
    taking = {verb: [int(words[1]) for words in moves if words[0] == verb] for verb in ("collect", "steal")}
    return {"roll": ["roll"] in moves, **taking}


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario["note"])
def test_the_worked_examples_end_as_they_say(scenario: dict[str, Any]) -> None:
    game, then = position(scenario), scenario["then"]
    for move in scenario["moves"]:
        make(game, move)
    assert game.over is then["over"]
    assert (game.bbq, game.stacks, game.scores()) == (then["face_up"], then["stacks"], then["worms"])
    assert {verifier.face_name(face): count for face, count in game.saved.items()} == then["saved"]
    assert (game.total(), game.dice_left()) == (then["total"], then["dice_left"])
    if game.over:
        assert game.to_move() == []
        assert game.winners(list(range(scenario["seats"]))) == then["winners"]
    else:
        assert game.to_move() == [then["turn"]]
        assert legal(game) == {"roll": False, "collect": [], "steal": []} | then["legal"]


def test_who_left_can_not_win() -> None:
    scenario = next(one for one in SCENARIOS if one["note"].startswith("tie 5:5"))
    game = position(scenario)
    for move in scenario["moves"]:
        make(game, move)
    assert game.winners([1]) == [1]


def test_the_first_seat_is_the_first_of_the_shuffle() -> None:
    game = verifier.Pickomino(3, options(verifier.Pickomino), luck(["shuffle", [2, 0, 1]]))
    assert game.to_move() == [2]


def test_a_returned_domino_that_is_the_largest_is_turned_over_where_the_table_says_so() -> None:
    chosen = options(verifier.Pickomino, first="seat_0", turn_over_returned=True)
    game = verifier.Pickomino(2, chosen, luck())
    game.bbq, game.stacks = [21, 23], [[30], []]
    for move, faces in [("roll", [5, 5, 5, 5, 5, 1, 2, 3]), ("save 5", []), ("roll", [5, 5, 5])]:
        game.apply(0, move, luck(["roll", faces]))
    assert (game.bbq, game.stacks) == ([21, 23], [[], []])
