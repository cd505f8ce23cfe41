"""Stand-ins: how a seat gets one, how its player takes it back, and tables where nobody is left."""

from datetime import timedelta

import pytest
from django.conf import settings

from games.sweeps import sweep_tables
from sessions.services import sweep_players
from tests.conftest import Enter
from tests.games.conftest import Wait
from tests.games.situations import (
    NOON,
    PAUSE,
    TURN,
    begun,
    hands,
    kinds,
    last_round,
    moves_of,
    put_state,
    row,
    told,
    turn,
    unchanged,
)
from tests.people import Person

ABANDON = settings.TABLE_ABANDON.total_seconds()
OPEN = settings.TABLE_OPEN.total_seconds()
DAY = 86_400.0


@pytest.fixture
def people(wait: Wait, enter: Enter) -> list[Person]:
    return [enter(), enter(), enter()]


def stand_ins(person: Person, table: str) -> list[bool]:
    return [seat["stand_in"] for seat in person.see(table)["seats"]]


# --- when the time ends, the seat gets a stand-in ---


def test_pain_15_one_absent_player_does_not_freeze_the_table(wait: Wait, people: list[Person]) -> None:
    ann, bob, _ = people
    table = begun("7776", [ann, bob])
    ann.move(table, "choose poker")
    wait(TURN)
    shown = ann.see(table)
    assert [seat["stand_in"] for seat in shown["seats"]] == [False, True]
    assert shown["to_move"] == [0, 1]
    assert shown["view"]["round"] == 2


def test_the_stand_in_is_told_first_and_moves_at_once(wait: Wait, people: list[Person]) -> None:
    table = begun("pickomino", people)
    version = row(table).version
    wait(TURN)
    sweep_tables()
    assert told(table, version) == [("stand_in", 0, "server"), ("rolled", 0, "stand_in")]


def test_at_each_further_decision_it_moves_after_a_short_pause(wait: Wait, people: list[Person]) -> None:
    table = begun("pickomino", people)
    wait(TURN)
    sweep_tables()
    assert row(table).wake_at == NOON + timedelta(seconds=TURN) + settings.BOT_PAUSE
    for moves in (2, 3):
        wait(PAUSE - 0.001)
        sweep_tables()
        assert len(moves_of(table)) == moves - 1
        wait(0.001)
        sweep_tables()
        assert [move.by for move in moves_of(table)] == ["stand_in"] * moves


def test_a_turn_of_a_stand_in_later_on_waits_for_the_pause_only(wait: Wait, people: list[Person]) -> None:
    ann, bob, _ = people
    table = begun("7776", [ann, bob])
    ann.move(table, "choose poker")
    wait(TURN)
    sweep_tables()
    wait(PAUSE)
    sweep_tables()
    assert ann.see(table)["view"]["locked"] == [False, True]
    assert kinds(table).count("stand_in") == 1


def test_a_stand_in_has_no_deadline(wait: Wait, people: list[Person]) -> None:
    table = begun("pickomino", people)
    wait(TURN)
    assert [person.see(table)["deadline"] for person in people] == [None] * 3
    assert people[0].see(table)["to_move"] == [0]


def test_two_stand_ins_beside_one_who_plays(wait: Wait, people: list[Person]) -> None:
    table = begun("pickomino", people)
    put_state(table, turn(0, seats=3, face_up=[21, 22, 30], saved=[("W", 4), (1, 4)]))
    wait(TURN)
    sweep_tables()
    assert people[2].see(table)["to_move"] == [1]
    wait(TURN)
    assert stand_ins(people[2], table) == [True, True, False]


# --- until the player makes a move of its own, or returns ---


def test_a_move_of_ones_own_takes_the_seat_back_first(wait: Wait, people: list[Person]) -> None:
    ann = people[0]
    table = begun("pickomino", people)
    wait(TURN)
    shown = ann.see(table)
    answer = ann.move(table, shown["legal_moves"][0], version=shown["version"])
    assert [event["kind"] for event in answer["events"]][:2] == ["returned", "saved"]
    assert told(table, shown["version"])[0] == ("returned", 0, "player")
    assert stand_ins(ann, table) == [False] * 3


def test_the_legal_moves_are_shown_to_a_player_with_a_stand_in(wait: Wait, people: list[Person]) -> None:
    table = begun("pickomino", people)
    wait(TURN)
    shown = people[0].see(table)
    assert shown["seats"][0]["stand_in"]
    assert shown["legal_moves"]
    assert shown["decision"]


