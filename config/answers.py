"""Answers given straight under ASGI, where Django is not asked."""

from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any, TypeAlias

from django.conf import settings

from config import metrics
from config.errors import Refusal
from config.problems import CONTENT_TYPE, STATUS, headers, problem
from config.wire import dump

Message: TypeAlias = MutableMapping[str, Any]
Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
Headers: TypeAlias = Iterable[tuple[str, str]]


# What Django's middleware says of its answers.
SECURE: Headers = [
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", settings.SECURE_REFERRER_POLICY),
    *(
        [("Strict-Transport-Security", f"max-age={settings.SECURE_HSTS_SECONDS}; includeSubDomains; preload")]
        if settings.SECURE_HSTS_SECONDS
        else []
    ),
]


async def begin(send: Send, status: int, headers: Headers) -> None:
    """Send status and headers; the body follows in pieces."""
    raw = [(name.lower().encode(), value.encode()) for name, value in headers]
    await send({"type": "http.response.start", "status": status, "headers": raw})


async def answer(send: Send, status: int, headers: Headers, body: bytes = b"") -> None:
    """Send a whole answer."""
    length = [] if status == 204 else [("Content-Length", str(len(body)))]
    await begin(send, status, [*headers, *length])
    await send({"type": "http.response.body", "body": body})


async def refuse(
    send: Send,
    refusal: Refusal,
    more: Headers = (),
    *,
    method: str = metrics.OTHER,
    route: str = metrics.OTHER,
) -> None:
    """Send a refusal as the problem document that it is everywhere."""
    metrics.answered(method, route, STATUS[type(refusal)])
    metrics.refused(route, refusal.code)
    told = [("Content-Type", CONTENT_TYPE), ("Cache-Control", "no-store"), *headers(refusal).items(), *more]
    await answer(send, STATUS[type(refusal)], told, dump(problem(refusal)))


def cors(origin: str | None) -> Headers:
    """What the CORS middleware would say to a page of this origin."""
    if origin is None:
        return []
    if settings.CORS_ALLOW_ALL_ORIGINS:
        allowed = "*"
    elif origin in settings.CORS_ALLOWED_ORIGINS:
        allowed = origin
    else:
        return [("Vary", "Origin")]
    exposed = ", ".join(settings.CORS_EXPOSE_HEADERS)
    return [
        ("Access-Control-Allow-Origin", allowed),
        ("Access-Control-Expose-Headers", exposed),
        ("Vary", "Origin"),
    ]
