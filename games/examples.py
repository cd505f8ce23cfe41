"""The document's examples: a table of the first game, with luck that is always the same."""

import json
from collections.abc import Sequence
from typing import Any

from games.bots import BOTS, LEVELS, odds
from games.bots.odds import best
from games.rules.fair import SEED_BYTES, commitment
from games.rules.game import Event, default_options, encode, play
from games.rules.registry import GAMES

ID = "0197d0a4-9f10-7b52-8d3c-1a2b3c4d5e6f"
NOW = "2026-12-01T10:00:00Z"
GAME = next(iter(GAMES.values()))
SEATS = GAME.seats[0]
SEED = bytes(range(SEED_BYTES))


class EvenLuck:
    """Luck for examples: the faces in turn, and nothing shuffled."""

    def roll(self, dice: int) -> tuple[int, ...]:
        return tuple(die % 6 + 1 for die in range(dice))

    def shuffle(self, size: int) -> tuple[int, ...]:
        return tuple(range(size))


STATE, BEGUN = GAME.start(SEATS, GAME.options_type(), EvenLuck())
SEAT = min(GAME.to_move(STATE))
CHOSEN = GAME.legal_moves(STATE, SEAT)[0]
# opened, a joined for each seat, started, and what the start told
VERSION = 2 + SEATS + len(BEGUN)

FAIRNESS: dict[str, Any] = {
    "commitment": commitment(SEED),
    "client_seeds": ["c0ffee", *[None] * (SEATS - 1)],
    "server_seed": None,
}

OPENING = {"game": GAME.slug, "capacity": SEATS}
MOVE = {"move": CHOSEN, "version": VERSION}


def playing() -> dict[str, Any]:
    """A table that has just started, as the seat that moves first sees it."""
    return _table(STATE, VERSION)


def _table(state: Any, version: int) -> dict[str, Any]:
    mine = SEAT in GAME.to_move(state)
    return {
        **_head([_seat(number) for number in range(SEATS)], SEAT),
        "status": "playing",
        "version": version,
        "code": None,
        "host": 0,
        "to_move": sorted(GAME.to_move(state)),
        "deadline": NOW,
        "decision": version if mine else None,
        "legal_moves": list(GAME.legal_moves(state, SEAT)),
        "view": encode(GAME.view(state, SEAT)),
        "outcome": None,
        "rematch": None,
        "fairness": FAIRNESS,
    }


def _head(seats: Sequence[Any], you: int | None) -> dict[str, Any]:
    return {
        "id": ID,
        "game": GAME.slug,
        "status": "open",
        "capacity": SEATS,
        "options": default_options(GAME),
        "visibility": "public",
        "turn_seconds": 120,
        "hints": False,
        "seats": seats,
        "you": you,
    }


def _seat(number: int) -> dict[str, Any]:
    seat = {"seat": number, "connected": True, "stand_in": False, "left": False}
    if number == 0:
        return {**seat, "name": "Ann", "kind": "human"}
    return {**seat, "name": None, "kind": "bot", "level": LEVELS[0]}


def opened() -> dict[str, Any]:
    """A table that waits for others."""
    waiting: dict[str, Any] = {
        "to_move": [],
        "deadline": None,
        "decision": None,
        "legal_moves": [],
        "view": None,
        "fairness": {**FAIRNESS, "client_seeds": []},
    }
    return {**playing(), **_head([_seat(0)], 0), **waiting, "version": 2}


def lobby() -> dict[str, Any]:
    """A page with that table, as somebody else sees it."""
    summary = {**_head([_seat(0)], None), "created_at": NOW, "your_turn": False}
    return {"results": [summary], "next": None}


def moved() -> dict[str, Any]:
    """The same table after a move."""
    state, told = play(GAME, STATE, SEAT, CHOSEN, EvenLuck())
    return {**_table(state, VERSION + len(told)), "number": 1, "events": _events(told)}


def events() -> dict[str, Any]:
    """What happened by that move."""
    _, told = play(GAME, STATE, SEAT, CHOSEN, EvenLuck())
    return {"events": _events(told), "version": VERSION + len(told), "more": False, "reset": False}


def streamed() -> dict[str, str]:
    """The same as an event of a stream."""
    told = events()
    data = json.dumps({"events": told["events"], "table": _table(_after_move(), told["version"])})
    return {"event": "table", "id": str(told["version"]), "data": data}


def _after_move() -> Any:
    return play(GAME, STATE, SEAT, CHOSEN, EvenLuck())[0]


def lobby_streamed() -> dict[str, str]:
    """The lobby as a stream tells it."""
    [summary] = lobby()["results"]
    return {"event": "summary", "data": json.dumps(summary)}


def _events(told: Sequence[Event]) -> list[dict[str, Any]]:
    return [
        {
            "version": VERSION + number,
            "kind": event.kind,
            "seat": event.seat,
            "by": "player" if event.by_seat else "server",
            "data": dict(event.data),
            **({"own": dict(event.own)} if event.own is not None and event.seat == SEAT else {}),
            "at": NOW,
        }
        for number, event in enumerate(told, 1)
    ]


def valued() -> dict[str, Any]:
    """What the moves of that table's first decision are worth."""
    valued = odds(GAME.slug, GAME.view(STATE, SEAT), GAME.legal_moves(STATE, SEAT), seat=SEAT)
    return {
        "version": VERSION,
        "decision": VERSION,
        "unit": BOTS[GAME.slug].UNIT,
        "detail": dict(BOTS[GAME.slug].DETAIL),
        "best": best(valued).move,
        "moves": encode(valued),
    }


def analysed() -> dict[str, Any]:
    """That table, had it ended with the first move."""
    seats = [
        {"seat": seat, "decisions": int(seat == SEAT), "given_away": 0.0, "luck": 0.0}
        for seat in range(SEATS)
    ]
    decision = {"number": 1, "seat": SEAT, "by": "player", "move": CHOSEN, "value": 1.5, "best": CHOSEN}
    return {
        "game": GAME.slug,
        "unit": BOTS[GAME.slug].UNIT,
        "made_at": NOW,
        "complete": True,
        "seats": seats,
        "start_luck": [0.0] * SEATS,
        "decisions": [{**decision, "best_value": 1.5, "luck": [0.0] * SEATS}],
    }
