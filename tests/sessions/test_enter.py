"""POST /sessions: a new name is a new player, a name with its secret the same one, from any device."""

import hashlib
from datetime import datetime, timedelta
from functools import partial

import pytest
from django.conf import settings
from django.db import connection
from django.utils import timezone
from time_machine import TimeMachineFixture

from sessions.models import Guess, Player, Token
from tests.conftest import Enter
from tests.people import Person, fresh_address, seat_all
from tests.rows import all_rows
from tests.together import together

pytestmark = pytest.mark.django_db


def test_a_new_name_makes_a_new_player() -> None:
    answer = Person("Ann").post("sessions", {"name": "Ann", "secret": "correct horse"})
    player = Player.objects.get()
    assert answer.status == 201
    assert answer.json.keys() == {"token", "player", "expires_at", "tables"}
    assert answer["player"] == {"id": str(player.pk), "name": "Ann", "bot": False}
    assert answer["tables"] == []


def test_a_session_lasts_as_long_as_one_may_idle(time_machine: TimeMachineFixture) -> None:
    time_machine.move_to(timezone.now(), tick=False)
    answer = Person("Ann").enter()
    assert datetime.fromisoformat(answer["expires_at"]) == timezone.now() + settings.SESSION_IDLE
    assert answer["expires_at"].endswith("Z")


def test_the_answer_is_never_stored_by_what_is_in_between() -> None:
    assert Person("Ann").enter().headers["Cache-Control"] == "no-store"


def test_the_token_is_random_and_long() -> None:
    ann = Person("Ann")
    tokens = [str(ann.enter()["token"]) for _ in range(3)]
    assert len(set(tokens)) == 3
    assert all(len(token) >= 43 for token in tokens)


def test_the_token_works_at_once(ann: Person) -> None:
    assert ann.get("sessions/current").status == 200


def test_only_a_digest_of_the_token_is_stored(ann: Person) -> None:
    assert ann.token is not None
    assert Token.objects.get().digest == hashlib.sha256(ann.token.encode()).hexdigest()
    assert ann.token not in str(all_rows())


def test_the_secret_is_stored_as_argon2id_with_19_mib_2_passes_and_1_lane(ann: Person) -> None:
    assert Player.objects.get().secret_hash.startswith("$argon2id$v=19$m=19456,t=2,p=1$")


def test_the_same_secret_gives_two_players_two_hashes(ann: Person, bob: Person) -> None:
    assert ann.secret == bob.secret
    assert len(set(Player.objects.values_list("secret_hash", flat=True))) == 2


def test_a_name_in_use_with_its_secret_is_the_same_player_from_another_device(ann: Person) -> None:
    first = ann.get("sessions/current")["player"]
    phone = Person("Ann")
    answer = phone.enter()
    assert answer.status == 200
    assert answer["player"] == first
    assert phone.token != ann.token
    assert phone.address != ann.address


def test_both_devices_hold_the_player(ann: Person) -> None:
    phone = Person("Ann")
    phone.enter()
    assert ann.get("sessions/current").json == phone.get("sessions/current").json


def test_who_comes_back_finds_its_tables_and_the_same_seat(ann: Person, bob: Person) -> None:
    playing = seat_all("7776", [bob, ann])
    waiting = ann.open("dominoes")
    answer = Person("Ann").enter()
    assert [table["id"] for table in answer["tables"]] == [waiting, playing]
    assert [table["you"] for table in answer["tables"]] == [0, 1]
    assert [table["your_turn"] for table in answer["tables"]] == [False, True]


def test_who_comes_back_from_another_device_goes_on_playing(ann: Person, bob: Person) -> None:
    table = seat_all("7776", [ann, bob])
    phone = Person("Ann")
    phone.enter()
    assert phone.see(table) == ann.see(table)
    assert phone.move(table, "choose 1").status == 201


def test_coming_back_renews_the_session(ann: Person, time_machine: TimeMachineFixture) -> None:
    time_machine.move_to(timezone.now() + settings.SESSION_IDLE / 2, tick=False)
    answer = Person("Ann").enter()
    assert datetime.fromisoformat(answer["expires_at"]) == timezone.now() + settings.SESSION_IDLE


def test_the_name_stays_as_it_was_first_written(ann: Person) -> None:
    answer = Person("ANN").enter()
    assert answer.status == 200
    assert answer["player"]["name"] == "Ann"


def test_a_name_in_use_with_another_secret_is_taken(ann: Person) -> None:
    answer = Person("Ann", secret="another one").enter()
    assert answer.status == 409
    assert answer.code == "name_taken"
    assert "token" not in answer.json


