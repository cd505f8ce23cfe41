"""What moderators do at tables, and to whom: under the lock, told by `moderator`, logged with a reason."""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission, User
from django.core.exceptions import PermissionDenied

from config import errors
from config.acts import parts_of
from games import moderation
from games.moderation import PlaysHere
from sessions.devices import Whereabouts, hidden
from sessions.models import Player, Token
from sessions.secrecy import new_token
from tests.conftest import Enter
from tests.games.conftest import Wait
from tests.games.situations import (
    TURN,
    begun,
    events_of,
    last_domino,
    ledger_of,
    put_state,
    row,
    seats_of,
    told,
    unchanged,
)
from tests.people import Person, fresh_address
from tests.together import together

WHY = "Insults in the name"


@pytest.fixture
def moderator(db: None) -> User:
    return User.objects.create_user("mo", is_staff=True)


@pytest.fixture
def looker(moderator: User) -> User:
    moderator.user_permissions.add(Permission.objects.get(codename="look_at_hidden"))
    return moderator


def logged() -> list[tuple[str, str, str, str]]:
    """Who, about what, what and why, the oldest first."""
    entries = LogEntry.objects.select_related("user").order_by("pk")
    return [(entry.user.username, entry.object_id or "", *parts_of(entry)) for entry in entries]


def elsewhere() -> Whereabouts:
    return Whereabouts(fresh_address(), new_token())


# --- closing and voiding


def test_an_open_table_is_closed(ann: Person, moderator: User) -> None:
    table = ann.open("7776")
    moderation.close_table(table_id=row(table).pk, moderator=moderator, reason=WHY)
    assert ann.see(table)["status"] == "closed"
    assert told(table)[-1] == ("closed", None, "moderator")
    assert events_of(table)[-1].data == {"reason": "moderator"}
    assert logged() == [("mo", table, "Closed the table", WHY)]


def test_a_playing_table_is_voided_and_nobody_has_won(ann: Person, bob: Person, moderator: User) -> None:
    table = begun("pickomino", [ann, bob])
    moderation.void_table(table_id=row(table).pk, moderator=moderator, reason=WHY)
    seen = bob.see(table)
    assert (seen["status"], seen["to_move"], seen["legal_moves"]) == ("closed", [], [])
    assert seen["outcome"] == {"winners": [], "reason": "voided", "scores": [0, 0]}
    assert told(table)[-1] == ("finished", None, "moderator")
    assert logged() == [("mo", table, "Voided the table", WHY)]


@pytest.mark.parametrize("game", ["pickomino", "7776", "dominoes"])
def test_the_record_of_a_voided_table_is_true(ann: Person, bob: Person, moderator: User, game: str) -> None:
    table = begun(game, [ann, bob])
    moderation.void_table(table_id=row(table).pk, moderator=moderator, reason=WHY)
    record = ann.get(f"tables/{table}/record").json
    assert ann.post("records/check", record)["ok"] is True


def test_what_is_not_playing_can_not_be_voided_and_what_has_begun_not_be_closed(
    ann: Person, bob: Person, moderator: User
) -> None:
    waiting, playing = ann.open("7776"), begun("7776", [ann, bob])
    with unchanged(waiting), pytest.raises(errors.NotPlaying):
        moderation.void_table(table_id=row(waiting).pk, moderator=moderator, reason=WHY)
    with unchanged(playing), pytest.raises(errors.NotOpen):
        moderation.close_table(table_id=row(playing).pk, moderator=moderator, reason=WHY)
    moderation.void_table(table_id=row(playing).pk, moderator=moderator, reason=WHY)
    with unchanged(playing), pytest.raises(errors.NotPlaying):
        moderation.void_table(table_id=row(playing).pk, moderator=moderator, reason=WHY)
    assert len(logged()) == 1


# --- seats


def test_who_is_removed_from_an_open_table_can_not_sit_there_again(
    ann: Person, bob: Person, moderator: User
) -> None:
    table = ann.open("pickomino")
    assert bob.sit(table).status == 201
    moderation.remove_seat(table_id=row(table).pk, number=1, moderator=moderator, reason=WHY)
    assert told(table)[-1] == ("removed", 1, "moderator")
    assert bob.sit(table).code == "removed"
    assert logged() == [("mo", table, "Removed seat 1", WHY)]


def test_a_seat_that_is_removed_during_a_game_is_out(
    ann: Person, bob: Person, cid: Person, moderator: User
) -> None:
    table = begun("pickomino", [ann, bob, cid])
    moderation.remove_seat(table_id=row(table).pk, number=1, moderator=moderator, reason=WHY)
    assert told(table)[-1] == ("left", 1, "moderator")
    assert seats_of(table)[1].is_out
    assert bob.move(table, "roll").code == "not_seated"
    assert ann.move(table, "roll").status == 201


def test_the_last_seat_in_the_game_wins_when_the_others_are_removed(
    ann: Person, bob: Person, moderator: User
) -> None:
    table = begun("7776", [ann, bob])
    moderation.remove_seat(table_id=row(table).pk, number=0, moderator=moderator, reason=WHY)
    assert bob.see(table)["outcome"]["reason"] == "forfeit"


