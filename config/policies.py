"""What browsers may do with the server's pages, where a page does not say it itself."""

from typing import Any

from django.http import HttpRequest

from config.desk import API
from config.wire import Answering

# The admin's own scripts evaluate the expressions that stand in its own pages' attributes (Alpine); none
# is loaded from elsewhere, and none that stands in a page is run.
PAGES = (
    "default-src 'none'; script-src 'self' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
DEVICES = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"


def for_pages(answering: Answering) -> Answering:
    """A middleware: what is HTML gets a Content-Security-Policy, unless it has one of its own."""

    def answer(request: HttpRequest) -> Any:
        response = answering(request)
        if not request.path_info.startswith(API) and response.headers.get("Content-Type", "").startswith(
            "text/html"
        ):
            response.headers.setdefault("Content-Security-Policy", PAGES)
            response.headers.setdefault("Permissions-Policy", DEVICES)
        return response

    return answer
