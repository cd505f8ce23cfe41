"""One whole server for all tests of the page, one Chromium, and visitors who use it."""

import os
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from typing import Any

import psycopg
import pytest
from playwright.sync_api import Browser, sync_playwright
from psycopg import sql
from psycopg.conninfo import make_conninfo

from config.embedded.process import ROOT
from tests.browser.visitor import Visitor, chromium
from tests.live.servers import Server, database_url, start_part, start_server

# Bots think for no longer than it takes to see that they do.
QUICK = {"BOT_PAUSE_SECONDS": "0.02", "STREAMS_PER_ADDRESS": "1000"}

Visit = Callable[..., Visitor]


@pytest.fixture(scope="session")
def database() -> Iterator[Mapping[str, str]]:
    """A database that no test empties: each has players of its own. As it is named to processes.

    Django's own test database is out of reach here: while Playwright waits, Django sees an event loop.
    """
    name = f"browser_{uuid.uuid4().hex}"
    with psycopg.connect(database_url(), autocommit=True) as postgres:
        postgres.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        env = {**os.environ, "DATABASE_URL": make_conninfo(database_url(), dbname=name)}
        migrate = [sys.executable, "manage.py", "migrate", "--noinput", "--verbosity", "0"]
        subprocess.run(migrate, cwd=ROOT, env=env, check=True)
        yield {"DATABASE_URL": env["DATABASE_URL"]}
        postgres.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture(scope="session")
def server(database: Mapping[str, str]) -> Iterator[Server]:
    """Web, worker and beat."""
    env = {**database, **QUICK}
    with ExitStack() as stack:
        server = stack.enter_context(start_server(env))
        parts = [stack.enter_context(start_part(name, env)) for name in ("worker", "beat")]
        yield server
    for part in (server, *parts):
        if "Traceback" in part.log:
            sys.stdout.write(part.tail)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        # As root there is no sandbox.
        flags = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        browser = playwright.chromium.launch(executable_path=chromium(), args=flags)
        yield browser
        browser.close()


@pytest.fixture
def visit(browser: Browser, server: Server) -> Iterator[Visit]:
    """Somebody with a browser profile of their own; at the end nothing may have gone wrong in it."""
    visitors: list[Visitor] = []

    def visit(name: str | None = None, *, enter: bool = True, **profile: Any) -> Visitor:
        visitor = Visitor(browser, server.url, **profile)
        visitors.append(visitor)
        if enter:
            visitor.enter(name)
        return visitor

    yield visit
    for visitor in visitors:
        visitor.leave()
    for visitor in visitors:
        assert not visitor.mishaps
