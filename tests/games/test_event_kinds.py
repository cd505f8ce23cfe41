"""Every kind of event: its data, its own, its seat and who decided, and the order within a step."""

import random
from dataclasses import replace
from typing import Any

import pytest

from games import course
from games.lock import lock_table
from games.models import By, Event
from games.rules import dominoes
from games.rules.chance import RecordedChance
from sessions.services import forget
from tests.conftest import Enter
from tests.games.conftest import Wait
from tests.games.situations import (
    NOON,
    PAUSE,
    TURN,
    as_json,
    begun,
    events_of,
    hands,
    kinds,
    last_domino,
    last_round,
    play,
    player_of,
    put_state,
    row,
    state_of,
    turn,
)
from tests.people import Person, seat_all

Told = tuple[str, int | None, str, Any, Any]

DATA = {
    "opened": {"game", "options", "capacity"}, "closed": {"reason"}, "joined": {"kind"}, "left": {"status"},
    "removed": set(), "host_changed": set(), "started": {"seats", "first"}, "stand_in": set(),
    "returned": set(), "extended": {"seconds"}, "looked": {"times"},
    "finished": {"winners", "reason", "scores"},
    "rolled": {"dice"}, "saved": {"face", "count", "total"}, "collected": {"domino", "worms"},
    "stole": {"domino", "worms", "from"}, "busted": {"reason", "returned", "turned_over"},
    "threw": {"round"}, "chose": set(), "revealed": {"round", "throws", "choices", "points", "scores"},
    "dealt": {"round", "count", "starter"}, "laid": {"tile", "end", "corner", "x", "y", "facing"},
    "drew": set(), "passed": set(), "straightened": {"row"},
    "round_over": {"round", "winner", "blocked", "points", "pips", "hands", "scores"},
}  # fmt: skip
OWN = {"threw": {"dice"}, "chose": {"choice"}, "dealt": {"hand"}, "drew": {"tile"}}


def whole(table: str, after: int) -> list[Told]:
    """All that is stored of the events after a version, but for number and time."""
    return [(event.kind, event.seat, event.by, event.data, event.own) for event in events_of(table, after)]


def step(person: Person, table: str, move: str) -> list[Told]:
    """What a move brings."""
    version = row(table).version
    answer = person.move(table, move)
    assert answer.status == 201, answer
    return whole(table, version)


# --- the table's own kinds ---


def test_opened_is_version_1_and_joined_2(ann: Person) -> None:
    table = ann.open("dominoes", capacity=3, options={"target": 50})
    options = {"start": "rotate", "dead_row": "at_once", "target": 50, "corners": True}
    assert [event.number for event in events_of(table)] == [1, 2]
    assert whole(table, 0) == [
        ("opened", None, "player", {"game": "dominoes", "options": options, "capacity": 3}, None),
        ("joined", 0, "player", {"kind": "human"}, None),
    ]


def test_opened_tells_no_code_of_a_private_table(ann: Person) -> None:
    assert events_of(ann.open("7776", visibility="private"))[0].data.keys() == DATA["opened"]


def test_joined_tells_the_kind(ann: Person, bob: Person) -> None:
    table = ann.open("pickomino")
    bob.sit(table)
    ann.post(f"tables/{table}/bots", {})
    assert whole(table, 2) == [
        ("joined", 1, "player", {"kind": "human"}, None),
        ("joined", 2, "player", {"kind": "bot"}, None),
    ]


def test_left_tells_the_status(ann: Person, bob: Person, cid: Person) -> None:
    table = ann.open("pickomino", capacity=3)
    bob.sit(table)
    bob.delete(f"tables/{table}/seats/me")
    assert whole(table, 3) == [("left", 1, "player", {"status": "open"}, None)]
    table = begun("pickomino", [ann, bob, cid])
    version = row(table).version
    cid.delete(f"tables/{table}/seats/me")
    assert whole(table, version) == [("left", 2, "player", {"status": "playing"}, None)]


