"""JSON on the wire: read strictly, written compactly, nothing that a client could not have meant."""

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import msgspec
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer

from config import routes
from config.errors import MalformedJSON, TooLarge

dump = msgspec.json.encode

Answering: TypeAlias = Callable[[HttpRequest], HttpResponseBase]

# Where a request's route is told to the server that carries Django, and where that leaves a body it has read.
ROUTE, BODY = "boneyard.route", "boneyard.body"
# Statuses of answers that have no body, nor the length of one.
LENGTHLESS = frozenset({204, 304})


def with_length(answering: Answering) -> Answering:
    """A middleware: say how long an answer is, which is then not sent in chunks; and which route it had."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        response = answering(request)
        request.META[ROUTE] = routes.of_request(request)
        if isinstance(response, HttpResponse) and response.status_code not in LENGTHLESS:
            response.headers.setdefault("Content-Length", str(len(response.content)))
        return response

    return answer


def load(raw: bytes) -> Any:
    """Raises MalformedJSON for anything but one JSON value in UTF-8, lone surrogates included."""
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError) as error:
        raise MalformedJSON from error


NO_STORE = {"Cache-Control": "no-store"}


def reply(value: Any, status: int = 200, headers: Mapping[str, str] = NO_STORE) -> HttpResponse:
    """An answer in JSON, without what DRF's own does to choose how to render it."""
    return HttpResponse(dump(value), status=status, content_type=JSONRenderer.media_type, headers=headers)


class JSONParser(BaseParser):
    """The body of a request. Raises MalformedJSON, or TooLarge past its limit."""

    media_type = "application/json"
    limit = settings.BODY_LIMIT_BYTES

    def parse(
        self,
        stream: Any,
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        raw = stream.read(self.limit + 1)
        if len(raw) > self.limit:
            raise TooLarge
        return self.load(raw)

    def load(self, raw: bytes) -> Any:
        return load(raw)


class RecordParser(JSONParser):
    """A body as long as a record, with no member twice: of two, one reader would take the other."""

    limit = settings.RECORD_LIMIT_BYTES

    def load(self, raw: bytes) -> Any:
        value = load(raw)
        try:
            json.loads(raw, object_pairs_hook=_unique)
        except (ValueError, RecursionError) as error:
            raise MalformedJSON("An object has a member twice, or a number is too long.") from error
        return value


def _unique(members: list[tuple[str, Any]]) -> None:
    """Raises ValueError for a member that is there twice."""
    if len({name for name, _ in members}) < len(members):
        raise ValueError


class JSONRenderer(BaseRenderer):
    """An answer's body: times in RFC 3339 UTC, no spaces."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        return b"" if data is None else dump(data)


class TextRenderer(BaseRenderer):
    """Text where it is asked for; a refusal is the JSON that it says it is."""

    media_type = "text/plain"
    format = "txt"
    charset = None

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        return data.encode() if isinstance(data, str) else dump(data)
