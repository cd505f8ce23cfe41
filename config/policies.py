"""Who is answered under which name, and what browsers may do with the server's pages."""

from functools import lru_cache
from typing import Any

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest
from django.http.request import split_domain_port, validate_host

from config.desk import API
from config.wire import Answering

# Asked by address, by machines that know no name.
UNNAMED = frozenset({"/healthz", "/readyz", "/metrics"})

# The admin's own scripts evaluate the expressions that stand in its own pages' attributes (Alpine); none
# is loaded from elsewhere, and none that stands in a page is run.
PAGES = (
    "default-src 'none'; script-src 'self' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
DEVICES = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"


def is_ours(host: str) -> bool:
    """Whether a Host header names this server."""
    return _is_among(host, tuple(settings.ALLOWED_HOSTS))


@lru_cache(maxsize=256)
def _is_among(host: str, allowed: tuple[str, ...]) -> bool:
    return validate_host(split_domain_port(host)[0], allowed)


def guard(answering: Answering) -> Answering:
    """A middleware: refuse hosts that are not ours, and give what is HTML a Content-Security-Policy.

    Django asks for the host only where it needs it. Raises DisallowedHost.
    """

    def answer(request: HttpRequest) -> Any:
        host = request.META.get("HTTP_HOST")
        known = host is None or is_ours(host)
        if not known and request.path_info not in UNNAMED:
            raise DisallowedHost
        response = answering(request)
        if not request.path_info.startswith(API) and _is_page(response):
            response.headers.setdefault("Content-Security-Policy", PAGES)
            response.headers.setdefault("Permissions-Policy", DEVICES)
        return response

    return answer


def _is_page(response: Any) -> bool:
    return bool(response.headers.get("Content-Type", "").startswith("text/html"))
