"""The JSON of games and tables as types, from which the OpenAPI document describes it.

A game's view and options are its own: their schemas come from the registry, under names that
begin with the game's class; those of earlier rules, where they are others, with their version too.
"""

from datetime import datetime
from typing import Annotated, Any, Literal, NotRequired, TypeAlias, TypedDict
from uuid import UUID

import msgspec
from msgspec import Meta

from config.openapi import COMPONENTS, REFS, JSONSchema, ref
from config.schema import Span
from games.rules.game import Game, Outcome
from games.rules.registry import EARLIER, GAMES, known_rules

# A game that is not offered any more may still be played.
SLUGS = list(dict.fromkeys(slug for slug, _ in known_rules()))
GameSlug: TypeAlias = Annotated[str, Meta(extra_json_schema={"enum": SLUGS})]
Status: TypeAlias = Literal["open", "playing", "finished", "abandoned", "closed"]
Visibility: TypeAlias = Literal["public", "private"]
SeatNumber: TypeAlias = Annotated[int, Meta(ge=0)]


def register(game: Game[Any, Any], prefix: str) -> tuple[str, str]:
    """Add a game's types to the document; the names of its view and its options there."""
    kinds = [game.view_type, game.options_type]
    _, components = msgspec.json.schema_components(kinds, ref_template=f"{REFS}{prefix}{{name}}")
    COMPONENTS.update({f"{prefix}{name}": schema for name, schema in components.items()})
    view, options = (f"{prefix}{kind.__name__}" for kind in kinds)
    # What is told is complete.
    COMPONENTS[options]["required"] = list(COMPONENTS[options]["properties"])
    return view, options


def register_asked(options: str) -> str:
    """Add those options as they are asked for: any may be left out, and there are no others."""
    COMPONENTS[f"{options}Asked"] = {**COMPONENTS[options], "required": [], "additionalProperties": False}
    return f"{options}Asked"


def register_earlier(game: Game[Any, Any]) -> tuple[str, str] | None:
    """The same for rules that are not current any more; None if what they show has not changed since."""
    current = GAMES.get(game.slug)
    if current and (current.view_type, current.options_type) == (game.view_type, game.options_type):
        return None
    return register(game, f"{type(game).__name__}V{game.rules_version}")


def any_of(names: list[str], *more: JSONSchema) -> JSONSchema:
    """One of some components. Those that ask most of an object come first, for readers that try in order."""
    ordered = sorted(names, key=lambda name: -len(COMPONENTS[name]["required"]))
    return {"anyOf": [*map(ref, ordered), *more]}


CURRENT = [register(game, type(game).__name__) for game in GAMES.values()]
TOLD = [*CURRENT, *filter(None, map(register_earlier, EARLIER))]
VIEWS, OPTIONS = [view for view, _ in TOLD], [options for _, options in TOLD]
OPTIONS_ASKED = [register_asked(options) for _, options in CURRENT]

Options: TypeAlias = Annotated[Any, Meta(extra_json_schema=any_of(OPTIONS))]
View: TypeAlias = Annotated[Any, Meta(extra_json_schema=any_of(VIEWS, {"type": "null"}))]


class GameInfo(TypedDict):
    """A game: its rules and its notation as text, its options and views as JSON Schema."""

    game: Annotated[GameSlug, Meta(description="Its name in addresses and requests.")]
    name: Annotated[str, Meta(description="Its name for people.")]
    seats: Span
    rules: str
    options: Annotated[dict[str, Any], Meta(description="JSON Schema, with defaults.")]
    view: Annotated[dict[str, Any], Meta(description="JSON Schema of what a seat sees.")]
    notation: Annotated[str, Meta(description="How its moves are written.")]
    bots: Annotated[list[str], Meta(description="Levels of the built-in bots.")]


class Games(TypedDict):
    """All games of this server."""

    results: list[GameInfo]


class Seat(TypedDict):
    """A taken seat."""

    seat: Annotated[SeatNumber, Meta(description="Its number, in turn order.")]
    name: Annotated[str | None, Meta(description="Null for a bot, and for who has left or was forgotten.")]
    kind: Literal["human", "bot"]
    level: NotRequired[Annotated[str, Meta(description="How well a bot plays.")]]
    bot: NotRequired[Annotated[Literal[True], Meta(description="There when a program plays under the name.")]]
    connected: Annotated[bool, Meta(description="Whether its player was here of late.")]
    stand_in: Annotated[bool, Meta(description="Whether the server moves for it until its player is back.")]
    left: Annotated[bool, Meta(description="Whether its player is gone for good.")]