def test_left_is_by_the_player_who_logs_out_and_by_the_server_for_one_who_is_forgotten(
    ann: Person, bob: Person, cid: Person
) -> None:
    table = begun("pickomino", [ann, bob, cid])
    version = row(table).version
    bob.delete("sessions/current")
    forget(player_of(cid), by="server")
    assert [event[:3] for event in whole(table, version)] == [
        ("left", 1, "player"),
        ("left", 2, "server"),
        ("finished", None, "server"),
    ]


def test_removed_and_host_changed_have_no_data(ann: Person, bob: Person, cid: Person) -> None:
    table = ann.open("pickomino")
    bob.sit(table)
    cid.sit(table)
    ann.delete(f"tables/{table}/seats/1")
    ann.delete(f"tables/{table}/seats/me")
    assert whole(table, 4) == [
        ("removed", 1, "player", {}, None),
        ("left", 0, "player", {"status": "open"}, None),
        ("host_changed", 2, "server", {}, None),
    ]


def test_closed_tells_the_reason_empty(ann: Person) -> None:
    table = ann.open("pickomino")
    ann.delete(f"tables/{table}/seats/me")
    assert whole(table, 3) == [("closed", None, "server", {"reason": "empty"}, None)]


def test_closed_tells_the_reason_stale(wait: Wait, enter: Enter) -> None:
    ann = enter()
    table = ann.open("pickomino")
    wait(1800)
    assert ann.see(table)["outcome"] is None
    assert whole(table, 2) == [("closed", None, "server", {"reason": "stale"}, None)]


def test_closed_can_tell_the_reason_moderator(ann: Person) -> None:
    table = ann.open("pickomino")
    with lock_table(row(table).pk) as ledger:
        course.close(ledger, "moderator", by=By.MODERATOR)
    assert whole(table, 2) == [("closed", None, "moderator", {"reason": "moderator"}, None)]


def test_started_tells_the_old_number_of_each_new_seat_and_the_first(
    ann: Person, bob: Person, cid: Person
) -> None:
    table = ann.open("pickomino", options={"first": "seat_0"})
    bob.sit(table)
    cid.sit(table)
    bob.delete(f"tables/{table}/seats/me")
    version = row(table).version
    ann.post(f"tables/{table}/start")
    assert whole(table, version) == [("started", None, "player", {"seats": [0, 2], "first": 0}, None)]


@pytest.mark.parametrize("game", ["pickomino", "dominoes"])
def test_first_is_the_first_seat(ann: Person, bob: Person, game: str) -> None:
    firsts = set()
    for _ in range(4):
        table = seat_all(game, [ann, bob])
        first = events_of(table)[3].data["first"]
        assert ann.see(table)["to_move"] == [first]
        firsts.add(first)
    assert firsts <= {0, 1}


def test_first_is_null_where_both_begin(ann: Person, bob: Person) -> None:
    started = events_of(begun("7776", [ann, bob]))[3]
    assert started.data == {"seats": [0, 1], "first": None}


def test_started_is_by_the_host_or_by_the_server_when_the_table_is_full(ann: Person, bob: Person) -> None:
    assert events_of(begun("7776", [ann, bob]))[3].by == "server"


def test_a_start_is_followed_by_the_deal_or_the_throws_by_seat(ann: Person, bob: Person, cid: Person) -> None:
    told = events_of(begun("dominoes", [ann, bob, cid]), 4)
    assert [(event.kind, event.seat) for event in told] == [
        ("started", None), ("dealt", 0), ("dealt", 1), ("dealt", 2),
    ]  # fmt: skip
    told = events_of(begun("7776", [ann, bob]), 3)
    assert [(event.kind, event.seat) for event in told] == [("started", None), ("threw", 0), ("threw", 1)]
    assert kinds(begun("pickomino", [ann, bob]), 3) == ["started"]


def test_stand_in_and_returned_have_no_data(wait: Wait, enter: Enter) -> None:
    ann, bob = enter(), enter()
    table = begun("pickomino", [ann, bob])
    version = row(table).version
    wait(TURN)
    bob.see(table)
    ann.post(f"tables/{table}/seats/me/return")
    told = whole(table, version)
    assert told[0] == ("stand_in", 0, "server", {}, None)
    assert told[-1] == ("returned", 0, "player", {}, None)


