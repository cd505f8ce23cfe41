"""A run of the benchmarks: what each of them is given, and the lines that it gives back."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, Self, TypeAlias

from bench.figures import Figure
from bench.limit import Limit
from bench.web import Starting


@dataclass(frozen=True, slots=True)
class Size:
    """How much of everything."""

    rounds: int
    seconds: int  # for one sample of pgbench
    requests: int  # in one load of ours
    clients: Sequence[int]  # at once, one number for each load of moves
    tables: int
    history: int  # moves behind a long table
    rows: int  # of moves and events in a full database
    lobby: int  # tables in the lobby
    due: int  # tables that a sweep finds
    polls: int  # long polls that wait at once
    idle: int  # streams that nobody sends anything
    watchers: int  # streams of one table
    messages: int  # sent to them
    desk: int  # tables, players and entries of the log in the admin's lists


FULL = Size(5, 1, 500, (1, 8, 32), 300, 10_000, 1_000_000, 100_000, 10_000, 500, 2_000, 1_000, 30, 1_000_000)
QUICK = Size(2, 1, 150, (8,), 100, 2_000, 100_000, 10_000, 300, 100, 300, 200, 5, 20_000)


@dataclass(frozen=True, slots=True)
class Run:
    """Where and how much to measure. `starting` gives the command of the web server."""

    database: str
    postmaster: int | None
    limit: Limit
    starting: Starting
    size: Size


@dataclass(frozen=True, slots=True)
class Line:
    """A figure of ours beside that of a peer in the same run.

    The ratio, ours to theirs, is what runs on different machines can be compared by.
    """

    name: str
    unit: str
    ours: Figure
    peer: str
    theirs: Figure
    ratio: Figure
    better: Literal["more", "less"]

    @classmethod
    def of(
        cls,
        name: str,
        unit: str,
        ours: Sequence[float],
        peer: str,
        theirs: Sequence[float],
        better: Literal["more", "less"] = "more",
    ) -> Self:
        """From samples that were taken by turns, each of ours beside the one of theirs."""
        ratios = [one / other for one, other in zip(ours, theirs, strict=True)]
        return cls(name, unit, Figure.of(ours), peer, Figure.of(theirs), Figure.of(ratios), better)


Bench: TypeAlias = Callable[[Run], Iterable[Line]]
