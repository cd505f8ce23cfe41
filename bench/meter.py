"""What a load costs: its rate and latencies, and the processor's time in the server and in PostgreSQL."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from bench import processes
from bench.figures import quantile
from bench.load import Load, Script, drive
from bench.web import Fleet, Web


@dataclass(frozen=True, slots=True)
class Burst:
    """What one load came to: requests a second, and seconds; CPU is for each request."""

    count: int
    rate: float
    p50: float
    p99: float
    web_cpu: float  # of all web processes
    database_cpu: float | None  # of all of PostgreSQL's processes; None where they can't be seen
    own_cpu: float  # of the load itself


@dataclass(slots=True)
class Tally:
    """Loads that count as one."""

    seconds: float = 0.0
    latencies: list[float] = field(default_factory=list)
    web_cpu: float = 0.0
    database_cpu: float | None = 0.0
    own_cpu: float = 0.0

    def add(self, load: Load, web_cpu: float, database_cpu: float | None) -> None:
        self.seconds += load.seconds
        self.latencies += load.latencies
        self.web_cpu += web_cpu
        self.own_cpu += load.own_cpu
        both = self.database_cpu, database_cpu
        self.database_cpu = None if None in both else sum(filter(None, both))

    def burst(self) -> Burst:
        """Raises ValueError for a load without a request."""
        count = len(self.latencies)
        p50, p99 = quantile(self.latencies, 0.5), quantile(self.latencies, 0.99)
        database = None if self.database_cpu is None else self.database_cpu / count
        return Burst(
            count, count / self.seconds, p50, p99, self.web_cpu / count, database, self.own_cpu / count
        )


@dataclass(frozen=True, slots=True)
class Meter:
    """Measures what is done to a web server, or to several."""

    web: Web | Fleet
    postmaster: int | None

    def drive(self, tally: Tally, scripts: Sequence[Script], seconds: float = float("inf")) -> None:
        """One load, added to the tally."""
        web, database = self.web.cpu, processes.cpu_or_none(self.postmaster)
        load = drive(self.web.port, scripts, seconds)
        used = processes.cpu_or_none(self.postmaster)
        tally.add(load, self.web.cpu - web, None if used is None or database is None else used - database)

    def burst(self, scripts: Sequence[Script], seconds: float = float("inf")) -> Burst:
        tally = Tally()
        self.drive(tally, scripts, seconds)
        return tally.burst()