def test_a_refused_move_does_not_take_the_seat_back(wait: Wait, people: list[Person]) -> None:
    ann = people[0]
    table = begun("pickomino", people)
    wait(TURN)
    version = ann.see(table)["version"]
    with unchanged(table):
        refused = ann.move(table, "collect 36")
        assert (refused.code, refused["version"]) == ("illegal_move", version)
        assert ann.move(table, "roll", version=0).code == "stale_version"
    assert stand_ins(ann, table)[0]


def test_a_move_out_of_turn_does_not_take_the_seat_back(wait: Wait, people: list[Person]) -> None:
    ann, bob, _ = people
    table = begun("pickomino", people)
    put_state(table, turn(0, seats=3, face_up=[21, 22, 30], saved=[("W", 4), (1, 4)]))
    wait(TURN)
    ann.see(table)
    assert ann.move(table, "roll").code == "not_your_turn"
    assert stand_ins(bob, table)[0]


def test_return_gives_a_fresh_deadline_when_one_is_to_move(wait: Wait, people: list[Person]) -> None:
    ann = people[0]
    table = begun("pickomino", people)
    wait(TURN)
    ann.see(table)
    wait(0.5)
    answer = ann.post(f"tables/{table}/seats/me/return")
    assert answer["deadline"] == "2026-12-01T12:04:00.500000Z"
    wait(PAUSE)
    sweep_tables()
    assert len(moves_of(table)) == 1


def test_who_returns_out_of_turn_is_asked_when_it_comes(wait: Wait, people: list[Person]) -> None:
    ann, bob, _ = people
    table = begun("7776", [ann, bob])
    ann.move(table, "choose poker")
    wait(TURN)
    ann.see(table)
    wait(PAUSE)
    sweep_tables()
    assert bob.post(f"tables/{table}/seats/me/return").status == 200
    ann.move(table, ann.see(table)["legal_moves"][0])
    assert bob.see(table)["deadline"] is not None
    wait(PAUSE)
    sweep_tables()
    assert bob.see(table)["view"]["locked"] == [False, False]


def test_reading_never_returns_a_seat(wait: Wait, people: list[Person]) -> None:
    ann = people[0]
    table = begun("pickomino", people)
    wait(TURN)
    ann.see(table)
    ann.events(table)
    ann.get("tables?mine=true")
    ann.get("sessions/current")
    assert stand_ins(ann, table)[0]


# --- while every human seat still in the game has a stand-in ---


def test_the_server_moves_for_nobody_and_the_deadline_is_null(wait: Wait, people: list[Person]) -> None:
    ann, bob, cid = people
    table = begun("7776", [ann, bob])
    version = row(table).version
    wait(TURN)
    sweep_tables()
    assert told(table, version) == [("stand_in", 0, "server"), ("stand_in", 1, "server")]
    with unchanged(table):
        for _ in range(20):
            wait(100)
            sweep_tables()
            assert [person.see(table)["deadline"] for person in (ann, bob, cid)] == [None] * 3


def test_if_no_other_human_attends_the_stand_in_does_not_even_move_at_once(
    wait: Wait, people: list[Person]
) -> None:
    ann, bob, _ = people
    table = begun("pickomino", [ann, bob])
    put_state(table, turn(0, face_up=[21, 22, 30], saved=[("W", 4), (1, 4)]))
    wait(TURN)
    sweep_tables()
    assert bob.see(table)["to_move"] == [1]
    version = row(table).version
    wait(TURN)
    sweep_tables()
    assert told(table, version) == [("stand_in", 1, "server")]


def test_bots_do_not_move_either(wait: Wait, people: list[Person]) -> None:
    ann = people[0]
    table = ann.open("pickomino", capacity=2, options={"first": "seat_0"})
    ann.post(f"tables/{table}/bots", {})
    wait(TURN)
    sweep_tables()
    put_state(table, turn(1))
    with unchanged(table):
        for _ in range(5):
            wait(60)
            sweep_tables()
    assert ann.see(table)["to_move"] == [1]


def test_the_first_return_goes_on_with_fresh_deadlines(wait: Wait, people: list[Person]) -> None:
    ann, bob, _ = people
    table = begun("7776", [ann, bob])
    wait(TURN)
    sweep_tables()
    wait(1000)
    version = row(table).version
    answer = bob.post(f"tables/{table}/seats/me/return")
    assert answer["deadline"] == "2026-12-01T12:20:40Z"
    sweep_tables()
    assert told(table, version) == [("returned", 1, "player"), ("chose", 0, "stand_in")]


