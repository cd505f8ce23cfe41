"""POST /stream-tickets: for a browser's EventSource, which can't send headers."""

from datetime import datetime, timedelta
from functools import partial

import pytest
from django.utils import timezone
from time_machine import TimeMachineFixture

from config.errors import NotAuthenticated
from sessions.models import Player, Ticket
from sessions.services import issue_ticket, redeem_ticket, sweep_players
from tests.conftest import Enter
from tests.people import Answer, Person
from tests.rows import all_rows
from tests.together import together

LIVES = timedelta(seconds=30)
SECOND = timedelta(seconds=1)

pytestmark = pytest.mark.django_db


@pytest.fixture
def clock(time_machine: TimeMachineFixture) -> TimeMachineFixture:
    """Time stands still unless it is moved."""
    time_machine.move_to(timezone.now().replace(microsecond=0), tick=False)
    return time_machine


def ask(person: Person) -> Answer:
    answer = person.post("stream-tickets")
    assert answer.status == 201, answer
    return answer


def is_taken(ticket: str) -> bool:
    try:
        redeem_ticket(ticket)
    except NotAuthenticated:
        return False
    return True


def test_it_is_a_ticket_and_when_it_ends(clock: TimeMachineFixture, ann: Person) -> None:
    answer = ask(ann)
    assert answer.json.keys() == {"ticket", "expires_at"}
    assert len(answer["ticket"]) >= 40
    assert datetime.fromisoformat(answer["expires_at"]) == timezone.now() + LIVES


def test_no_cache_keeps_it(ann: Person) -> None:
    assert ask(ann).headers["Cache-Control"] == "no-store"


def test_it_wants_a_token() -> None:
    assert Person().post("stream-tickets").code == "not_authenticated"


def test_it_takes_no_members(ann: Person) -> None:
    answer = ann.post("stream-tickets", {"table": "1"})
    assert (answer.code, list(answer["errors"])) == ("invalid", ["table"])


def test_it_stands_for_its_player(ann: Person, bob: Person) -> None:
    ticket = ask(bob)["ticket"]
    assert redeem_ticket(ticket).name == "Bob"


def test_each_is_another(ann: Person) -> None:
    first, second = ask(ann)["ticket"], ask(ann)["ticket"]
    assert first != second
    assert is_taken(second)
    assert is_taken(first)


def test_it_is_taken_once(ann: Person) -> None:
    ticket = ask(ann)["ticket"]
    assert is_taken(ticket)
    assert not is_taken(ticket)


@pytest.mark.django_db(transaction=True)
def test_of_many_who_use_it_at_the_same_instant_one_gets_in(enter: Enter) -> None:
    ann = enter("Ann")
    for _ in range(5):
        use = partial(is_taken, ask(ann)["ticket"])
        assert sorted(together(use, use, use, use)) == [False, False, False, True]


def test_it_is_taken_for_thirty_seconds(ann: Person, clock: TimeMachineFixture) -> None:
    early, late = ask(ann)["ticket"], ask(ann)["ticket"]
    clock.shift(LIVES - SECOND)
    assert is_taken(early)
    clock.shift(SECOND)
    assert not is_taken(late)


@pytest.mark.parametrize("made_up", ["", "wrong", "x" * 43, "\0", "é"])
def test_one_that_was_never_given_out_is_not_taken(ann: Person, made_up: str) -> None:
    ask(ann)
    assert not is_taken(made_up)


def test_it_is_no_token(ann: Person) -> None:
    ann.token = ask(ann)["ticket"]
    assert ann.get("sessions/current").code == "not_authenticated"


def test_a_token_is_no_ticket(ann: Person) -> None:
    assert ann.token
    assert not is_taken(ann.token)


def test_it_ends_with_its_session(ann: Person) -> None:
    ticket = ask(ann)["ticket"]
    assert ann.delete("sessions/current").status == 204
    assert not is_taken(ticket)
    assert not Ticket.objects.exists()


def test_one_whose_player_is_just_leaving_is_not_taken(ann: Person) -> None:
    ticket = ask(ann)["ticket"]
    Player.objects.update(leaving=True)
    assert not is_taken(ticket)


@pytest.mark.django_db(transaction=True)
def test_a_player_who_is_forgotten_meanwhile_gets_none(enter: Enter) -> None:
    enter("Ann")
    player = Player.objects.get()
    Player.objects.all().delete()
    with pytest.raises(NotAuthenticated):
        issue_ticket(player)


def test_the_database_does_not_hold_it(ann: Person) -> None:
    ticket = ask(ann)["ticket"]
    assert not [row for rows in all_rows().values() for row in rows if ticket in row]


def test_the_sweep_forgets_those_that_nobody_used(ann: Person, clock: TimeMachineFixture) -> None:
    ask(ann)
    clock.shift(LIVES - SECOND)
    used_later = ask(ann)["ticket"]
    clock.shift(2 * SECOND)
    sweep_players()
    assert Ticket.objects.count() == 1
    assert is_taken(used_later)
