"""Requests to the WSGI application that the server carries, without the server around it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.http import HttpResponse
from django.test import Client

from config import lane
from config.wsgi import django, served

__all__ = ["ServedClient", "asked", "connection_kept", "django", "served"]


# For good, and not for each request: of requests in several threads each would put back what it had found.
patch.object(lane, "keeping", SimpleNamespace(begin=lambda: None, end=lambda: None)).start()


def asked(application: Any, environ: Mapping[str, Any]) -> HttpResponse:
    """What a WSGI application answers."""
    begun: list[tuple[str, list[tuple[str, str]]]] = []

    def start_response(status: str, headers: list[tuple[str, str]]) -> None:
        begun.append((status, headers))

    pieces = application(dict(environ), start_response)
    body = b"".join(pieces)
    if hasattr(pieces, "close"):
        pieces.close()
    [(status, headers)] = begun
    # As a server of HTTP does.
    body = b"" if environ["REQUEST_METHOD"] == "HEAD" else body
    response = HttpResponse(body, status=int(status[:3]), reason=status[4:])
    del response.headers["Content-Type"]
    for name, value in headers:
        response.headers[name] = value
    return response


@contextmanager
def connection_kept() -> Iterator[None]:
    """As Django's client does: the connection stays with the test and its transaction."""
    request_finished.disconnect(close_old_connections)
    # Connected again by Django's client, wherever it was used.
    request_started.disconnect(close_old_connections)
    try:
        yield
    finally:
        request_finished.connect(close_old_connections)


class ServedClient(Client):
    """Django's own, by the way of the server in place of Django's handler."""

    def __init__(self) -> None:
        super().__init__()
        self.handler: Any = _handle


def _handle(environ: Mapping[str, Any]) -> HttpResponse:
    with connection_kept():
        response: Any = asked(served, environ)
    response.wsgi_request = None  # Django's client looks at it
    return response  # type: ignore[no-any-return]
