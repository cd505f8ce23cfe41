"""The API under WSGI, without what only pages need: a request goes to its DRF view at once.

Django's own handler sends signals, looks an address up among all and asks every middleware, which costs a
move more than its rules do. What the API needs of that is done here. Whatever is not usual goes
through Django as before: another origin's page, OPTIONS, an unknown host, http where https is wanted, and
every address that is not the API's. A test holds both to the same answers.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.handlers.exception import response_for_exception
from django.core.handlers.wsgi import WSGIRequest
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_header_parameters
from django.utils.log import log_response

from config import keeping, routes
from config.answers import SECURE
from config.policies import is_ours
from config.urls import v1
from config.wire import BODY, LENGTHLESS, ROUTE

PREFIX = "/api/v1/"
COMMON = (
    *SECURE,
    ("Cross-Origin-Opener-Policy", settings.SECURE_CROSS_ORIGIN_OPENER_POLICY),
    ("X-Frame-Options", settings.X_FRAME_OPTIONS),
)


@dataclass(frozen=True, slots=True)
class Address:
    """Addresses of one view. `route` is all that anybody asks of what a request was matched with."""

    route: str
    label: str
    view: Any
    match: Callable[[str], tuple[str, Any, dict[str, Any]] | None]


ADDRESSES = [
    Address(str(each.pattern), routes.label(str(each.pattern)), each.callback, each.pattern.match)
    for each in v1
]


class Request(WSGIRequest):
    """A request whose body the server has read, if it has."""

    @property
    def body(self) -> bytes:
        whole: bytes | None = self.environ.get(BODY)
        return super().body if whole is None else whole


class Lane:
    """A WSGI application in front of Django's."""

    def __init__(self, django: Any) -> None:
        self._django = django

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        keeping.begin()
        _settle_type(environ)
        found = _found(environ)
        request = Request(environ) if found else None
        if not found or not request or _must_be_secure(request):
            passed_on: Iterable[bytes] = self._django(environ, start_response)
            return passed_on
        address, given = found
        request.resolver_match = address  # type: ignore[assignment]  # it has what is asked of one
        environ[ROUTE] = address.label
        try:
            response, content = _answered(request, address.view, given)
        finally:
            keeping.end()
        start_response(f"{response.status_code} {response.reason_phrase}", _headers(response, content))
        return (content,)


def _settle_type(environ: dict[str, Any]) -> None:
    """Keep of a Content-Type what is sure to be read: Django fails at encodings that are not for text.

    Everything is UTF-8 here, whatever a request calls it.
    """
    kind = environ.get("CONTENT_TYPE", "")
    if ";" in kind and not _is_readable(kind):
        environ["CONTENT_TYPE"] = kind.partition(";")[0]


def _is_readable(kind: str) -> bool:
    try:
        _, given = parse_header_parameters(kind)
    except (ValueError, LookupError):
        return False
    return given.get("charset", "utf-8").lower() in ("utf-8", "utf8")


def _found(environ: dict[str, Any]) -> tuple[Address, dict[str, Any]] | None:
    """The view of an address, and what the address says; None for what is left to Django."""
    # PEP 3333 has servers leave out what is empty.
    path, host = environ.get("PATH_INFO", ""), environ.get("HTTP_HOST")
    if not path.startswith(PREFIX) or not path.isascii() or environ.get("SCRIPT_NAME"):
        return None
    if "HTTP_ORIGIN" in environ or environ["REQUEST_METHOD"] == "OPTIONS":
        return None
    if host is not None and not is_ours(host):
        return None
    rest = path[1:]
    for address in ADDRESSES:
        if match := address.match(rest):
            return address, match[2]
    return None


def _must_be_secure(request: WSGIRequest) -> bool:
    return settings.SECURE_SSL_REDIRECT and not request.is_secure()


def _answered(request: WSGIRequest, view: Any, given: dict[str, Any]) -> tuple[HttpResponseBase, bytes]:
    """What the view answers, or Django for one that fails."""
    try:
        response = view(request, **given)
        if hasattr(response, "render"):
            response = response.render()
        content = b"".join(response)
    except Exception as fault:
        response = response_for_exception(request, fault)
        content = b"".join(response)
    if response.status_code >= 500:
        log_response("%s: %s", response.reason_phrase, request.path, response=response, request=request)
    return response, content


def _headers(response: HttpResponseBase, content: bytes) -> list[tuple[str, str]]:
    """The answer's own, and what Django's middlewares add to one that is no page."""
    if varies := "Vary" in response.headers:
        patch_vary_headers(response, ("origin",))
    headers = [*response.items(), *COMMON]
    if not varies:
        headers.append(("Vary", "origin"))
    if response.status_code not in LENGTHLESS:
        headers.append(("Content-Length", str(len(content))))
    return headers
