"""Bans: on a name and what looks like it, on an address, on a session that ends everywhere."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from time_machine import TimeMachineFixture

from config.errors import Invalid, NotFound
from sessions import bans, guesses, secrecy
from sessions.banned import address_mark, name_mark, session_mark
from sessions.models import Ban, BannedToken, Guess, Player, Token
from sessions.services import sweep_players
from tests.conftest import Enter
from tests.people import Answer, Person, seat_all
from tests.rows import all_rows
from tests.staff import ban, ban_address, ban_name, moderator, player_of, tomorrow

pytestmark = pytest.mark.django_db


def assert_banned(answer: Answer, kind: str) -> None:
    assert (answer.status, answer.code) == (403, "banned")
    assert answer["ban"] == kind


# --- a session


def test_the_next_call_with_any_token_of_the_session_says_until_when(ann: Person, bob: Person) -> None:
    phone, table = Person("Ann"), bob.open()
    phone.enter()
    until = tomorrow()
    ban(ann, until=until)
    for device in (ann, phone):
        for answer in (
            device.get("sessions/current"),
            device.get(f"tables/{table}"),
            device.get(f"tables/{table}/events"),
            device.move(table, "roll"),
            device.post("tables", {"game": "chess"}),
            device.post(f"tables/{table}/moves", {"mov": "roll"}),
            device.post("stream-tickets"),
            device.delete("sessions/current"),
        ):
            assert_banned(answer, "session")
            assert datetime.fromisoformat(answer["expires_at"]) == until


def test_the_player_is_forgotten_and_its_tables_are_left_in_order(
    ann: Person, bob: Person, cid: Person
) -> None:
    playing, waiting = seat_all("pickomino", [ann, bob, cid]), ann.open(capacity=3)
    bob.sit(waiting)
    ban(ann)
    assert not Player.objects.filter(name="Ann").exists()
    assert not Token.objects.exclude(player__name__in=["Bob", "Cid"]).exists()
    assert [(seat["name"], seat["left"]) for seat in bob.see(playing)["seats"]] == [
        (None, True),
        ("Bob", False),
        ("Cid", False),
    ]
    (left,) = (event for event in bob.events(playing) if event["kind"] == "left")
    assert (left["seat"], left["by"]) == (0, "moderator")
    assert [seat["name"] for seat in bob.see(waiting)["seats"]] == ["Bob"]
    assert bob.see(waiting)["host"] == 1


def test_nobody_acts_as_the_player_from_the_moment_of_the_ban(ann: Person, monkeypatch: Any) -> None:
    monkeypatch.setattr(bans, "forget", lambda *_, **__: None)
    table = ann.open()
    ban(ann)
    assert_banned(ann.get("sessions/current"), "session")
    assert_banned(ann.sit(table), "session")


def test_who_is_banned_while_a_secret_is_checked_does_not_come_in_anew(
    ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    def check(*_: Any) -> bool:
        ban(ann, address=False)
        raise Guess.DoesNotExist

    monkeypatch.setattr(guesses, "guess", check)
    assert_banned(ann.enter(), "name")
    assert not Player.objects.exists()


def test_nor_does_a_new_name_that_is_banned_while_its_secret_is_hashed(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def hashed(_: str) -> str:
        ban_name("Zoe")
        return "hash"

    monkeypatch.setattr(secrecy, "hash_secret", hashed)
    assert_banned(Person("Zoe").enter(), "name")
    assert not Player.objects.exists()


def test_a_sweep_brings_to_its_end_what_was_cut_short(ann: Person, monkeypatch: Any) -> None:
    monkeypatch.setattr(bans, "forget", lambda *_, **__: None)
    ban(ann)
    sweep_players()
    assert not Player.objects.filter(name="Ann").exists()
    assert_banned(ann.get("sessions/current"), "session")


def test_name_and_addresses_are_banned_with_it_unless_they_are_spared(enter: Enter) -> None:
    ann, bob, cid = enter("Ann"), enter("Bob"), enter("Cid")
    Person("Ann", address="192.0.2.7").enter()
    ban(ann)
    assert_banned(Person("Ann").enter(), "name")
    assert_banned(Person("Somebody", address=ann.address).enter(), "address")
    assert_banned(Person("Somebody", address="192.0.2.7").enter(), "address")
    ban(bob, address=False)
    assert_banned(Person("Bob", address=bob.address).enter(), "name")
    assert Person("Bobby", address=bob.address).enter().status == 201
    ban(cid, name=False, address=False)
    assert Person("Cid", address=cid.address).enter().status == 201


def test_who_only_guessed_from_an_address_has_not_entered_from_it(ann: Person) -> None:
    Person("Ann", secret="wrong guess", address="192.0.2.7").enter()
    ban(ann)
    assert Person("Somebody", address="192.0.2.7").enter().status == 201


def test_others_notice_nothing(ann: Person, bob: Person) -> None:
    ban(ann)
    assert bob.get("sessions/current").status == 200
    assert Person("Nobody").get("sessions/current", authorization="Bearer wrong").code == "not_authenticated"


def test_who_is_gone_cannot_be_banned(ann: Person) -> None:
    player = player_of(ann)
    ann.delete("sessions/current")
    with pytest.raises(NotFound):
        bans.ban_player(player_id=player.pk, by=moderator(), reason="was rude", until=tomorrow())
    assert not Ban.objects.exists()


# --- a name


@pytest.mark.parametrize("alike", ["Ann", "ANN", "ａｎｎ", "Аnn", "Ánn", "A n n", "A.n.n"])
def test_what_looks_like_a_banned_name_is_kept_out(db: None, alike: str) -> None:
    ban_name("Ann")
    assert_banned(Person(alike).enter(), "name")


@pytest.mark.parametrize("banned", ["Ann", "аnn", "ANN"])
def test_so_is_what_it_looks_like_itself(db: None, banned: str) -> None:
    ban_name(banned)
    assert_banned(Person("ann").enter(), "name")


@pytest.mark.parametrize("other", ["Anna", "Hann", "An", "4nn"])
def test_what_only_begins_like_it_is_another_name(db: None, other: str) -> None:
    ban_name("Ann")
    assert Person(other).enter().status == 201


def test_capitals_that_look_alike_are_seen_as_they_are_shown(db: None) -> None:
    ban_name("Nick")
    # A Greek capital, whose small letter looks like a v.
    assert_banned(Person("ΝICK").enter(), "name")


def test_who_is_here_under_the_name_is_banned_with_it_and_may_enter_under_another(ann: Person) -> None:
    ban_name("ANN")
    assert_banned(ann.get("sessions/current"), "session")
    assert_banned(Person("Ann", address=ann.address).enter(), "name")
    assert Person("Zoe", address=ann.address).enter().status == 201


def test_who_is_here_and_only_looks_like_it_is_put_before_a_moderator(enter: Enter) -> None:
    alike, other = enter("Аnn"), enter("Zoe")
    ban_name("Ann")
    assert alike.get("sessions/current").status == other.get("sessions/current").status == 200
    assert [player.name for player in Player.objects.filter(name_state="question")] == ["Аnn"]


def test_a_name_that_nobody_could_have_is_not_banned(db: None) -> None:
    with pytest.raises(Invalid) as refused:
        ban_name("x" * 25)
    assert refused.value.extra["errors"].keys() == {"name"}


# --- an address


def test_nobody_enters_from_a_banned_address_and_who_is_in_stays(ann: Person) -> None:
    ban_address(ann.address)
    assert_banned(Person("Bob", address=ann.address).enter(), "address")
    assert_banned(Person("Ann", address=ann.address).enter(), "address")
    assert ann.get("sessions/current").status == 200
    assert Person("Ann").enter().status == 200


def test_of_ipv6_the_whole_network_of_a_household_is_banned(db: None) -> None:
    ban_address("2001:db8:1:2::1")
    assert_banned(Person("Ann", address="2001:db8:1:2:ffff::9").enter(), "address")
    assert Person("Bob", address="2001:db8:1:3::1").enter().status == 201
    ban_address("::ffff:192.0.2.9")
    assert_banned(Person("Cid", address="192.0.2.9").enter(), "address")


@pytest.mark.parametrize("address", ["", "somewhere", "192.0.2.0/24", "192.0.2"])
def test_what_is_no_address_is_not_banned(db: None, address: str) -> None:
    with pytest.raises(Invalid) as refused:
        ban_address(address)
    assert refused.value.extra["errors"].keys() == {"address"}


# --- all of them


def test_a_ban_ends_by_itself(ann: Person, time_machine: TimeMachineFixture) -> None:
    ban(ann)
    time_machine.move_to(tomorrow() + timedelta(seconds=1), tick=False)
    assert ann.get("sessions/current").code == "not_authenticated"
    assert Person("Ann", address=ann.address).enter().status == 201


def test_what_is_over_is_swept_with_the_tokens_that_it_remembers(
    ann: Person, time_machine: TimeMachineFixture
) -> None:
    ban(ann)
    lasting = ban_name("Bob", until=timezone.now() + timedelta(days=9))
    time_machine.move_to(tomorrow() + timedelta(seconds=1), tick=False)
    sweep_players()
    assert list(Ban.objects.all()) == [lasting]
    assert not BannedToken.objects.exists()


def test_a_ban_can_be_taken_back(ann: Person) -> None:
    session = ban(ann)
    for each in Ban.objects.exclude(pk=session.pk):
        bans.lift_ban(ban_id=each.pk)
    assert Person("Ann", address=ann.address).enter().status == 201
    assert_banned(ann.get("sessions/current"), "session")
    bans.lift_ban(ban_id=session.pk)
    assert ann.get("sessions/current").code == "not_authenticated"
    with pytest.raises(NotFound):
        bans.lift_ban(ban_id=session.pk)


def test_a_second_ban_takes_the_place_of_the_first(db: None) -> None:
    ban_name("Ann", reason="first")
    later = tomorrow() + timedelta(days=3)
    ban_name("Аnn", reason="second", until=later)
    (only,) = Ban.objects.all()
    assert (only.reason, only.expires_at) == ("second", later)


def test_the_longest_of_several_bans_is_told(db: None) -> None:
    later = tomorrow() + timedelta(days=3)
    ban_name("Ann")
    ban_address("192.0.2.7", until=later)
    answer = Person("Ann", address="192.0.2.7").enter()
    assert_banned(answer, "address")
    assert datetime.fromisoformat(answer["expires_at"]) == later


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"reason": " "}, {"reason"}),
        ({"reason": "x" * 501}, {"reason"}),
        ({"until": timezone.now()}, {"until"}),
        (
            {"until": timezone.now() + settings.BAN_LONGEST + timedelta(days=1), "reason": ""},
            {"until", "reason"},
        ),
    ],
)
def test_a_ban_wants_a_reason_and_an_end(ann: Person, fields: Any, wrong: set[str]) -> None:
    with pytest.raises(Invalid) as refused:
        ban(ann, **fields)
    assert refused.value.extra["errors"].keys() == wrong
    with pytest.raises(Invalid):
        ban_name("Bob", **fields)
    assert not Ban.objects.exists()
    assert ann.get("sessions/current").status == 200


def test_neither_name_nor_address_can_be_read_from_a_ban(ann: Person) -> None:
    player = player_of(ann)
    ban(ann, reason="Ann, that is ANN, was rude")
    ban_name("Zoe Zed", reason="zoe  zed is no name")
    ban_address("192.0.2.7", reason="192.0.2.7 floods us")
    kept = str(all_rows()).lower()
    for trace in ("ann,", "zoe", "192.0.2.7", ann.address, str(player.pk)):
        assert trace not in kept, trace
    assert {ban.reason for ban in Ban.objects.all()} == {
        "[name], that is [name], was rude",
        "[name] is no name",
        "[address] floods us",
    }


def test_marks_of_different_kinds_differ_and_follow_the_key(db: None, settings: Any) -> None:
    marks = {kind("ann") for kind in (address_mark, name_mark, session_mark)}
    assert len(marks) == 3
    settings.SECRET_KEY = "another key"
    assert marks.isdisjoint({kind("ann") for kind in (address_mark, name_mark, session_mark)})


def test_a_token_that_is_good_costs_no_question_about_bans(ann: Person) -> None:
    with CaptureQueriesContext(connection) as queries:
        ann.get("sessions/current")
        ann.get(f"tables/{ann.open()}")
    assert not [query for query in queries if "players_ban" in query["sql"]]
    with CaptureQueriesContext(connection) as queries:
        Person().get("sessions/current", authorization="Bearer wrong")
    assert len(queries) == 2
