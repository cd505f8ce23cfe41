"""Leaving a playing table: the seat is out, a bot moves for it to the end, and it can't win any more."""

import pytest
from django.utils import timezone

from games.sweeps import sweep_tables
from sessions.services import forget
from tests.conftest import Enter
from tests.games.conftest import Wait
from tests.games.situations import (
    PAUSE,
    TURN,
    begun,
    hands,
    kinds,
    last_domino,
    last_round,
    moves_of,
    player_of,
    put_state,
    row,
    seats_of,
    told,
    turn,
    unchanged,
)
from tests.people import Person


@pytest.fixture
def people(wait: Wait, enter: Enter) -> list[Person]:
    return [enter(), enter(), enter()]


def leave(person: Person, table: str) -> None:
    assert person.delete(f"tables/{table}/seats/me").status == 204


def outcome(person: Person, table: str) -> dict[str, object]:
    shown: dict[str, object] = person.see(table)["outcome"]
    return shown


# --- who leaves is out ---


def test_the_seat_stays_and_is_left(people: list[Person]) -> None:
    ann, bob, _ = people
    table = begun("pickomino", people)
    leave(bob, table)
    shown = ann.see(table)
    assert [(seat["seat"], seat["left"]) for seat in shown["seats"]] == [(0, False), (1, True), (2, False)]
    assert shown["seats"][1]["name"] is None
    assert shown["status"] == "playing"
    assert bob.see(table)["you"] is None


def test_the_record_says_when(wait: Wait, people: list[Person]) -> None:
    table = begun("pickomino", people)
    wait(33)
    leave(people[1], table)
    assert [seat.left_at for seat in seats_of(table)] == [None, timezone.now(), None]
    assert people[0].events(table)[-1]["at"] == "2026-12-01T12:00:33Z"


@pytest.mark.parametrize("way", ["standing up", "logging out", "being forgotten"])
def test_standing_up_logging_out_and_being_forgotten_are_leaving(people: list[Person], way: str) -> None:
    ann, bob, _ = people
    table = begun("pickomino", people)
    version = row(table).version
    match way:
        case "standing up":
            leave(bob, table)
        case "logging out":
            bob.delete("sessions/current")
        case "being forgotten":
            forget(player_of(bob), by="server")
    by = "server" if way == "being forgotten" else "player"
    assert told(table, version) == [("left", 1, by)]
    assert ann.see(table)["seats"][1]["left"]


def test_a_bot_moves_for_it_to_the_end_by_stand_in(wait: Wait, people: list[Person]) -> None:
    ann, bob, _ = people
    table = begun("pickomino", people)
    leave(ann, table)
    for _ in range(60):
        wait(PAUSE)
        sweep_tables()
        if bob.see(table)["to_move"] != [0]:
            break
    assert bob.see(table)["to_move"] == [1]
    assert {(move.seat, move.by) for move in moves_of(table)} == {(0, "stand_in")}
    put_state(table, turn(0, seats=3))
    wait(PAUSE)
    sweep_tables()
    assert moves_of(table)[-1].by == "stand_in"
    assert "stand_in" not in kinds(table)


def test_it_has_no_deadline(wait: Wait, people: list[Person]) -> None:
    ann, bob, _ = people
    table = begun("pickomino", people)
    leave(ann, table)
    assert bob.see(table)["deadline"] is None


def test_it_cant_return_nor_sit_down_again(people: list[Person]) -> None:
    _, bob, _ = people
    table = begun("pickomino", people)
    leave(bob, table)
    with unchanged(table):
        assert bob.post(f"tables/{table}/seats/me/return").code == "not_seated"
        assert bob.sit(table).code == "not_open"
        assert bob.move(table, "roll").code == "not_seated"
        assert bob.delete(f"tables/{table}/seats/me").code == "not_seated"


def test_others_keep_their_deadlines(wait: Wait, people: list[Person]) -> None:
    ann, bob, _ = people
    table = begun("pickomino", people)
    before = ann.see(table)["deadline"]
    wait(30)
    leave(bob, table)
    assert ann.see(table)["deadline"] == before


# --- no human left: abandoned, even if a bot remains ---


def test_no_human_left_is_abandoned_even_if_a_bot_remains(people: list[Person]) -> None:
    ann, _, cid = people
    table = ann.open("7776")
    ann.post(f"tables/{table}/bots", {})
    version = row(table).version
    leave(ann, table)
    assert told(table, version) == [("left", 0, "player"), ("finished", None, "server")]
    assert cid.see(table)["status"] == "abandoned"
    assert outcome(cid, table) == {"winners": [], "reason": "abandoned", "scores": [0, 0]}