@pytest.mark.usefixtures("wait")
def test_seats_that_nobody_plays_are_not_removed(
    ann: Person, bob: Person, cid: Person, moderator: User
) -> None:
    table = ann.open("pickomino", capacity=4)
    ann.post(f"tables/{table}/bots", {"level": "easy"})
    for person in (bob, cid):
        person.sit(table)
    bob.delete(f"tables/{table}/seats/me")
    for number in (1, 2):
        with unchanged(table), pytest.raises(errors.Invalid):
            moderation.remove_seat(table_id=row(table).pk, number=number, moderator=moderator, reason=WHY)
    with unchanged(table), pytest.raises(errors.NotFound):
        moderation.remove_seat(table_id=row(table).pk, number=4, moderator=moderator, reason=WHY)
    assert logged() == []


def test_a_player_is_taken_off_all_tables_that_are_not_over(
    ann: Person, bob: Person, moderator: User
) -> None:
    over = begun("7776", [ann, bob])
    bob.delete(f"tables/{over}/seats/me")
    waiting, playing = ann.open("7776"), begun("dominoes", [ann, bob])
    player = Player.objects.get(name="Ann")
    assert moderation.remove_player(player=player, moderator=moderator, reason=WHY) == 2
    assert ann.get("tables?mine=true")["results"] == []
    assert (row(waiting).status, row(playing).status) == ("closed", "finished")
    assert logged()[-1] == ("mo", str(player.pk), "Removed from 2 tables", WHY)
    assert len(logged()) == 3


