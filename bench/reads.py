"""Loads that only read, each beside the bare statement for the same in pgbench."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from bench.limit import Rate
from bench.load import Answer, Script, Unexpected, drive
from bench.meter import Burst, Meter
from bench.run import Line, Run


class Reader:
    """Asks for what it is given, one after the other, and wants one status."""

    def __init__(self, requests: Iterator[bytes], status: int) -> None:
        self._requests, self._status = requests, status

    def next(self, answer: Answer | None) -> bytes | None:
        if answer is not None and answer.status != self._status:
            raise Unexpected(f"{answer.status}: {answer.body.decode(errors='replace')[:500]}")
        return next(self._requests, None)


def readers(requests: Sequence[bytes], clients: int, most: int, status: int = 200) -> list[Script]:
    """So many clients that send these in turn, so often altogether."""
    endless = (requests[number % len(requests)] for number in range(most))
    return [Reader(endless, status) for _ in range(clients)]


@dataclass(slots=True)
class Reading:
    """Something that is read, the script of bench.scripts beside it, and what came of both."""

    name: str
    script: str
    load: Callable[[], Sequence[Script]]
    bursts: list[Burst] = field(default_factory=list)
    rates: list[Rate] = field(default_factory=list)

    def lines(self) -> Iterator[Line]:
        peer, bursts, rates = f"pgbench, {self.script}", self.bursts, self.rates
        ours, theirs = [each.rate for each in bursts], [each.rate for each in rates]
        yield Line.of(self.name, "per second", ours, peer, theirs)
        means = [each.latency * 1_000 for each in rates]
        yield Line.of(self.name, "ms, 99 of 100", [each.p99 * 1_000 for each in bursts], peer, means, "less")
        used = [each.database_cpu * 1_000 for each in rates if each.database_cpu is not None]
        if len(used) == len(bursts):
            web = [each.web_cpu * 1_000 for each in bursts]
            yield Line.of(self.name, "ms CPU, web", web, f"PostgreSQL, {peer}", used, "less")


def read_by_turns(run: Run, meter: Meter, readings: Sequence[Reading]) -> Iterator[Line]:
    for reading in readings:
        drive(meter.web.port, reading.load())
    for _ in range(run.size.rounds):
        for reading in readings:
            reading.rates.append(run.limit.rate(reading.script, run.size.seconds))
            reading.bursts.append(meter.burst(reading.load()))
    for reading in readings:
        yield from reading.lines()