def test_the_first_move_goes_on_too(wait: Wait, people: list[Person]) -> None:
    ann, bob, _ = people
    table = begun("7776", [ann, bob])
    wait(TURN)
    sweep_tables()
    wait(1000)
    version = row(table).version
    ann.move(table, "choose poker")
    sweep_tables()
    told_since = told(table, version)
    assert told_since[:3] == [("returned", 0, "player"), ("chose", 0, "player"), ("chose", 1, "stand_in")]
    assert ann.see(table)["deadline"] is not None


def test_bots_go_on_after_the_first_return(wait: Wait, people: list[Person]) -> None:
    ann = people[0]
    table = ann.open("pickomino", capacity=2, options={"first": "seat_0"})
    ann.post(f"tables/{table}/bots", {})
    wait(TURN)
    sweep_tables()
    put_state(table, turn(1))
    wait(100)
    ann.post(f"tables/{table}/seats/me/return")
    sweep_tables()
    assert moves_of(table)[-1].by == "bot"


def test_pain_16_after_table_abandon_seconds_the_table_is_abandoned(wait: Wait, people: list[Person]) -> None:
    ann, bob, _ = people
    table = begun("7776", [ann, bob])
    wait(TURN)
    sweep_tables()
    wait(ABANDON - 0.001)
    sweep_tables()
    assert row(table).status == "playing"
    wait(0.001)
    version = row(table).version
    sweep_tables()
    shown = ann.see(table)
    assert (shown["status"], shown["to_move"], shown["deadline"]) == ("abandoned", [], None)
    assert shown["outcome"] == {"winners": [], "reason": "abandoned", "scores": [0, 0]}
    assert told(table, version) == [("finished", None, "server")]
    assert row(table).wake_at is None


def test_what_is_hidden_stays_hidden_at_an_abandoned_table(wait: Wait, people: list[Person]) -> None:
    ann, bob, _ = people
    table = begun("7776", [ann, bob])
    ann.move(table, "choose poker")
    wait(TURN)
    sweep_tables()
    wait(TURN)
    sweep_tables()
    wait(ABANDON)
    for person in people:
        view = person.see(table)["view"]
        assert (view["throw"], view["choice"], view["locked"]) == (None, None, [False, False])
        assert len(view["history"]) == 1


def test_a_return_counts_the_time_anew(wait: Wait, people: list[Person]) -> None:
    ann, bob, _ = people
    table = begun("pickomino", [ann, bob])
    put_state(table, turn(1))
    wait(TURN)
    sweep_tables()
    assert stand_ins(ann, table) == [False, True]
    put_state(table, turn(0))
    wait(TURN)
    sweep_tables()
    wait(ABANDON - 1)
    bob.post(f"tables/{table}/seats/me/return")
    wait(TURN + 1)
    sweep_tables()
    assert row(table).status == "playing"


def test_a_table_that_is_abandoned_is_not_played(wait: Wait, people: list[Person]) -> None:
    ann, bob, _ = people
    table = begun("7776", [ann, bob])
    wait(TURN)
    sweep_tables()
    wait(ABANDON)
    assert ann.move(table, "choose poker").code == "not_playing"
    assert ann.post(f"tables/{table}/seats/me/return").code == "not_playing"
    assert row(table).status == "abandoned"


def test_only_requests_abandon_a_table_too(wait: Wait, people: list[Person]) -> None:
    ann, bob, _ = people
    table = begun("7776", [ann, bob])
    wait(TURN)
    ann.see(table)
    wait(ABANDON)
    assert bob.events(table)[-1]["data"]["reason"] == "abandoned"


# --- turn_seconds null ---


def test_with_turn_seconds_null_a_table_that_nobody_touches_for_a_day_is_abandoned(
    wait: Wait, people: list[Person], enter: Enter
) -> None:
    ann, bob, _ = people
    table = begun("7776", [ann, bob], turn_seconds=None)
    wait(DAY - 0.001)
    sweep_tables()
    assert row(table).status == "playing"
    wait(0.001)
    sweep_tables()
    assert enter().see(table)["outcome"] == {"winners": [], "reason": "abandoned", "scores": [0, 0]}


def test_a_move_touches_it(wait: Wait, people: list[Person], enter: Enter) -> None:
    ann, bob, _ = people
    table = begun("7776", [ann, bob], turn_seconds=None)
    wait(DAY / 2)
    ann.move(table, "choose poker")
    wait(DAY / 2)
    sweep_tables()
    assert row(table).status == "playing"
    wait(DAY / 2)
    sweep_tables()
    assert row(table).status == "abandoned"


