"""Tables as the API shows them, met in games that are played at random by the rules themselves."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from games.rules.game import Event, Game, Seat, encode, options_from
from games.rules.registry import GAMES
from tests.games.rules.seeded import SeededChance

NAMES = ("Ann", "<img src=x onerror=alert(1)>", "نور", "Maximiliane Wolkenstein", "Cy", "Dee", "Eve")


@dataclass(frozen=True)
class Position:
    """A table's document as `seat`, or with None a watcher, sees it, and the events that led there."""

    table: dict[str, Any]
    events: list[dict[str, Any]]
    state: Any = field(repr=False)

    @property
    def moves(self) -> list[str]:
        return list(self.table["legal_moves"])


def positions(
    slug: str, seats: int, seed: int | str, options: dict[str, Any] | None = None
) -> Iterator[list[Position]]:
    """What each seat, and last a watcher, sees at the start and after each move of one game."""
    game = GAMES[slug]
    luck, chance = Random(f"{slug} {seed}"), SeededChance(f"{slug} {seed} chance")
    state, told = game.start(seats, options_from(game, options or {}), chance)
    version = 3
    while True:
        yield [_seen(game, state, seat, told, version) for seat in (*range(seats), None)]
        movers = sorted(game.to_move(state))
        if not movers:
            return
        mover = luck.choice(movers)
        version += len(told)
        state, told = game.apply(state, mover, luck.choice(game.legal_moves(state, mover)), chance)


def to_decide(
    slug: str, seats: int, seed: int | str, options: dict[str, Any] | None = None
) -> Iterator[Position]:
    """The positions of one game as they are seen by a seat that is to move."""
    for seen in positions(slug, seats, seed, options):
        yield from (each for each in seen if each.moves)


def _seen(
    game: Game[Any, Any], state: Any, seat: Seat | None, told: Sequence[Event], version: int
) -> Position:
    over = not game.to_move(state)
    seats = len(game.scores(state))
    moves = [] if seat is None else list(game.legal_moves(state, seat))
    table = {
        "id": "0197",
        "game": game.slug,
        "status": "finished" if over else "playing",
        "version": version + len(told),
        "capacity": seats,
        "options": {},
        "seats": [_taken(each) for each in range(seats)],
        "you": seat,
        "to_move": sorted(game.to_move(state)),
        "legal_moves": moves,
        "view": encode(game.view(state, seat)),
        "outcome": encode(game.outcome(state, frozenset())) if over else None,
    }
    events = [_told(each, seat, version + number) for number, each in enumerate(told, start=1)]
    return Position(table, events, state)


def _taken(seat: Seat) -> dict[str, Any]:
    return {"seat": seat, "name": NAMES[seat], "kind": "human", "connected": True, "stand_in": False}


def _told(event: Event, seat: Seat | None, version: int) -> dict[str, Any]:
    told = {"version": version, "kind": event.kind, "seat": event.seat, "data": encode(dict(event.data))}
    if event.own is not None and event.seat == seat:
        told["own"] = encode(dict(event.own))
    return told
