"""How log lines look: JSON for machines, text for people; in both the id of the request.

No name, secret, token, seed or address gets into one. Our own lines have none; what others write is cut
here. An error is told in JSON by its class and where it arose: its message may quote what was typed.
"""

import logging
import traceback
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, TypeAlias

import msgspec

from config import trace

# Libraries whose messages repeat the text of an error.
FIXED = {"celery.app.trace": "a task failed", "celery.worker.consumer.consumer": "the broker is away"}
FRAMES = 30

ExcInfo: TypeAlias = tuple[type[BaseException], BaseException, TracebackType | None]


class Cut(logging.Filter):
    """Takes out of others' lines what must not be in any: addresses, queries, paths as they were typed."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = trace.current.get()
        if record.name == "uvicorn.access" and isinstance(record.args, tuple) and len(record.args) == 5:
            from config.routes import of_path  # settings are not ready when this is imported

            _, method, path, version, status = record.args
            route = of_path(str(path).partition("?")[0])
            record.args = ("-", method, route, version, status)
        elif record.name == "django.request" and isinstance(record.args, tuple) and len(record.args) == 2:
            from config.routes import of_request  # the same

            # A path may hold the code of a private table, or whatever else somebody typed.
            record.args = (record.args[0], of_request(getattr(record, "request", None)))
        elif record.name in FIXED:
            record.msg, record.args = FIXED[record.name], None
        return True


class Text(logging.Formatter):
    """A line for people."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  # the library's name
        line = super().formatMessage(record)
        fields = getattr(record, "fields", {})
        told = "".join(f" {name}={value}" for name, value in fields.items())
        request_id = getattr(record, "request_id", "")
        return f"{line}{told} [{request_id}]" if request_id else f"{line}{told}"


class JSON(logging.Formatter):
    """A line for machines: one JSON object, without a line break."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC),
            "level": record.levelname.lower(),
            "logger": record.name,
            # Of many lines the first: asyncio, for one, puts the text of an error into the second.
            "message": record.getMessage().partition("\n")[0],
        }
        if request_id := getattr(record, "request_id", ""):
            line["request_id"] = request_id
        line.update(getattr(record, "fields", {}))
        if record.exc_info and record.exc_info[0]:
            line["error"] = told(record.exc_info)
        return msgspec.json.encode(_encodable(line)).decode()


def told(error: ExcInfo | tuple[None, None, None]) -> dict[str, Any]:
    """An error without its message: its class, PostgreSQL's code, what it came from, where it arose."""
    kind, value, trail = error
    if kind is None or value is None:
        return {}
    found: dict[str, Any] = {
        "type": f"{kind.__module__}.{kind.__qualname__}",
        "stack": [
            f"{each.filename}:{each.lineno} {each.name}" for each in traceback.extract_tb(trail)[-FRAMES:]
        ],
    }
    cause = value.__cause__ or value.__context__
    if cause is not None:
        found["cause"] = f"{type(cause).__module__}.{type(cause).__qualname__}"
    if code := getattr(value, "sqlstate", None) or getattr(cause, "sqlstate", None):
        found["sqlstate"] = code
    return found


def _encodable(value: Any) -> Any:
    """Without lone surrogates, which have no UTF-8."""
    match value:
        case str():
            return value.encode("utf-8", "replace").decode()
        case dict():
            return {key: _encodable(inner) for key, inner in value.items()}
        case list():
            return [_encodable(inner) for inner in value]
    return value


def configuration(style: str, level: str) -> dict[str, Any]:
    """Django's LOGGING for one of the styles, `json` and `text`."""
    handled: dict[str, Any] = {"handlers": ["stderr"], "propagate": False}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"cut": {"()": Cut}},
        "formatters": {"json": {"()": JSON}, "text": {"()": Text}},
        "handlers": {
            "stderr": {"class": "logging.StreamHandler", "formatter": style, "filters": ["cut"]},
        },
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            # Statements would hold what players typed, whatever the level of the rest.
            "django.db.backends": {"level": "INFO"},
            # A refused request is an answer, not an incident.
            "django.request": {"level": "ERROR"},
            "django.security": {"level": "CRITICAL"},
            # These have handlers of their own, of other looks, when settings are read.
            "uvicorn": handled,
            "uvicorn.access": handled,
            # A line for each task would be several each second.
            "celery": {"level": "WARNING"},
            "kombu": {"level": "WARNING"},
        },
    }
