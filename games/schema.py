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
    Moved,
    Table,
    Tables,
    any_of,
)
from games.rules.registry import GAMES

COMMON.update(
    table_id="The table's `id`.",
    number="The seat's number.",
    slug={"type": "string", "enum": list(GAMES), "description": "The game's name in addresses."},
)

LIST_GAMES = Call("list_games", "games", "All games", {200: Games}, token=False)
GET_GAME = Call("get_game", "games", "One game", {200: GameInfo}, (errors.NotFound,), token=False)

OPEN_TABLE = Call(
    "open_table",
    "tables",
    "Open a table",
    {201: Table},
    (errors.TooManyTables,),
    description="You take seat 0 and are the host. The game starts by itself when the last seat is taken.",
    fields={
        "game": {"type": "string", "enum": list(GAMES), "description": "What is played."},
        "capacity": {
            "type": "integer",
            "minimum": min(game.seats[0] for game in GAMES.values()),
            "maximum": max(game.seats[-1] for game in GAMES.values()),
            "description": "How many seats; the most that the game takes unless given.",
        },
        "options": {**any_of(OPTIONS_ASKED), "description": "Those that differ from the game's defaults."},
        "visibility": "Whether the lobby shows it (`public`, the default), or one must know its code.",
        "turn_seconds": "The time for a decision: 120 unless given, null for no limit.",
    },
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
    asks={"code": "7K3M9QXA"},
)

SIT_DOWN = Call(
    "sit_down",
    "seats",
    "Sit down",
    {200: Table, 201: Table},
    (errors.NotFound, errors.Removed, errors.NotOpen, errors.TableFull, errors.TooManyTables),
    description="You get the lowest free seat (201), or keep the one you have (200).",
    fields={"code": "Of a private table."},
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
LIST_EVENTS = Call(
    "list_events",
    "play",
    "What happened after a cursor",
    {200: Events},
    (errors.NotFound,),
    fields={
        "after": {
            "type": "integer",
            "minimum": 0,
            "maximum": 999_999_999,
            "default": 0,
            "description": "The version of the last event that you know.",
        }
    },
    tells=examples.events,
)
