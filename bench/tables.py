"""Players and tables for a load: a few made by the server's own services, the rest copied from them."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import LiteralString
from uuid import UUID

import psycopg
from uuid_utils.compat import uuid7

from bench.copies import Database, copy_rows, put, settle, trust

DAY = 86_400  # seconds to move: the clock is kept, and never runs out while we measure
OLD_TABLE: LiteralString = "old.table_id = (SELECT old FROM model)"


@dataclass(slots=True)
class Played:
    """A table in play: the token of each seat's player, and which seats are to move, as far as known."""

    id: str
    tokens: Sequence[str]
    to_move: list[int] = field(default_factory=lambda: [0])


def make_tables(
    database_url: str, game: str, count: int, capacity: int = 2, turn_seconds: int = DAY
) -> list[Played]:
    """So many tables at which the game has just begun, each with players of its own."""
    table, player = _model(game, capacity, turn_seconds)
    ids = [uuid7() for _ in range(count)]
    tokens = [[secrets.token_urlsafe(32) for _ in range(capacity)] for _ in ids]
    with psycopg.connect(database_url, autocommit=True) as database:
        with database.transaction():
            trust(database)
            put(database, "model", "old uuid", [[table]])
            put(database, "new_table", "number int, id uuid", list(enumerate(ids)))
            _copy_players(database, player, tokens)
            _copy_tables(database)
        settle(database)
    return [Played(str(pk), own) for pk, own in zip(ids, tokens, strict=True)]


def _model(game: str, capacity: int, turn_seconds: int) -> tuple[UUID, UUID]:
    """A table of that game that has begun, and one of its players."""
    from games.services import open_table, sit_down
    from sessions.services import enter

    run = secrets.token_hex(4)
    people = [enter(name=f"{run} {seat}", secret=run, address="127.0.0.1").player for seat in range(capacity)]
    opened = open_table(player=people[0], game=game, capacity=capacity, turn_seconds=turn_seconds)
    for player in people[1:]:
        sit_down(table_id=opened.ledger.table.pk, player=player)
    return opened.ledger.table.pk, people[0].pk


def _copy_players(database: Database, player: UUID, tokens: Sequence[Sequence[str]]) -> None:
    """A player for each seat of each new table, who has that token."""
    from sessions.secrecy import digest

    rows = [
        (number, seat, uuid7(), secrets.token_hex(10), digest(token))
        for number, own in enumerate(tokens)
        for seat, token in enumerate(own)
    ]
    put(database, "new_player", "number int, seat int, id uuid, name text, digest text", rows)
    put(database, "one", "player uuid", [[player]])
    join: LiteralString = "CROSS JOIN new_player AS new WHERE "
    copy_rows(
        database,
        "players_player",
        {"id": "new.id", "name": "new.name", "folded": "new.name"},
        join + "old.id = (SELECT player FROM one)",
    )
    copy_rows(
        database,
        "players_token",
        {"digest": "new.digest", "player_id": "new.id"},
        join + "old.player_id = (SELECT player FROM one)",
    )


def _copy_tables(database: Database) -> None:
    join: LiteralString = "CROSS JOIN new_table AS new "
    copy_rows(database, "games_table", {"id": "new.id"}, join + "WHERE old.id = (SELECT old FROM model)")
    copy_rows(
        database,
        "games_seat",
        {"table_id": "new.id", "player_id": "who.id"},
        join
        + "JOIN new_player AS who ON who.number = new.number AND who.seat = old.number WHERE "
        + OLD_TABLE,
    )
    copy_rows(database, "games_event", {"table_id": "new.id"}, join + "WHERE " + OLD_TABLE)


def lengthen(database_url: str, tables: Sequence[Played], moves: int) -> None:
    """Put so many moves behind these tables, each with an event, copied from their last ones."""
    with psycopg.connect(database_url, autocommit=True) as database:
        with database.transaction():
            put(database, "long", "id uuid", [[table.id] for table in tables])
            put(database, "length", "moves int", [[moves]])
            trust(database)
            _copy_history(database)
            database.execute(
                "UPDATE games_table SET version = version + %(m)s, moves = moves + %(m)s"
                " WHERE id IN (SELECT id FROM long)",
                {"m": moves},
            )
        settle(database)


def _copy_history(database: Database) -> None:
    history: LiteralString = (
        "JOIN games_table AS at ON at.id = old.table_id AND old.number = at.{} "
        "CROSS JOIN generate_series(1, (SELECT moves FROM length)) AS step "
        "WHERE old.table_id IN (SELECT id FROM long)"
    )
    versions: dict[LiteralString, LiteralString] = {
        "number": "old.number + step",
        "first_version": "at.version + step",
        "last_version": "at.version + step",
    }
    copy_rows(database, "games_move", versions, history.replace("{}", "moves"))
    copy_rows(database, "games_event", {"number": "old.number + step"}, history.replace("{}", "version"))
