"""Moves over HTTP beside the bare transaction in pgbench, in rounds by turns.

`python -m bench.moves [--games pickomino] [--clients 1,8,32] [--keyed 0,1] [--long 10000] [--server run]`.
A move is counted alone: what a seat may do is asked before, outside the time that is measured.
"""

import argparse
from collections.abc import Iterable, Iterator, Sequence

from bench.cases import GAMES, USUAL, Case, Effort, Rates, lengths, measure, ways
from bench.figures import Figure, columns, short
from bench.limit import Rate, limit
from bench.meter import Meter
from bench.place import place, postmaster
from bench.run import Line, Run
from bench.web import SERVERS, serving

L = "pgbench, 16 clients"


def lines(run: Run) -> Iterable[Line]:
    """Each game by few and many clients, with keys, and at tables short and long."""
    size, first = run.size, GAMES[0]
    with serving(run.starting) as web:
        meter = Meter(web, run.postmaster)
        cases = [case for game in GAMES for case in ways(run.database, game, size.clients, [0], size.tables)]
        cases += ways(run.database, first, [USUAL], [1], size.tables)
        both = lengths(meter, run.database, first, size.history)
        effort = Effort(size.rounds, size.requests, size.seconds)
        rates = measure(meter, run.limit, [*cases, *both], effort)
    guarded = [rate.rate for rate in rates.guarded]
    yield Line.of("one guarded statement", "per second", guarded, L, [rate.rate for rate in rates.plain])
    for case in cases:
        yield from _lines(case, rates)
    yield from _length_lines(*both)


def _lines(case: Case, rates: Rates) -> Iterator[Line]:
    plain, bursts = rates.plain, case.bursts
    yield Line.of(case.name, "moves/s", [each.rate for each in bursts], L, [each.rate for each in plain])
    mean = [each.latency * 1_000 for each in plain]
    yield Line.of(case.name, "ms, median", [each.p50 * 1_000 for each in bursts], L, mean, "less")
    yield Line.of(case.name, "ms, 99 of 100", [each.p99 * 1_000 for each in bursts], L, mean, "less")
    bare = [each.database_cpu * 1_000 for each in plain if each.database_cpu is not None]
    used = [each.database_cpu * 1_000 for each in bursts if each.database_cpu is not None]
    if len(bare) == len(used) == len(bursts):
        web = [each.web_cpu * 1_000 for each in bursts]
        yield Line.of(case.name, "ms CPU, web", web, f"PostgreSQL, {L}", bare, "less")
        yield Line.of(case.name, "ms CPU, PostgreSQL", used, f"PostgreSQL, {L}", bare, "less")


def _length_lines(fresh: Case, long: Case) -> Iterator[Line]:
    peer = "the same tables fresh"
    for unit, name in (("ms CPU, web", "web_cpu"), ("ms CPU, PostgreSQL", "database_cpu")):
        ours, theirs = ([getattr(each, name) for each in case.bursts] for case in (long, fresh))
        if None not in ours + theirs:
            yield Line.of(
                long.name, unit, [1_000 * n for n in ours], peer, [1_000 * n for n in theirs], "less"
            )


HEADS = ("", "per second", "of L", "p50 ms", "p99 ms", "web CPU ms", "PostgreSQL CPU ms", "load CPU ms")


def milliseconds(samples: Sequence[float | None]) -> str:
    known = [sample for sample in samples if sample is not None]
    return short(Figure.of(known).median * 1_000) if known else "–"


def shares(ours: Sequence[float], plain: Sequence[Rate]) -> str:
    return str(Figure.of([one / whole.rate for one, whole in zip(ours, plain, strict=True)]))


def rate_row(name: str, rates: Sequence[Rate], plain: Sequence[Rate]) -> list[str]:
    each = [rate.rate for rate in rates]
    mean = milliseconds([rate.latency for rate in rates])
    cpu = milliseconds([rate.database_cpu for rate in rates])
    return [f"pgbench, {name}", str(Figure.of(each)), shares(each, plain), mean, "", "", cpu, ""]


def case_row(case: Case, plain: Sequence[Rate]) -> list[str]:
    bursts = case.bursts
    rates = [burst.rate for burst in bursts]
    return [
        case.name,
        str(Figure.of(rates)),
        shares(rates, plain),
        milliseconds([burst.p50 for burst in bursts]),
        milliseconds([burst.p99 for burst in bursts]),
        milliseconds([burst.web_cpu for burst in bursts]),
        milliseconds([burst.database_cpu for burst in bursts]),
        milliseconds([burst.own_cpu for burst in bursts]),
    ]


def table(rates: Rates, cases: Sequence[Case]) -> str:
    rows = [
        rate_row("plain, 16 clients: L", rates.plain, rates.plain),
        rate_row("plain, 4 clients", rates.four, rates.plain),
        rate_row("guarded statement, 16 clients", rates.guarded, rates.plain),
        *(case_row(case, rates.plain) for case in cases),
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
    return parser.parse_args()


def main() -> None:
    given = arguments()
    clients, keyed = [int(n) for n in given.clients.split(",")], [float(n) for n in given.keyed.split(",")]
    with place() as database, serving(SERVERS[given.server]) as web:
        meter = Meter(web, postmaster(database))
        cases: list[Case] = []
        for game in given.games.split(","):
            cases += ways(database, game, clients, keyed, given.tables)
            cases += lengths(meter, database, game, given.long) if given.long else ()
        with limit(database, meter.postmaster) as pgbench:
            rates = measure(meter, pgbench, cases, Effort(given.rounds, given.moves, 2))
        print(table(rates, cases))
        print(f"memory of the web processes: {web.memory / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
