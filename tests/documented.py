"""People who hold every answer that they get against the OpenAPI document."""

import re
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker

from config.openapi import LIMITS, document
from tests.people import API, Answer, Person


class Documented(Person):
    """Whose every answer must be one that the document promises: status, media type, headers, body."""

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        answer = super().call(method, path, body, **headers)
        check(method, path if path.startswith("/") else f"{API}/{path}", answer)
        return answer


def check(method: str, path: str, answer: Answer) -> None:
    operation = operation_of(method, path)
    assert str(answer.status) in operation["responses"], (method, path, answer)
    promised = operation["responses"][str(answer.status)]
    for name, header in promised.get("headers", {}).items():
        assert name in answer.headers or not header.get("required"), (name, answer)
    for name in LIMITS:
        assert name in promised.get("headers", {}) or name not in answer.headers, (name, answer)
    content = promised.get("content", {})
    if not content:
        assert answer.json is None
        return
    kind = answer.headers["Content-Type"]
    assert kind in content, answer
    validate(answer.json, content[kind]["schema"])


def operation_of(method: str, path: str) -> Any:
    """The operation that a request is an instance of; fixed words go before parameters."""
    bare = path.partition("?")[0]
    paths = document()["paths"]
    found = [template for template in paths if _pattern(template).fullmatch(bare)]
    return paths[min(found, key=lambda template: template.count("{"))][method.lower()]


@cache
def _pattern(template: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(template)))


def validate(value: Any, schema: Any) -> None:
    """Raises ValidationError."""
    whole = {**schema, "components": document()["components"]}
    Draft202012Validator(whole, format_checker=FormatChecker()).validate(value)
