"""Every row of the database as text: to see that nothing changed, or that nothing is left."""

from django.db import connection
from psycopg import sql

TABLES = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1"


def all_rows() -> dict[str, list[str]]:
    """The rows of each table of the database, sorted."""
    with connection.cursor() as cursor:
        cursor.execute(TABLES)
        return {name: _rows(name) for (name,) in cursor.fetchall()}


def _rows(table: str) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL("SELECT t::text FROM {} AS t ORDER BY 1").format(sql.Identifier(table)))
        return [row for (row,) in cursor.fetchall()]