def test_who_sits_down_in_place_of_a_player_at_that_moment_stays(
    ann: Person, bob: Person, enter: Enter, moderator: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    cid, table = enter("Cid"), ann.open(capacity=3)
    bob.sit(table)
    remove = moderation.remove_seat

    def too_late(**given: Any) -> None:
        ann.delete(f"tables/{table}/seats/me")
        cid.sit(table)
        remove(**given)

    monkeypatch.setattr(moderation, "remove_seat", too_late)
    player = Player.objects.get(name="Ann")
    assert moderation.remove_player(player=player, moderator=moderator, reason=WHY) == 0
    assert [seat.player.name for seat in seats_of(table) if seat.player] == ["Cid", "Bob"]


# --- deadlines


def test_a_deadline_is_extended_for_its_seat_alone(
    ann: Person, bob: Person, moderator: User, wait: Wait
) -> None:
    table = begun("7776", [ann, bob])
    before = {person.name: person.see(table)["deadline"] for person in (ann, bob)}
    decision = ann.see(table)["decision"]
    moderation.extend_deadline(table_id=row(table).pk, number=0, seconds=600, moderator=moderator, reason=WHY)
    later = row(table).decisions["0"]["deadline"]
    assert ann.see(table)["deadline"] == later > before["Ann"]
    assert bob.see(table)["deadline"] == before["Bob"]
    assert told(table)[-1] == ("extended", 0, "moderator")
    assert events_of(table)[-1].data == {"seconds": 600}
    assert ann.see(table)["decision"] == decision
    wait(121)
    assert [seat["stand_in"] for seat in ann.see(table)["seats"]] == [False, True]
    wait(600)
    assert [seat["stand_in"] for seat in ann.see(table)["seats"]] == [True, True]


def test_only_a_clock_that_runs_is_extended_and_by_no_more_than_a_day(
    ann: Person, bob: Person, moderator: User
) -> None:
    table, timeless = begun("pickomino", [ann, bob]), begun("pickomino", [ann, bob], turn_seconds=None)
    for which, number, seconds in ((table, 1, 60), (timeless, 0, 60), (table, 0, 0), (table, 0, 86_401)):
        with unchanged(which), pytest.raises(errors.Invalid):
            moderation.extend_deadline(
                table_id=row(which).pk, number=number, seconds=seconds, moderator=moderator, reason=WHY
            )
    assert logged() == []


# --- reasons


@pytest.mark.parametrize("reason", ["", "  \n", "x" * 501])
def test_without_a_reason_nothing_is_done(ann: Person, bob: Person, looker: User, reason: str) -> None:
    table = begun("7776", [ann, bob])
    given: Any = {"table_id": row(table).pk, "moderator": looker, "reason": reason}
    acts: list[Any] = [
        lambda: moderation.close_table(**given),
        lambda: moderation.void_table(**given),
        lambda: moderation.remove_seat(number=0, **given),
        lambda: moderation.extend_deadline(number=0, seconds=60, **given),
        lambda: moderation.look_at_hidden(where=elsewhere(), **given),
        lambda: moderation.remove_player(
            player=Player.objects.get(name="Ann"), moderator=looker, reason=reason
        ),
    ]
    for act in acts:
        with unchanged(table), pytest.raises(errors.Invalid) as refused:
            act()
        assert "reason" in refused.value.extra["errors"]
    assert logged() == []


# --- looking


def test_a_look_shows_everything_is_logged_and_told_when_the_table_is_over(
    ann: Person, bob: Person, looker: User
) -> None:
    table = begun("7776", [ann, bob])
    version = row(table).version
    for _ in range(2):
        ledger = moderation.look_at_hidden(
            table_id=row(table).pk, moderator=looker, reason=WHY, where=elsewhere()
        )
    assert ledger.state.throws[1] == tuple(bob.see(table)["view"]["throw"])
    assert row(table).version == version
    assert ann.move(table, "choose 1").status == 201
    bob.delete(f"tables/{table}/seats/me")
    assert told(table)[-3:] == [
        ("left", 1, "player"),
        ("looked", None, "moderator"),
        ("finished", None, "server"),
    ]
    assert events_of(table)[-2].data == {"times": 2}
    assert logged() == [("mo", table, "Looked at what is hidden", WHY)] * 2


def test_a_look_is_told_with_the_move_that_ends_the_game(ann: Person, bob: Person, looker: User) -> None:
    table = begun("pickomino", [ann, bob])
    put_state(table, last_domino(0, [[], []]))
    moderation.look_at_hidden(table_id=row(table).pk, moderator=looker, reason=WHY, where=elsewhere())
    answer = ann.move(table, "collect 21")
    assert [event["kind"] for event in answer["events"]] == ["collected", "looked", "finished"]
    assert ann.get(f"tables/{table}/replay").json["events"] == answer["events"]


def test_a_table_at_which_nobody_looked_tells_of_no_look(ann: Person, bob: Person, moderator: User) -> None:
    table = begun("7776", [ann, bob])
    moderation.void_table(table_id=row(table).pk, moderator=moderator, reason=WHY)
    assert "looked" not in [kind for kind, *_ in told(table)]


def test_a_look_needs_its_permission(ann: Person, bob: Person, moderator: User) -> None:
    table = begun("7776", [ann, bob])
    with unchanged(table), pytest.raises(PermissionDenied):
        moderation.look_at_hidden(table_id=row(table).pk, moderator=moderator, reason=WHY, where=elsewhere())


def test_nobody_looks_from_an_address_or_a_browser_where_a_player_entered(
    ann: Person, bob: Person, looker: User
) -> None:
    table, browser = begun("7776", [ann, bob]), new_token()
    Token.objects.filter(player__name="Bob").update(device=hidden(browser))
    for where in (
        Whereabouts(ann.address, new_token()),
        Whereabouts(fresh_address(), browser),
        Whereabouts(fresh_address(), None),
    ):
        with unchanged(table), pytest.raises(PlaysHere):
            moderation.look_at_hidden(table_id=row(table).pk, moderator=looker, reason=WHY, where=where)
    assert {what for _, _, what, _ in logged()} == {"Was refused a look: a player enters from the same place"}


def test_no_name_is_logged_with_a_look_that_is_refused(ann: Person, bob: Person, looker: User) -> None:
    table = begun("7776", [ann, bob])
    here = Whereabouts(ann.address, new_token())
    with pytest.raises(PlaysHere):
        moderation.look_at_hidden(table_id=row(table).pk, moderator=looker, reason="Ann cheats", where=here)
    assert parts_of(LogEntry.objects.get())[1] == "[name] cheats"


def test_only_a_running_table_hides_anything(ann: Person, bob: Person, looker: User) -> None:
    for table in (ann.open("7776"), begun("7776", [ann, bob])):
        if row(table).status == "playing":
            moderation.void_table(table_id=row(table).pk, moderator=looker, reason=WHY)
        with unchanged(table), pytest.raises(errors.NotPlaying):
            moderation.look_at_hidden(table_id=row(table).pk, moderator=looker, reason=WHY, where=elsewhere())


# --- at the same instant


@pytest.mark.usefixtures("transactional_db")
def test_a_move_and_a_void_at_once_leave_one_order_of_both(ann: Person, bob: Person) -> None:
    given: Any = {"moderator": User.objects.create_user("mo", is_staff=True), "reason": WHY}
    for _ in range(6):
        table = begun("pickomino", [ann, bob])
        void = partial(moderation.void_table, table_id=row(table).pk, **given)
        answer, _ = together(partial(ann.move, table, "roll"), void)
        assert answer is not None
        assert answer.status == 201 or answer.code == "not_playing"
        assert told(table)[-1] == ("finished", None, "moderator")
        assert [event.number for event in events_of(table)] == list(range(1, row(table).version + 1))
        assert row(table).moves == (1 if answer.status == 201 else 0)


@pytest.mark.usefixtures("transactional_db")
def test_moves_and_extensions_and_looks_at_once_are_all_done(ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    given: Any = {"table_id": row(table).pk, "moderator": User.objects.create_superuser("mo"), "reason": WHY}
    together(
        lambda: ann.move(table, "choose 1").status == 201,
        lambda: moderation.look_at_hidden(where=elsewhere(), **given),
        lambda: moderation.extend_deadline(number=1, seconds=60, **given),
        lambda: moderation.look_at_hidden(where=elsewhere(), **given),
    )
    assert (row(table).looks, row(table).moves) == (2, 1)
    asked = ledger_of(table).decisions[1]
    assert asked.deadline == asked.since + timedelta(seconds=TURN + 60)