def test_the_last_of_several_humans_with_bots_abandons(people: list[Person]) -> None:
    ann, bob, cid = people
    table = ann.open("pickomino", capacity=4)
    bob.sit(table)
    for _ in range(2):
        ann.post(f"tables/{table}/bots", {})
    leave(ann, table)
    assert row(table).status == "playing"
    leave(bob, table)
    assert cid.see(table)["outcome"]["reason"] == "abandoned"


# --- one seat left that is not out ---


def test_one_seat_left_wins_by_forfeit_at_once(people: list[Person]) -> None:
    ann, bob, _ = people
    table = begun("7776", [ann, bob])
    leave(ann, table)
    shown = bob.see(table)
    assert (shown["status"], shown["to_move"], shown["legal_moves"]) == ("finished", [], [])
    assert shown["outcome"] == {"winners": [1], "reason": "forfeit", "scores": [0, 0]}


def test_it_wins_whatever_the_scores_are(people: list[Person]) -> None:
    ann, bob, _ = people
    table = begun("pickomino", [ann, bob])
    put_state(table, turn(1, face_up=[21, 22], stacks=[[35, 36], []]))
    leave(ann, table)
    assert outcome(bob, table) == {"winners": [1], "reason": "forfeit", "scores": [8, 0]}
    assert bob.see(table)["view"]["phase"] == "over"


def test_not_before_only_one_is_left(people: list[Person]) -> None:
    ann, bob, cid = people
    table = begun("dominoes", people)
    leave(bob, table)
    assert row(table).status == "playing"
    leave(cid, table)
    assert outcome(ann, table) == {"winners": [0], "reason": "forfeit", "scores": [0, 0, 0]}


def test_a_seat_with_a_stand_in_wins_by_forfeit_too(wait: Wait, people: list[Person]) -> None:
    ann, bob, _ = people
    table = begun("pickomino", [ann, bob])
    wait(TURN)
    sweep_tables()
    assert bob.see(table)["seats"][0]["stand_in"]
    leave(bob, table)
    assert outcome(ann, table)["winners"] == [0]


def test_a_human_and_bots_play_on(people: list[Person]) -> None:
    ann, bob, _ = people
    table = ann.open("pickomino", capacity=3)
    bob.sit(table)
    ann.post(f"tables/{table}/bots", {})
    leave(bob, table)
    assert row(table).status == "playing"


def test_at_a_forfeit_nothing_hidden_is_shown(people: list[Person]) -> None:
    ann, bob, _ = people
    table = begun("7776", [ann, bob])
    ann.move(table, "choose poker")
    leave(ann, table)
    for person in people:
        view = person.see(table)["view"]
        assert (view["throw"], view["choice"], view["locked"], view["history"]) == (
            None,
            None,
            [False] * 2,
            [],
        )
    table = begun("dominoes", [ann, bob])
    leave(ann, table)
    for person in people:
        assert person.see(table)["view"]["last_round"] is None
    assert "round_over" not in kinds(table)


# --- else the rules go on as if the seat were in; winners are the best among those not out ---


def test_pickomino_is_won_by_the_most_worms_among_those_not_out(people: list[Person]) -> None:
    ann, bob, _ = people
    table = begun("pickomino", people)
    put_state(table, last_domino(0, [[], [36, 35, 34], [22]]))
    leave(bob, table)
    ann.move(table, "collect 21")
    assert outcome(ann, table) == {"winners": [2], "reason": "played_out", "scores": [1, 12, 1]}


def test_pickomino_is_drawn_among_those_not_out_who_own_nothing(enter: Enter) -> None:
    people = [enter() for _ in range(4)]
    table = begun("pickomino", people)
    put_state(table, turn(0, face_up=[30], stacks=[[], [36], [], []], dice=[1] * 8))
    leave(people[1], table)
    people[0].move(table, "save 1")
    assert outcome(people[0], table)["winners"] == [0, 2, 3]


def test_dominoes_are_won_by_the_highest_score_among_those_not_out(people: list[Person]) -> None:
    ann, bob, cid = people
    table = begun("dominoes", people, options={"target": 20})
    put_state(table, hands(["6-4"], ["5-5"], ["5-4", "4-4"], scores=[15, 3, 8], target=20))
    leave(ann, table)
    put_state(table, hands(["6-4"], ["5-5"], ["5-4", "4-4"], scores=[15, 3, 8], seat=1, target=20))
    bob.move(table, "lay 5-5")
    assert outcome(cid, table) == {"winners": [1], "reason": "played_out", "scores": [15, 30, 8]}


