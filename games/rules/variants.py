"""The kinds of table at which a game can be played: every number of seats, and what its options allow."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import msgspec
from msgspec.inspect import BoolType, DataclassType, IntType, LiteralType, Metadata, Type

from games.rules.game import Game


def variants(game: Game[Any, Any]) -> Iterator[tuple[int, Any]]:
    """Every number of seats, with the default options and with each option changed alone."""
    default = game.options_type()
    changed = [
        replace(default, **{name: value}) for name, values in other_values(game).items() for value in values
    ]
    return product(game.seats, [default, *changed])


def unusual(game: Game[Any, Any]) -> Any:
    """Options of which none is the default, where there is another value."""
    return game.options_type(**{name: values[0] for name, values in other_values(game).items() if values})


def other_values(game: Game[Any, Any]) -> dict[str, list[Any]]:
    """What each option may be but for its default; a number its least only, since the greatest may take long.

    Raises TypeError when an option is neither a bool, nor a Literal, nor a whole number with both bounds.
    """
    described = msgspec.inspect.type_info(game.options_type)
    assert isinstance(described, DataclassType)  # noqa: S101  # what a game's options are
    return {
        option.name: [value for value in _values(option.type) if value != option.default]
        for option in described.fields
    }


def _values(kind: Type) -> Sequence[Any]:
    match kind:
        case Metadata(type=described):
            return _values(described)
        case BoolType():
            return (False, True)
        case LiteralType(values=values):
            return values
        case IntType(ge=int(least), le=int()):
            return (least,)
    raise TypeError("an option is neither a bool, nor a Literal, nor a whole number with both bounds")
