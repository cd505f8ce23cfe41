"""The admin's lists with a million rows, each beside the same list with a thousand.

In this process, by the test client of Django: measured is the page, with all that it asks the database.
"""

import time
from collections.abc import Iterable, Mapping
from typing import Any, LiteralString
from uuid import UUID

import psycopg

from bench.copies import Database, copy_rows, settle
from bench.run import Line, Run
from bench.tables import make_tables

FEW = 1_000
EVENTS = 10  # of each table, about
SAMPLES = 9

# Keys that grow with the number, as those of a server do, and lie between those of the first rows and now.
KEY: LiteralString = "(lpad(to_hex(1600000000000 + step), 12, '0') || '7000800000000000' || '{:04x}')::uuid"
STATUS: LiteralString = (
    "CASE WHEN step % 1000 = 0 THEN 'open' WHEN step % 100 = 1 THEN 'playing'"
    " WHEN step % 10 = 2 THEN 'abandoned' ELSE 'finished' END"
)
GAME: LiteralString = "(ARRAY['pickomino', '7776', 'dominoes'])[1 + step % 3]"


def lines(run: Run) -> Iterable[Line]:
    """Milliseconds of each page; both stand alike in fast and slow hours, since each is asked many times."""
    table = UUID(make_tables(run.database, "dominoes", 1)[0].id)
    client = _moderator()
    with psycopg.connect(run.database, autocommit=True) as database:
        _fill(database, table, 0, FEW)
        few = _measured(client, _pages(table))
        _fill(database, table, FEW, run.size.desk)
        many = _measured(client, _pages(table))
    for name, samples in many.items():
        yield Line.of(name, "ms", samples, f"with {FEW:,} rows", few[name], "less")


def _moderator() -> Any:
    """A browser in which somebody has logged in who may see all lists."""
    from django.contrib.auth.models import User
    from django.test import Client

    client = Client()
    client.force_login(User.objects.create_superuser("bench"))
    return client


def _fill(database: Database, table: UUID, have: int, want: int) -> None:
    """Tables, their players, seats and events, and an entry in the log for each, copied from one."""
    from config.acts import write_down

    if not have:
        _write_one(write_down, table)
    rows: LiteralString = f"CROSS JOIN generate_series({have} + 1, {want}) AS step "
    own: LiteralString = f"WHERE old.table_id = '{table}'"
    players: dict[LiteralString, LiteralString] = {
        "id": _key(1),
        "name": "'Name ' || step",
        "folded": "'name ' || step",
        "created_at": "now()",
    }
    first: LiteralString = "WHERE old.id = (SELECT id FROM players_player ORDER BY id DESC LIMIT 1)"
    copy_rows(database, "players_player", players, rows + first)
    one: LiteralString = f"WHERE old.id = '{table}'"
    told: dict[LiteralString, LiteralString] = {
        "id": _key(0),
        "status": STATUS,
        "game": GAME,
        "wake_at": "NULL",
    }
    copy_rows(database, "games_table", told, rows + one)
    seats: dict[LiteralString, LiteralString] = {
        "table_id": _key(0),
        "number": "0",
        "player_id": _key(1),
    }
    copy_rows(database, "games_seat", seats, rows + own + " AND old.number = 0")
    events: dict[LiteralString, LiteralString] = {"table_id": _key(0), "number": "nth"}
    many: LiteralString = f"CROSS JOIN generate_series(1, {EVENTS}) AS nth "
    copy_rows(database, "games_event", events, rows + many + own + " AND old.number = 1")
    acts: dict[LiteralString, LiteralString] = {
        "id": "nextval('django_admin_log_id_seq')",
        "object_id": f"({_key(0)})::text",
    }
    copy_rows(
        database, "django_admin_log", acts, rows + "WHERE old.id = (SELECT min(id) FROM django_admin_log)"
    )
    settle(database)


def _write_one(write_down: Any, table: UUID) -> None:
    from django.contrib.auth.models import User

    from games.models import Table

    write_down(who=User.objects.get(), about=Table(pk=table), what="Voided the table", why="A bench")


def _key(kind: int) -> LiteralString:
    return KEY.replace("{:04x}", "0000" if kind == 0 else "0001")


def _pages(table: UUID) -> Mapping[str, str]:
    """Addresses of lists: their first pages, pages far behind, filters, and what one looks for."""
    from games.models import Table
    from sessions.models import Player

    middle = Table.objects.order_by("pk")[FEW // 2].pk
    player = Player.objects.order_by("pk")[FEW // 2]
    tables, players, log = "/admin/games/table/", "/admin/players/player/", "/admin/admin/logentry/"
    return {
        "tables": tables,
        "tables, far behind": f"{tables}?from={middle}",
        "tables that are open": f"{tables}?status=open",
        "tables of a game that are open": f"{tables}?status=open&game=7776",
        "tables closed, of which there are none": f"{tables}?status=closed",
        "a table by its id": f"{tables}?q={middle}",
        "tables by a name": f"{tables}?q={player.name}",
        "a table's page": f"{tables}{table}/change/",
        "what was done at a table": f"{tables}{middle}/history/",
        "players": players,
        "players by a name": f"{players}?q={player.name}",
        "a player's page": f"{players}{player.pk}/change/",
        "the log": log,
        "the log of a table": f"{log}?q={middle}",
        "the log of one of the staff": f"{log}?q=bench",
    }


def _measured(client: Any, pages: Mapping[str, str]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {name: [] for name in pages}
    for number in range(SAMPLES + 1):
        for name, path in pages.items():
            begun = time.monotonic()
            answer = client.get(path)
            if answer.status_code != 200:
                raise RuntimeError(f"{path}: {answer.status_code}")
            # The first of each only warms up.
            found[name] += [(time.monotonic() - begun) * 1_000] if number else []
    return found