def test_a_bot_does_not_touch_it(wait: Wait, people: list[Person]) -> None:
    ann = people[0]
    table = ann.open("7776", turn_seconds=None)
    ann.post(f"tables/{table}/bots", {})
    wait(DAY / 2)
    sweep_tables()
    assert len(moves_of(table)) == 1
    wait(DAY / 2)
    sweep_tables()
    assert row(table).status == "abandoned"


def test_without_turn_seconds_nobody_gets_a_stand_in(wait: Wait, people: list[Person]) -> None:
    table = begun("pickomino", people, turn_seconds=None)
    for _ in range(3):
        wait(DAY / 4)
        sweep_tables()
    assert stand_ins(people[0], table) == [False] * 3
    assert row(table).version == 5


# --- open tables ---


def test_an_open_table_that_nobody_touches_for_table_open_seconds_closes(
    wait: Wait, people: list[Person]
) -> None:
    table = people[0].open("dominoes")
    wait(OPEN - 0.001)
    sweep_tables()
    assert row(table).status == "open"
    wait(0.001)
    sweep_tables()
    shown = people[1].see(table)
    assert (shown["status"], shown["outcome"]) == ("closed", None)
    assert row(table).wake_at is None


@pytest.mark.parametrize("touch", ["sit", "stand up", "remove", "bot"])
def test_who_sits_or_stands_up_or_is_removed_or_seated_touches_it(
    wait: Wait, people: list[Person], touch: str
) -> None:
    ann, bob, cid = people
    table = ann.open("dominoes")
    bob.sit(table)
    wait(OPEN - 1)
    match touch:
        case "sit":
            assert cid.sit(table).status == 201
        case "stand up":
            assert bob.delete(f"tables/{table}/seats/me").status == 204
        case "remove":
            assert ann.delete(f"tables/{table}/seats/1").status == 204
        case "bot":
            assert ann.post(f"tables/{table}/bots", {}).status == 201
    wait(OPEN - 1)
    sweep_tables()
    assert row(table).status == "open"
    wait(1)
    sweep_tables()
    assert row(table).status == "closed"


def test_reading_does_not_touch_it(wait: Wait, people: list[Person]) -> None:
    ann, bob, _ = people
    table = ann.open("dominoes")
    wait(OPEN - 1)
    ann.see(table)
    bob.see(table)
    ann.sit(table)
    wait(1)
    sweep_tables()
    assert row(table).status == "closed"


def test_a_closed_table_takes_nobody(wait: Wait, people: list[Person]) -> None:
    ann, bob, _ = people
    table = ann.open("dominoes")
    wait(OPEN)
    assert bob.sit(table).code == "not_open"
    assert ann.post(f"tables/{table}/start").code == "not_open"
    assert ann.post(f"tables/{table}/bots", {}).code == "not_open"
    assert ann.delete(f"tables/{table}/seats/me").status == 204


# --- whole games in which somebody is away ---


def test_pain_13_a_session_that_runs_out_leaves_its_seat_in_order(
    wait: Wait, people: list[Person], enter: Enter
) -> None:
    ann, bob, cid = people
    table = begun("pickomino", people)
    wait(TURN)
    sweep_tables()
    for _ in range(24):
        wait(settings.SESSION_IDLE.total_seconds() / 24 + 1)
        for person in (bob, cid):
            assert person.post(f"tables/{table}/seats/me/return").status == 200
    sweep_players()
    assert ann.get("sessions/current").status == 401
    seat = bob.see(table)["seats"][0]
    assert (seat["name"], seat["left"]) == (None, True)
    assert ("left", 0, "server") in told(table)
    assert row(table).status == "playing"


def test_a_game_ends_as_played_out_while_one_is_away_to_the_end(wait: Wait, people: list[Person]) -> None:
    ann, bob, _ = people
    table = begun("7776", [ann, bob])
    put_state(table, last_round())
    ann.move(table, "choose major-sum")
    wait(TURN)
    sweep_tables()
    assert ann.see(table)["outcome"]["reason"] == "played_out"
    assert ann.see(table)["outcome"]["winners"] == [0, 1]


def test_a_stand_in_can_win(wait: Wait, people: list[Person]) -> None:
    ann, bob, _ = people
    table = begun("dominoes", [ann, bob], options={"target": 0})
    put_state(table, hands(["6-4"], ["4-3", "2-0"], target=0))
    wait(TURN)
    sweep_tables()
    assert bob.see(table)["outcome"] == {"winners": [0], "reason": "played_out", "scores": [9, 0]}
