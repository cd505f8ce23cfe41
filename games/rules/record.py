"""The record of a finished game: a file that anybody can replay and verify.

`docs/fairness.md` specifies the format.
"""

import re
from collections.abc import Sequence
from hashlib import sha256
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from games.rules.chance import Draw
from games.rules.game import Reason

FORMAT: Final = 1

# Where a text ends, in Python's regular expressions and in those of JSON Schema alike.
END = r"(?![\s\S])"

# No string of a record needs an escape in JSON, so its canonical form is the same in every language.
Text: TypeAlias = Annotated[str, Meta(max_length=64, pattern=rf"^[ !#-\[\]-~]*{END}")]
SeatNumber: TypeAlias = Annotated[int, Meta(ge=0, le=255)]
Number: TypeAlias = Annotated[int, Meta(ge=1, lt=2**31)]
Score: TypeAlias = Annotated[int, Meta(ge=-(2**31), lt=2**31)]
Hex32: TypeAlias = Annotated[str, Meta(pattern=rf"^[0-9a-f]{{64}}{END}")]
ClientSeed: TypeAlias = Annotated[str, Meta(pattern=rf"^[0-9a-f]{{1,64}}{END}")]
TableId: TypeAlias = Annotated[str, Meta(pattern=rf"^[0-9a-f]{{8}}(-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}}{END}")]
Drawn: TypeAlias = Annotated[tuple[Annotated[int, Meta(ge=0, le=255)], ...], Meta(max_length=256)]
Draws: TypeAlias = Annotated[
    tuple[tuple[Literal["roll", "shuffle"], Drawn], ...],
    Meta(description='`["roll", faces]` and `["shuffle", permutation]`, in the order of drawing.'),
]


class RecordedSeat(Struct, frozen=True, forbid_unknown_fields=True):
    """Who played: never a name. `level` is a bot's."""

    kind: Literal["human", "bot"]
    level: Text | None


class RecordedFairness(Struct, frozen=True, forbid_unknown_fields=True):
    """What the luck follows from; `client_seeds` by seat."""

    commitment: Hex32
    server_seed: Hex32
    client_seeds: tuple[ClientSeed | None, ...]


class RecordedMove(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="move"):
    """A seat's move, its number from 1, and the luck that it used."""

    number: Number
    seat: SeatNumber
    by: Literal["player", "stand_in", "bot"]
    move: Text
    chance: Draws


class RecordedLeave(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="left"):
    """A seat's player left: the seat is out."""

    seat: SeatNumber


class RecordedEnd(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="ended"):
    """The game was ended from outside."""

    reason: Literal["abandoned", "voided"]


Line: TypeAlias = RecordedMove | RecordedLeave | RecordedEnd


class RecordedOutcome(Struct, frozen=True, forbid_unknown_fields=True):
    """Who won and why, as the table tells it."""

    winners: tuple[SeatNumber, ...]
    reason: Reason
    scores: tuple[Score, ...]


class Record(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A whole game. `lines` are what happened after the start, in order; line 0 is the start."""

    format: Literal[1]
    table: TableId
    game: Text
    rules_version: Number
    options: dict[Text, Text | Score | bool | None]
    seats: tuple[RecordedSeat, ...]
    fairness: RecordedFairness
    start: Draws
    lines: tuple[Line, ...]
    outcome: RecordedOutcome
    hash: Hex32


class NotARecord(Exception):
    """What was given has not the form of a record; `line` says where, if it is in a line."""

    def __init__(self, line: int | None, text: str) -> None:
        super().__init__(text)
        self.line = line
        self.text = text


def read(given: Any) -> Record:
    """A record from what JSON says, whatever that is. Raises NotARecord."""
    try:
        return msgspec.convert(given, Record)
    except msgspec.ValidationError as error:
        found = re.search(r"\$\.lines\[(\d+)]", str(error))
        # It may repeat what was given, however long that is.
        raise NotARecord(int(found[1]) + 1 if found else None, f"{error}"[:200]) from None


def draws(drawn: Sequence[Draw]) -> Draws:
    """What a chance gave, as a record holds it."""
    return tuple((kind, tuple(values)) for kind, values in drawn)


def sealed(record: Record) -> Record:
    """The record with its hash."""
    return msgspec.structs.replace(record, hash=digest(record))


def digest(record: Record) -> str:
    """The SHA-256, in hex, of all the record but its hash, in its canonical form."""
    whole = msgspec.to_builtins(record)
    del whole["hash"]
    return sha256(msgspec.json.encode(whole, order="sorted")).hexdigest()
