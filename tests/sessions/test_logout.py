"""DELETE /sessions/current: the tables are left in order, then name and secret are forgotten at once."""

from functools import partial

import pytest

from sessions.models import Guess, Player, Token
from tests.conftest import Enter
from tests.people import Person, on_move, seat_all
from tests.rows import all_rows
from tests.together import together

pytestmark = pytest.mark.django_db


def log_out(person: Person) -> None:
    answer = person.delete("sessions/current")
    assert (answer.status, answer.json) == (204, None)


def test_the_name_is_free_at_once(ann: Person) -> None:
    log_out(ann)
    answer = Person("Ann", secret="another one").enter()
    assert answer.status == 201
    assert answer["tables"] == []


def test_every_token_of_the_player_ends(ann: Person) -> None:
    phone = Person("Ann")
    phone.enter()
    log_out(phone)
    assert ann.get("sessions/current").code == "not_authenticated"
    assert phone.get("sessions/current").code == "not_authenticated"


def test_no_token_comes_back_with_the_name(ann: Person) -> None:
    log_out(ann)
    Person("Ann").enter()
    assert ann.get("sessions/current").status == 401


def test_nobody_else_is_logged_out(ann: Person, bob: Person) -> None:
    log_out(ann)
    assert bob.get("sessions/current").status == 200


def test_logging_out_twice_is_refused_and_harmless(ann: Person) -> None:
    log_out(ann)
    assert ann.delete("sessions/current").code == "not_authenticated"


def test_player_tokens_and_guesses_are_deleted(ann: Person) -> None:
    Person("Ann", secret="wrong guess").enter()
    log_out(ann)
    assert [model.objects.count() for model in (Player, Token, Guess)] == [0, 0, 0]


def test_idempotency_keys_go_with_the_player(ann: Person, bob: Person) -> None:
    table = bob.open()
    assert ann.post(f"tables/{table}/seats", {}, idempotency_key="once").status == 201
    log_out(ann)
    assert all_rows()["games_idempotencykey"] == []
    assert bob.see(table)["status"] == "open"


def test_open_tables_are_left_and_go_on_with_the_others(ann: Person, bob: Person) -> None:
    table = ann.open(capacity=3)
    bob.sit(table)
    log_out(ann)
    shown = bob.see(table)
    assert shown["status"] == "open"
    assert [(seat["seat"], seat["name"]) for seat in shown["seats"]] == [(1, "Bob")]
    assert shown["host"] == 1
    assert [(event["kind"], event["seat"]) for event in bob.events(table)[-2:]] == [
        ("left", 0),
        ("host_changed", 1),
    ]


def test_an_open_table_that_is_left_empty_is_closed(ann: Person, bob: Person) -> None:
    table = ann.open()
    log_out(ann)
    shown = bob.see(table)
    assert (shown["status"], shown["seats"], shown["host"]) == ("closed", [], None)
    assert bob.events(table)[-1]["data"] == {"reason": "empty"}


def test_a_seat_in_a_game_is_out_and_nameless_and_the_game_goes_on(
    ann: Person, bob: Person, cid: Person
) -> None:
    table = seat_all("pickomino", [ann, bob, cid])
    log_out(ann)
    shown = bob.see(table)
    assert shown["status"] == "playing"
    assert [(seat["name"], seat["left"]) for seat in shown["seats"]] == [
        (None, True),
        ("Bob", False),
        ("Cid", False),
    ]
    left = bob.events(table)[-1]
    assert (left["kind"], left["seat"], left["by"], left["data"]) == (
        "left",
        0,
        "player",
        {"status": "playing"},
    )


def test_the_others_play_on_though_who_was_to_move_left(enter: Enter) -> None:
    people = [enter() for _ in range(3)]
    table = seat_all("pickomino", people)
    leaver = on_move(people, table)
    log_out(leaver)
    others = [person for person in people if person is not leaver]
    assert others[0].see(table)["status"] == "playing"
    assert others[0].see(table)["deadline"] is None


def test_leaving_one_other_player_makes_it_win(ann: Person, bob: Person) -> None:
    table = seat_all("7776", [ann, bob])
    log_out(ann)
    shown = bob.see(table)
    assert shown["status"] == "finished"
    assert shown["outcome"]["winners"] == [1]
    assert shown["outcome"]["reason"] == "forfeit"


def test_leaving_only_a_bot_abandons_the_table(ann: Person, bob: Person) -> None:
    table = ann.open(capacity=2)
    assert ann.post(f"tables/{table}/bots", {}).status == 201
    log_out(ann)
    assert bob.see(table)["outcome"]["reason"] == "abandoned"


def test_tables_that_are_over_stay_without_the_name(ann: Person, bob: Person) -> None:
    table = seat_all("7776", [ann, bob])
    bob.delete(f"tables/{table}/seats/me")
    outcome = ann.see(table)["outcome"]
    log_out(ann)
    shown = bob.see(table)
    assert shown["outcome"] == outcome
    assert [seat["name"] for seat in shown["seats"]] == [None, None]
    assert [seat["left"] for seat in shown["seats"]] == [True, True]


def test_all_tables_are_left_at_once(ann: Person, bob: Person) -> None:
    tables = [ann.open(capacity=3) for _ in range(3)] + [seat_all("dominoes", [ann, bob])]
    log_out(ann)
    assert [bob.see(table)["status"] for table in tables] == ["closed"] * 3 + ["finished"]


def test_a_new_holder_of_the_name_has_none_of_the_old_seats(ann: Person, bob: Person, cid: Person) -> None:
    table = seat_all("pickomino", [ann, bob, cid])
    log_out(ann)
    newcomer = Person("Ann")
    newcomer.enter()
    assert newcomer.see(table)["you"] is None
    assert newcomer.post(f"tables/{table}/seats/me/return", {}).code == "not_seated"


@pytest.mark.django_db(transaction=True)
def test_logging_out_on_two_devices_at_the_same_instant_is_harmless(enter: Enter) -> None:
    ann, bob, cid, phone = enter("Ann"), enter("Bob"), enter("Cid"), Person("Ann")
    phone.enter()
    table = seat_all("pickomino", [ann, bob, cid])
    answers = together(*(partial(device.delete, "sessions/current") for device in (ann, phone)))
    assert {answer.status for answer in answers} <= {204, 401}
    assert [event["kind"] for event in bob.events(table)].count("left") == 1
    assert sorted(Player.objects.values_list("name", flat=True)) == ["Bob", "Cid"]


@pytest.mark.django_db(transaction=True)
def test_who_sits_down_while_logging_out_leaves_no_seat_behind(enter: Enter) -> None:
    host = enter("Host")
    for _ in range(3):
        ann, table = enter("Ann"), host.open(capacity=3)
        gone, sat = together(
            partial(ann.delete, "sessions/current"),
            partial(ann.sit, table),
        )
        assert gone.status == 204
        assert sat.status in (201, 401)
        assert [seat["name"] for seat in host.see(table)["seats"]] == ["Host"]
        host.delete(f"tables/{table}/seats/me")


def test_a_stream_of_requests_after_it_meets_nothing_but_401(ann: Person, bob: Person) -> None:
    table = seat_all("7776", [ann, bob])
    log_out(ann)
    before = all_rows()
    for answer in (
        ann.get(f"tables/{table}"),
        ann.move(table, "choose 1"),
        ann.sit(table),
        ann.post("tables", {"game": "7776"}),
        ann.delete(f"tables/{table}/seats/me"),
    ):
        assert answer.code == "not_authenticated"
    assert all_rows() == before
