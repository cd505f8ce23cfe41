"""Django's middleware for people at a page, kept from requests that need none of it.

The admin has sessions and messages; the API has tokens. Each is a subclass of Django's own, by which
the admin's checks find it.
"""

from typing import Any

from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest
from django_otp.middleware import OTPMiddleware

API = "/api/"


class ForPages:
    """A middleware that lets the API's requests pass."""

    get_response: Any

    def __call__(self, request: HttpRequest) -> Any:
        if request.path_info.startswith(API):
            return self.get_response(request)
        return super().__call__(request)  # type: ignore[misc]  # of the middleware that comes after this class


class Sessions(ForPages, SessionMiddleware):
    pass


class Users(ForPages, AuthenticationMiddleware):
    pass


class Verified(ForPages, OTPMiddleware):  # type: ignore[misc]  # django-otp has no types
    pass


class Messages(ForPages, MessageMiddleware):
    pass
