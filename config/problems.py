"""Refusals over HTTP: the one place that knows which code has which status (RFC 9457)."""

import logging
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.db import InterfaceError, OperationalError, connection
from django.http import Http404, HttpRequest, HttpResponse
from psycopg_pool import PoolTimeout
from rest_framework import exceptions
from rest_framework.response import Response

from config import errors
from config.wire import dump

log = logging.getLogger(__name__)

STATUS: Mapping[type[errors.Refusal], int] = {
    errors.Invalid: 400,
    errors.MalformedJSON: 400,
    errors.BadRequest: 400,
    errors.NotAuthenticated: 401,
    errors.NotSeated: 403,
    errors.NotHost: 403,
    errors.Removed: 403,
    errors.HintsOff: 403,
    errors.Banned: 403,
    errors.Forbidden: 403,
    errors.NotFound: 404,
    errors.MethodNotAllowed: 405,
    errors.NotAcceptable: 406,
    errors.TooLarge: 413,
    errors.UnsupportedMediaType: 415,
    errors.NameTaken: 409,
    errors.TableFull: 409,
    errors.NotEnoughSeats: 409,
    errors.NotOpen: 409,
    errors.NotPlaying: 409,
    errors.NotFinished: 409,
    errors.NotYourTurn: 409,
    errors.StaleVersion: 409,
    errors.TooManyTables: 409,
    errors.IllegalMove: 422,
    errors.IdempotencyMismatch: 422,
    errors.Throttled: 429,
    errors.InternalError: 500,
    errors.Unavailable: 503,
}

CONTENT_TYPE = "application/problem+json"
TYPES = "/api/docs/errors"


def problem(refusal: errors.Refusal) -> dict[str, Any]:
    """The problem document of a refusal."""
    return {
        "type": f"{TYPES}#{refusal.code}",
        "title": refusal.title,
        "status": STATUS[type(refusal)],
        "code": refusal.code,
        "detail": refusal.detail,
        **refusal.extra,
    }


def headers(refusal: errors.Refusal) -> dict[str, str]:
    """What a refusal says besides its document."""
    if isinstance(refusal, errors.Throttled | errors.Unavailable):
        return {"Retry-After": str(refusal.retry_after)}
    if isinstance(refusal, errors.NotAuthenticated):
        return {"WWW-Authenticate": "Bearer"}
    return {}


def problem_response(refusal: errors.Refusal) -> HttpResponse:
    """A refusal as a plain Django answer, for what happens outside of the API's views."""
    return HttpResponse(
        dump(problem(refusal)),
        status=STATUS[type(refusal)],
        content_type=CONTENT_TYPE,
        headers=headers(refusal),
    )


def handle(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """The API's one exception handler. None leaves a real fault to Django, which logs it."""
    refusal = _refusal(error)
    if refusal is None:
        return None
    answer = Response(
        problem(refusal),
        status=STATUS[type(refusal)],
        content_type=CONTENT_TYPE,
        headers=headers(refusal),
    )
    if isinstance(error, exceptions.MethodNotAllowed):
        answer["Allow"] = ", ".join(context["view"].allowed_methods)
    return answer


def _refusal(error: Exception) -> errors.Refusal | None:
    match error:
        case errors.Refusal():
            return error
        case exceptions.ValidationError():
            return errors.Invalid(_plain(error.detail))
        case Http404() | exceptions.NotFound():
            return errors.NotFound()
        case exceptions.NotAuthenticated() | exceptions.AuthenticationFailed():
            return errors.NotAuthenticated()
        case exceptions.MethodNotAllowed():
            return errors.MethodNotAllowed()
        case exceptions.NotAcceptable():
            return errors.NotAcceptable()
        case exceptions.UnsupportedMediaType():
            return errors.UnsupportedMediaType()
        case RequestDataTooBig():
            return errors.TooLarge()
        case OperationalError() | InterfaceError():
            log.warning("the database is away: %s", type(error).__name__)
            _mend_pool(error)
            return errors.Unavailable()
    return None


def _mend_pool(error: Exception) -> None:
    """Let go of the connections that ended with the database, or each would cost one more request."""
    pool: Any = getattr(connection, "pool", None)
    if pool is not None and not isinstance(error.__cause__, PoolTimeout):
        with suppress(Exception):
            pool.check()


def _plain(detail: Any) -> Any:
    if isinstance(detail, dict):
        return {str(field): _plain(inner) for field, inner in detail.items()}
    if isinstance(detail, list):
        return [_plain(inner) for inner in detail]
    return str(detail)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Django's handler404."""
    return problem_response(errors.NotFound())


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Django's handler400: what Django refuses before a view sees it, an unknown host for example."""
    if isinstance(exception, RequestDataTooBig):
        return problem_response(errors.TooLarge())
    return problem_response(errors.BadRequest())


def forbidden(request: HttpRequest, exception: Exception | None = None, reason: str = "") -> HttpResponse:
    """Django's handler403, and its answer to a form without the right token."""
    return problem_response(errors.Forbidden())


def server_error(request: HttpRequest) -> HttpResponse:
    """Django's handler500. The fault itself is in the log, never in the answer."""
    return problem_response(errors.InternalError())
