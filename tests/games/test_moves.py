"""`POST /tables/{id}/moves`: make a move."""

from typing import Any

import pytest

from tests.conftest import Enter
from tests.games.conftest import Wait
from tests.games.situations import (
    TURN,
    begun,
    events_of,
    hands,
    moves_of,
    play,
    put_state,
    put_tables,
    row,
    told,
    turn,
    unchanged,
)
from tests.people import Person

ODD = [
    "Roll", "ROLL", " roll", "roll ", "roll\n", "rol", "rolll", "roll roll", "save 1", "collect 21", "draw",
    "", "ｒoll", "roll\u200b", "choose poker", "'; drop table games_table", "☃", "\x7f", "a" * 64,
]  # fmt: skip


def test_the_answer_is_the_table_with_the_events_and_the_moves_number(ann: Person, bob: Person) -> None:
    table = begun("pickomino", [ann, bob])
    version = row(table).version
    answer = ann.move(table, "roll", version=version)
    assert answer.status == 201
    assert answer.json == {**ann.see(table), "events": ann.events(table, version), "number": 1}
    assert [event["kind"] for event in answer["events"]] == ["rolled"]
    assert answer["view"]["dice"] == answer["events"][0]["data"]["dice"]


def test_moves_are_numbered_from_1(ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    numbers = [person.move(table, f"choose {n}")["number"] for n in "123" for person in (ann, bob)]
    assert numbers == [1, 2, 3, 4, 5, 6]
    assert [move.number for move in moves_of(table)] == numbers


def test_events_are_those_of_the_move_with_what_is_ones_own(ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    assert ann.move(table, "choose poker")["events"][0]["own"] == {"choice": "poker"}
    answer = bob.move(table, "choose 1")
    told = [(event["kind"], event["seat"], "own" in event) for event in answer["events"]]
    assert told == [
        ("chose", 1, True), ("revealed", None, False), ("threw", 0, False), ("threw", 1, True),
    ]  # fmt: skip


def test_what_was_due_before_is_not_among_the_moves_events(wait: Wait, enter: Enter) -> None:
    ann, bob = enter(), enter()
    table = begun("7776", [ann, bob])
    bob.move(table, "choose 1")
    wait(TURN)
    before = ann.see(table)
    answer = ann.move(table, before["legal_moves"][0])
    assert answer["events"][0]["version"] == before["version"] + 1


def test_a_move_is_exactly_one_of_the_legal_moves(ann: Person, bob: Person) -> None:
    table = begun("pickomino", [ann, bob])
    put_state(table, turn(0, dice=[1, 1, "W"], saved=[(2, 5)]))
    assert ann.see(table)["legal_moves"] == ["save 1", "save W"]
    assert ann.move(table, "save W").status == 201


@pytest.mark.parametrize("move", ODD)
def test_any_other_string_is_illegal_with_the_legal_ones(ann: Person, bob: Person, move: str) -> None:
    table = begun("pickomino", [ann, bob])
    with unchanged(table):
        answer = ann.move(table, move)
    if move in ("", "\x7f"):
        assert answer.code in ("invalid", "illegal_move")
    else:
        assert (answer.status, answer.code) == (422, "illegal_move")
        assert (answer["legal_moves"], answer["version"]) == (["roll"], row(table).version)


@pytest.mark.parametrize("move", [None, 1, True, ["roll"], {"roll": 1}, "roll\x00", "a" * 65])
def test_a_move_is_a_short_string(ann: Person, bob: Person, move: Any) -> None:
    table = begun("pickomino", [ann, bob])
    with unchanged(table):
        answer = ann.move(table, move)
    assert (answer.status, answer.code) == (400, "invalid")
    assert list(answer["errors"]) == ["move"]


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({}, {"move"}), ({"move": "roll", "seat": 0}, {"seat"}),
        ({"version": "x", "turn": 1}, {"move", "version", "turn"}),
        ({"move": "roll", "version": None}, {"version"}), ({"move": "roll", "version": -1}, {"version"}),
        ({"move": "roll", "version": 3.0}, {"version"}), ({"move": "roll", "version": "3"}, {"version"}),
        ({"move": "roll", "version": True}, {"version"}), ([], {"body"}),
    ],
)  # fmt: skip
def test_a_body_of_another_shape_is_invalid(ann: Person, bob: Person, body: Any, fields: set[str]) -> None:
    table = begun("pickomino", [ann, bob])
    with unchanged(table):
        answer = ann.post(f"tables/{table}/moves", body)
    assert answer.code == "invalid"
    assert answer["errors"].keys() == fields


