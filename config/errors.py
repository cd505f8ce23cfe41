"""Every way in which this server says no: a closed set of codes, one class each."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, ClassVar


class Refusal(Exception):
    """A request that is understood and not granted. It has changed nothing.

    `extra` are the members that the answer carries beside code and detail.
    """

    code: ClassVar[str]
    title: ClassVar[str]

    def __init__(self, detail: str = "", **extra: Any) -> None:
        super().__init__(detail or self.title)
        self.detail = detail or f"{self.title}."
        self.extra = extra


class Invalid(Refusal):
    """Fields that are missing, unknown or of the wrong shape; `errors` by field, all at once."""

    code = "invalid"
    title = "The request does not have the right shape"

    def __init__(self, errors: Mapping[str, Any]) -> None:
        super().__init__("Some fields are missing, unknown or not acceptable.", errors=errors)


class MalformedJSON(Refusal):
    code = "malformed_json"
    title = "The body is not JSON"


class NotAuthenticated(Refusal):
    code = "not_authenticated"
    title = "No live session goes with this request"


class NotSeated(Refusal):
    code = "not_seated"
    title = "You do not sit at this table"


class NotHost(Refusal):
    code = "not_host"
    title = "Only the host of the table may do this"


class Removed(Refusal):
    code = "removed"
    title = "The host removed you from this table"


class HintsOff(Refusal):
    code = "hints_off"
    title = "Nobody is told at this table what moves are worth"


class Banned(Refusal):
    """Until `expires_at`; `ban` says what is banned: "name", "address" or "session"."""

    code = "banned"
    title = "A moderator has banned this"

    def __init__(self, ban: str, expires_at: datetime) -> None:
        super().__init__(self.DETAILS[ban], ban=ban, expires_at=expires_at)

    DETAILS: ClassVar[Mapping[str, str]] = {
        "name": "This name is banned, and so is what looks like it.",
        "address": "Nobody may enter from your address for now.",
        "session": "A moderator has ended this session.",
    }


class NotFound(Refusal):
    code = "not_found"
    title = "There is nothing here that is yours to know"


class MethodNotAllowed(Refusal):
    code = "method_not_allowed"
    title = "This address does not take that method"


class NotAcceptable(Refusal):
    code = "not_acceptable"
    title = "Only JSON can be had here"


class TooLarge(Refusal):
    code = "too_large"
    title = "The body is too large"


class UnsupportedMediaType(Refusal):
    code = "unsupported_media_type"
    title = "Only JSON is understood here"


class NameTaken(Refusal):
    code = "name_taken"
    title = "Somebody holds this name with another secret"


class TableFull(Refusal):
    code = "table_full"
    title = "Every seat of the table is taken"


class NotEnoughSeats(Refusal):
    code = "not_enough_seats"
    title = "Too few seats are taken for this game to start"


class NotOpen(Refusal):
    code = "not_open"
    title = "The table is not open any more"


class NotPlaying(Refusal):
    code = "not_playing"
    title = "No game is being played at the table"


class NotFinished(Refusal):
    code = "not_finished"
    title = "The game at the table is not over"


class NotYourTurn(Refusal):
    code = "not_your_turn"
    title = "Your seat is not to move"


class StaleVersion(Refusal):
    code = "stale_version"
    title = "The move was meant for an earlier decision"


class TooManyTables(Refusal):
    code = "too_many_tables"
    title = "You sit at as many tables as one player may"


class IllegalMove(Refusal):
    code = "illegal_move"
    title = "This is not one of the legal moves"


class IdempotencyMismatch(Refusal):
    code = "idempotency_mismatch"
    title = "This idempotency key was used for another request"


class Throttled(Refusal):
    """Too much, too fast; `retry_after` in whole seconds."""

    code = "throttled"
    title = "Too many requests"

    def __init__(self, retry_after: float, detail: str = "") -> None:
        super().__init__(detail)
        self.retry_after = max(1, int(-(-retry_after // 1)))


class Unavailable(Refusal):
    """Something that the server needs is away for a moment; nothing is half done."""

    code = "unavailable"
    title = "The server cannot answer just now"
    retry_after = 1


class InternalError(Refusal):
    code = "internal_error"
    title = "The server made a mistake"


class BadRequest(Refusal):
    code = "bad_request"
    title = "The request cannot be understood"


class Forbidden(Refusal):
    code = "forbidden"
    title = "This is not allowed"
