"""Rows of all that the admin lists, copied by SQL from one of each that the server made."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, LiteralString
from uuid import UUID

from psycopg import sql

from bench.copies import Database, copy_rows, trust

EVENTS = 10  # of each table, about

Columns = Mapping[LiteralString, LiteralString]

# Keys that grow with the number, as those of a server do, and lie between those of the first rows and now.
KEY: LiteralString = "(lpad(to_hex(1600000000000 + {}), 12, '0') || '7000800000000000' || '0000')::uuid"
OPENED: LiteralString = "to_timestamp(1600000000 + step / 1000.0)"
STATUS: LiteralString = (
    "CASE WHEN step % 1000 = 0 THEN 'open' WHEN step % 100 = 1 THEN 'playing'"
    " WHEN step % 10 = 2 THEN 'abandoned' ELSE 'finished' END"
)
IS_LIVE: LiteralString = "(step % 1000 = 0 OR step % 100 = 1)"
# Eight of the signs of codes, each number its own.
CODE: LiteralString = "upper(lpad(to_hex(step), 8, '0'))"


def key(step: LiteralString, kind: int = 0) -> LiteralString:
    return KEY.replace("{}", step).replace("'0000'", "'0001'" if kind else "'0000'")


PLAYERS: Columns = {
    "id": key("step", 1),
    "name": "'Name ' || step",
    "folded": "'name ' || step",
    "name_state": "CASE WHEN step % 10 = 0 THEN 'question' ELSE 'fine' END",
    "created_at": "now()",
}
TABLES: Columns = {
    "id": key("step"),
    "status": STATUS,
    "game": "(ARRAY['pickomino', '7776', 'dominoes'])[1 + step % 3]",
    "visibility": "CASE WHEN step % 10 = 0 THEN 'private' ELSE 'public' END",
    "code": f"CASE WHEN step % 10 = 0 THEN {CODE} END",
    "created_at": OPENED,
    "started_at": f"CASE WHEN step % 1000 > 0 THEN {OPENED} END",
    "touched_at": OPENED,
    "over_at": f"CASE WHEN NOT {IS_LIVE} THEN {OPENED} END",
    "wake_at": f"CASE WHEN {IS_LIVE} THEN now() + interval '1 day' END",
}
# Each sits at its own table, and at the next one.
SEATS: Columns = {
    "table_id": key("step"),
    "player_id": f"CASE WHEN old.number = 0 THEN {key('step', 1)}"
    f" WHEN step > 1 THEN {key('step - 1', 1)} END",
}
EVENT: Columns = {"table_id": key("step"), "number": "nth"}
# The oldest entries are of one who has done nothing since.
ACTS: Columns = {
    "id": "nextval('django_admin_log_id_seq')",
    "object_id": f"({key('step')})::text",
    "user_id": "CASE WHEN step <= 100 THEN (SELECT max(id) FROM auth_user) ELSE old.user_id END",
}
# What is rare is all at the end where a list does not begin, of the filters' choices too: of reports, which
# are read from the oldest, among the newest.
REPORTS: Columns = {
    "id": key("10000000 - step", 1),
    "table_id": key("step"),
    "reporter_id": key("step", 1),
    "player_id": f"CASE WHEN step > 1 THEN {key('step - 1', 1)} END",
    "reason": "CASE WHEN step <= 60 THEN 'cheating'"
    " ELSE (ARRAY['name', 'stalling', 'other'])[1 + step % 3] END",
    "decision": "CASE WHEN step <= 60 THEN 'upheld' WHEN step % 10 > 0 THEN 'dismissed' END",
    "decided_at": f"CASE WHEN step <= 60 OR step % 10 > 0 THEN {OPENED} END",
    "created_at": OPENED,
}
BANS: Columns = {
    "id": "nextval('players_ban_id_seq')",
    "kind": "CASE WHEN step <= 60 THEN 'session' ELSE (ARRAY['name', 'address'])[1 + step % 2] END",
    "mark": "md5(step::text)",
}
WORDS: Columns = {
    "id": "nextval('players_refusedname_id_seq')",
    "word": "'word' || step",
    "form": "'word' || step",
}
CHECKS: Columns = {"id": "nextval('games_historycheck_id_seq')"}


def write_one(table: UUID, user: Any) -> None:
    """By this member of staff one of each that there is not yet: entry, report, ban, word, check."""
    from django.contrib.auth.models import User
    from django.utils import timezone

    from config.acts import write_down
    from games.histories import check_tables
    from games.models import Report, Table
    from sessions import bans, wordlist

    about, now = Table(pk=table), timezone.now()
    User.objects.create_user("gone", is_staff=True)
    write_down(who=user, about=about, what="Voided the table", why="A bench")
    Report.objects.create(
        table=about, seat=1, version=1, begun=True, reason="other", text="Waits.", created_at=now
    )
    bans.ban_name(name="Nobody", by=user, reason="A bench", until=now + timedelta(days=1))
    wordlist.add_word(word="nobody", by=user)
    check_tables([])


def fill(database: Database, table: UUID, many: int, some: int) -> None:
    """So `many` tables, players and entries of the log, and `some` of all else, in one transaction."""
    with database.transaction(), _bare(database):
        trust(database)
        _fill(database, table, _steps(many), _steps(some))


def _steps(want: int) -> LiteralString:
    return f"CROSS JOIN generate_series(1, {want}) AS step "


def _fill(database: Database, table: UUID, many: LiteralString, some: LiteralString) -> None:
    last: LiteralString = "WHERE old.id = (SELECT id FROM {} ORDER BY id {} LIMIT 1)"
    own: LiteralString = f"WHERE old.table_id = '{table}'"
    events: LiteralString = f"CROSS JOIN generate_series(1, {EVENTS}) AS nth {own} AND old.number = 1"
    newest: LiteralString = last.replace("{}", "players_player", 1).replace("{}", "DESC")
    copy_rows(database, "players_player", PLAYERS, many + newest)
    copy_rows(database, "games_table", TABLES, many + f"WHERE old.id = '{table}'")
    copy_rows(database, "games_seat", SEATS, many + own)
    copy_rows(database, "games_event", EVENT, many + events)
    copy_rows(database, "django_admin_log", ACTS, many + _oldest("django_admin_log"))
    copy_rows(database, "games_report", REPORTS, some + "WHERE old.seat = 1 AND old.reporter_id IS NULL")
    copy_rows(database, "players_ban", BANS, some + _oldest("players_ban"))
    copy_rows(database, "players_refusedname", WORDS, some + _oldest("players_refusedname"))
    copy_rows(database, "games_historycheck", CHECKS, some + _oldest("games_historycheck"))


def _oldest(name: LiteralString) -> LiteralString:
    return f"WHERE old.id = (SELECT min(id) FROM {name})"


INDEXES = """
SELECT pg_get_indexdef(i.indexrelid), c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
WHERE i.indrelid = ANY(%s::regclass[])
    AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid)
"""
GROWING = ["games_table", "games_seat", "players_player", "django_admin_log", "games_report", "players_ban"]


@contextmanager
def _bare(database: Database) -> Iterator[None]:
    """Indexes that hold no constraint are built once, when all rows are there."""
    database.execute("SET LOCAL maintenance_work_mem = '256MB'")
    found = database.execute(INDEXES, [GROWING]).fetchall()
    for _, name in found:
        database.execute(sql.SQL("DROP INDEX {}").format(sql.Identifier(name)))
    yield
    for made, _ in found:
        database.execute(made)
