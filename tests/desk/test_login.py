"""Staff log in: guessing is slowed down, a code may be wanted as well, and a session ends."""

import time
from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django_otp.oath import TOTP
from django_otp.plugins.otp_totp.models import TOTPDevice
from time_machine import TimeMachineFixture

from sessions.models import StaffGuess
from tests.desk.staff import PASSWORD, Staff
from tests.people import Person

NEW_PASSWORD = "another long enough password"


@pytest.fixture(autouse=True)
def quick(settings: LazySettings) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def mo(db: None) -> Staff:
    User.objects.create_user("mo", password=PASSWORD, is_staff=True)
    return Staff("mo")


def code_for(device: TOTPDevice) -> str:
    totp = TOTP(bytes.fromhex(device.key))
    totp.time = time.time()
    return f"{totp.token():06d}"


def test_a_password_lets_in_and_a_wrong_one_does_not(mo: Staff) -> None:
    assert mo.get("/admin/").status_code == 302
    assert "password or code are wrong" in mo.log_in("wrong").content.decode()
    assert mo.get("/admin/").status_code == 302
    assert mo.log_in().status_code == 302
    assert mo.get("/admin/").status_code == 200


def test_who_is_no_staff_is_not_let_in(mo: Staff) -> None:
    User.objects.update(is_staff=False)
    assert mo.log_in().status_code == 200
    assert mo.get("/admin/").status_code == 302


def test_after_three_wrong_passwords_an_address_waits_longer_each_time(
    mo: Staff, time_machine: TimeMachineFixture
) -> None:
    time_machine.move_to("2026-12-01T12:00:00Z", tick=False)
    for _ in range(4):
        assert mo.log_in("wrong").status_code == 200
    answer = mo.log_in()
    assert (answer.status_code, answer["Retry-After"]) == (429, "1")
    time_machine.shift(timedelta(seconds=1))
    mo.log_in("wrong")
    answer = mo.log_in()
    assert (answer.status_code, answer["Retry-After"]) == (429, "2")
    time_machine.shift(timedelta(seconds=2))
    assert mo.log_in().status_code == 302


def test_many_addresses_wait_together_but_not_the_one_that_knew_the_password(
    mo: Staff, time_machine: TimeMachineFixture
) -> None:
    time_machine.move_to("2026-12-01T12:00:00Z", tick=False)
    assert mo.log_in().status_code == 302
    for _ in range(11):
        assert Staff("mo").log_in("wrong").status_code == 200
    assert Staff("mo").log_in().status_code == 429
    assert mo.log_in().status_code == 302


def test_one_address_waits_whatever_names_it_tries(mo: Staff, time_machine: TimeMachineFixture) -> None:
    time_machine.move_to("2026-12-01T12:00:00Z", tick=False)
    for number in range(21):
        User.objects.update(username=f"m{number}")
        assert Staff(f"m{number}", mo.address).log_in("wrong").status_code == 200
    User.objects.update(username="mo")
    assert mo.log_in().status_code == 429


def test_neither_names_nor_addresses_are_kept_of_guesses_and_old_ones_are_dropped(
    mo: Staff, time_machine: TimeMachineFixture
) -> None:
    time_machine.move_to("2026-12-01T12:00:00Z", tick=False)
    mo.log_in("wrong")
    kept = str(list(StaffGuess.objects.values()))
    assert mo.address not in kept
    assert "'mo'" not in kept
    time_machine.shift(timedelta(days=2))
    Staff("mo").log_in("wrong")
    assert StaffGuess.objects.count() == 3


def test_a_session_of_staff_ends(mo: Staff, time_machine: TimeMachineFixture, settings: LazySettings) -> None:
    time_machine.move_to("2026-12-01T12:00:00Z", tick=False)
    mo.log_in()
    time_machine.shift(timedelta(seconds=settings.SESSION_COOKIE_AGE - 60))
    assert mo.get("/admin/").status_code == 200
    time_machine.shift(timedelta(seconds=120))
    assert mo.get("/admin/").status_code == 302


