"""A password, and if it is set up or wanted a code from an app: how staff log in."""

import base64
from io import BytesIO
from typing import Any, ClassVar

import segno
from django import forms
from django.contrib.admin.models import LogEntry
from django.contrib.auth import authenticate
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django_otp import login
from django_otp.plugins.otp_totp.models import TOTPDevice
from unfold.forms import AuthenticationForm
from unfold.widgets import BASE_INPUT_CLASSES

from config.acts import write_down
from config.addresses import client_address
from config.errors import Throttled
from sessions.logins import attempt

CODE = {
    "autocomplete": "one-time-code",
    "inputmode": "numeric",
    "class": " ".join(BASE_INPUT_CLASSES),
}


class LoginForm(AuthenticationForm):  # type: ignore[misc]  # unfold has no types
    """Name, password and code; wrong ones are counted, whichever of them was wrong."""

    code = forms.CharField(
        required=False, max_length=12, widget=forms.TextInput(CODE), label="Code, if you have set up an app"
    )
    wait = 0
    error_messages: ClassVar[dict[str, str]] = {
        **AuthenticationForm.error_messages,
        "invalid_login": "Name, password or code are wrong, or it is no account of staff.",
    }

    def clean(self) -> dict[str, Any]:
        name, password = self.cleaned_data.get("username"), self.cleaned_data.get("password")
        if name is None or not password:
            return dict(self.cleaned_data)
        try:
            right = attempt(name, client_address(self.request), self._is_right)
        except Throttled as refused:
            self.wait = refused.retry_after
            raise ValidationError(f"Too many wrong passwords. Try again in {self.wait} seconds.") from None
        if not right:
            raise self.get_invalid_login_error()
        self.confirm_login_allowed(self.user_cache)
        return dict(self.cleaned_data)

    def _is_right(self) -> bool:
        given = self.cleaned_data
        user: Any = authenticate(self.request, username=given["username"], password=given["password"])
        device = device_of(user) if user else None
        if user is None or (device and not device.verify_token(given["code"].replace(" ", ""))):
            return False
        # Django's own log-in hands it on to the session.
        user.otp_device = device
        self.user_cache = user
        return True


class CodeForm(forms.Form):
    code = forms.RegexField(r"^\s*\d{3} ?\d{3}\s*$", widget=forms.TextInput(CODE), label="Code from the app")


def device_of(user: Any) -> TOTPDevice | None:
    """What gives this member of staff codes, once it was set up."""
    device: TOTPDevice | None = TOTPDevice.objects.filter(user=user.pk, confirmed=True).first()
    return device


def pending_device(user: Any) -> TOTPDevice:
    """What is being set up: the same until it is, so that a page that is loaded again shows the same key."""
    device, _ = TOTPDevice.objects.get_or_create(user=user, confirmed=False, defaults={"name": "app"})
    return device


def picture(device: TOTPDevice) -> dict[str, str]:
    """The key as a picture for a camera and as text."""
    out = BytesIO()
    segno.make(device.config_url, error="m").save(out, kind="svg", scale=5, border=2)
    key = base64.b32encode(bytes.fromhex(device.key)).decode().rstrip("=")
    return {
        "picture": "data:image/svg+xml;base64," + base64.b64encode(out.getvalue()).decode(),
        "key": " ".join(key[i : i + 4] for i in range(0, len(key), 4)),
    }


def confirm(request: HttpRequest, device: TOTPDevice, code: str) -> bool:
    """Take the device from now on, if it gives this code."""
    if not device.verify_token("".join(code.split())):
        return False
    device.confirmed = True
    device.save(update_fields=["confirmed"])
    login(request, device)
    _log(request, "Set up a second factor")
    return True


def turn_off(request: HttpRequest) -> None:
    """Log in without codes from now on, or set up another app where codes are wanted."""
    TOTPDevice.objects.filter(user=request.user.pk).delete()
    _log(request, "Turned the second factor off")


def _log(request: HttpRequest, what: str) -> LogEntry:
    user: Any = request.user
    return write_down(who=user, about=user, what=what, why="By its owner")