def test_a_wrong_secret_ends_nothing_and_gives_nothing(ann: Person) -> None:
    before = all_rows()
    Person("Ann", secret="another one").enter()
    after = all_rows()
    changed = {table for table in after if after[table] != before[table]}
    assert changed == {"players_guess"}
    assert ann.get("sessions/current").status == 200


def test_case_counts_in_a_secret(ann: Person) -> None:
    assert Person("Ann", secret="Correct horse").enter().code == "name_taken"


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer nobodys", "Basic QW5uOnNlY3JldA==", "\x7f"])
def test_the_authorization_header_is_not_looked_at(db: None, header: str) -> None:
    answer = Person().post("sessions", {"name": "Ann", "secret": "correct horse"}, authorization=header)
    assert answer.status == 201


def test_who_has_entered_may_enter_under_another_name_too(ann: Person) -> None:
    answer = ann.post("sessions", {"name": "Annette", "secret": "correct horse"})
    assert answer.status == 201
    assert ann.get("sessions/current")["player"]["name"] == "Ann"


def test_all_that_is_wrong_is_told_at_once(db: None) -> None:
    answer = Person().post("sessions", {"name": "", "secret": "abc", "age": 7})
    assert answer.code == "invalid"
    answer = Person().post("sessions", {"name": " ", "secret": "abc"})
    assert answer.code == "invalid"
    assert answer["errors"].keys() == {"name", "secret"}


def test_neither_name_nor_secret_is_repeated_by_a_refusal(db: None) -> None:
    answer = Person().post("sessions", {"name": "Xanthippe\u202e", "secret": "Socrates\u202e"})
    assert answer.code == "invalid"
    assert "Xanthippe" not in str(answer.json)
    assert "Socrates" not in str(answer.json)


def test_of_too_many_devices_the_one_unused_longest_is_ended(
    ann: Person, time_machine: TimeMachineFixture
) -> None:
    devices = [ann]
    for minute in range(1, settings.TOKENS_PER_PLAYER):
        time_machine.move_to(timezone.now() + timedelta(minutes=minute), tick=False)
        devices.append(Person("Ann", address=ann.address))
        devices[-1].enter()
    assert ann.get("sessions/current").status == 200
    Person("Ann", address=ann.address).enter()
    assert [device.get("sessions/current").status for device in devices[:3]] == [200, 401, 200]
    assert Token.objects.count() == settings.TOKENS_PER_PLAYER


def test_nothing_is_half_done_when_the_database_goes_away_in_the_middle(db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE FUNCTION go_away() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'gone' USING ERRCODE = '57P01'; END $$"
        )
        cursor.execute(
            "CREATE TRIGGER gone BEFORE INSERT ON players_token FOR EACH ROW EXECUTE FUNCTION go_away()"
        )
    before = all_rows()
    answer = Person("Ann").enter()
    assert answer.status == 503
    assert answer.code == "unavailable"
    assert all_rows() == before


@pytest.mark.django_db(transaction=True)
def test_of_two_who_take_a_name_at_the_same_instant_one_has_it() -> None:
    for round_ in range(3):
        people = [Person(f"Ann {round_}", secret=f"secret {number}") for number in range(4)]
        answers = together(*(person.enter for person in people))
        assert sorted(answer.status for answer in answers) == [201, 409, 409, 409]
        assert Player.objects.filter(name=f"Ann {round_}").count() == 1


@pytest.mark.django_db(transaction=True)
def test_one_player_who_enters_twice_at_the_same_instant_is_one_player() -> None:
    answers = together(*(Person("Ann").enter for _ in range(4)))
    assert sorted(answer.status for answer in answers) == [200, 200, 200, 201]
    assert len({answer["player"]["id"] for answer in answers}) == 1


@pytest.mark.django_db(transaction=True)
def test_entering_while_the_name_is_being_given_up_ends_in_one_player_or_none(enter: Enter) -> None:
    for _ in range(5):
        ann = enter("Ann")
        other = Person("Ann", secret="another one")
        gone, entered = together(partial(ann.delete, "sessions/current"), other.enter)
        assert gone.status == 204
        assert entered.status in (201, 409)
        assert Player.objects.count() == (entered.status == 201)
        Player.objects.all().delete()


def test_a_name_whose_holder_is_being_forgotten_is_free(ann: Person) -> None:
    Player.objects.update(leaving=True)
    answer = Person("Ann", secret="another one").enter()
    assert answer.status == 201
    assert ann.get("sessions/current").status == 401


def test_the_address_is_kept_as_a_keyed_hash_only(db: None) -> None:
    address = fresh_address()
    Person("Ann", address=address).enter()
    assert Guess.objects.get().address != hashlib.sha256(address.encode()).hexdigest()
    assert address not in str(all_rows())
