"""Log-ins beside moves: hashing secrets must not starve who plays."""

import secrets
import time
from collections.abc import Iterable
from functools import partial

import msgspec

from bench.cases import GAMES, USUAL, Pool
from bench.figures import quantile
from bench.load import Answer, Load, Script, Unexpected, drive_groups, request
from bench.play import ask, movers
from bench.run import Line, Run
from bench.tables import make_tables
from bench.web import Web, serving

ENTERING = 4  # clients that do nothing but enter
MANY = 1_000_000  # moves: the seconds end a load


class Enterer:
    """Enters under a new name, again and again."""

    def next(self, answer: Answer | None) -> bytes | None:
        if answer is not None and answer.status != 201:
            raise Unexpected(f"{answer.status}: {answer.body.decode(errors='replace')[:500]}")
        body = msgspec.json.encode({"name": secrets.token_hex(8), "secret": secrets.token_hex(8)})
        return request("POST", "/api/v1/sessions", body=body)


def lines(run: Run) -> Iterable[Line]:
    """Moves beside log-ins and without them, and log-ins beside the bare hash in one thread."""
    pool = Pool(partial(make_tables, run.database, GAMES[0], run.size.tables))
    alone: list[Load] = []
    beside: list[Load] = []
    entered: list[float] = []
    hashes: list[float] = []
    with serving(run.starting) as web:
        _play(run, web, pool, {})
        for _ in range(run.size.rounds):
            hashes.append(_hashes(run.size.seconds))
            alone.append(_play(run, web, pool, {})["moves"])
            loads = _play(run, web, pool, {"entering": [Enterer() for _ in range(ENTERING)]})
            beside.append(loads["moves"])
            entered.append(loads["entering"].rate)
    yield Line.of("log-ins beside moves", "per second", entered, "Argon2id in one thread", hashes)
    name, peer = "moves beside log-ins", "moves alone"
    yield Line.of(name, "moves/s", [load.rate for load in beside], peer, [load.rate for load in alone])
    late = [[quantile(load.latencies, 0.99) * 1_000 for load in loads] for loads in (beside, alone)]
    yield Line.of(name, "ms, 99 of 100", late[0], peer, late[1], "less")


def _play(run: Run, web: Web, pool: Pool, others: dict[str, list[Script]]) -> dict[str, Load]:
    pool.renew()
    turns = ask(web.port, pool.tables)
    moving: list[Script] = [*movers(turns, USUAL, MANY, 0)]
    return drive_groups(web.port, {"moves": moving, **others}, run.size.seconds)


def _hashes(seconds: float) -> float:
    """Hashes a second."""
    from sessions.secrecy import hash_secret

    begun, count = time.monotonic(), 0
    while time.monotonic() < begun + seconds:
        hash_secret("a secret")
        count += 1
    return count / (time.monotonic() - begun)
