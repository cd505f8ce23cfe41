"""What the OpenAPI document says of games and tables."""

from drf_spectacular.utils import OpenApiParameter

from config import errors
from config.openapi import COMMON, Call, Header
from games import examples
from games.answers import (
    OPTIONS_ASKED,
    Events,
    GameInfo,
    Games,
    GoneMessage,
    Moved,
    ResetMessage,
    Summary,
    Table,
    TableMessage,
    Tables,
    any_of,
)
from games.rules.registry import GAMES

COMMON.update(
    table_id="The table's `id`.",
    number="The seat's number.",
    slug={"type": "string", "enum": list(GAMES), "description": "The game's name in addresses."},
)

CLIENT_SEED = {
    "type": ["string", "null"],
    "pattern": "^[0-9a-fA-F]{1,64}$",
    "description": "Your share of the luck, as hex digits, when this call seats you.",
}

CAPACITY = {
    "type": "integer",
    "minimum": min(game.seats[0] for game in GAMES.values()),
    "maximum": max(game.seats[-1] for game in GAMES.values()),
}

LIST_GAMES = Call("list_games", "games", "All games", {200: Games}, token=False)
GET_GAME = Call("get_game", "games", "One game", {200: GameInfo}, (errors.NotFound,), token=False)

OPEN_TABLE = Call(
    "open_table",
    "tables",
    "Open a table",
    {201: Table},
    (errors.TooManyTables, errors.Throttled),
    description="You take seat 0 and are the host. The game starts by itself when the last seat is taken.",
    fields={
        "game": {"type": "string", "enum": list(GAMES), "description": "What is played."},
        "capacity": {**CAPACITY, "description": "How many seats; the most that the game takes unless given."},
        "options": {**any_of(OPTIONS_ASKED), "description": "Those that differ from the game's defaults."},
        "visibility": "Whether the lobby shows it (`public`, the default), or one must know its code.",
        "turn_seconds": "The time for a decision: 120 unless given, null for no limit.",
        "client_seed": CLIENT_SEED,
        "hints": "Whether each seat may ask what its moves are worth: `odds`. Not unless given.",
    },
    counted=True,
    once=True,
    headers=[Header("Location", [201], "The table's address.")],
    asks=examples.OPENING,
    tells=examples.opened,
)
LIST_TABLES = Call(
    "list_tables",
    "tables",
    "The lobby, or my tables",
    {200: Tables},
    description="Public tables that are not over, newest first, 50 a page.",
    fields={
        "game": "Only tables of this game.",
        "status": "Only tables of this status, those that are over included.",
        "mine": {"type": "boolean", "description": "My tables instead, private ones too."},
        "cursor": {"type": "string", "format": "uuid", "description": "The `next` of the page before."},
    },
    tells=examples.lobby,
)
GET_TABLE = Call(
    "get_table",
    "tables",
    "A table as I may see it",
    {200: Table, 304: None},
    (errors.NotFound,),
    description="A private table is read by those who sit at it.",
    parameters=[
        OpenApiParameter(
            "If-None-Match",
            str,
            OpenApiParameter.HEADER,
            description="The `ETag` of what you have: 304 if nothing has changed.",
        )
    ],
    headers=[Header("ETag", [200, 304], "Names exactly this body.")],
    tells=examples.playing,
)
LOOK_BY_CODE = Call(
    "look_by_code",
    "tables",
    "One look at a private table",
    {200: Table},
    (errors.NotFound, errors.Throttled),
    fields={"code": "Of the table; case and hyphens don't matter."},
    counted=True,
    asks={"code": "7K3M9QXA"},
)

SIT_DOWN = Call(
    "sit_down",
    "seats",
    "Sit down",
    {200: Table, 201: Table},
    (errors.NotFound, errors.Removed, errors.NotOpen, errors.TableFull, errors.TooManyTables),
    description="You get the lowest free seat (201), or keep the one you have (200).",
    fields={"code": "Of a private table.", "client_seed": CLIENT_SEED},
    once=True,
    asks={"code": "7K3M9QXA"},
    tells=examples.playing,
)
STAND_UP = Call(
    "stand_up",
    "seats",
    "Stand up",
    {204: None},
    (errors.NotFound, errors.NotSeated),
    description="During a game the seat is out: a bot moves for it to the end, and it can't win.",
)
RETURN_TO_SEAT = Call(
    "return_to_seat",
    "seats",
    "Take my seat back from the stand-in",
    {200: Table},
    (errors.NotFound, errors.NotSeated, errors.NotPlaying),
    description="Making a move does it too.",
    tells=examples.playing,
)
REMOVE_SEAT = Call(
    "remove_seat",
    "seats",
    "Remove a player or a bot",
    {204: None},
    (errors.NotFound, errors.NotSeated, errors.NotHost, errors.NotOpen, errors.Invalid),
    description="For the host, before the start. Who was removed can't sit at that table again.",
)
SEAT_BOT = Call(
    "seat_bot",
    "seats",
    "Seat a built-in bot",
    {201: Table},
    (errors.NotFound, errors.NotSeated, errors.NotHost, errors.NotOpen, errors.TableFull),
    description="For the host, before the start.",
    fields={"level": "How well it plays; the game's `bots` names the levels."},
    once=True,
    tells=examples.playing,
)

