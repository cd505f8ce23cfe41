"""What states, events and views may be made of: values that can't be changed, and that JSON can say."""

import json
from dataclasses import fields, is_dataclass
from typing import Any

import msgspec

from games.rules.game import encode


def is_value(value: Any) -> bool:
    """Numbers, strings, None, tuples and frozen dataclasses, all the way down: it can't be changed."""
    if isinstance(value, tuple):
        return all(map(is_value, value))
    if is_dataclass(value):
        kind: Any = type(value)
        parts = (getattr(value, field.name) for field in fields(value))
        return kind.__dataclass_params__.frozen and all(map(is_value, parts))
    return value is None or isinstance(value, (int, float, str))


def is_json(value: Any) -> bool:
    """What JSON can say; a tuple is a list."""
    if isinstance(value, dict):
        return all(isinstance(key, str) for key in value) and all(map(is_json, value.values()))
    if isinstance(value, (list, tuple)):
        return all(map(is_json, value))
    return value is None or isinstance(value, (int, float, str))


def survives_json(value: Any, kind: type) -> bool:
    """Whether it is the same after it was stored as JSON and read as that type."""
    try:
        return bool(msgspec.convert(json.loads(json.dumps(encode(value))), kind) == value)
    except (msgspec.ValidationError, TypeError):
        return False