def test_a_seat_that_is_not_to_move_waits_for_its_turn(ann: Person, bob: Person) -> None:
    table = begun("pickomino", [ann, bob])
    with unchanged(table):
        answer = bob.move(table, "roll")
    assert (answer.status, answer.code) == (409, "not_your_turn")


def test_before_the_start_and_after_the_end_nothing_is_played(ann: Person, bob: Person) -> None:
    table = ann.open("7776")
    with unchanged(table):
        answer = ann.move(table, "choose 1")
    assert (answer.status, answer.code) == (409, "not_playing")
    bob.sit(table)
    ann.delete(f"tables/{table}/seats/me")
    with unchanged(table):
        assert bob.move(table, "choose 1").code == "not_playing"


def test_a_watcher_is_not_seated(ann: Person, bob: Person, cid: Person) -> None:
    table = begun("pickomino", [ann, bob])
    with unchanged(table):
        answer = cid.move(table, "roll")
    assert (answer.status, answer.code) == (403, "not_seated")


def test_who_left_is_a_watcher(ann: Person, bob: Person, cid: Person) -> None:
    table = begun("pickomino", [ann, bob, cid])
    ann.delete(f"tables/{table}/seats/me")
    assert ann.move(table, "roll").code == "not_seated"


def test_at_a_private_table_a_stranger_learns_nothing(ann: Person, bob: Person, cid: Person) -> None:
    table = ann.open("dominoes", visibility="private")
    missing = cid.move("00000000-0000-0000-0000-000000000000", "draw")
    assert missing.code == "not_found"
    assert cid.move(table, "draw").json == missing.json


def test_who_has_not_entered_moves_nothing(ann: Person, bob: Person) -> None:
    assert Person().move(begun("7776", [ann, bob]), "choose 1").code == "not_authenticated"


def test_the_luck_of_a_move_is_kept_with_it(ann: Person, bob: Person) -> None:
    table = begun("pickomino", [ann, bob])
    ann.move(table, "roll")
    (move,) = moves_of(table)
    ((kind, faces),) = move.chance
    assert (kind, len(faces), move.seat, move.by, move.move) == ("roll", 8, 0, "player", "roll")
    dice = events_of(table)[-1].data["dice"]
    assert [("W" if face == 6 else face) for face in faces] == dice


