"""GET /tables/{id}/replay?version=&seat=: a table that is over, as it was, seen from any seat."""

from typing import Any
from uuid import UUID

import pytest

from games.sweeps import sweep_tables
from tests.conftest import Enter
from tests.games.conftest import Wait
from tests.games.situations import TURN, begun, events_of, moves_of, play
from tests.games.test_rematch import end
from tests.people import Answer, Person, seat_all

GAMES = ["pickomino", "7776", "dominoes"]
SEEN = ["status", "to_move", "legal_moves", "view", "outcome", "version"]


def replay(person: Person, table: str, query: str = "") -> Answer:
    return person.get(f"tables/{table}/replay{query}")


def at(person: Person, table: str, version: int, seat: int | None = None) -> Any:
    answer = replay(person, table, f"?version={version}" + ("" if seat is None else f"&seat={seat}"))
    assert answer.status == 200, answer
    return answer.json


@pytest.mark.parametrize("game", GAMES)
def test_each_seat_and_a_watcher_see_what_they_saw_then(enter: Enter, game: str) -> None:
    people = [enter(), enter(), enter()]
    ann, bob, watcher = people
    table = begun(game, [ann, bob], **({"options": {"target": 0}} if game == "dominoes" else {}))
    seen: list[tuple[int | None, Any]] = []
    for number in range(25):
        seen += [(seat, person.see(table)) for seat, person in ((0, ann), (1, bob), (None, watcher))]
        play([ann, bob], table, 1, seed=number)
    end(table) if ann.see(table)["status"] == "playing" else None
    for seat, then in seen:
        now = at(watcher, table, then["version"], seat)
        assert {name: now[name] for name in SEEN} == {name: then[name] for name in SEEN}
        assert now["you"] == seat


def test_the_last_version_is_the_table_as_it_is(ann: Person, bob: Person, cid: Person) -> None:
    table = begun("7776", [ann, bob])
    play([ann, bob], table, 7)
    end(table)
    now, then = cid.see(table), replay(cid, table).json
    assert then.pop("events")[-1]["kind"] == "finished"
    assert then == now


def test_any_version_of_a_step_shows_the_table_after_the_step(ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    play([ann, bob], table, 4)
    end(table)
    made = moves_of(table)[1]
    # It chose, both were revealed, and both threw anew.
    assert made.last_version == made.first_version + 3
    answers = [at(ann, table, version) for version in range(made.first_version, made.last_version + 1)]
    assert all(answer == answers[0] for answer in answers)
    assert answers[0]["version"] == made.last_version
    assert [event["version"] for event in answers[0]["events"]] == list(
        range(made.first_version, made.last_version + 1)
    )


def test_step_by_step_every_event_is_told_once(wait: Wait, ann: Person, bob: Person, cid: Person) -> None:
    table = seat_all("pickomino", [ann, bob, cid])
    play([ann, bob, cid], table, 9)
    wait(TURN)
    sweep_tables()
    bob.delete(f"tables/{table}/seats/me")
    wait(1)
    sweep_tables()
    end(table)
    ann.post(f"tables/{table}/rematch")
    told, version = [], 0
    while version < ann.see(table)["version"]:
        step = at(ann, table, version + 1)
        told += step["events"]
        version = step["version"]
    assert told == cid.events(table)
    assert [event["version"] for event in told] == list(range(1, len(events_of(table)) + 1))


def test_what_was_a_seats_own_is_told_to_who_looks_from_it(ann: Person, bob: Person, cid: Person) -> None:
    table = begun("7776", [ann, bob])
    ann.move(table, "choose poker")
    version = ann.see(table)["version"]
    end(table)
    for seat, own in ((0, {"choice": "poker"}), (1, None), (None, None)):
        [chose] = at(cid, table, version, seat)["events"]
        assert chose.get("own") == own


def test_before_the_start_there_is_nothing_to_see(ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    end(table)
    for version in (1, 2, 3):
        then = at(ann, table, version, 0)
        assert (then["status"], then["view"], then["to_move"], then["version"]) == ("open", None, [], version)
        assert [event["version"] for event in then["events"]] == [version]
    started = at(ann, table, 4, 0)
    assert (started["status"], started["version"]) == ("playing", 6)
    assert [event["kind"] for event in started["events"]] == ["started", "threw", "threw"]


def test_an_event_between_the_moves_is_a_step_that_moves_nothing(
    ann: Person, bob: Person, cid: Person
) -> None:
    table = seat_all("pickomino", [ann, bob, cid], options={"first": "seat_0"})
    ann.move(table, "roll")
    before = ann.see(table)["version"]
    bob.delete(f"tables/{table}/seats/me")
    end(table)
    one, other = at(ann, table, before), at(ann, table, before + 1)
    assert [event["kind"] for event in other["events"]] == ["left"]
    assert one["view"] == other["view"]
    assert other["outcome"] is None
    assert at(ann, table, before + 2)["outcome"]["reason"] == "voided"


def test_nobody_is_asked_for_anything_any_more(ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    version = ann.see(table)["version"]
    end(table)
    then = at(ann, table, version, 0)
    assert (then["deadline"], then["decision"]) == (None, None)
    assert len(then["legal_moves"]) == 16
    assert at(ann, table, version)["legal_moves"] == []


def test_the_seed_is_open_as_it_is_now(ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    end(table)
    assert at(ann, table, 1)["fairness"] == ann.see(table)["fairness"]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("?version=0", "version"),
        ("?version=99", "version"),
        ("?version=-1", "version"),
        ("?version=x", "version"),
        ("?version=999999999999999999", "version"),
        ("?version=", "version"),
        ("?seat=2", "seat"),
        ("?seat=-1", "seat"),
        ("?seat=x", "seat"),
        ("?seat=9999", "seat"),
        ("?player=1", "player"),
    ],
)
def test_what_is_not_there_can_not_be_seen(ann: Person, bob: Person, query: str, field: str) -> None:
    table = begun("7776", [ann, bob])
    end(table)
    answer = replay(ann, table, query)
    assert (answer.status, answer.code) == (400, "invalid")
    assert list(answer["errors"]) == [field]


def test_a_table_that_goes_on_can_not_be_seen_from_another_seat(ann: Person, bob: Person) -> None:
    table = ann.open("7776")
    assert replay(ann, table).code == "not_finished"
    bob.sit(table)
    for query in ("", "?seat=1", "?version=5&seat=1", "?version=99"):
        assert replay(ann, table, query).code == "not_finished"


def test_of_a_private_table_it_is_for_those_who_sit_there(ann: Person, bob: Person, cid: Person) -> None:
    table = ann.open("7776", visibility="private")
    bob.sit(table, code=ann.see(table)["code"])
    end(table)
    assert replay(bob, table).status == 200
    assert replay(cid, table).code == "not_found"
    assert replay(cid, str(UUID(int=1))).code == "not_found"


def test_a_table_that_never_started_has_nothing_to_show(ann: Person, bob: Person) -> None:
    table = ann.open("7776")
    ann.delete(f"tables/{table}/seats/me")
    assert replay(bob, table).code == "not_finished"
