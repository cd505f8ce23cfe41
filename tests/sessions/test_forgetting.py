"""Forgetting: may be cut short anywhere and run again, and never leaves a player half there."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import pytest
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper

from sessions.models import Guess, Player, Token
from sessions.services import forget, sweep_players
from tests.conftest import Enter
from tests.people import Answer, Person, seat_all
from tests.rows import all_rows
from tests.together import together

pytestmark = pytest.mark.django_db


def player_of(person: Person) -> Player:
    return Player.objects.get(name=person.name)


def cut_short(person: Person) -> Player:
    """Begun, and then the process was gone."""
    player = player_of(person)
    Player.objects.filter(pk=player.pk).update(leaving=True)
    return player


@contextmanager
def transaction_of(other: BaseDatabaseWrapper) -> Iterator[CursorWrapper]:
    other.set_autocommit(False)
    with other.cursor() as cursor:
        yield cursor
    other.commit()


@contextmanager
def uncommitted(*statements: str) -> Iterator[CursorWrapper]:
    """Statements of another connection, committed when the block ends."""
    other = connection.copy()
    try:
        with transaction_of(other) as cursor:
            for statement in statements:
                cursor.execute(statement)
            yield cursor
    finally:
        other.close()


def in_background(person: Person, answers: list[Answer]) -> threading.Thread:
    def run() -> None:
        try:
            answers.append(person.enter())
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def test_forgetting_twice_is_harmless(ann: Person) -> None:
    player = player_of(ann)
    forget(player, by="player")
    forget(player, by="server")
    assert not Player.objects.exists()


def test_from_the_beginning_of_it_nobody_acts_as_the_player(ann: Person) -> None:
    table = ann.open()
    cut_short(ann)
    before = all_rows()
    for answer in (ann.get("sessions/current"), ann.sit(table), ann.delete("sessions/current")):
        assert answer.code == "not_authenticated"
    assert all_rows() == before


def test_a_sweep_brings_to_its_end_what_was_cut_short(ann: Person, bob: Person) -> None:
    table = ann.open(capacity=3)
    bob.sit(table)
    cut_short(ann)
    assert sweep_players() == 1
    assert [seat["name"] for seat in bob.see(table)["seats"]] == ["Bob"]
    assert not Player.objects.filter(name="Ann").exists()


def test_so_does_whoever_enters_under_the_name(ann: Person, bob: Person) -> None:
    table = ann.open(capacity=3)
    bob.sit(table)
    cut_short(ann)
    answer = Person("Ann").enter()
    assert answer.status == 201
    assert answer["tables"] == []
    assert [seat["name"] for seat in bob.see(table)["seats"]] == ["Bob"]


def test_every_kind_of_row_about_the_player_goes(ann: Person, bob: Person) -> None:
    tables = [ann.open(capacity=3), seat_all("7776", [ann, bob]), seat_all("dominoes", [ann, bob])]
    ann.post("tables", {"game": "7776"}, idempotency_key="once")
    bob.delete(f"tables/{tables[2]}/seats/me")
    Person("Ann", secret="wrong guess").enter()
    player = player_of(ann)
    forget(player, by="player")
    assert not Token.objects.filter(player=player.pk).exists()
    assert not Guess.objects.filter(player=player.pk).exists()
    assert str(player.pk) not in str(all_rows())


def test_a_player_whom_a_host_removed_leaves_only_a_number_behind(ann: Person, bob: Person) -> None:
    table = bob.open(capacity=3)
    ann.sit(table)
    bob.delete(f"tables/{table}/seats/1")
    ann.delete("sessions/current")
    assert "Ann" not in str(all_rows())
    assert Person("Ann").enter().status == 201


@pytest.mark.django_db(transaction=True)
def test_forgetting_on_two_sides_at_once_leaves_each_seat_once(enter: Enter) -> None:
    people = [enter() for _ in range(3)]
    table = seat_all("pickomino", people)
    player = player_of(people[0])
    together(*(partial(forget, player, by="player") for _ in range(4)))
    assert [event["kind"] for event in people[1].events(table)].count("left") == 1
    assert Player.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_whoever_enters_at_the_moment_of_forgetting_waits_and_is_a_new_player(enter: Enter) -> None:
    ann = enter("Ann")
    old, answers = player_of(ann).pk, list[Answer]()
    with uncommitted(
        f"DELETE FROM players_token WHERE player_id = '{old}'",
        f"DELETE FROM players_guess WHERE player_id = '{old}'",
        f"DELETE FROM players_player WHERE id = '{old}'",
    ):
        # From the same address: its counter is a row that is just being deleted.
        thread = in_background(Person("Ann", address=ann.address), answers)
        thread.join(0.5)
        assert thread.is_alive()
    thread.join(10)
    assert [answer.status for answer in answers] == [201]
    assert player_of(ann).pk != old


@pytest.mark.django_db(transaction=True)
def test_whoever_guesses_at_the_moment_of_forgetting_gets_the_free_name(enter: Enter) -> None:
    ann = enter("Ann")
    old, answers = player_of(ann).pk, list[Answer]()
    with uncommitted(f"SELECT 1 FROM players_guess WHERE player_id = '{old}' FOR UPDATE") as other:
        thread = in_background(Person("Ann", secret="another one", address=ann.address), answers)
        thread.join(0.5)
        assert thread.is_alive()
        for table, column in (("token", "player_id"), ("guess", "player_id"), ("player", "id")):
            other.execute(f"DELETE FROM players_{table} WHERE {column} = '{old}'")
    thread.join(10)
    assert [answer.status for answer in answers] == [201]


@pytest.mark.django_db(transaction=True)
def test_a_device_that_enters_at_the_moment_of_forgetting_gets_no_dead_token(enter: Enter) -> None:
    for _ in range(4):
        ann, phone = enter("Ann"), Person("Ann")
        together(partial(ann.delete, "sessions/current"), phone.enter)
        living = Player.objects.count()
        assert living == (phone.get("sessions/current").status == 200)
        Player.objects.all().delete()
