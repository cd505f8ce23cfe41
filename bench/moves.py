"""Moves over HTTP beside the bare transaction in pgbench, in rounds by turns.

`python -m bench.moves [--games pickomino] [--clients 1,8,32] [--keyed 0,1] [--long 10000] [--server run]`.
A move is counted alone: what a seat may do is asked before, outside the time that is measured.
"""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial

from bench.figures import Figure, columns, short
from bench.limit import Limit, Rate, limit
from bench.meter import Burst, Meter, Tally
from bench.place import place, postmaster
from bench.play import ask, movers
from bench.tables import Played, lengthen, make_tables
from bench.web import SERVERS, serving

GAMES = ("pickomino", "7776", "dominoes")
LONG_TABLES = 96
LOADS = 8  # at most so many loads make one burst of moves


class Pool:
    """Tables in play; new ones come when many are over."""

    def __init__(self, make: Callable[[], list[Played]]) -> None:
        self._make = make
        self.tables = make()

    def renew(self) -> None:
        if sum(bool(table.to_move) for table in self.tables) < 0.8 * len(self.tables):
            self.tables = self._make()


@dataclass(slots=True)
class Case:
    """One way to play, and what came of it in each round, also as a share of L in the same round."""

    name: str
    clients: int
    keyed: float  # the share of moves with an idempotency key
    pool: Pool
    bursts: list[Burst] = field(default_factory=list)
    shares: list[float] = field(default_factory=list)


@dataclass(slots=True)
class Rates:
    """What pgbench came to in each round."""

    plain: list[Rate] = field(default_factory=list)
    four: list[Rate] = field(default_factory=list)
    guarded: list[Rate] = field(default_factory=list)

    def measure(self, limit: Limit, seconds: int) -> None:
        self.plain.append(limit.plain(seconds))
        self.four.append(limit.plain(seconds, clients=4))
        self.guarded.append(limit.guarded(seconds))


def play(meter: Meter, case: Case, most: int) -> Burst:
    """About so many moves, and nothing else, in the time that is measured."""
    case.pool.renew()
    tally = Tally()
    for _ in range(LOADS):
        if len(tally.latencies) < most:
            turns = ask(meter.web.port, case.pool.tables)
            meter.drive(tally, movers(turns, case.clients, most - len(tally.latencies), case.keyed))
    return tally.burst()


def measure(meter: Meter, limit: Limit, cases: Sequence[Case], rounds: int, most: int) -> Rates:
    """All by turns, so that what disturbs the machine disturbs all alike."""
    for case in cases:
        play(meter, case, most // 4)
    rates = Rates()
    for _ in range(rounds):
        rates.measure(limit, 2)
        for case in cases:
            case.bursts.append(play(meter, case, most))
            case.shares.append(case.bursts[-1].rate / rates.plain[-1].rate)
    return rates


def ways(database: str, game: str, clients: Sequence[int], keyed: Sequence[float], tables: int) -> list[Case]:
    """Fresh tables of a game, played by so many clients, with and without keys."""
    pool = Pool(partial(make_tables, database, game, tables))
    words = {0.0: "", 1.0: ", keyed"}
    return [
        Case(f"{game}, {count} clients{words.get(share, f', {share:.0%} keyed')}", count, share, pool)
        for count in clients
        for share in keyed
    ]


def lengths(meter: Meter, database: str, game: str, moves: int) -> list[Case]:
    """The same few tables short, and with so many moves behind them."""
    short_ones = Pool(partial(make_tables, database, game, LONG_TABLES))
    long_ones = Pool(partial(_long, meter, database, game, moves))
    return [
        Case(f"{game}, 8 clients, short tables", 8, 0, short_ones),
        Case(f"{game}, 8 clients, {moves:,} moves before", 8, 0, long_ones),
    ]


def _long(meter: Meter, database: str, game: str, moves: int) -> list[Played]:
    tables = make_tables(database, game, LONG_TABLES)
    # A move is made at each, whose rows are then copied.
    meter.burst(movers(ask(meter.web.port, tables), 8, 1_000_000, 0))
    lengthen(database, tables, moves)
    return tables


HEADS = ("", "per second", "of L", "p50 ms", "p99 ms", "web CPU ms", "PostgreSQL CPU ms", "load CPU ms")


def milliseconds(samples: Sequence[float | None]) -> str:
    known = [sample for sample in samples if sample is not None]
    return short(Figure.of(known).median * 1_000) if known else "–"


def rate_row(name: str, rates: Sequence[Rate], full: Sequence[Rate]) -> list[str]:
    shares = [one.rate / whole.rate for one, whole in zip(rates, full, strict=True)]
    rate, share = Figure.of([each.rate for each in rates]), Figure.of(shares)
    mean = milliseconds([each.latency for each in rates])
    return [
        name,
        str(rate),
        str(share),
        mean,
        "",
        "",
        milliseconds([each.database_cpu for each in rates]),
        "",
    ]


def case_row(case: Case) -> list[str]:
    bursts = case.bursts
    return [
        case.name,
        str(Figure.of([burst.rate for burst in bursts])),
        str(Figure.of(case.shares)),
        milliseconds([burst.p50 for burst in bursts]),
        milliseconds([burst.p99 for burst in bursts]),
        milliseconds([burst.web_cpu for burst in bursts]),
        milliseconds([burst.database_cpu for burst in bursts]),
        milliseconds([burst.own_cpu for burst in bursts]),
    ]


def table(rates: Rates, cases: Sequence[Case]) -> str:
    rows = [
        rate_row("L: pgbench, plain, 16 clients", rates.plain, rates.plain),
        rate_row("pgbench, plain, 4 clients", rates.four, rates.plain),
        rate_row("pgbench, guarded statement, 16 clients", rates.guarded, rates.plain),
        *map(case_row, cases),
    ]
    return columns(HEADS, rows)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", default="pickomino", help=f"of {','.join(GAMES)}")
    parser.add_argument("--clients", default="1,8,32")
    parser.add_argument("--keyed", default="0,1", help="shares of moves that carry an idempotency key")
    parser.add_argument("--long", type=int, default=0, help="so many moves behind a table")
    parser.add_argument("--server", default="run", choices=sorted(SERVERS))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--moves", type=int, default=600, help="in each burst")
    parser.add_argument("--tables", type=int, default=300)
    parser.add_argument("--json", action="store_true", help="print all samples too")
    return parser.parse_args()


def main() -> None:
    given = arguments()
    clients, keyed = [int(n) for n in given.clients.split(",")], [float(n) for n in given.keyed.split(",")]
    with place() as database, serving(given.server) as web:
        meter = Meter(web, postmaster(database))
        cases: list[Case] = []
        for game in given.games.split(","):
            cases += ways(database, game, clients, keyed, given.tables)
            cases += lengths(meter, database, game, given.long) if given.long else []
        with limit(database, meter.postmaster) as pgbench:
            rates = measure(meter, pgbench, cases, given.rounds, given.moves)
        print(table(rates, cases))
        print(f"memory of the web processes: {web.memory / 2**20:.0f} MiB")
        if given.json:
            json.dump({case.name: [asdict(burst) for burst in case.bursts] for case in cases}, sys.stdout)


if __name__ == "__main__":
    main()