START_TABLE = Call(
    "start_table",
    "play",
    "Start the game",
    {200: Table},
    (errors.NotFound, errors.NotSeated, errors.NotHost, errors.NotOpen, errors.NotEnoughSeats),
    description="For the host, when not every seat is to be filled. A game that has started goes on.",
    tells=examples.playing,
)
MAKE_MOVE = Call(
    "make_move",
    "play",
    "Make a move",
    {201: Moved},
    (
        errors.NotFound,
        errors.NotSeated,
        errors.NotPlaying,
        errors.NotYourTurn,
        errors.StaleVersion,
        errors.IllegalMove,
    ),
    description="One of `legal_moves`, as it is written there. With the table's `version` the move is"
    " refused if your decision has changed since; with an `Idempotency-Key` it can be sent again safely.",
    fields={
        "move": {
            "type": "string",
            "minLength": 1,
            "maxLength": 64,
            "description": "One of `legal_moves`.",
        },
        "version": {
            "type": "integer",
            "minimum": 0,
            "description": "The version of the table that you looked at.",
        },
    },
    once=True,
    asks=examples.MOVE,
    tells=examples.moved,
)
REMATCH = Call(
    "rematch",
    "play",
    "Play again with the same people",
    {200: Table, 201: Table},
    (
        errors.NotFound,
        errors.NotSeated,
        errors.NotFinished,
        errors.Removed,
        errors.NotOpen,
        errors.TableFull,
        errors.TooManyTables,
        errors.Throttled,
    ),
    description="After the end, for who sits there. The first call opens a table like this one, the order"
    " turned by one, and keeps the seats for the same people for two minutes; this table shows it as"
    " `rematch`. The others' calls seat them there (201), or find them seated (200).",
    fields={"client_seed": CLIENT_SEED},
    counted=True,
    once=True,
    tells=examples.opened,
)
QUICK_MATCH = Call(
    "quick_match",
    "tables",
    "A seat at any table that fits",
    {200: Table, 201: Table},
    (errors.TooManyTables, errors.Throttled),
    description="You are seated at an open public table whose host is there, else at a new one, which has"
    " the game's fewest seats unless you say otherwise (201). Who waits at such a table already gets it"
    " again (200).",
    fields={
        "game": {"type": "string", "enum": list(GAMES), "description": "What is played."},
        "capacity": {**CAPACITY, "description": "How many seats; any number of them fits unless given."},
        "options": {**any_of(OPTIONS_ASKED), "description": "Those that matter to you; any others fit."},
        "fill_with_bots_after": "Seconds after which bots take the seats to which nobody came.",
        "client_seed": CLIENT_SEED,
        "hints": "Whether to play at a table with hints; else at one without.",
    },
    counted=True,
    once=True,
    asks=examples.OPENING,
    tells=examples.opened,
)
LIST_EVENTS = Call(
    "list_events",
    "play",
    "What happened after a cursor",
    {200: Events},
    (errors.NotFound, errors.Throttled),
    description="With `wait` the answer is held back until there is an event, so that asking again and"
    " again is as good as a stream.",
    fields={
        "after": {
            "type": "integer",
            "minimum": 0,
            "default": 0,
            "description": "The version of the last event that you know.",
        },
        "wait": {
            "type": "integer",
            "minimum": 0,
            "maximum": 25,
            "description": "For how many seconds to wait for an event if there is none yet.",
        },
    },
    tells=examples.events,
)

TICKET = OpenApiParameter(
    "ticket", str, description="From `issue_ticket`, in the place of the header Authorization."
)
STREAM_TABLE = Call(
    "stream_table",
    "live",
    "A table, as it changes",
    {204: None},
    (errors.Invalid, errors.NotFound, errors.Throttled),
    description="The first message comes at once, with all that happened since your cursor and the table as"
    " you see it; then one for each change. The `id` of a message is the table's version. Reopened with the"
    " last `id`, the stream goes on without loss or repetition; a cursor that can't be used gets `reset`."
    " Two minutes after the end of the game there is no more to come: the stream ends, and one opened later"
    " with nothing left to tell is 204.",
    parameters=[
        OpenApiParameter(
            "Last-Event-ID", str, OpenApiParameter.HEADER, description="The last `id` that you have."
        ),
        OpenApiParameter("after", str, description="The same, for who can't send the header."),
        TICKET,
    ],
    messages={"table": TableMessage, "reset": ResetMessage},
    tells=examples.streamed,
)
STREAM_MINE = Call(
    "stream_mine",
    "live",
    "All my tables, as they change",
    {},
    (errors.Invalid, errors.Throttled),
    description="Each of your tables that is not over once, then each change. There is no resume here: a"
    " table's own stream, or its events, have that.",
    parameters=[TICKET],
    messages={"table": TableMessage, "gone": GoneMessage},
)
STREAM_LOBBY = Call(
    "stream_lobby",
    "live",
    "The lobby, as it changes",
    {},
    (errors.Invalid, errors.Throttled),
    description="Each open public table once, then each that appears, changes or goes.",
    parameters=[
        OpenApiParameter(
            "game", {"type": "string", "enum": list(GAMES)}, description="Only tables of this game."
        ),
        TICKET,
    ],
    messages={"summary": Summary, "gone": GoneMessage},
    tells=examples.lobby_streamed,
)
