"""The queue of reports in the admin: oldest first, decided once and for a reason, with a ban if need be."""

from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission, User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from config.acts import parts_of
from games import reports
from games.models import Report
from sessions.models import Ban, Player
from tests.conftest import Enter
from tests.games.situations import begun
from tests.people import Person
from tests.staff import ban, committed, moderator

pytestmark = pytest.mark.django_db

QUEUE = "/admin/games/report"


@pytest.fixture
def desk(db: None) -> Client:
    return logged_in(moderator())


def logged_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def page(client: Client, path: str = "/") -> str:
    answer = client.get(f"{QUEUE}{path}")
    assert answer.status_code == 200, answer
    return answer.content.decode()


def send(client: Client, path: str, **fields: Any) -> str:
    with committed():
        answer = client.post(f"{QUEUE}{path}", fields, follow=True)
    assert answer.status_code == 200, answer
    return answer.content.decode()


def reported(who: Person, table: str, seat: int = 1, **rest: Any) -> Report:
    answer = who.post(f"tables/{table}/reports", {"seat": seat, "reason": "stalling", **rest})
    assert answer.status == 201, answer
    return Report.objects.get(pk=answer["id"])


@pytest.fixture
def report(ann: Person, bob: Person) -> Report:
    return reported(ann, begun("pickomino", [ann, bob]), text="Waits <b>long</b>.")


def test_the_queue_shows_what_waits_the_oldest_first(desk: Client, ann: Person, bob: Person) -> None:
    first, second, third = (reported(ann, begun("7776", [ann, bob])) for _ in range(3))
    reports.decide_report(report_id=second.pk, by=moderator(), decision="dismissed", reason="no")
    waiting = page(desk)
    assert waiting.index(str(first.pk)) < waiting.index(str(third.pk))
    assert str(second.pk) not in waiting
    assert str(second.pk) in page(desk, "/?decided=dismissed")
    assert str(second.pk) not in page(desk, "/?decided=upheld")
    assert str(second.pk) in page(desk, "/?decided=all")
    found = page(desk, f"/?q={third.table_id}")
    assert str(third.pk) in found
    assert str(first.pk) not in found
    assert page(desk, "/?q=nonsense")


def test_the_page_shows_all_that_was_told_and_nothing_of_the_state(desk: Client, report: Report) -> None:
    shown = page(desk, f"/{report.pk}/change/")
    for part in (
        "Waits &lt;b&gt;long&lt;/b&gt;.",
        "Stalling",
        "pickomino",
        str(report.table_id),
        "Bob",
        "Ann",
    ):
        assert part in shown, part
    with CaptureQueriesContext(connection) as queries:
        page(desk)
        page(desk, f"/{report.pk}/change/")
    assert not [query["sql"] for query in queries if '"state"' in query["sql"] or "secret" in query["sql"]]


def test_it_is_decided_for_a_reason_that_stands_in_the_log(desk: Client, ann: Person, report: Report) -> None:
    path = f"/{report.pk}/change/"
    assert "This field is required." in send(desk, path, decision="upheld", because="")
    assert "This field is required." in send(desk, path, because="seen")
    send(desk, path, decision="upheld", because="Bob does wait")
    report.refresh_from_db()
    assert (report.decision, report.decided_by) == ("upheld", moderator())
    assert report.decided_because == "[seat 1] does wait"
    entry = LogEntry.objects.get()
    assert (entry.user, entry.object_id, entry.change_message) == (
        moderator(),
        str(report.pk),
        "upheld: [seat 1] does wait",
    )
    assert [told["decision"] for told in ann.get("sessions/current")["reports"]] == ["upheld"]


def test_what_is_decided_can_be_read_and_not_decided_again(desk: Client, report: Report) -> None:
    path = f"/{report.pk}/change/"
    send(desk, path, decision="upheld", because="seen")
    assert "seen" in page(desk, path)
    # From a page, or with a list's tick, of before.
    assert "was faster" in send(desk, path, decision="dismissed", because="no")
    assert "Reports decided: 0." in act(desk, "dismiss", report, reason="no")
    assert Report.objects.get().decision == "upheld"
    assert LogEntry.objects.count() == 1


