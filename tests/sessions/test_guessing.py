"""Guessing a secret: slowed down with growing delays, which nobody can use to lock a player out."""

from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone
from time_machine import TimeMachineFixture

from sessions.guesses import ALL_ADDRESSES, FORGIVEN_AFTER, ONE_ADDRESS
from sessions.models import Guess, Player
from tests.conftest import Enter
from tests.people import Answer, Person, fresh_address
from tests.rows import all_rows
from tests.together import together

pytestmark = pytest.mark.django_db


@pytest.fixture
def clock(time_machine: TimeMachineFixture) -> TimeMachineFixture:
    """Time stands still unless it is moved."""
    time_machine.move_to(timezone.now().replace(microsecond=0), tick=False)
    return time_machine


def guesses(address: str, name: str = "Ann") -> Answer:
    return Person(name, secret="wrong guess", address=address).enter()


def knows(address: str, name: str = "Ann") -> Answer:
    return Person(name, address=address).enter()


def wear_out(clock: TimeMachineFixture, address: str, times: int) -> None:
    """Guess so often, waiting as long as one is told to."""
    while times:
        answer = guesses(address)
        if answer.status == 429:
            clock.shift(int(answer.headers["Retry-After"]))
        else:
            times -= 1


def wear_out_all(clock: TimeMachineFixture, guesses_made: int) -> None:
    """Guess once from each of so many addresses."""
    for _ in range(guesses_made):
        wear_out(clock, fresh_address(), 1)


def test_the_first_wrong_guesses_of_an_address_cost_nothing(ann: Person, clock: TimeMachineFixture) -> None:
    thief = fresh_address()
    assert [guesses(thief).code for _ in range(ONE_ADDRESS.free)] == ["name_taken"] * 3
    assert knows(thief).status == 200


def test_then_the_delays_grow(ann: Person, clock: TimeMachineFixture) -> None:
    thief, delays = fresh_address(), []
    for _ in range(ONE_ADDRESS.free):
        guesses(thief)
    for _ in range(6):
        assert guesses(thief).code == "name_taken"
        answer = guesses(thief)
        assert answer.code == "throttled"
        delays.append(int(answer.headers["Retry-After"]))
        clock.shift(delays[-1])
    assert delays == [1, 2, 4, 8, 16, 32]


def test_a_delay_lasts_as_long_as_was_told_and_not_longer(ann: Person, clock: TimeMachineFixture) -> None:
    thief = fresh_address()
    wear_out(clock, thief, 7)
    assert guesses(thief).headers["Retry-After"] == "8"
    clock.shift(7.5)
    assert guesses(thief).headers["Retry-After"] == "1"
    clock.shift(0.5)
    assert guesses(thief).code == "name_taken"


def test_guesses_during_a_delay_neither_count_nor_tell_anything(
    ann: Person, clock: TimeMachineFixture
) -> None:
    thief = fresh_address()
    wear_out(clock, thief, 5)
    before = all_rows()
    wrong, right = guesses(thief), knows(thief)
    assert wrong.json == right.json
    assert wrong.code == "throttled"
    assert wrong.headers["Retry-After"] == right.headers["Retry-After"]
    assert all_rows() == before


def test_after_the_delay_the_right_secret_opens_and_the_count_begins_anew(
    ann: Person, clock: TimeMachineFixture
) -> None:
    phone = fresh_address()
    wear_out(clock, phone, 5)
    clock.shift(2)
    assert knows(phone).status == 200
    assert [guesses(phone).code for _ in range(3)] == ["name_taken"] * 3


def test_a_delay_never_grows_past_a_quarter_of_an_hour(ann: Person, clock: TimeMachineFixture) -> None:
    thief = fresh_address()
    wear_out(clock, thief, 16)
    assert guesses(thief).headers["Retry-After"] == "900"


def test_guesses_are_forgiven_after_an_hour_of_peace(ann: Person, clock: TimeMachineFixture) -> None:
    thief = fresh_address()
    wear_out(clock, thief, 8)
    clock.shift(timedelta(seconds=16) + FORGIVEN_AFTER + timedelta(seconds=1))
    assert [guesses(thief).code for _ in range(3)] == ["name_taken"] * 3


def test_an_address_waits_for_one_name_and_not_for_others(
    ann: Person, bob: Person, clock: TimeMachineFixture
) -> None:
    household = fresh_address()
    wear_out(clock, household, 6)
    assert knows(household, "Ann").code == "throttled"
    assert knows(household, "Bob").status == 200
    assert knows(household, "Somebody new").status == 201


def test_one_who_guesses_delays_no_other_address_yet(ann: Person, clock: TimeMachineFixture) -> None:
    wear_out(clock, fresh_address(), 5)
    assert guesses(fresh_address()).code == "name_taken"
    assert knows(fresh_address()).status == 200


def test_guesses_from_many_addresses_delay_every_stranger(ann: Person, clock: TimeMachineFixture) -> None:
    wear_out_all(clock, ALL_ADDRESSES.free)
    delays = []
    for _ in range(4):
        assert guesses(fresh_address()).code == "name_taken"
        answer = guesses(fresh_address())
        assert answer.code == "throttled"
        delays.append(int(answer.headers["Retry-After"]))
        clock.shift(delays[-1])
    assert delays == [1, 2, 4, 8]


