"""The admin's lists with a million rows, each beside the same list with a thousand.

In this process, by the test client of Django: measured is the page, with all that it asks the database.
"""

import time
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any
from uuid import UUID

import psycopg

from bench.copies import settle
from bench.filling import fill, write_one
from bench.place import another, working_in
from bench.run import Line, Run
from bench.tables import make_tables

FEW = 1_000
SAMPLES = 7
# There are fewer of the things that staff make.
SHARE = 10


def lines(run: Run) -> Iterable[Line]:
    """Milliseconds of each page, with few rows and with many by turns."""
    many = run.size.desk
    with another(run.database, "few") as few:
        desks = {
            few: _filled(few, FEW, FEW),
            run.database: _filled(run.database, many, max(FEW, many // SHARE)),
        }
        theirs, ours = _measured(desks).values()
    for name, samples in ours.items():
        yield Line.of(name, "ms", samples, f"with {FEW:,} rows", theirs[name], "less")


def _filled(database: str, many: int, some: int) -> tuple[Any, Mapping[str, str]]:
    """A browser of staff, and the pages, of a database with so many rows."""
    with working_in(database):
        table = UUID(make_tables(database, "dominoes", 1)[0].id)
        client, user = _moderator()
        write_one(table, user)
        with psycopg.connect(database, autocommit=True) as connection:
            fill(connection, table, many, some)
            settle(connection)
        return client, dict(_pages(table))


def _moderator() -> tuple[Any, Any]:
    """A browser in which somebody has logged in who may see all lists, and who that is."""
    from django.contrib.auth.models import User
    from django.test import Client

    client = Client()
    user = User.objects.create_superuser("bench")
    client.force_login(user)
    return client, user


def _pages(table: UUID) -> Iterator[tuple[str, str]]:
    """Addresses by what they show: every list, far behind and by all its filters, and what one looks for."""
    from django.contrib import admin

    lists: list[tuple[Any, Any]] = list(admin.site._registry.items())
    for model, desk in sorted(lists, key=lambda each: str(each[0]._meta.label)):
        name, path = str(model._meta.verbose_name_plural), path_of(model)
        for wanted in filtered(model, desk):
            query = "&".join(f"{field}={value}" for field, value in wanted.items())
            yield f"{name}: {', '.join(wanted.values())}" if wanted else name, f"{path}?{query}"
        newest = desk.ordering[0].startswith("-")
        if (behind := _among(model, "pk" if newest else "-pk")) is not None:
            yield f"{name}, far behind", f"{path}?from={behind}"
    yield from _searches(table)


def filtered(model: Any, desk: Any) -> Iterator[dict[str, str]]:
    """All that a list's filters may ask for together, nothing among it."""
    for chosen in product(*([{}, *_choices(model, each)] for each in desk.list_filter)):
        yield {field: value for one in chosen for field, value in one.items()}


def path_of(model: Any) -> str:
    return f"/admin/{model._meta.app_label}/{model._meta.model_name}/"


def _among(model: Any, order: str = "pk") -> Any:
    """The key of a row some pages from the beginning or the end, None where there are too few."""
    return next(iter(model.objects.order_by(order).values_list("pk", flat=True)[FEW // 2 :][:1]), None)


def _choices(model: Any, chosen: Any) -> list[dict[str, str]]:
    """What one of a list's filters may ask for."""
    if isinstance(chosen, str):
        return [{f"{chosen}__exact": value} for value, _ in model._meta.get_field(chosen).flatchoices]
    one = chosen(None, {}, model, None)
    return [{chosen.parameter_name: value} for value, _ in one.lookup_choices]


def _searches(table: UUID) -> Iterator[tuple[str, str]]:
    from games.models import Report, Table
    from sessions.models import Player

    tables, players, reports = path_of(Table), path_of(Player), path_of(Report)
    log, words, doubted = (
        f"/admin/{each}/" for each in ("admin/logentry", "players/refusedname", "players/nameinquestion")
    )
    middle, player = _among(Table), Player.objects.get(pk=_among(Player))
    private = Table.objects.filter(code__isnull=False).order_by("pk")[FEW // 20]
    yield "a table by its id", f"{tables}?q={middle}"
    yield "a table by its code", f"{tables}?q={private.code}"
    yield "tables by a name", f"{tables}?q={player.name}"
    yield "tables by the beginning of all names", f"{tables}?q=Name"
    yield "tables by a name that nobody has", f"{tables}?q=Nobody"
    yield "a table's page", f"{tables}{table}/change/"
    yield "what was done at a table", f"{tables}{middle}/history/"
    yield "a player by the id", f"{players}?q={player.pk}"
    yield "players by a name", f"{players}?q={player.name}"
    yield "a player's page", f"{players}{player.pk}/change/"
    yield "a report by its id", f"{reports}?decided=all&q={_among(Report)}"
    yield "the reports about a table", f"{reports}?decided=all&q={middle}"
    yield "the reports about a name", f"{reports}?decided=all&q={player.name}"
    yield "the reports about what there is not", f"{reports}?decided=all&q=nothing"
    yield "the log of a table", f"{log}?q={middle}"
    yield "the log of one of the staff", f"{log}?q=bench"
    yield "the log of one who left long ago", f"{log}?q=gone"
    yield "words by a beginning", f"{words}?q=word500"
    yield "names in question by a beginning", f"{doubted}?q=Name 50"
    yield "words by what none holds", f"{words}?q=nothing"


def _measured(desks: Mapping[str, tuple[Any, Mapping[str, str]]]) -> dict[str, dict[str, list[float]]]:
    found: dict[str, dict[str, list[float]]] = {}
    for number in range(SAMPLES + 1):
        for database, (client, pages) in desks.items():
            with working_in(database):
                _ask(client, next(iter(pages.values())))  # has the connection made
                times = {name: _ask(client, path) for name, path in pages.items()}
            # The first of each only warms up.
            for name, taken in times.items() if number else ():
                found.setdefault(database, {}).setdefault(name, []).append(taken)
    return found


def _ask(client: Any, path: str) -> float:
    """Milliseconds until the page was there."""
    begun = time.monotonic()
    answer = client.get(path)
    if answer.status_code != 200:
        raise RuntimeError(f"{path}: {answer.status_code}")
    return (time.monotonic() - begun) * 1_000