def test_of_two_who_decide_at_once_the_later_is_told(
    desk: Client, report: Report, monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_late(**_: Any) -> None:
        raise reports.AlreadyDecided

    monkeypatch.setattr(reports, "decide_report", too_late)
    assert "was faster" in send(desk, f"/{report.pk}/change/", decision="upheld", because="seen")
    assert "was faster" in act(desk, "uphold", report, reason="seen")
    assert not LogEntry.objects.exists()


def act(client: Client, action: str, *rows: Report, **fields: Any) -> str:
    return send(client, "/", action=action, _selected_action=[row.pk for row in rows], **fields)


def test_several_are_decided_at_once_for_one_reason(desk: Client, ann: Person, bob: Person) -> None:
    some = [reported(ann, begun("7776", [ann, bob])) for _ in range(3)]
    assert "Say for what reason" in act(desk, "dismiss", *some)
    assert "Reports decided: 2." in act(desk, "dismiss", *some[:2], reason="no ground")
    assert "Reports decided: 1." in act(desk, "uphold", some[2], reason="seen")
    assert [each.decision for each in Report.objects.order_by("pk")] == ["dismissed", "dismissed", "upheld"]
    assert LogEntry.objects.count() == 3


def test_the_player_is_banned_with_it(desk: Client, bob: Person, report: Report) -> None:
    fields = {"decision": "upheld", "because": "again and again", "ban_hours": "3"}
    send(desk, f"/{report.pk}/change/", **fields)
    assert bob.get("sessions/current").code == "banned"
    assert Person("Bob").enter()["ban"] == "name"
    assert Person("Zoe", address=bob.address).enter().status == 201


def test_neither_name_nor_the_reporter_s_outlives_its_player_in_the_ban(desk: Client, report: Report) -> None:
    because = ("Ann says that Bob waits, and " * 20)[:500]
    send(desk, f"/{report.pk}/change/", decision="upheld", because=because, ban_hours=24)
    reasons = [ban.reason for ban in Ban.objects.all()]
    assert max(map(len, reasons)) <= 500
    written = [*reasons, *LogEntry.objects.values_list("change_message", flat=True)]
    assert len(written) >= 3
    assert not [text for text in written if "Ann" in text or "Bob" in text]
    assert all(text.startswith("[reporter] says that [name] waits, and") for text in reasons)


def test_with_its_addresses_if_that_is_wanted(desk: Client, bob: Person, report: Report) -> None:
    fields = {"decision": "upheld", "because": "again", "ban_hours": "3", "ban_address": "on"}
    send(desk, f"/{report.pk}/change/", **fields)
    assert Person("Zoe", address=bob.address).enter()["ban"] == "address"


def test_a_ban_that_goes_with_it_is_in_the_log_too_on_one_line_each(desk: Client, report: Report) -> None:
    player = report.player_id
    fields = {"decision": "upheld", "because": "Bob\r\nagain", "ban_hours": "3", "ban_address": "on"}
    send(desk, f"/{report.pk}/change/", **fields)
    entries = {entry.object_id: parts_of(entry) for entry in LogEntry.objects.all()}
    assert entries == {
        str(report.pk): ("upheld", "[seat 1] again"),
        str(player): ("Banned for 3 hours, with its addresses", "[name] again"),
    }


def test_addresses_are_banned_for_a_while_or_not_at_all(desk: Client, report: Report) -> None:
    fields = {"decision": "upheld", "because": "again", "ban_address": "on"}
    assert "Say for how long." in send(desk, f"/{report.pk}/change/", **fields)
    assert Report.objects.get().decision is None


def test_it_leads_to_the_players_and_to_the_table_as_it_was_then(desk: Client, report: Report) -> None:
    shown = page(desk, f"/{report.pk}/change/")
    table = f"/admin/games/table/{report.table_id}/change/?version={report.version}&amp;seat=1"
    for path in (table, *(f"/admin/players/player/{each.pk}/change/" for each in Player.objects.all())):
        assert f'href="{path}"' in shown
    assert str(report.pk) in page(desk, f"/?decided=all&q={report.player_id}")
    assert str(report.pk) not in page(desk, f"/?decided=all&q={report.reporter_id}")
    assert (
        f"q={report.player_id}"
        in desk.get(f"/admin/players/player/{report.player_id}/change/").content.decode()
    )


def test_who_left_the_table_and_is_still_here_is_banned_all_the_same(
    desk: Client, ann: Person, bob: Person
) -> None:
    table = begun("pickomino", [ann, bob])
    bob.delete(f"tables/{table}/seats/me")
    report = reported(ann, table)
    send(desk, f"/{report.pk}/change/", decision="upheld", because="left", ban_hours="1")
    assert bob.get("sessions/current").code == "banned"


def test_nobody_is_banned_who_is_gone(desk: Client, bob: Person, report: Report) -> None:
    assert "ban_hours" in page(desk, f"/{report.pk}/change/")
    ban(bob)
    shown = page(desk, f"/{report.pk}/change/")
    assert "ban_hours" not in shown
    assert "(gone)" in shown


def test_each_may_do_what_the_permissions_say(db: None, bob: Person, report: Report) -> None:
    reader, decider = (User.objects.create(username=name, is_staff=True) for name in ("reader", "decider"))
    reader.user_permissions.add(Permission.objects.get(codename="view_report"))
    decider.user_permissions.set(Permission.objects.filter(codename__in=["view_report", "change_report"]))
    path = f"/{report.pk}/change/"
    assert "Waits" in page(logged_in(reader), path)
    assert logged_in(reader).post(f"{QUEUE}{path}", {"decision": "upheld", "because": "x"}).status_code == 403
    act(logged_in(reader), "uphold", report, reason="why not")
    assert Report.objects.get().decision is None
    assert "ban_hours" not in page(logged_in(decider), path)
    send(logged_in(decider), path, decision="upheld", because="seen", ban_hours="5")
    assert Report.objects.get().decision == "upheld"
    assert bob.get("sessions/current").status == 200
    assert desk_of_nobody().get(f"{QUEUE}/").status_code == 403


def desk_of_nobody() -> Client:
    return logged_in(User.objects.create(username="nobody", is_staff=True))


def test_reports_are_neither_added_nor_deleted_here(desk: Client, report: Report) -> None:
    assert desk.get(f"{QUEUE}/add/").status_code == 403
    assert desk.post(f"{QUEUE}/{report.pk}/delete/", {"post": "yes"}).status_code == 403
    act(desk, "delete_selected", report, post="yes")
    assert Report.objects.exists()


def test_a_text_that_was_deleted_is_said_to_be(desk: Client, report: Report) -> None:
    Report.objects.update(text=None)
    assert "(deleted)" in page(desk, f"/{report.pk}/change/")


def test_the_queue_costs_the_same_for_one_and_for_many(desk: Client, enter: Enter) -> None:
    def cost() -> int:
        with CaptureQueriesContext(connection) as queries:
            page(desk)
        return len(queries)

    ann, bob = enter(), enter()
    first = reported(ann, begun("7776", [ann, bob]))
    few = cost()
    Report.objects.bulk_create(
        Report(
            table=first.table,
            seat=number,
            version=2,
            begun=True,
            reason="other",
            text="",
            reporter=first.reporter,
            player=first.player,
            created_at=timezone.now(),
        )
        for number in range(2, 40)
    )
    assert cost() == few