def test_strangers_never_wait_longer_than_a_minute(ann: Person, clock: TimeMachineFixture) -> None:
    wear_out_all(clock, ALL_ADDRESSES.free + 9)
    assert knows(fresh_address()).headers["Retry-After"] == "60"


def test_the_address_that_made_the_name_is_never_delayed_by_others(
    ann: Person, clock: TimeMachineFixture
) -> None:
    wear_out_all(clock, ALL_ADDRESSES.free + 5)
    assert knows(fresh_address()).code == "throttled"
    assert knows(ann.address).status == 200


def test_nor_is_an_address_from_which_the_player_came_back_once(
    ann: Person, clock: TimeMachineFixture
) -> None:
    phone = fresh_address()
    assert knows(phone).status == 200
    wear_out_all(clock, ALL_ADDRESSES.free + 5)
    assert knows(fresh_address()).code == "throttled"
    assert knows(phone).status == 200


def test_an_address_that_entered_before_waits_for_its_own_guesses_only(
    ann: Person, clock: TimeMachineFixture
) -> None:
    wear_out(clock, ann.address, 5)
    assert knows(ann.address).headers["Retry-After"] == "2"
    assert knows(fresh_address()).status == 200


def test_whoever_holds_a_token_goes_on_whatever_others_guess(ann: Person, clock: TimeMachineFixture) -> None:
    wear_out(clock, ann.address, 6)
    wear_out_all(clock, ALL_ADDRESSES.free + 2)
    assert ann.get("sessions/current").status == 200


def test_another_spelling_of_the_name_is_no_way_round(ann: Person, clock: TimeMachineFixture) -> None:
    thief = fresh_address()
    for name in ("Ann", "ANN", "ann", " Ａｎｎ"):
        assert guesses(thief, name).code == "name_taken"
    assert guesses(thief, "aNN").code == "throttled"


def test_an_address_that_a_header_claims_is_not_believed(ann: Person, clock: TimeMachineFixture) -> None:
    thief = Person("Ann", secret="wrong guess")
    body = {"name": "Ann", "secret": "wrong guess"}
    codes = [thief.post("sessions", body, x_forwarded_for=fresh_address()).code for _ in range(5)]
    assert codes == ["name_taken"] * 4 + ["throttled"]


def test_one_network_of_ipv6_is_one_address(ann: Person, clock: TimeMachineFixture) -> None:
    for host in range(4):
        assert guesses(f"2001:db8:1:2::{host}").code == "name_taken"
    assert guesses("2001:db8:1:2:ffff::1%eth0").code == "throttled"
    assert guesses("2001:db8:1:3::1").code == "name_taken"


def test_an_ipv4_address_is_itself_where_the_server_listens_on_ipv6(
    ann: Person, clock: TimeMachineFixture
) -> None:
    wear_out(clock, "::ffff:192.0.2.1", 4)
    assert guesses("192.0.2.1").code == "throttled"
    assert guesses("::ffff:192.0.2.2").code == "name_taken"


@pytest.mark.parametrize("address", ["", "unix:", "nowhere"])
def test_what_has_no_address_counts_as_one(ann: Person, clock: TimeMachineFixture, address: str) -> None:
    wear_out(clock, address, 4)
    assert guesses(address).code == "throttled"
    assert knows(fresh_address()).status == 200


def test_the_counters_live_in_postgresql_and_go_with_the_player(
    ann: Person, clock: TimeMachineFixture
) -> None:
    wear_out(clock, fresh_address(), 4)
    assert Guess.objects.count() == 3  # the maker's, the thief's, everybody's
    ann.delete("sessions/current")
    assert Guess.objects.count() == 0


def test_a_new_holder_of_the_name_begins_with_no_guesses(ann: Person, clock: TimeMachineFixture) -> None:
    thief = fresh_address()
    wear_out(clock, thief, 6)
    ann.delete("sessions/current")
    assert Person("Ann", secret="another one").enter().status == 201
    assert guesses(thief).code == "name_taken"


@pytest.mark.django_db(transaction=True)
def test_guesses_made_at_the_same_moment_do_not_share_one_count(enter: Enter) -> None:
    enter("Ann")
    thief = fresh_address()
    answers = together(*(partial(guesses, thief) for _ in range(8)))
    assert sorted(answer.status for answer in answers) == [409] * (ONE_ADDRESS.free + 1) + [429] * 4


@pytest.mark.django_db(transaction=True)
def test_guessers_at_the_same_moment_do_not_delay_each_other_before_their_time(enter: Enter) -> None:
    enter("Ann")
    answers = together(*(partial(guesses, fresh_address()) for _ in range(8)))
    assert [answer.code for answer in answers] == ["name_taken"] * 8


@pytest.mark.django_db(transaction=True)
def test_a_guess_while_the_player_is_being_forgotten_is_answered(enter: Enter) -> None:
    for _ in range(4):
        ann = enter("Ann")
        gone, *guessed = together(
            partial(ann.delete, "sessions/current"),
            partial(guesses, ann.address),
            partial(guesses, ann.address),
        )
        assert gone.status == 204
        assert {answer.status for answer in guessed} <= {200, 201, 409}
        Player.objects.all().delete()
