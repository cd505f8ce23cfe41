"""Our moves beside those of the leanest DRF view on the same server, which knows no game. See bench.thin."""

import random
from collections.abc import Iterable

import msgspec

from bench.cases import GAMES, Case, play, ways
from bench.load import Answer, request
from bench.meter import Burst, Meter
from bench.moves import effort
from bench.play import Left
from bench.run import Line, Run
from bench.scripts import ROWS
from bench.web import serving, thin

CLIENTS = 16
PEER = "a bare DRF view"
MOVE = msgspec.json.encode({"move": "save W", "version": 1})


class Poster:
    """Makes moves at tables of the bare view, each with a token of its own."""

    def __init__(self, left: Left, luck: random.Random) -> None:
        self._left, self._luck = left, luck

    def next(self, answer: Answer | None) -> bytes | None:
        if answer is not None and answer.status != 201:
            raise RuntimeError(f"the bare view answered {answer.status}")
        number = self._luck.randint(1, ROWS)
        return request("POST", f"/tables/{number}/moves", str(number), MOVE) if self._left.take() else None


def lines(run: Run) -> Iterable[Line]:
    """By turns, with L before each of ours."""
    [case] = ways(run.database, GAMES[0], [CLIENTS], [0], run.size.tables)
    theirs: list[Burst] = []
    with serving(run.starting) as web, serving(thin) as peer:
        ours, bare = Meter(web, run.postmaster), Meter(peer, run.postmaster)
        _measure(run, case, ours, bare, theirs)
    yield _beside(case, "moves/s", theirs, "rate")
    yield _beside(case, "ms CPU, web", theirs, "web_cpu")
    if None not in [each.database_cpu for each in [*case.bursts, *theirs]]:
        yield _beside(case, "ms CPU, PostgreSQL", theirs, "database_cpu")
    rates, limits = [each.rate for each in theirs], [each.rate for each in case.limits]
    yield Line.of(f"{PEER}, {CLIENTS} clients", "moves/s", rates, f"pgbench, {CLIENTS} clients", limits)


def _measure(run: Run, case: Case, ours: Meter, bare: Meter, theirs: list[Burst]) -> None:
    most = effort(run).moves
    play(ours, case, most // 4)
    bare.burst(_posters(most // 4))
    for _ in range(run.size.rounds):
        case.limits.append(run.limit.rate("plain", run.size.seconds))
        case.bursts.append(play(ours, case, most))
        theirs.append(bare.burst(_posters(most)))


def _posters(most: int) -> list[Poster]:
    left = Left(most)
    return [Poster(left, random.Random(number)) for number in range(CLIENTS)]


def _beside(case: Case, unit: str, theirs: list[Burst], name: str) -> Line:
    factor = 1 if name == "rate" else 1_000
    ours, peer = ([factor * getattr(each, name) for each in bursts] for bursts in (case.bursts, theirs))
    return Line.of(case.name, unit, ours, PEER, peer, "more" if name == "rate" else "less")
