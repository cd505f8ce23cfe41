"""Who is on the staff: groups with no more than they need, and the command that makes a moderator."""

import io
import os
import subprocess
import sys

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, User
from django.core.management import CommandError, call_command

from config.acts import parts_of
from tests.desk.staff import Staff, hire
from tests.live.servers import database_url

MODERATOR = {"view_table", "moderate_table", "view_player", "moderate_player", "view_logentry"}
OPERATOR = {"view_historycheck", "view_sweep", "view_user", "view_logentry"}
MAY_SEE = {
    "moderator": ["/admin/games/table/", "/admin/players/player/", "/admin/admin/logentry/"],
    "operator": [
        "/admin/games/historycheck/",
        "/admin/players/sweep/",
        "/admin/auth/user/",
        "/admin/admin/logentry/",
    ],
}


@pytest.mark.usefixtures("groups")
def test_groups_have_no_more_permissions_than_they_need() -> None:
    for name, least in (("moderator", MODERATOR), ("operator", OPERATOR)):
        given = set(Group.objects.get(name=name).permissions.values_list("codename", flat=True))
        assert given >= least
        assert "look_at_hidden" not in given
        assert not [
            each for each in given if each.endswith(("_user", "_group")) and not each.startswith("view")
        ]


@pytest.mark.usefixtures("groups")
@pytest.mark.parametrize("group", ["moderator", "operator"])
def test_each_group_sees_its_own_lists_and_not_the_others(group: str) -> None:
    staff = hire("mo", group=group)
    index = staff.page("/admin/")
    for path in {path for paths in MAY_SEE.values() for path in paths}:
        allowed = path in MAY_SEE[group]
        assert staff.get(path).status_code == (200 if allowed else 403), path
        assert (f'href="{path}"' in index) == allowed, path


@pytest.mark.usefixtures("groups")
def test_an_operator_can_not_change_accounts() -> None:
    staff = hire("ops", group="operator")
    path = f"/admin/auth/user/{staff.user.pk}/change/"
    staff.client.post(path, {"username": "ops", "is_superuser": "on"})
    assert not User.objects.get().is_superuser
    assert staff.get("/admin/auth/user/add/").status_code == 403


def test_accounts_are_not_deleted_since_the_log_names_them(boss: Staff) -> None:
    assert boss.get(f"/admin/auth/user/{boss.user.pk}/delete/").status_code == 403
    assert "is_active" in boss.page(f"/admin/auth/user/{boss.user.pk}/change/")


# --- the command


def make(name: str, password: str, monkeypatch: pytest.MonkeyPatch, *options: str) -> str:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{password}\n"))
    out = io.StringIO()
    call_command("make_moderator", name, *options, stdout=out)
    return out.getvalue()


@pytest.mark.usefixtures("groups")
def test_the_command_makes_a_moderator_from_a_password_that_is_piped_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert "can log in" in make("mo", "correct horse battery", monkeypatch)
    user = User.objects.get()
    assert user.check_password("correct horse battery")
    assert (user.is_staff, user.is_superuser) == (True, False)
    assert [group.name for group in user.groups.all()] == ["moderator"]
    assert not user.has_perm("games.look_at_hidden")
    assert "new password" in make("mo", "another good horse", monkeypatch, "--may-look")
    told = [parts_of(entry) for entry in LogEntry.objects.order_by("pk")]
    renewed = "Gave a new password, without a second factor, to a moderator, who may look at what is hidden"
    assert told == [(what, "By manage.py make_moderator") for what in ("Made a moderator", renewed)]
    assert User.objects.get().has_perm("games.look_at_hidden")


@pytest.mark.usefixtures("groups")
def test_an_operator_is_made_by_the_same_command(monkeypatch: pytest.MonkeyPatch) -> None:
    make("ops", "correct horse battery", monkeypatch, "--operator")
    assert [group.name for group in User.objects.get().groups.all()] == ["operator"]


@pytest.mark.usefixtures("groups")
@pytest.mark.parametrize("password", ["", "short", "password12345", "moderator-mo"])
def test_a_weak_password_is_refused(monkeypatch: pytest.MonkeyPatch, password: str) -> None:
    with pytest.raises(CommandError):
        make("moderator-mo", password, monkeypatch)
    assert not User.objects.exists()


def test_the_command_takes_the_password_from_the_environment_and_not_from_its_arguments(
    transactional_db: None, groups: None
) -> None:
    env = {**os.environ, "DATABASE_URL": database_url(), "STAFF_PASSWORD": "correct horse battery"}
    command = [sys.executable, "manage.py", "make_moderator", "mo"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    assert User.objects.get().check_password("correct horse battery")
    refused = subprocess.run([*command, "secret"], env=env, capture_output=True, check=False, timeout=60)
    assert refused.returncode != 0
