"""The page: files of `play/`, as they lie there. A client like any other, which happens to come from here."""

import hashlib
from pathlib import Path

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response

from config.errors import MethodNotAllowed
from config.problems import problem_response

FOLDER = settings.BASE_DIR / "play"
# No more than these, so that whatever else comes to lie in the folder stays there.
NAME = r"(?P<name>(?:boards/)?[a-z0-9-]+\.(?:js|css|svg))"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def index(request: HttpRequest) -> HttpResponse:
    return file(request, "index.html")


def file(request: HttpRequest, name: str) -> HttpResponse:
    """One file; 304 for who names the ETag of what it has. Asked for again each time, since names stay."""
    if request.method not in ("GET", "HEAD"):
        refused = problem_response(MethodNotAllowed())
        refused.headers["Allow"] = "GET, HEAD"
        return refused
    path = FOLDER / name
    try:
        content = path.read_bytes()
    except OSError:
        raise Http404 from None
    etag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    response = HttpResponse(content, content_type=_type(path), headers=_headers(etag))
    return get_conditional_response(request, etag=etag, response=response) or response


def _type(path: Path) -> str:
    return TYPES[path.suffix]


def _headers(etag: str) -> dict[str, str]:
    return {
        "ETag": etag,
        "Cache-Control": "public, no-cache",
        "Content-Security-Policy": POLICY,
    }
