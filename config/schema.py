"""What the OpenAPI document says of the API as a whole, and of its root."""

from typing import Annotated, Any, TypedDict

from msgspec import Meta

from config.openapi import Call, JSONSchema

DESCRIPTION = """\
A server for turn-based dice and domino games. Enter with a name and a secret, open a table or sit down at
one, and send moves in the game's own notation; `legal_moves` always names those that you may make.

New fields, kinds of events and codes of errors may appear within v1: ignore what you don't know. A field
of a request that the server doesn't know is refused, so that a typing error is never silent.

Every refusal is an `application/problem+json` document with a `code`, and has changed nothing. Times are
RFC 3339 in UTC. Countdowns need the server's clock: compare a `deadline` with the `Date` header."""

TAGS = [
    {"name": "server", "description": "What this server is."},
    {"name": "sessions", "description": "Entering, coming back, being forgotten."},
    {"name": "games", "description": "The rules that can be played."},
    {"name": "tables", "description": "Opening, finding and reading tables."},
    {"name": "seats", "description": "Sitting down, standing up, filling seats."},
    {"name": "play", "description": "Starting, moving, following what happens, playing again."},
    {"name": "fairness", "description": "What proves the luck, and what was played."},
    {"name": "live", "description": "Streams that tell of each change at once."},
]


def introduce(result: JSONSchema, **_: Any) -> JSONSchema:
    """Put the words about the whole at its head."""
    result["info"]["description"] = DESCRIPTION
    return {**result, "tags": TAGS}


class Span(TypedDict):
    """From `min` to `max`, both included."""

    min: int
    max: int


class Limits(TypedDict):
    """How much of something there may be."""

    name: Annotated[Span, Meta(description="Characters of a name.")]
    secret: Annotated[Span, Meta(description="Characters of a secret.")]
    body_bytes: Annotated[int, Meta(description="Bytes of a request's body.")]
    record_bytes: Annotated[int, Meta(description="Bytes of a record that is sent to be checked.")]
    open_tables: Annotated[int, Meta(description="Open tables at which one player sits.")]
    live_tables: Annotated[int, Meta(description="Open and playing tables at which one player sits.")]
    turn_seconds: Annotated[Span, Meta(description="The time for a decision.")]
    devices: Annotated[int, Meta(description="Tokens of one player; the one unused longest ends first.")]
    entries_per_minute: Annotated[int, Meta(description="Calls of `enter` from one address.")]
    codes_per_minute: Annotated[int, Meta(description="Codes that one player may try.")]
    record_checks_per_minute: Annotated[int, Meta(description="Records checked for one address.")]
    odds_per_minute: Annotated[int, Meta(description="Decisions whose odds one player may ask for.")]
    analyses_per_minute: Annotated[int, Meta(description="Analyses that one player may have made.")]
    reports_per_hour: Annotated[int, Meta(description="Seats that one player may report.")]
    streams_per_player: Annotated[int, Meta(description="Streams and long polls of one player at once.")]
    streams_per_address: Annotated[int, Meta(description="Streams and long polls from one address at once.")]


class Defaults(TypedDict):
    """What holds unless something else is asked for, in whole seconds."""

    turn_seconds: Annotated[int, Meta(description="The time for a decision.")]
    session_idle_seconds: Annotated[int, Meta(description="When a player who does nothing is forgotten.")]
    table_open_seconds: Annotated[int, Meta(description="When an open table that nobody touches is closed.")]
    table_abandon_seconds: Annotated[int, Meta(description="When a table without its players is given up.")]
    idempotency_key_seconds: Annotated[int, Meta(description="How long an `Idempotency-Key` is known.")]
    ticket_seconds: Annotated[int, Meta(description="How long a ticket for a stream can be used.")]
    stream_seconds: Annotated[int, Meta(description="When a stream ends at the latest; just reopen it.")]


class Root(TypedDict):
    """A server, its limits, and where to go on."""

    version: str
    limits: Limits
    defaults: Defaults
    links: Annotated[dict[str, str], Meta(description="Paths by what is there.")]


ROOT = Call(
    "root",
    "server",
    "What this server is",
    {200: Root},
    description="Its version, what it allows, and the paths of everything else.",
    token=False,
)
