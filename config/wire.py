"""JSON on the wire: read strictly, written compactly, nothing that a client could not have meant."""

from collections.abc import Mapping
from typing import Any

import msgspec
from django.conf import settings
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer

from config.errors import MalformedJSON, TooLarge

dump = msgspec.json.encode


def load(raw: bytes) -> Any:
    """Raises MalformedJSON for anything but one JSON value in UTF-8, lone surrogates included."""
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError) as error:
        raise MalformedJSON from error


class JSONParser(BaseParser):
    """The body of a request. Raises MalformedJSON, or TooLarge past the limit of settings."""

    media_type = "application/json"

    def parse(
        self,
        stream: Any,
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        raw = stream.read(settings.BODY_LIMIT_BYTES + 1)
        if len(raw) > settings.BODY_LIMIT_BYTES:
            raise TooLarge
        return load(raw)


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
