"""What the OpenAPI document says of sessions."""

from datetime import datetime
from typing import Annotated, Any, TypedDict
from uuid import UUID

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from msgspec import Meta

from config.errors import Banned, NameTaken, Throttled
from config.openapi import Call, ref

NAME = {"type": "string", "minLength": 1, "maxLength": 24}
SECRET = {"type": "string", "minLength": 4, "maxLength": 128}


class Bearer(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # its metaclass has no types
    """The token that entering gives."""

    target_class = "sessions.authentication.BearerAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "The `token` that `enter` answers."}


class Player(TypedDict):
    """A name held by a secret for a while."""

    id: UUID
    name: str
    bot: Annotated[bool, Meta(description="Whether a program plays under this name.")]


class Session(TypedDict):
    """A player who is here, and its tables."""

    player: Player
    expires_at: Annotated[datetime, Meta(description="When the player is forgotten unless it acts before.")]
    tables: Annotated[
        list[Any],
        Meta(
            description="The player's tables that are not over, newest first.",
            extra_json_schema={"items": ref("Summary")},
        ),
    ]


class Entered(Session):
    """A session, and the token of this device."""

    token: Annotated[str, Meta(description="Goes into `Authorization: Bearer …`; shown this once.")]


class CurrentSession(Session):
    """A session as its player sees it."""

    reports: Annotated[
        list[Any],
        Meta(
            description="The player's reports that were decided since it last asked; each is told once.",
            extra_json_schema={"items": ref("Report")},
        ),
    ]


class Ticket(TypedDict):
    """What opens one stream without a header."""

    ticket: Annotated[str, Meta(description="Goes into the query of a stream's address: `?ticket=…`.")]
    expires_at: Annotated[datetime, Meta(description="Until when it can be used.")]


def entered() -> dict[str, Any]:
    return {**current(), "token": "6Zw0v5o1GmJ0d2oQ3cJm0bq3mX8Qv1rYk9rB7h2uN4E"}


def current() -> dict[str, Any]:
    return {
        "player": {"id": "0197d0a4-5c3e-7c3a-9b1e-2f4f6a8c0e11", "name": "Ann", "bot": False},
        "expires_at": "2026-12-02T10:00:00Z",
        "tables": [],
    }


ENTER = Call(
    "enter",
    "sessions",
    "Enter, or come back",
    {200: Entered, 201: Entered},
    (Banned, NameTaken, Throttled),
    description="A free name makes a new player (201). A name in use with its own secret is that player"
    " again, with its tables, on any device (200). Wrong secrets are answered slower and slower.",
    fields={
        "name": {
            **NAME,
            "description": "How others see you. Compared without regard to case and width; a name that"
            " looks like a seat's or a bot's is refused.",
        },
        "secret": {**SECRET, "description": "Gets you back in. It can't be recovered."},
        "bot": "Whether a program plays under this name: its seats show it. Left out, it stays as it was, and"
        " a new player's is none.",
    },
    counted=True,
    token=False,
    asks={"name": "Ann", "secret": "correct horse"},
    tells=entered,
)
CURRENT_SESSION = Call(
    "current_session",
    "sessions",
    "Who I am, and where I sit",
    {200: CurrentSession},
    tells=lambda: {**current(), "reports": []},
)
LOG_OUT = Call(
    "log_out",
    "sessions",
    "Log out",
    {204: None},
    description="Leaves every table, forgets name and secret, and ends every token of the player.",
)
ISSUE_TICKET = Call(
    "issue_ticket",
    "live",
    "A ticket for a stream",
    {201: Ticket},
    (Throttled,),
    description="For a browser's EventSource, which can't send headers. It opens one stream, once, within"
    " half a minute. Whenever EventSource fails, get a new one.",
    counted=True,
    tells=lambda: {
        "ticket": "hJ7s0Zq9m4cX1vN8bT2kLw5yR3dF6gQaPzUoEi0xYrM",
        "expires_at": "2026-12-01T10:00:30Z",
    },
)