class Head(TypedDict):
    """What is told of every table."""

    id: UUID
    game: GameSlug
    status: Status
    capacity: Annotated[int, Meta(description="How many seats it has.")]
    options: Annotated[Options, Meta(description="The game's options, complete.")]
    visibility: Visibility
    turn_seconds: Annotated[
        int | None, Meta(description="The time for a decision; null if there is no limit.")
    ]
    hints: Annotated[bool, Meta(description="Whether a seat may ask for its odds.")]
    seats: Annotated[list[Seat], Meta(description="Those that are taken.")]
    you: Annotated[SeatNumber | None, Meta(description="Your seat; null for a watcher.")]


class Summary(Head):
    """A table as the lobby shows it."""

    created_at: datetime
    your_turn: bool


class Fairness(TypedDict):
    """What all luck of a table follows from; the seed of the server is opened when the table is over."""

    commitment: Annotated[str, Meta(description="The SHA-256, in hex, of the server's seed.")]
    client_seeds: Annotated[
        list[str | None],
        Meta(description="By seat, what each player put; none before the start, when they are fixed."),
    ]
    server_seed: Annotated[str | None, Meta(description="In hex; null until the table is over.")]


class Table(Head):
    """A table as you may see it."""

    version: Annotated[int, Meta(description="The number of its last event.")]
    code: Annotated[
        str | None, Meta(description="What lets others into a private table; told to who sits at it.")
    ]
    host: Annotated[SeatNumber | None, Meta(description="The seat that may start it.")]
    to_move: Annotated[list[SeatNumber], Meta(description="The seats that must decide now.")]
    deadline: Annotated[
        datetime | None,
        Meta(description="When your time is up, or the earliest of the others' if you are not to move."),
    ]
    decision: Annotated[
        int | None,
        Meta(description="The version at which your decision began; null when you are not to move."),
    ]
    legal_moves: Annotated[list[str], Meta(description="Every move that you may make now.")]
    view: Annotated[View, Meta(description="What you see of the game; null before the start.")]
    outcome: Annotated[Outcome | None, Meta(description="Who won and why; null before that.")]
    rematch: Annotated[UUID | None, Meta(description="The table at which it is played again.")]
    fairness: Annotated[
        Fairness | None,
        Meta(description="What proves the luck; null at a table that is older than this proof."),
    ]


class Event(TypedDict):
    """What happened."""

    version: Annotated[int, Meta(description="Its number at the table; there are no gaps.")]
    kind: Annotated[str, Meta(description="What sort of thing happened; ignore the kinds you don't know.")]
    seat: Annotated[SeatNumber | None, Meta(description="Whom it is about; null if about no single seat.")]
    by: Annotated[
        Literal["player", "stand_in", "bot", "server", "moderator"], Meta(description="Who decided.")
    ]
    data: Annotated[dict[str, Any], Meta(description="What everybody may know of it.")]
    own: NotRequired[
        Annotated[dict[str, Any], Meta(description="What its seat alone may know besides; told to it only.")]
    ]
    at: datetime


class Events(TypedDict):
    """What happened after a cursor."""

    events: Annotated[list[Event], Meta(description="At most 500, oldest first.")]
    version: Annotated[int, Meta(description="The number of the table's last event.")]
    more: Annotated[bool, Meta(description="Whether there are more; ask again after the last of these.")]
    reset: Annotated[bool, Meta(description="The cursor lies in the future: begin anew.")]


class TableMessage(TypedDict):
    """The data of a stream's event `table`."""

    events: Annotated[
        list[Event], Meta(description="Those since the message before, or since your cursor; may be none.")
    ]
    table: Table


class ResetMessage(TypedDict):
    """The data of a stream's event `reset`: your cursor can't be used, begin anew with this."""

    table: Table


class GoneMessage(TypedDict):
    """The data of a stream's event `gone`: the table is open no more, or no longer yours to see."""

    id: UUID


class Moved(Table):
    """A table after your move, and what the move did."""

    number: Annotated[int, Meta(description="The move's number at the table, from 1.")]
    events: Annotated[list[Event], Meta(description="What happened by it.")]


class Replayed(Table):
    """A table that is over, as it was after one of its steps, and what that step told."""

    events: Annotated[list[Event], Meta(description="Of that step, as the seat heard them.")]


class Tables(TypedDict):
    """A page of tables."""

    results: Annotated[list[Summary], Meta(description="At most 50, newest first.")]
    next: Annotated[str | None, Meta(description="The `cursor` of the next page; null on the last one.")]
