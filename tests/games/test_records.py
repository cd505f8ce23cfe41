"""GET /tables/{id}/record: all that was played and drawn at a table that is over, and nobody's name."""

import json
import random
from typing import Any
from uuid import UUID

import msgspec
import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.rules.verify import verify
from games.sweeps import sweep_tables
from tests.conftest import Enter
from tests.games.conftest import Wait
from tests.games.situations import TURN, begun, moves_of, play, row
from tests.games.test_play import play_out
from tests.games.test_rematch import end
from tests.people import API, Person, seat_all

GAMES = ["pickomino", "7776", "dominoes"]


def record_of(person: Person, table: str) -> Any:
    """The record, which is true."""
    answer = person.get(f"tables/{table}/record")
    assert answer.status == 200, answer
    verdict = verify(answer.json)
    assert verdict.ok, verdict
    return answer.json


def kinds(record: Any) -> list[str]:
    return [line["kind"] for line in record["lines"]]


def short(game: str) -> dict[str, Any]:
    return {"target": 0} if game == "dominoes" else {}


@pytest.mark.parametrize("game", GAMES)
def test_the_record_of_a_game_that_was_played_out(enter: Enter, game: str) -> None:
    ann, bob = enter(), enter()
    table = ann.open(game, capacity=2, client_seed="a0", options=short(game))
    bob.sit(table)
    play_out([ann, bob], table)
    shown, record = ann.see(table), record_of(ann, table)
    assert record["format"] == 1
    assert (record["table"], record["game"], record["rules_version"]) == (table, game, 1)
    assert record["options"] == shown["options"]
    assert record["seats"] == [{"kind": "human", "level": None}] * 2
    assert record["fairness"] == shown["fairness"]
    assert record["start"] == row(table).start_chance
    assert record["outcome"] == shown["outcome"]
    assert record["lines"] == [
        {"kind": "move", "number": n, "seat": m.seat, "by": "player", "move": m.move, "chance": m.chance}
        for n, m in enumerate(moves_of(table), start=1)
    ]


@pytest.mark.parametrize("seed", range(6))
def test_the_record_of_a_table_where_people_are_late_come_back_and_leave(
    wait: Wait, enter: Enter, seed: int
) -> None:
    luck = random.Random(f"records {seed}")
    game = GAMES[seed % 3]
    people = [enter() for _ in range(2 if game == "7776" else 3)]
    table = people[0].open(game, capacity=len(people) + (game != "7776"), options=short(game))
    for person in people[1:]:
        person.sit(table, client_seed=f"{luck.getrandbits(64):x}")
    if game != "7776":
        people[0].post(f"tables/{table}/bots", {})
    leave_at = luck.randrange(10, 60)
    for step in range(400):
        shown = people[0].see(table)
        if not shown["to_move"]:
            break
        mover = luck.choice(shown["to_move"])
        if step == leave_at:
            people[-1].delete(f"tables/{table}/seats/me")
        elif mover < len(people) and luck.random() < 0.8:
            moves = people[mover].see(table)["legal_moves"]
            if moves:
                people[mover].move(table, luck.choice(moves))
        else:
            wait(TURN if luck.random() < 0.1 else 1)
            sweep_tables()
    if people[0].see(table)["status"] == "playing":
        end(table)
    record = record_of(people[0], table)
    assert record["outcome"] == people[0].see(table)["outcome"]
    assert "player" in {line.get("by") for line in record["lines"]}


def test_a_leave_stands_between_the_moves_where_it_was(wait: Wait, enter: Enter) -> None:
    people = [enter() for _ in range(3)]
    table = seat_all("pickomino", people, options={"first": "seat_0"})
    people[0].move(table, "roll")
    people[1].delete(f"tables/{table}/seats/me")
    people[0].move(table, people[0].see(table)["legal_moves"][0])
    people[2].delete(f"tables/{table}/seats/me")
    record = record_of(people[0], table)
    assert kinds(record) == ["move", "left", "move", "left"]
    assert [line["seat"] for line in record["lines"]] == [0, 1, 0, 2]
    assert record["outcome"] == {"winners": [0], "reason": "forfeit", "scores": [0, 0, 0]}


