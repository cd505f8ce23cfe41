"""Memory of each process that `make run` starts, beside the bare program under the same server."""

import os
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

from bench import processes
from bench.cases import GAMES, USUAL
from bench.load import HOST, drive
from bench.play import ask, movers
from bench.reads import readers
from bench.run import Line, Run
from bench.tables import make_tables
from bench.views import looks
from bench.web import bare, end, serving
from config.embedded.address import Address
from config.embedded.process import Child, Part
from config.run import parts

SETTLE_SECONDS = 8
PEER = "the bare program"
MEBI = 2**20


def lines(run: Run) -> Iterable[Line]:
    """The web process after moves and looks, and Celery's two after their first seconds at work."""
    with serving(bare) as peer:
        least = peer.memory / MEBI
    yield Line.of("the web process", "MiB", [_web(run)], PEER, [least], "less")
    for part in parts(os.environ, Address(HOST, 1)):
        if part.name != "web":
            yield Line.of(f"the {part.name}", "MiB", [_after_a_while(part)], PEER, [least], "less")


def _web(run: Run) -> float:
    with serving(run.starting) as web:
        tables = make_tables(run.database, GAMES[0], run.size.tables)
        drive(web.port, movers(ask(web.port, tables), USUAL, run.size.requests, 0))
        drive(web.port, readers(looks(tables), USUAL, run.size.requests))
        return web.memory / MEBI


def _after_a_while(part: Part) -> float:
    with tempfile.TemporaryDirectory(prefix="boneyard-") as folder:
        child = Child(part, Path(folder) / "log")
        try:
            time.sleep(SETTLE_SECONDS)
            return processes.memory(child.pid) / MEBI
        finally:
            end(child)