def test_a_move_knows_the_versions_that_it_made(ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    version = row(table).version
    ann.move(table, "choose 1")
    bob.move(table, "choose 1")
    spans = [(move.first_version - version, move.last_version - version) for move in moves_of(table)]
    assert spans == [(1, 1), (2, 5)]


def test_the_answer_is_never_stored(ann: Person, bob: Person) -> None:
    assert ann.move(begun("7776", [ann, bob]), "choose 1").headers["Cache-Control"] == "no-store"


def test_pain_01_the_reply_to_a_move_carries_the_new_state(ann: Person, bob: Person) -> None:
    table = begun("dominoes", [ann, bob])
    put_state(table, hands(["6-4", "1-0"], ["4-3", "2-0"], stock=["5-5"]))
    answer = ann.move(table, "lay 6-4")
    assert answer["view"]["hand"] == ["1-0"]
    assert [lying["tile"] for lying in answer["view"]["row"]] == ["6-4"]
    assert answer["to_move"] == [1]


def test_pain_03_a_late_click_does_not_count_for_the_next_phase(ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    version = ann.see(table)["version"]
    ann.move(table, "choose 1", version=version)
    bob.move(table, "choose 1", version=version)
    with unchanged(table):
        answer = ann.move(table, "choose 2", version=version)
    assert (answer.status, answer.code) == (409, "stale_version")


def test_pain_04_a_double_click_rolls_once(ann: Person, bob: Person) -> None:
    table = begun("pickomino", [ann, bob])
    put_state(table, turn(0, saved=[("W", 3)], dice=()))
    version = ann.see(table)["version"]
    codes = [ann.move(table, "roll", version=version).status for _ in range(2)]
    assert codes == [201, 409]


def test_pain_07_a_refused_move_says_why_and_what_is_legal(ann: Person, bob: Person) -> None:
    table = begun("dominoes", [ann, bob])
    put_state(table, hands(["6-4", "1-0"], ["4-3", "2-0"], stock=["5-5"]))
    answer = ann.move(table, "lay 4-3")
    assert answer.code == "illegal_move"
    assert answer["legal_moves"] == ["lay 6-4", "lay 1-0"]
    assert answer["detail"]


def test_pain_10_luck_is_drawn_after_the_decision_and_stays(ann: Person, bob: Person) -> None:
    table = begun("pickomino", [ann, bob])
    before = row(table).state
    assert before["dice"] == []
    dice = ann.move(table, "roll")["view"]["dice"]
    elsewhere = Person(ann.name)
    elsewhere.enter()
    assert ann.see(table)["view"]["dice"] == elsewhere.see(table)["view"]["dice"] == dice


def test_pain_37_worms_and_totals_are_what_lies_there(ann: Person, bob: Person) -> None:
    table = begun("pickomino", [ann, bob])
    worms = {domino: (domino - 17) // 4 for domino in range(21, 37)}
    for seed in range(8):
        play([ann, bob], table, 5, seed)
        view = ann.see(table)["view"]
        stacks = [[worms[lying["domino"]] for lying in stack] for stack in view["stacks"]]
        assert view["worms"] == [sum(stack) for stack in stacks]
        values = {"W": 5} | {n: n for n in range(1, 6)}
        assert view["total"] == sum(values[saved["face"]] * saved["count"] for saved in view["saved"])


def test_pain_40_a_leaver_shifts_no_seat_and_skips_no_turn(ann: Person, bob: Person, cid: Person) -> None:
    table = begun("pickomino", [ann, bob, cid])
    put_state(table, turn(0, seats=3, face_up=[21, 22, 23], saved=[("W", 5)]))
    bob.delete(f"tables/{table}/seats/me")
    shown = ann.move(table, "collect 21").json
    assert shown["to_move"] == [1]
    assert [seat["seat"] for seat in shown["seats"]] == [0, 1, 2]
    assert cid.see(table)["you"] == 2


def test_tables_do_not_mix(ann: Person, bob: Person) -> None:
    first, second = begun("7776", [ann, bob]), begun("7776", [ann, bob])
    with unchanged(second):
        ann.move(first, "choose poker")


def test_a_table_without_a_state_is_not_played(ann: Person) -> None:
    (table,) = put_tables(1, [ann], status="closed", wake_at=None)
    assert ann.move(table, "roll").code == "not_playing"


def test_a_move_that_ends_the_game_says_so(ann: Person, bob: Person) -> None:
    table = begun("pickomino", [ann, bob])
    put_state(table, turn(0, face_up=[21], saved=[("W", 5)]))
    answer = ann.move(table, "collect 21")
    assert answer["status"] == "finished"
    assert (answer["legal_moves"], answer["decision"], answer["to_move"]) == ([], None, [])
    assert answer["outcome"] == {"winners": [0], "reason": "played_out", "scores": [1, 0]}
    assert told(table)[-2:] == [("collected", 0, "player"), ("finished", None, "server")]
