"""Memory of each process that `make run` starts, beside the bare program under the same server."""

import os
import tempfile
import time
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
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
    others = [part for part in parts(os.environ, Address(HOST, 1)) if part.name != "web"]
    for name, used in _after_a_while(others):
        yield Line.of(f"the {name}", "MiB", [used], PEER, [least], "less")


def _web(run: Run) -> float:
    with serving(run.starting) as web:
        tables = make_tables(run.database, GAMES[0], run.size.tables)
        drive(web.port, movers(ask(web.port, tables), USUAL, run.size.requests, 0))
        drive(web.port, readers(looks(tables), USUAL, run.size.requests))
        return web.memory / MEBI


def _after_a_while(programs: Sequence[Part]) -> list[tuple[str, float]]:
    """Each by its name, in MiB."""
    with tempfile.TemporaryDirectory(prefix="boneyard-") as folder, ExitStack() as ending:
        children = [Child(part, Path(folder) / part.name) for part in programs]
        for child in children:
            ending.callback(end, child)
        time.sleep(SETTLE_SECONDS)
        return [(child.part.name, processes.memory(child.pid) / MEBI) for child in children]