def test_a_seat_that_is_out_reaches_the_target_and_the_next_best_wins(
    wait: Wait, people: list[Person]
) -> None:
    ann, _, cid = people
    table = begun("dominoes", people, options={"target": 20})
    put_state(table, hands(["6-4"], ["5-5"], ["5-4", "4-4"], scores=[15, 3, 8], target=20))
    leave(ann, table)
    wait(PAUSE)
    sweep_tables()
    assert outcome(cid, table) == {"winners": [2], "reason": "played_out", "scores": [42, 3, 8]}


def test_one_round_dominoes_are_won_by_the_fewest_pips_among_those_not_out(
    wait: Wait, people: list[Person]
) -> None:
    ann, bob, _ = people
    table = begun("dominoes", people, options={"target": 0})
    put_state(table, hands(["6-4"], ["5-5"], ["2-1"], target=0))
    leave(ann, table)
    wait(PAUSE)
    sweep_tables()
    assert outcome(bob, table)["winners"] == [2]
    assert outcome(bob, table)["reason"] == "played_out"


def test_7776_has_no_third_seat_so_leaving_always_forfeits(people: list[Person]) -> None:
    ann, bob, _ = people
    table = begun("7776", [ann, bob])
    put_state(table, last_round(points=(900, 0)))
    leave(ann, table)
    assert outcome(bob, table) == {"winners": [1], "reason": "forfeit", "scores": [900, 0]}


def test_the_rules_go_on_as_if_the_seat_were_in(wait: Wait, people: list[Person]) -> None:
    ann, bob, _ = people
    table = begun("pickomino", people)
    put_state(table, turn(0, seats=3, stacks=[[], [25], []], saved=[("W", 5)]))
    leave(bob, table)
    ann.move(table, "steal 25")
    assert ann.see(table)["view"]["worms"] == [2, 0, 0]
    assert ann.see(table)["to_move"] == [1]


# --- leaving and absence together ---


def test_when_the_last_who_attends_leaves_the_others_wait_for_each_other(
    wait: Wait, people: list[Person]
) -> None:
    ann, _, cid = people
    table = begun("pickomino", people)
    put_state(table, turn(0, seats=3, face_up=[21, 22, 30], saved=[("W", 4), (1, 4)]))
    wait(TURN)
    sweep_tables()
    wait(TURN)
    sweep_tables()
    assert [seat.stand_in for seat in seats_of(table)] == [True, True, False]
    leave(cid, table)
    shown = ann.see(table)
    assert (shown["status"], shown["deadline"]) == ("playing", None)
    wait(TURN)
    sweep_tables()
    with unchanged(table):
        wait(60)
        sweep_tables()
    ann.post(f"tables/{table}/seats/me/return")
    sweep_tables()
    assert row(table).version > shown["version"]


def test_a_seat_that_leaves_with_a_stand_in_ends_no_pause(wait: Wait, people: list[Person]) -> None:
    ann, bob, _ = people
    table = begun("pickomino", people)
    wait(TURN)
    sweep_tables()
    leave(ann, table)
    seat = bob.see(table)["seats"][0]
    assert seat["left"]
    assert row(table).status == "playing"


def test_the_bots_that_move_for_out_seats_rest_while_nobody_attends(wait: Wait, people: list[Person]) -> None:
    _, _, cid = people
    table = begun("pickomino", people)
    leave(cid, table)
    for seat in (0, 1):
        put_state(table, turn(seat, seats=3))
        wait(TURN)
        sweep_tables()
    put_state(table, turn(2, seats=3))
    with unchanged(table):
        wait(600)
        sweep_tables()


# --- everything at once ---


def test_logging_out_leaves_open_playing_and_finished_tables_in_order(people: list[Person]) -> None:
    ann, bob, _ = people
    playing = begun("pickomino", people)
    duel = begun("7776", [ann, bob])
    opened = bob.open("dominoes")
    ann.sit(opened)
    finished = begun("pickomino", [ann, bob])
    put_state(finished, last_domino(0, [[], []]))
    ann.move(finished, "collect 21")
    ann.delete("sessions/current")
    assert [row(table).status for table in (playing, duel, opened, finished)] == [
        "playing", "finished", "open", "finished",
    ]  # fmt: skip
    assert outcome(bob, duel)["reason"] == "forfeit"
    assert [seat["name"] for seat in bob.see(finished)["seats"]] == [None, bob.name]
    assert outcome(bob, finished)["winners"] == [0]
    assert kinds(finished)[-1] == "finished"


def test_pain_39_a_name_is_free_again_after_leaving(people: list[Person], enter: Enter) -> None:
    ann, bob, _ = people
    table = begun("7776", [ann, bob])
    ann.delete("sessions/current")
    other = enter(ann.name)
    assert other.see(table)["you"] is None
    assert bob.see(table)["seats"][0]["name"] is None