def test_who_left_before_the_start_is_not_in_it(ann: Person, bob: Person, cid: Person) -> None:
    table = ann.open("pickomino", capacity=3)
    bob.sit(table)
    bob.delete(f"tables/{table}/seats/me")
    cid.sit(table)
    ann.post(f"tables/{table}/start")
    cid.delete(f"tables/{table}/seats/me")
    record = record_of(ann, table)
    assert (len(record["seats"]), record["lines"]) == (2, [{"kind": "left", "seat": 1}])


def test_a_game_that_everybody_leaves_is_abandoned_by_the_last_leave(enter: Enter) -> None:
    ann = enter()
    table = ann.open("7776")
    ann.post(f"tables/{table}/bots", {})
    ann.delete(f"tables/{table}/seats/me")
    record = record_of(enter(), table)
    assert kinds(record) == ["left"]
    assert record["outcome"]["reason"] == "abandoned"
    assert record["seats"][1] == {"kind": "bot", "level": "easy"}


def test_a_game_to_which_nobody_came_back_is_ended_as_abandoned(wait: Wait, ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    ann.move(table, "choose 1")
    for seconds in (TURN, 1, TURN, 3600):
        wait(seconds)
        sweep_tables()
    record = record_of(ann, table)
    assert record["lines"][-1] == {"kind": "ended", "reason": "abandoned"}
    assert record["outcome"]["winners"] == []


def test_a_voided_game_is_ended_as_voided(ann: Person, bob: Person) -> None:
    table = begun("pickomino", [ann, bob])
    end(table, "voided")
    assert record_of(ann, table)["lines"] == [{"kind": "ended", "reason": "voided"}]


def test_a_rematch_that_was_asked_for_is_not_in_it(ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    play([ann, bob], table, 3)
    end(table)
    before = record_of(ann, table)
    ann.post(f"tables/{table}/rematch")
    assert record_of(ann, table) == before


def test_the_record_is_the_same_when_everybody_is_forgotten(enter: Enter) -> None:
    ann, bob, cid = enter("Ann"), enter("Bob"), enter("Cid")
    table = begun("dominoes", [ann, bob])
    play([ann, bob], table, 5)
    end(table)
    before = record_of(cid, table)
    for person in (ann, bob):
        person.delete("sessions/current")
    assert record_of(cid, table) == before


def test_there_is_no_name_in_it(enter: Enter) -> None:
    people = [enter("Zacharias"), enter("Yvonne")]
    table = begun("7776", people)
    end(table)
    for accept in ("application/json", "text/plain"):
        told = raw(people[0], table, accept).content.decode()
        assert "Zacharias" not in told
        assert "Yvonne" not in told


def test_there_is_none_while_the_game_goes_on(ann: Person, bob: Person) -> None:
    table = ann.open("7776")
    assert ann.get(f"tables/{table}/record").code == "not_finished"
    bob.sit(table)
    answer = ann.get(f"tables/{table}/record")
    assert (answer.status, answer.code) == (409, "not_finished")


def test_there_is_none_of_a_table_that_never_started(ann: Person, bob: Person) -> None:
    table = ann.open("7776")
    ann.delete(f"tables/{table}/seats/me")
    assert bob.see(table)["status"] == "closed"
    assert bob.get(f"tables/{table}/record").code == "not_finished"


def test_of_a_private_table_it_is_for_those_who_sit_there(ann: Person, bob: Person, cid: Person) -> None:
    table = ann.open("7776", visibility="private")
    bob.sit(table, code=ann.see(table)["code"])
    end(table)
    assert record_of(bob, table)["table"] == table
    assert cid.get(f"tables/{table}/record").code == "not_found"
    assert cid.get(f"tables/{UUID(int=1)}/record").code == "not_found"
    assert Person().get(f"tables/{table}/record").code == "not_authenticated"


@pytest.mark.parametrize("moves", [4, 150])
def test_it_is_made_with_two_queries_beside_those_for_the_table(enter: Enter, moves: int) -> None:
    people = [enter() for _ in range(3)]
    table = seat_all("pickomino", people)
    play(people, table, moves)
    people[2].delete(f"tables/{table}/seats/me")
    end(table)
    with CaptureQueriesContext(connection) as queries:
        assert people[0].get(f"tables/{table}/record").status == 200
    # The player, the table and its seats; then the moves, and who left.
    assert len(queries) == 3 + 2


# --- as text


def raw(person: Person, table: str, accept: str) -> Any:
    address = f"{API}/tables/{table}/record"
    return Client().get(address, headers={"Accept": accept, "Authorization": f"Bearer {person.token}"})


def test_as_text_it_has_a_head_and_one_line_for_each_of_its_lines(
    ann: Person, bob: Person, cid: Person
) -> None:
    table = ann.open("pickomino", capacity=3, options={"first": "seat_0"}, client_seed="a0")
    bob.sit(table)
    cid.sit(table)
    ann.move(table, "roll")
    bob.delete(f"tables/{table}/seats/me")
    end(table)
    record, answer = record_of(ann, table), raw(ann, table, "text/plain")
    assert answer.headers["Content-Type"] == "text/plain"
    head, _, body = answer.content.decode().partition("\n\n")
    for told in (table, record["hash"], record["fairness"]["commitment"], "0: a0, 1: none", "first seat_0"):
        assert told in head
    dice = " ".join(map(str, record["lines"][0]["chance"][0][1]))
    assert [line.split() for line in body.splitlines()] == [
        ["0", "start"],
        ["1", "seat", "0", "roll", "dice", *dice.split()],
        ["2", "seat", "1", "leaves", "the", "game"],
        ["3", "ended:", "voided"],
    ]


def test_a_stand_ins_and_a_bots_moves_are_marked_in_the_text(wait: Wait, enter: Enter) -> None:
    ann = enter()
    table = ann.open("7776")
    ann.post(f"tables/{table}/bots", {})
    for seconds in (1, TURN - 1):
        wait(seconds)
        sweep_tables()
    assert {move.by for move in moves_of(table)} == {"bot"}
    end(table)
    body = raw(ann, table, "text/plain").content.decode()
    assert "seat 1 (bot)" in body


@pytest.mark.parametrize("accept", ["*/*", "application/json", "text/plain;q=0.5, application/json"])
def test_json_is_what_comes_otherwise(ann: Person, bob: Person, accept: str) -> None:
    table = begun("7776", [ann, bob])
    end(table)
    answer = raw(ann, table, accept)
    assert answer.headers["Content-Type"] == "application/json"
    assert json.loads(answer.content) == record_of(ann, table)


def test_a_refusal_is_a_problem_whatever_was_asked_for(ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    answer = raw(ann, table, "text/plain")
    assert (answer.status_code, answer.headers["Content-Type"]) == (409, "application/problem+json")
    assert json.loads(answer.content)["code"] == "not_finished"
    assert raw(ann, table, "image/png").status_code == 406


def test_what_the_server_sends_is_in_canonical_form_but_for_the_order(ann: Person, bob: Person) -> None:
    """No space and no escape: who sorts the members has the bytes that were hashed."""
    table = begun("7776", [ann, bob])
    play([ann, bob], table, 4)
    end(table)
    sent = raw(ann, table, "application/json").content
    assert sorted(sent) == sorted(msgspec.json.encode(json.loads(sent), order="sorted"))
    assert b" " not in sent.replace(b"choose ", b"")