def test_a_returning_move_is_told_after_returned(wait: Wait, enter: Enter) -> None:
    ann, bob = enter(), enter()
    table = begun("7776", [ann, bob])
    wait(TURN)
    ann.see(table)
    version = row(table).version
    ann.move(table, "choose 1")
    assert whole(table, version) == [
        ("returned", 0, "player", {}, None),
        ("chose", 0, "player", {}, {"choice": "1"}),
    ]


def test_finished_is_the_outcome_itself(ann: Person, bob: Person) -> None:
    table = begun("pickomino", [ann, bob])
    put_state(table, last_domino(0, [[], [22]]))
    told = step(ann, table, "collect 21")
    outcome = {"winners": [1], "reason": "played_out", "scores": [1, 1]}
    assert told == [
        ("collected", 0, "player", {"domino": 21, "worms": 1}, None),
        ("finished", None, "server", outcome, None),
    ]
    assert row(table).outcome == ann.see(table)["outcome"] == outcome


def test_finished_is_told_of_a_forfeit_too(ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    version = row(table).version
    ann.delete(f"tables/{table}/seats/me")
    assert whole(table, version) == [
        ("left", 0, "player", {"status": "playing"}, None),
        ("finished", None, "server", {"winners": [1], "reason": "forfeit", "scores": [0, 0]}, None),
    ]


def test_finished_is_told_of_an_abandoned_and_of_a_voided_table_too(ann: Person, bob: Person) -> None:
    for reason, status in (("abandoned", "abandoned"), ("voided", "closed")):
        table = begun("7776", [ann, bob])
        version = row(table).version
        with lock_table(row(table).pk) as ledger:
            course.end(ledger, reason)  # type: ignore[arg-type]  # a reason, as mypy does not see in a tuple
        outcome = {"winners": [], "reason": reason, "scores": [0, 0]}
        assert whole(table, version) == [("finished", None, "server", outcome, None)]
        assert (row(table).status, row(table).outcome) == (status, outcome)


# --- pickomino ---


def test_rolled(ann: Person, bob: Person) -> None:
    table = begun("pickomino", [ann, bob])
    told = step(ann, table, "roll")
    kind, seat, by, data, own = told[0]
    assert (kind, seat, by, own) == ("rolled", 0, "player", None)
    assert data.keys() == {"dice"}
    assert len(data["dice"]) == 8
    assert set(data["dice"]) <= {1, 2, 3, 4, 5, "W"}


def test_saved(ann: Person, bob: Person) -> None:
    table = begun("pickomino", [ann, bob])
    put_state(table, turn(0, dice=["W", 1, "W", 2], saved=[(4, 4)]))
    assert step(ann, table, "save W") == [
        ("saved", 0, "player", {"face": "W", "count": 2, "total": 26}, None),
    ]
    put_state(table, turn(0, dice=[1, 1, 2, 2], saved=[(4, 4)]))
    assert step(ann, table, "save 1")[0][3] == {"face": 1, "count": 2, "total": 18}


def test_collected(ann: Person, bob: Person) -> None:
    table = begun("pickomino", [ann, bob])
    put_state(table, turn(0, saved=[("W", 6)]))
    assert step(ann, table, "collect 29") == [("collected", 0, "player", {"domino": 29, "worms": 3}, None)]


def test_stole(ann: Person, bob: Person, cid: Person) -> None:
    table = begun("pickomino", [ann, bob, cid])
    put_state(table, turn(0, seats=3, stacks=[[], [22], [30, 25]], saved=[("W", 5)]))
    told = {"domino": 25, "worms": 2, "from": 2}
    assert step(ann, table, "steal 25") == [("stole", 0, "player", told, None)]


def test_busted_with_nothing_to_take_after_the_moves_own_event(ann: Person, bob: Person) -> None:
    table = begun("pickomino", [ann, bob])
    put_state(table, turn(0, face_up=[24, 30], stacks=[[21, 22], []], dice=[1] * 8))
    busted = {"reason": "nothing_to_take", "returned": 22, "turned_over": 30}
    assert step(ann, table, "save 1") == [
        ("saved", 0, "player", {"face": 1, "count": 8, "total": 8}, None),
        ("busted", 0, "server", busted, None),
    ]


def test_busted_with_nothing_new(ann: Person, bob: Person) -> None:
    table = begun("pickomino", [ann, bob])
    told: list[Told] = []
    while len(told) < 2:
        numbers = [("W", 2), (1, 2), (2, 1), (3, 1), (4, 1)]
        put_state(table, turn(0, face_up=[24, 30], stacks=[[36], []], saved=numbers))
        told = step(ann, table, "roll")
    assert told[0][:3] == ("rolled", 0, "player")
    busted = {"reason": "nothing_new", "returned": 36, "turned_over": None}
    assert told[1] == ("busted", 0, "server", busted, None)


def test_busted_with_an_empty_stack_returns_null(ann: Person, bob: Person) -> None:
    table = begun("pickomino", [ann, bob])
    put_state(table, turn(0, face_up=[24, 30], dice=[1] * 8))
    busted = {"reason": "nothing_to_take", "returned": None, "turned_over": 30}
    assert step(ann, table, "save 1")[1][3] == busted


def test_a_bust_that_ends_the_game_is_followed_by_finished(ann: Person, bob: Person) -> None:
    table = begun("pickomino", [ann, bob])
    put_state(table, turn(0, face_up=[30], stacks=[[], [21]], dice=[1] * 8))
    assert [event[0] for event in step(ann, table, "save 1")] == ["saved", "busted", "finished"]


# --- 7776 ---


def test_chose_tells_the_choice_to_its_seat_alone(ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    assert step(bob, table, "choose 3+2") == [("chose", 1, "player", {}, {"choice": "3+2"})]


def test_threw_tells_the_dice_to_their_seat_alone(ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    throws = as_json(state_of(table).throws)
    assert whole(table, 4) == [
        ("threw", 0, "server", {"round": 1}, {"dice": throws[0]}),
        ("threw", 1, "server", {"round": 1}, {"dice": throws[1]}),
    ]


def test_the_second_choice_is_followed_by_revealed_and_the_next_throws(ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    throws = as_json(state_of(table).throws)
    step(bob, table, "choose major-sum")
    told = step(ann, table, "choose minor-sum")
    total = sum(map(sum, throws))
    revealed = {
        "round": 1,
        "throws": throws,
        "choices": ["minor-sum", "major-sum"],
        "points": [70 - total, total],
        "scores": [70 - total, total],
    }
    fresh = as_json(state_of(table).throws)
    assert told == [
        ("chose", 0, "player", {}, {"choice": "minor-sum"}),
        ("revealed", None, "server", revealed, None),
        ("threw", 0, "server", {"round": 2}, {"dice": fresh[0]}),
        ("threw", 1, "server", {"round": 2}, {"dice": fresh[1]}),
    ]


def test_the_last_reveal_is_followed_by_finished(ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    put_state(table, last_round(points=(3, 5)))
    step(ann, table, "choose major-sum")
    told = step(bob, table, "choose major-sum")
    assert [event[0] for event in told] == ["chose", "revealed", "finished"]
    assert told[1][3]["scores"] == [18, 20]
    assert told[2][3] == {"winners": [1], "reason": "played_out", "scores": [18, 20]}


# --- dominoes ---


def test_dealt_tells_the_hand_to_its_seat_alone(ann: Person, bob: Person) -> None:
    table = begun("dominoes", [ann, bob])
    state = state_of(table)
    data = {"round": 1, "count": 7, "starter": state.starter}
    assert whole(table, 4) == [
        ("dealt", seat, "server", data, {"hand": list(state.hands[seat])}) for seat in (0, 1)
    ]


def test_laid(ann: Person, bob: Person) -> None:
    table = begun("dominoes", [ann, bob])
    put_state(table, hands(["6-4", "4-3", "5-5"], ["6-1", "2-0", "5-0"], stock=["1-0"]))
    at = {"end": None, "corner": None, "x": 0, "y": 0, "facing": "right"}
    assert step(ann, table, "lay 6-4") == [("laid", 0, "player", {"tile": "6-4", **at}, None)]
    at = {"end": "left", "corner": "cw", "x": 0, "y": -1, "facing": "up"}
    assert step(bob, table, "lay 6-1 left cw") == [("laid", 1, "player", {"tile": "6-1", **at}, None)]
    at = {"end": "right", "corner": None, "x": 2, "y": 0, "facing": "right"}
    assert step(ann, table, "lay 4-3 right") == [("laid", 0, "player", {"tile": "4-3", **at}, None)]


def test_drew_tells_the_tile_to_its_seat_alone(ann: Person, bob: Person) -> None:
    table = begun("dominoes", [ann, bob])
    put_state(table, hands(["6-4", "6-3"], ["2-1", "2-0"], stock=["5-5", "1-0", "6-0"]))
    step(ann, table, "lay 6-4")
    assert step(bob, table, "draw") == [("drew", 1, "player", {}, {"tile": "5-5"})]


def test_passed_follows_by_itself_once_for_each_seat(ann: Person, bob: Person, cid: Person) -> None:
    table = begun("dominoes", [ann, bob, cid])
    put_state(table, hands(["6-4", "6-5", "1-0"], ["2-0", "3-0"], ["2-2", "1-1"]))
    told = step(ann, table, "lay 6-4")
    assert [event[0] for event in told] == ["laid", "passed", "passed"]
    assert told[1:] == [("passed", 1, "server", {}, None), ("passed", 2, "server", {}, None)]


def test_straightened_comes_before_the_lay(ann: Person, bob: Person) -> None:
    table = begun("dominoes", [ann, bob])
    row_tiles = ["6-6", "6-4", "4-2", "2-1"]
    state = hands([*row_tiles, "6-3", "0-0"], ["5-5", "5-4"], stock=["1-0"])
    # Round three corners to the cell before the left end, which comes to a dead end so.
    for move in ("lay 6-6", "lay 6-4 right cw", "lay 4-2 right cw", "lay 2-1 right cw"):
        state, _ = dominoes.Dominoes().apply(state, 0, move, RecordedChance([]))
    put_state(table, replace(state, seat=0))
    told = step(ann, table, "lay 6-3 left")
    lying = [
        {"tile": tile, "x": x, "y": 0, "facing": "right"}
        for tile, x in zip(row_tiles, (0, 2, 4, 6), strict=True)
    ]
    at = {"end": "left", "corner": None, "x": -1, "y": 0, "facing": "left"}
    assert told == [
        ("straightened", None, "server", {"row": lying}, None),
        ("laid", 0, "player", {"tile": "6-3", **at}, None),
    ]


def test_round_over_and_the_next_deal_follow_the_last_tile(ann: Person, bob: Person) -> None:
    table = begun("dominoes", [ann, bob])
    put_state(table, hands(["6-4"], ["6-5", "1-0"], stock=["5-5"], scores=[1, 2]))
    told = step(ann, table, "lay 6-4")
    over = {
        "round": 1,
        "winner": 0,
        "blocked": False,
        "points": 12,
        "pips": [0, 12],
        "hands": [[], ["6-5", "1-0"]],
        "scores": [13, 2],
    }
    assert [event[:2] for event in told] == [
        ("laid", 0), ("round_over", None), ("dealt", 0), ("dealt", 1),
    ]  # fmt: skip
    assert told[1] == ("round_over", None, "server", over, None)
    assert told[2][3] == {"round": 2, "count": 7, "starter": 1}


def test_the_last_round_over_is_followed_by_finished(ann: Person, bob: Person) -> None:
    table = begun("dominoes", [ann, bob], options={"target": 10})
    put_state(table, hands(["6-4"], ["6-5", "1-0"], stock=["5-5"], target=10))
    told = step(ann, table, "lay 6-4")
    assert [event[0] for event in told] == ["laid", "round_over", "finished"]
    assert told[2][3] == {"winners": [0], "reason": "played_out", "scores": [12, 0]}


def test_a_blocked_round_tells_its_winner(ann: Person, bob: Person) -> None:
    table = begun("dominoes", [ann, bob])
    put_state(table, hands(["6-6", "1-0"], ["1-1", "3-0"]))
    told = step(ann, table, "lay 6-6")
    assert told[1][3] == {
        "round": 1, "winner": 0, "blocked": True, "points": 4, "pips": [1, 5],
        "hands": [["1-0"], ["1-1", "3-0"]], "scores": [4, 0],
    }  # fmt: skip


def test_a_drawn_round_has_no_winner_and_no_points(ann: Person, bob: Person) -> None:
    table = begun("dominoes", [ann, bob])
    put_state(table, hands(["6-6", "2-0"], ["1-1"]))
    told = step(ann, table, "lay 6-6")
    assert told[1][3] == {
        "round": 1, "winner": None, "blocked": True, "points": 0, "pips": [2, 2],
        "hands": [["2-0"], ["1-1"]], "scores": [0, 0],
    }  # fmt: skip


# --- who decided ---


def test_what_a_bot_decides_is_by_bot_and_the_rest_by_server(wait: Wait, enter: Enter) -> None:
    ann = enter()
    table = ann.open("7776")
    ann.post(f"tables/{table}/bots", {})
    version = row(table).version
    ann.move(table, "choose 1")
    wait(PAUSE)
    ann.see(table)
    told = [(kind, seat, by) for kind, seat, by, _, _ in whole(table, version)]
    assert told == [
        ("chose", 0, "player"), ("chose", 1, "bot"), ("revealed", None, "server"), ("threw", 0, "server"),
        ("threw", 1, "server"),
    ]  # fmt: skip


def test_what_a_stand_in_decides_is_by_stand_in(wait: Wait, enter: Enter) -> None:
    ann, bob = enter(), enter()
    table = begun("7776", [ann, bob])
    version = row(table).version
    ann.move(table, "choose 1")
    wait(TURN)
    ann.see(table)
    told = [(kind, seat, by) for kind, seat, by, _, _ in whole(table, version)]
    assert told[:4] == [
        ("chose", 0, "player"), ("stand_in", 1, "server"), ("chose", 1, "stand_in"),
        ("revealed", None, "server"),
    ]  # fmt: skip


def test_a_bot_that_moves_for_who_left_is_a_stand_in(wait: Wait, enter: Enter) -> None:
    ann, bob, cid = enter(), enter(), enter()
    table = begun("pickomino", [ann, bob, cid])
    version = row(table).version
    ann.delete(f"tables/{table}/seats/me")
    wait(PAUSE)
    bob.see(table)
    assert [event[:3] for event in whole(table, version)][1] == ("rolled", 0, "stand_in")


# --- all kinds ---


@pytest.mark.parametrize("game", ["pickomino", "7776", "dominoes"])
def test_every_event_has_exactly_its_members_and_versions_have_no_gaps(
    ann: Person, bob: Person, game: str
) -> None:
    table = begun(game, [ann, bob], **({"options": {"target": 30}} if game == "dominoes" else {}))
    play([ann, bob], table, 60, seed=random.Random(game).randrange(99))
    events = events_of(table)
    assert [event.number for event in events] == list(range(1, row(table).version + 1))
    for event in events:
        assert event.data.keys() == DATA[event.kind], event.kind
        assert (event.own or {}).keys() == OWN.get(event.kind, set()), event.kind
        assert event.by in ("player", "server")


def test_the_time_of_an_event_is_when_it_happened(wait: Wait, enter: Enter) -> None:
    ann, bob = enter(), enter()
    table = begun("7776", [ann, bob])
    wait(7)
    ann.move(table, "choose 1")
    assert [(event.at - NOON).total_seconds() for event in events_of(table)][-2:] == [0, 7]
    assert bob.events(table)[-1]["at"] == "2026-12-01T12:00:07Z"


def test_events_are_never_changed_afterwards(ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    before = list(Event.objects.filter(table_id=table).order_by("number").values())
    ann.move(table, "choose 1")
    bob.move(table, "choose 1")
    bob.delete(f"tables/{table}/seats/me")
    assert list(Event.objects.filter(table_id=table).order_by("number").values())[: len(before)] == before
