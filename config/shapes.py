"""What a request may look like: strict fields, and no field that nobody knows."""

from contextlib import suppress
from functools import cache
from typing import Any, ClassVar

import msgspec
from django.http import QueryDict
from rest_framework import serializers
from rest_framework.request import Request

from config.wire import JSONParser, load


class Text(serializers.CharField):
    """A JSON string, taken as it is: no number, no trimming, no control characters."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(trim_whitespace=False, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return data


class Whole(serializers.IntegerField):
    """A JSON integer: no string, no boolean, no fraction."""

    def to_internal_value(self, data: Any) -> int:
        if type(data) is not int:
            self.fail("invalid")
        return data


class Flag(serializers.BooleanField):
    """A JSON true or false: no number, no string."""

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            raise serializers.ValidationError("Must be true or false.")
        return data


class Choice(serializers.ChoiceField):
    """One of some JSON strings."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str) or data not in self.choices:
            # The input is not repeated: it may be anything.
            raise serializers.ValidationError(f"Must be one of: {', '.join(map(str, self.choices))}.")
        return data


class Shape(serializers.Serializer[Any]):
    """A JSON object in which every member is known.

    `usual`: a type by which a body that is surely right is read at once, in views that read JSON only. What
    does not fit it is looked at field by field, to say what is wrong, or that nothing is.
    """

    usual: ClassVar[type[msgspec.Struct] | None] = None

    def run_validation(self, data: Any = None) -> Any:
        if not isinstance(data, dict):
            raise serializers.ValidationError({"body": ["Must be an object."]})
        return super().run_validation(data)

    def to_internal_value(self, data: Any) -> Any:
        unknown = {name: ["There is no such field."] for name in data if name not in self.fields}
        try:
            value = super().to_internal_value(data)
        except serializers.ValidationError as error:
            raise serializers.ValidationError({**error.detail, **unknown}) from error  # type: ignore[dict-item]
        if unknown:
            raise serializers.ValidationError(unknown)
        return value


class Nothing(Shape):
    """A body that is empty, or `{}`."""


def body(request: Request, shape: type[Shape]) -> dict[str, Any]:
    """The validated body; an absent one is an empty object. Raises ValidationError."""
    if shape.usual and request.META.get("CONTENT_TYPE") == JSONParser.media_type:
        with suppress(msgspec.DecodeError, UnicodeDecodeError):
            fitting: dict[str, Any] = msgspec.to_builtins(_decoder(shape.usual).decode(request.body))
            return fitting
    return _validated(shape, sent(request))


def _is_plain(request: Request) -> bool:
    """JSON that says it is JSON, and no more, needs nobody to choose a parser for it."""
    usual = [type(parser) for parser in request.parsers or ()] == [JSONParser]
    return usual and request.META.get("CONTENT_TYPE") == JSONParser.media_type and bool(request.body)


@cache
def _decoder(kind: type[msgspec.Struct]) -> "msgspec.json.Decoder[msgspec.Struct]":
    return msgspec.json.Decoder(kind)


def sent(request: Request) -> Any:
    """What the body says; nothing is an empty object. Raises MalformedJSON, and what DRF's parsers do."""
    if _is_plain(request):
        return load(request.body)
    # DRF hands over an empty form for an empty body that claims to be one.
    return {} if isinstance(request.data, QueryDict) else request.data


def query(request: Request, shape: type[Shape]) -> dict[str, Any]:
    """The validated query; a repeated parameter counts once, the last."""
    return _validated(shape, request.query_params.dict())


def _validated(shape: type[Shape], given: Any) -> dict[str, Any]:
    valid: dict[str, Any] = _made(shape).run_validation(given)
    return valid


@cache
def _made(shape: type[Shape]) -> Shape:
    """One of each is enough, since validation itself keeps nothing: to make one copies all its fields."""
    return shape()