def test_cookies_of_staff_are_of_the_admin_alone(mo: Staff, ann: Person) -> None:
    mo.log_in()
    cookies = mo.client.cookies
    assert cookies["sessionid"]["path"] == cookies["csrftoken"]["path"] == "/admin/"
    assert cookies["sessionid"]["httponly"]
    assert cookies["boneyard_browser"]["httponly"]
    assert "Set-Cookie" not in ann.get("tables").headers


def test_a_changed_password_is_in_the_log_and_not_what_it_is(mo: Staff) -> None:
    mo.log_in()
    wrong = {"old_password": "wrong", "new_password1": NEW_PASSWORD, "new_password2": NEW_PASSWORD}
    assert mo.client.post("/admin/password_change/", wrong).status_code == 200
    assert not LogEntry.objects.exists()
    right = {**wrong, "old_password": PASSWORD}
    assert mo.client.post("/admin/password_change/", right).status_code == 302
    assert LogEntry.objects.get().change_message == "Changed the password\nBy its owner"
    assert User.objects.get().check_password(NEW_PASSWORD)


# --- the second factor


def test_a_code_is_set_up_by_a_picture_and_then_always_wanted(mo: Staff) -> None:
    mo.log_in()
    page = mo.page("/admin/second-factor/")
    assert "data:image/svg+xml" in page
    device = TOTPDevice.objects.get()
    assert not device.confirmed
    wrong = mo.client.post("/admin/second-factor/", {"code": "000000"})
    assert "not the code" in wrong.content.decode()
    TOTPDevice.objects.update(throttling_failure_count=0)
    assert mo.client.post("/admin/second-factor/", {"code": code_for(device)}).status_code == 302
    assert mo.get("/admin/").status_code == 200
    TOTPDevice.objects.update(last_t=-1)
    again = Staff("mo")
    assert again.log_in().status_code == 200
    TOTPDevice.objects.update(throttling_failure_count=0)
    assert again.log_in(code=code_for(device)).status_code == 302
    assert again.get("/admin/").status_code == 200


def test_a_code_is_taken_once(mo: Staff) -> None:
    device = TOTPDevice.objects.create(user=mo.user, name="app")
    code = code_for(device)
    assert mo.log_in(code=code).status_code == 302
    assert Staff("mo").log_in(code=code).status_code == 200


def test_where_codes_are_wanted_of_all_nothing_is_shown_before_one_is_set_up(
    mo: Staff, settings: LazySettings
) -> None:
    settings.STAFF_OTP_REQUIRED = True
    mo.log_in()
    answer = mo.client.get("/admin/", follow=True)
    assert answer.redirect_chain[-1][0] == "/admin/second-factor/"
    mo.client.post("/admin/second-factor/", {"code": code_for(TOTPDevice.objects.get())})
    assert mo.get("/admin/").status_code == 200


def test_a_session_from_before_the_code_shows_no_more(mo: Staff) -> None:
    mo.log_in()
    TOTPDevice.objects.create(user=mo.user, name="app")
    assert mo.get("/admin/").status_code == 302
    assert mo.get("/admin/second-factor/").status_code == 302


def test_codes_can_be_turned_off_by_who_has_just_shown_one(mo: Staff) -> None:
    device = TOTPDevice.objects.create(user=mo.user, name="app")
    mo.log_in(code=code_for(device))
    assert "Turn codes off" in mo.page("/admin/second-factor/")
    mo.client.post("/admin/second-factor/")
    assert not TOTPDevice.objects.exists()
    assert "second factor off" in str(LogEntry.objects.get().change_message)


def test_others_can_not_reach_the_key_of_a_device(mo: Staff) -> None:
    User.objects.update(is_superuser=True)
    mo.log_in()
    device = TOTPDevice.objects.create(user=User.objects.create_user("liz", is_staff=True), name="app")
    assert mo.get(f"/admin/otp_totp/totpdevice/{device.pk}/change/").status_code == 404
    assert mo.get(f"/admin/otp_totp/totpdevice/{device.pk}/config/").status_code == 404
