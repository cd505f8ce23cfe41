"""Moves over HTTP beside the bare transaction in pgbench, by turns.

`python -m bench.moves [--games pickomino] [--clients 1,8,32] [--keyed 0,1] [--long 10000] [--server run]`.
A move is counted alone: what a seat may do is asked before, outside the time that is measured.
"""

import argparse
from collections.abc import Iterable, Iterator, Sequence

from bench.cases import GAMES, USUAL, Case, Effort, lengths, measure, ways
from bench.figures import Figure, columns, short
from bench.limit import Rate, limit
from bench.meter import Meter
from bench.place import place, postmaster
from bench.run import Line, Run
from bench.web import SERVERS, serving

L = "pgbench, 16 clients"


def lines(run: Run, game: str) -> Iterable[Line]:
    """A game by few and by many clients, and with idempotency keys."""
    size = run.size
    with serving(run.starting) as web:
        cases = ways(run.database, game, size.clients, [0], size.tables)
        cases += ways(run.database, game, [USUAL], [1], size.tables)
        measure(Meter(web, run.postmaster), run.limit, cases, effort(run))
    for case in cases:
        yield from _lines(case)


def lengths_lines(run: Run) -> Iterable[Line]:
    """What a move costs with a long history behind it, beside the first moves of a table."""
    with serving(run.starting) as web:
        meter = Meter(web, run.postmaster)
        fresh, long = lengths(meter, run.database, GAMES[0], run.size.history)
        measure(meter, run.limit, [fresh, long], effort(run))
    for unit, name in (("ms CPU, web", "web_cpu"), ("ms CPU, PostgreSQL", "database_cpu")):
        ours, theirs = ([getattr(each, name) for each in case.bursts] for case in (long, fresh))
        if None not in ours + theirs:
            before, after = [1_000 * n for n in theirs], [1_000 * n for n in ours]
            yield Line.of(long.name, unit, after, "the same tables fresh", before, "less")


def limits_lines(run: Run) -> Iterable[Line]:
    """L itself with fewer clients, and one statement that does as much, beside L."""
    for name, script, clients in (("plain, 4 clients", "plain", 4), ("one guarded statement", "guarded", 16)):
        ours, full = [], []
        for _ in range(run.size.rounds):
            full.append(run.limit.rate("plain", run.size.seconds).rate)
            ours.append(run.limit.rate(script, run.size.seconds, clients).rate)
        yield Line.of(f"pgbench, {name}", "per second", ours, L, full)


def effort(run: Run) -> Effort:
    return Effort(run.size.rounds, run.size.requests, run.size.seconds)


def _lines(case: Case) -> Iterator[Line]:
    limits, bursts = case.limits, case.bursts
    yield Line.of(case.name, "moves/s", [each.rate for each in bursts], L, [each.rate for each in limits])
    mean = [each.latency * 1_000 for each in limits]
    yield Line.of(case.name, "ms, median", [each.p50 * 1_000 for each in bursts], L, mean, "less")
    yield Line.of(case.name, "ms, 99 of 100", [each.p99 * 1_000 for each in bursts], L, mean, "less")
    bare = [each.database_cpu * 1_000 for each in limits if each.database_cpu is not None]
    used = [each.database_cpu * 1_000 for each in bursts if each.database_cpu is not None]
    if len(bare) == len(used) == len(bursts):
        web = [each.web_cpu * 1_000 for each in bursts]
        yield Line.of(case.name, "ms CPU, web", web, f"PostgreSQL, {L}", bare, "less")
        yield Line.of(case.name, "ms CPU, PostgreSQL", used, f"PostgreSQL, {L}", bare, "less")


HEADS = ("", "per second", "of L", "p50 ms", "p99 ms", "web CPU ms", "PostgreSQL CPU ms", "load CPU ms")


def milliseconds(samples: Sequence[float | None]) -> str:
    known = [sample for sample in samples if sample is not None]
    return short(Figure.of(known).median * 1_000) if known else "–"


def limit_row(rates: Sequence[Rate]) -> list[str]:
    mean, cpu = [rate.latency for rate in rates], [rate.database_cpu for rate in rates]
    rate = str(Figure.of([rate.rate for rate in rates]))
    return [f"L: {L}", rate, "1", milliseconds(mean), "", "", milliseconds(cpu), ""]


def case_row(case: Case) -> list[str]:
    bursts = case.bursts
    rates = [burst.rate for burst in bursts]
    shares = [rate / limit.rate for rate, limit in zip(rates, case.limits, strict=True)]
    return [
        case.name,
        str(Figure.of(rates)),
        str(Figure.of(shares)),
        milliseconds([burst.p50 for burst in bursts]),
        milliseconds([burst.p99 for burst in bursts]),
        milliseconds([burst.web_cpu for burst in bursts]),
        milliseconds([burst.database_cpu for burst in bursts]),
        milliseconds([burst.own_cpu for burst in bursts]),
    ]


def table(cases: Sequence[Case]) -> str:
    limits = [rate for case in cases for rate in case.limits]
    return columns(HEADS, [limit_row(limits), *map(case_row, cases)])


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
    parser.add_argument("--no-fsync", action="store_true", help="see bench.place")
    return parser.parse_args()


def main() -> None:
    given = arguments()
    clients, keyed = [int(n) for n in given.clients.split(",")], [float(n) for n in given.keyed.split(",")]
    with place(fsync=not given.no_fsync) as database, serving(SERVERS[given.server]) as web:
        meter = Meter(web, postmaster(database))
        cases: list[Case] = []
        for game in given.games.split(","):
            cases += ways(database, game, clients, keyed, given.tables)
            cases += lengths(meter, database, game, given.long) if given.long else ()
        with limit(database, meter.postmaster) as pgbench:
            measure(meter, pgbench, cases, Effort(given.rounds, given.moves, 1))
        print(table(cases))
        print(f"memory of the web processes: {web.memory / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
