"""What the OpenAPI document says of client seeds, records and replays."""

from config import errors
from config.openapi import COMPONENTS, Call
from games import fair_examples as examples
from games.answers import Replayed
from games.rules.record import Record
from games.rules.verify import Verdict

COMPONENTS["RecordToCheck"] = {
    "type": "object",
    "additionalProperties": True,
    "description": "A `Record`. Any other object is answered too: with what is wrong with it.",
}

PUT_CLIENT_SEED = Call(
    "put_client_seed",
    "fairness",
    "Put my share of the luck",
    {204: None},
    (errors.NotFound, errors.NotSeated, errors.NotOpen),
    description="Before the start, for who sits there. All luck of the table follows from it too, so that the"
    " server can't have chosen its own seed to suit somebody. Put again, it replaces what was put before;"
    " leaving the seat drops it. Capital letters become small ones; leading zeros count.",
    fields={
        "hex": {
            "type": "string",
            "pattern": "^[0-9a-fA-F]{1,64}$",
            "description": "1 to 64 hex digits, drawn at random.",
        }
    },
    asks={"hex": "c0ffee"},
)
GET_RECORD = Call(
    "get_record",
    "fairness",
    "The record of a table that is over",
    {200: Record},
    (errors.NotFound, errors.NotFinished),
    description="Everything that was played and drawn, without names, in a form that can be verified by"
    " itself: docs/fairness.md specifies it to the byte.",
    text="The same for people, one line a move.",
    tells=examples.record,
)
CHECK_RECORD = Call(
    "check_record",
    "fairness",
    "Is a record true?",
    {200: Verdict},
    (errors.Throttled,),
    description="Whether it is whole, follows the rules, and follows its seeds; else the first line that"
    " goes wrong. The body may be longer than others: `record_bytes` in the limits.",
    counted=True,
    token=False,
    takes="RecordToCheck",
    tells=examples.verdict,
)
REPLAY_TABLE = Call(
    "replay_table",
    "fairness",
    "A table that is over, as it was",
    {200: Replayed},
    (errors.NotFound, errors.NotFinished),
    description="The table after the step that told this version, as that seat saw it, or a watcher; and the"
    " step's events. `version` in the answer is the step's last one, so the next step begins with the one"
    " after it. Names, connections, stand-ins, `host`, `rematch` and `fairness` are as they are now;"
    " `deadline` and `decision` are null.",
    fields={
        "version": {
            "type": "integer",
            "minimum": 1,
            "description": "Any of the table's; the last unless given.",
        },
        "seat": {"type": "integer", "minimum": 0, "description": "Whose view; a watcher's unless given."},
    },
    tells=examples.replayed,
)
