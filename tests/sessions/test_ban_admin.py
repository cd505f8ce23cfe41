"""The admin of bans and names: services do what is done there, for a reason, and it stands in the log."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission, User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from config.errors import Unavailable
from sessions.admin import Served
from sessions.models import Ban, NameState, Player, RefusedName
from tests.conftest import Enter
from tests.people import Person
from tests.rows import all_rows
from tests.staff import ban_name, committed, moderator, player_of

pytestmark = pytest.mark.django_db

BANS, WORDS, NAMES = "/admin/players/ban", "/admin/players/refusedname", "/admin/players/nameinquestion"


@pytest.fixture
def desk(db: None) -> Client:
    return logged_in(moderator())


def logged_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def page(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, answer
    return answer.content.decode()


def send(client: Client, path: str, **fields: Any) -> str:
    """A form that is sent; the page that follows."""
    with committed():
        answer = client.post(path, fields, follow=True)
    assert answer.status_code == 200, answer
    return answer.content.decode()


def act(client: Client, path: str, action: str, *rows: Any, **fields: Any) -> str:
    return send(client, f"{path}/", action=action, _selected_action=[row.pk for row in rows], **fields)


def messages_of_log() -> list[str]:
    return list(LogEntry.objects.order_by("pk").values_list("change_message", flat=True))


def test_a_name_is_banned_as_it_is_typed_and_kept_nowhere(desk: Client) -> None:
    shown = send(desk, f"{BANS}/add/", kind="name", what="Zoe Zed", reason="zoe zed is rude", hours=48)
    assert "added successfully" in shown
    assert Person("Ζоe Zed").enter().code == "banned"
    only = Ban.objects.get()
    assert only.by == moderator()
    assert timedelta(hours=47) < only.expires_at - timezone.now() <= timedelta(hours=48)
    assert messages_of_log() == ["Banned a name for 48 hours: [name] is rude"]
    assert "zoe" not in str(all_rows()).lower()
    assert "zoe" not in (page(desk, f"{BANS}/") + page(desk, f"{BANS}/{only.pk}/change/")).lower()


def test_so_is_an_address(desk: Client) -> None:
    send(desk, f"{BANS}/add/", kind="address", what=" 192.0.2.7", reason="floods", hours=1)
    assert Person("Ann", address="192.0.2.7").enter().code == "banned"
    assert "192.0.2.7" not in str(all_rows())


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"what": "x" * 30}, "It must have 1 to 24 characters."),
        ({"kind": "address"}, "This is no IP address."),
        ({"reason": ""}, "This field is required."),
        ({"hours": "0"}, "greater than or equal to 1"),
        ({"hours": "999999"}, "less than or equal to"),
        ({"kind": "session"}, "Select a valid choice"),
    ],
)
def test_what_can_not_be_banned_is_said_at_the_form(desk: Client, fields: Any, wrong: str) -> None:
    given = {"kind": "name", "what": "Zoe", "reason": "is rude", "hours": "1", **fields}
    assert wrong in send(desk, f"{BANS}/add/", **given)
    assert not Ban.objects.exists()


def test_a_ban_is_taken_back_for_a_reason_and_changed_or_deleted_by_no_other_way(desk: Client) -> None:
    kept = ban_name("Zoe")
    assert "Say for what reason" in act(desk, BANS, "lift", kept)
    assert desk.post(f"{BANS}/{kept.pk}/change/", {"reason": "none"}).status_code == 403
    assert desk.post(f"{BANS}/{kept.pk}/delete/", {"post": "yes"}).status_code == 403
    act(desk, BANS, "delete_selected", kept, post="yes")
    assert Ban.objects.get().reason == kept.reason
    assert "Bans taken back: 1." in act(desk, BANS, "lift", kept, reason="a mistake")
    assert not Ban.objects.exists()
    assert messages_of_log() == ["Taken back: a mistake"]


def test_a_tick_that_stands_for_no_row_is_passed_over(desk: Client) -> None:
    rude, path = ban_name("Rude"), f"{BANS}/"
    sent: Any = {"action": "lift", "reason": "x"}
    assert "must be selected" in send(desk, path, **sent, _selected_action=["\x00", "x"])
    assert "Bans taken back: 0." in send(desk, path, **sent, _selected_action="9" * 30)
    assert "Bans taken back: 1." in send(desk, path, **sent, _selected_action=["x", rude.pk, "\x00"])


def test_an_act_that_can_not_be_logged_is_not_done(desk: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    rude = ban_name("Rude")

    def fail(*_: Any) -> None:
        raise Unavailable

    monkeypatch.setattr(Served, "log_change", fail)
    assert "Bans taken back: 0." in act(desk, BANS, "lift", rude, reason="x")
    assert Ban.objects.get() == rude


def test_a_reason_that_a_name_s_removal_makes_too_long_is_cut(desk: Client) -> None:
    send(desk, f"{BANS}/add/", kind="name", what="Ivy", reason="ivy " * 125, hours=48)
    reason = Ban.objects.get().reason
    assert len(reason) <= 500
    assert reason.startswith("[name] [name]")


def test_a_word_is_added_and_removed(desk: Client, enter: Enter) -> None:
    enter("Badword")
    send(desk, f"{WORDS}/add/", word="badword")
    assert Person("xbadwordx").enter().code == "invalid"
    assert Player.objects.get().name_state == NameState.QUESTION
    assert "too short" in send(desk, f"{WORDS}/add/", word="a")
    word = RefusedName.objects.get()
    assert (word.by, word.whole) == (moderator(), False)
    assert "badword" in page(desk, f"{WORDS}/?q=badw")
    act(desk, WORDS, "remove", word, reason="harmless")
    assert not RefusedName.objects.exists()


def test_a_name_in_question_is_banned_or_let_be(desk: Client, enter: Enter) -> None:
    rude, fine, other = enter("Badword"), enter("Badwords"), enter("Ann")
    send(desk, f"{WORDS}/add/", word="badword")
    shown = page(desk, f"{NAMES}/")
    assert "Badword<" in shown
    assert "Badwords<" in shown
    assert other.name + "<" not in shown
    act(desk, NAMES, "keep", player_of(fine), reason="Badwords is fine")
    act(desk, NAMES, "ban", player_of(rude), reason="Badword is not", hours="2")
    assert rude.get("sessions/current").code == "banned"
    assert fine.get("sessions/current").status == 200
    assert "Badword" not in page(desk, f"{NAMES}/")
    assert messages_of_log()[1:] == ["Let be: [name] is fine", "Banned for 2 hours: [name] is not"]
    assert "Nothing found" in page(desk, f"{NAMES}/")


def test_who_may_only_look_may_only_look(db: None, enter: Enter) -> None:
    user = User.objects.create(username="visitor", is_staff=True)
    user.user_permissions.set(
        Permission.objects.filter(codename__in=["view_ban", "view_refusedname", "view_nameinquestion"])
    )
    client, player = logged_in(user), player_of(enter("Badword"))
    Player.objects.update(name_state=NameState.QUESTION)
    kept = ban_name("Zoe")
    for path in (BANS, WORDS, NAMES):
        page(client, f"{path}/")
        assert client.get(f"{path}/add/").status_code == 403
    act(client, BANS, "lift", kept, reason="why not")
    act(client, NAMES, "ban", player, reason="why not")
    act(client, NAMES, "keep", player, reason="why not")
    assert Ban.objects.count() == 1
    assert Player.objects.get().name_state == NameState.QUESTION
    nobody = logged_in(User.objects.create(username="nobody", is_staff=True))
    for path in (BANS, WORDS, NAMES):
        assert nobody.get(f"{path}/").status_code == 403


def test_the_lists_cost_the_same_for_one_row_and_for_many(desk: Client, enter: Enter) -> None:
    def cost(path: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            page(desk, f"{path}/")
        return len(queries)

    counted = []
    for count in (1, 20):
        for number in range(count):
            ban_name(f"rude {count} {number}x")
            send(desk, f"{WORDS}/add/", word=f"word {count} {number}x")
        Player.objects.update(name_state=NameState.QUESTION)
        counted.append([cost(path) for path in (BANS, WORDS, NAMES)])
        for _ in range(4):
            enter()
    assert counted[0] == counted[1]
