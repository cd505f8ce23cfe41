"""What the OpenAPI document says of reports."""

from datetime import datetime
from typing import Annotated, Any, Literal, TypedDict
from uuid import UUID

from msgspec import Meta

from config import errors
from config.openapi import Call


class Report(TypedDict):
    """What a player told moderators of a seat."""

    id: UUID
    table: UUID
    seat: Annotated[int, Meta(description="The seat's number at that version.")]
    version: Annotated[int, Meta(description="The table's when it was reported.")]
    reason: Literal["cheating", "name", "stalling", "other"]
    created_at: datetime
    decision: Annotated[
        Literal["upheld", "dismissed"] | None, Meta(description="What a moderator made of it.")
    ]
    decided_at: datetime | None


def report() -> dict[str, Any]:
    return {
        "id": "0197d0a5-1f2e-7b41-8c55-9a2b3c4d5e6f",
        "table": "0197d0a4-9c1b-7d2e-8f30-1a2b3c4d5e6f",
        "seat": 1,
        "version": 41,
        "reason": "stalling",
        "created_at": "2026-12-01T10:00:00Z",
        "decision": None,
        "decided_at": None,
    }


REPORT_SEAT = Call(
    "report_seat",
    "tables",
    "Tell a moderator of a seat",
    {200: Report, 201: Report},
    (errors.NotFound, errors.Throttled),
    description="For who sits there or has left, and for watchers of a public table; during the game and"
    " after it. While your report of a seat waits to be decided, you get that one again (200). `reports` of"
    " `current_session` tells once how it was decided.",
    fields={
        "seat": {"type": "integer", "minimum": 0, "description": "A player's, and not your own."},
        "reason": "What is wrong.",
        "text": {
            "type": "string",
            "maxLength": 1000,
            "description": "What happened. Names of who sits there are replaced; it is deleted after a time.",
        },
    },
    counted=True,
    once=True,
    asks={"seat": 1, "reason": "stalling", "text": "Waits for the last second of every turn."},
    tells=report,
)
