"""`Idempotency-Key`: the same request again does nothing twice, on every POST that makes something."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.models import IdempotencyKey, Table
from games.once import once_from, sweep_keys
from games.tasks import sweep_keys as sweep_keys_task
from tests.conftest import Enter
from tests.games.conftest import Wait
from tests.games.situations import (
    TURN,
    begun,
    everything,
    kinds,
    last_domino,
    put_state,
    put_tables,
    told,
    unchanged,
)
from tests.people import Answer, Person


@dataclass
class Making:
    """A POST that makes something: who sends it where, and how to send it."""

    person: Person
    path: str
    body: dict[str, Any]

    def send(self, key: str = "k", **changed: Any) -> Answer:
        body = {**self.body, **changed}
        return self.person.post(self.path, body, idempotency_key=key)


def opening(ann: Person, bob: Person) -> Making:
    return Making(ann, "tables", {"game": "dominoes", "capacity": 3})


def sitting(ann: Person, bob: Person) -> Making:
    return Making(bob, f"tables/{ann.open('dominoes')}/seats", {})


def seating_a_bot(ann: Person, bob: Person) -> Making:
    return Making(ann, f"tables/{ann.open('dominoes')}/bots", {"level": "easy"})


def moving(ann: Person, bob: Person) -> Making:
    return Making(ann, f"tables/{begun('7776', [ann, bob])}/moves", {"move": "choose 1"})


Situation = Callable[[Person, Person], Making]
every = pytest.mark.parametrize("situation", [opening, sitting, seating_a_bot, moving])


@every
def test_pain_02_the_same_key_again_does_nothing_twice(
    ann: Person, bob: Person, situation: Situation
) -> None:
    making = situation(ann, bob)
    first = making.send()
    table = first["id"]
    with unchanged(table):
        again = making.send()
    assert first.status == again.status == 201
    assert again.json == first.json
    assert Table.objects.count() == 1


@every
def test_the_answer_is_the_thing_as_it_is_now(ann: Person, bob: Person, situation: Situation) -> None:
    making = situation(ann, bob)
    table = making.send()["id"]
    Table.objects.filter(pk=table).update(turn_seconds=77)
    again = making.send()
    assert (again.status, again["id"], again["turn_seconds"]) == (201, table, 77)


@every
def test_another_key_or_none_does_it_again(ann: Person, bob: Person, situation: Situation) -> None:
    making = situation(ann, bob)
    making.send("k")
    other = making.send("l")
    assert (other.status, other.json.get("number", 1)) in [(201, 1), (200, 1), (409, 1)]
    assert other.status != 409 or other.code == "not_your_turn"


@every
def test_the_same_key_with_another_body_is_a_mismatch(ann: Person, bob: Person, situation: Situation) -> None:
    making = situation(ann, bob)
    table = making.send()["id"]
    changed: Any = {
        "tables": {"capacity": 4}, "seats": {"code": "00000000"}, "moves": {"move": "choose 2"},
    }.get(making.path.rsplit("/", 1)[-1], {})  # fmt: skip
    if not changed:
        making.body = {}
    with unchanged(table):
        answer = making.send(**changed)
    assert (answer.status, answer.code) == (422, "idempotency_mismatch")


def test_the_order_and_the_space_in_a_body_do_not_make_another(ann: Person) -> None:
    bodies = [b'{"game":"7776","capacity":2}', b'{ "capacity": 2,\n "game": "7776" }']
    ids = {ann.call("POST", "tables", body, idempotency_key="k")["id"] for body in bodies}
    assert len(ids) == 1


def test_the_same_key_at_another_path_is_a_mismatch(ann: Person, bob: Person) -> None:
    first, second = begun("7776", [ann, bob]), begun("7776", [ann, bob])
    assert ann.move(first, "choose 1").status == 201
    ann.post(f"tables/{first}/moves", {"move": "choose 1"}, idempotency_key="k")
    bob.post(f"tables/{first}/moves", {"move": "choose 1"}, idempotency_key="k")
    with unchanged(second):
        answer = bob.post(f"tables/{second}/moves", {"move": "choose 1"}, idempotency_key="k")
    assert answer.code == "idempotency_mismatch"


def test_the_same_key_for_another_act_at_the_same_table_is_a_mismatch(ann: Person) -> None:
    table = ann.open("dominoes")
    assert ann.post(f"tables/{table}/bots", {}, idempotency_key="k").status == 201
    assert ann.post(f"tables/{table}/seats", {}, idempotency_key="k").code == "idempotency_mismatch"


def test_the_method_is_a_part_of_what_is_compared() -> None:
    made = once_from("k", "POST", "/a", {})
    other = once_from("k", "PUT", "/a", {})
    assert made is not None
    assert other is not None
    assert made.digest != other.digest


def test_a_key_is_its_players_own(ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    for person in (ann, bob):
        answer = person.post(f"tables/{table}/moves", {"move": "choose 1"}, idempotency_key="k")
        assert answer.status == 201
    assert answer["number"] == 2


def test_a_key_works_on_another_device_of_the_player(ann: Person) -> None:
    table = ann.post("tables", {"game": "7776"}, idempotency_key="k")["id"]
    elsewhere = Person(ann.name)
    elsewhere.enter()
    assert elsewhere.post("tables", {"game": "7776"}, idempotency_key="k")["id"] == table


def test_a_repeated_move_tells_its_number_its_events_and_the_table_as_it_is_now(
    ann: Person, bob: Person
) -> None:
    making = moving(ann, bob)
    first = making.send()
    table = first["id"]
    bob.move(table, "choose 2")
    ann.move(table, "choose 3")
    again = making.send()
    assert (again.status, again["number"], again["events"]) == (201, 1, first["events"])
    assert again["version"] == ann.see(table)["version"]


def test_a_repeated_return_tells_the_same_events(wait: Wait, enter: Enter) -> None:
    ann, bob = enter(), enter()
    table = begun("7776", [ann, bob])
    ann.move(table, "choose 1")
    wait(TURN)
    ann.see(table)
    making = Making(bob, f"tables/{table}/moves", {"move": bob.see(table)["legal_moves"][0]})
    first = making.send()
    assert [event["kind"] for event in first["events"]] == ["returned", "chose"]
    assert making.send()["events"] == first["events"]


# --- the order of checks: authentication, seat, key, status ---


def test_authentication_comes_before_the_key(ann: Person, bob: Person) -> None:
    making = moving(ann, bob)
    making.send()
    making.person = Person(token="x")
    assert making.send().code == "not_authenticated"


def test_the_seat_comes_before_the_key(ann: Person, bob: Person, cid: Person) -> None:
    table = begun("7776", [ann, bob])
    cid.post("tables", {"game": "7776"}, idempotency_key="k")
    moved = cid.post(f"tables/{table}/moves", {"move": "choose 1"}, idempotency_key="k")
    assert moved.code == "not_seated"
    assert cid.post(f"tables/{table}/bots", {}, idempotency_key="k").code == "not_seated"
    assert bob.post("tables", {"game": "7776"}, idempotency_key="k").status == 201
    assert bob.post(f"tables/{table}/bots", {}, idempotency_key="k").code == "not_host"


def test_who_left_can_not_repeat_its_move(ann: Person, bob: Person, cid: Person) -> None:
    table = begun("pickomino", [ann, bob, cid])
    making = Making(ann, f"tables/{table}/moves", {"move": "roll"})
    making.send()
    ann.delete(f"tables/{table}/seats/me")
    assert making.send().code == "not_seated"


def test_the_key_comes_before_the_status_and_the_turn(ann: Person, bob: Person) -> None:
    table = begun("pickomino", [ann, bob])
    put_state(table, last_domino(0, [[], []]))
    making = Making(ann, f"tables/{table}/moves", {"move": "collect 21", "version": 4})
    assert making.send().json["status"] == "finished"
    again = making.send()
    assert (again.status, again["number"]) == (201, 1)
    assert making.send(move="roll").code == "idempotency_mismatch"


def test_sitting_again_with_the_key_is_201_at_a_table_that_plays(ann: Person, bob: Person) -> None:
    making = Making(bob, f"tables/{ann.open('7776')}/seats", {})
    assert making.send()["status"] == "playing"
    assert making.send().status == 201


def test_seating_a_bot_again_with_the_key_is_201_at_a_table_that_plays(ann: Person) -> None:
    making = Making(ann, f"tables/{ann.open('7776')}/bots", {})
    assert making.send()["status"] == "playing"
    assert making.send().status == 201


def test_opening_again_with_the_key_is_201_when_no_more_may_be_opened(ann: Person) -> None:
    making = Making(ann, "tables", {"game": "7776"})
    table = making.send()["id"]
    put_tables(11, [ann])
    assert making.send("l").code == "too_many_tables"
    again = making.send()
    assert (again.status, again["id"]) == (201, table)
    assert again.headers["Location"] == f"/api/v1/tables/{table}"


# --- refusals are not remembered ---


def test_a_refused_move_leaves_its_key_free(ann: Person, bob: Person) -> None:
    table = begun("pickomino", [ann, bob])
    making = Making(ann, f"tables/{table}/moves", {"move": "save 1"})
    with unchanged(table):
        assert making.send().code == "illegal_move"
    put_state(table, last_domino(1, [[], []]))
    with unchanged(table):
        assert making.send(move="roll").code == "not_your_turn"
    put_state(table, last_domino(0, [[], []]))
    assert making.send(move="collect 21").status == 201


def test_a_refused_opening_leaves_its_key_free(ann: Person) -> None:
    put_tables(12, [ann])
    making = Making(ann, "tables", {"game": "7776"})
    assert making.send().code == "too_many_tables"
    Table.objects.update(status="closed", wake_at=None)
    assert making.send(game="dominoes").status == 201


def test_a_refused_seat_leaves_its_key_free(ann: Person, bob: Person) -> None:
    table = ann.open("7776", visibility="private")
    making = Making(bob, f"tables/{table}/seats", {"code": "00000000"})
    assert making.send().code == "not_found"
    assert making.send(code=ann.see(table)["code"]).status == 201


def test_a_refused_bot_leaves_its_key_free(ann: Person) -> None:
    (full,) = put_tables(1, [ann], capacity=1)
    assert Making(ann, f"tables/{full}/bots", {}).send().code == "table_full"
    assert Making(ann, f"tables/{ann.open('dominoes')}/bots", {}).send().status == 201


# --- the key itself ---


@pytest.mark.parametrize("key", ["k", "~", "a" * 64, "two words", '"quoted"', "8e03978e-40d5-43dd-bc93"])
def test_a_key_is_1_to_64_printable_ascii_characters(ann: Person, key: str) -> None:
    assert ann.post("tables", {"game": "7776"}, idempotency_key=key).status == 201
    assert ann.post("tables", {"game": "7776"}, idempotency_key=key).status == 201
    assert Table.objects.count() == 1


@pytest.mark.parametrize("key", ["", "a" * 65, "tab\tinside", "ümlaut", "nul\x00", "del\x7f"])
@every
def test_any_other_key_is_invalid(ann: Person, bob: Person, situation: Situation, key: str) -> None:
    making = situation(ann, bob)
    before = [everything(str(table.pk)) for table in Table.objects.all()]
    answer = making.send(key)
    assert (answer.status, answer.code) == (400, "invalid")
    assert list(answer["errors"]) == ["Idempotency-Key"]
    assert [everything(str(table.pk)) for table in Table.objects.all()] == before


# --- 24 hours ---


def test_keys_live_24_hours(wait: Wait, enter: Enter) -> None:
    ann = enter()
    making = Making(ann, "tables", {"game": "7776"})
    first = making.send()["id"]
    wait(86_400 - 1)
    assert sweep_keys() == 0
    assert making.send()["id"] == first
    wait(2)
    assert sweep_keys() == 1
    assert making.send()["id"] != first


def test_sweeping_twice_is_harmless(ann: Person) -> None:
    ann.post("tables", {"game": "7776"}, idempotency_key="k")
    later = timezone.now() + timedelta(hours=25)
    assert [sweep_keys(later), sweep_keys(later)] == [1, 0]


def test_celery_sweeps_keys(ann: Person) -> None:
    ann.post("tables", {"game": "7776"}, idempotency_key="k")
    sweep_keys_task()
    assert IdempotencyKey.objects.count() == 1
    IdempotencyKey.objects.update(created_at=timezone.now() - timedelta(hours=25))
    sweep_keys_task()
    assert not IdempotencyKey.objects.exists()


def test_keys_go_with_their_player(ann: Person, bob: Person) -> None:
    moving(ann, bob).send()
    ann.delete("sessions/current")
    assert not IdempotencyKey.objects.exists()


def test_the_key_itself_is_not_told(ann: Person, bob: Person) -> None:
    table = ann.post("tables", {"game": "7776"}, idempotency_key="a-key-of-mine")["id"]
    assert "a-key-of-mine" not in str(bob.see(table)) + str(bob.events(table))
    assert kinds(table) == ["opened", "joined"]
    assert told(table)[0] == ("opened", None, "player")
