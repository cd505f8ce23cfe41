"""What the loads came to, as a table and as JSON."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

from bench.figures import Figure, columns, short

HEADS = (
    *("", "moves", "rounds", "moves/s", "of the first", "p50 ms", "p99 ms"),
    *("CPU ms/move", "growth", "state bytes"),
)
LONG = 100  # moves of a match; a tenth of less is too little to measure


@dataclass(frozen=True, slots=True)
class Played:
    """One load: matches of `length` moves. Latencies and CPU of the server are in milliseconds a move.

    `size` is that of the state a client gets, in JSON; `tenths` is the CPU of each tenth of all moves.
    """

    length: int
    size: int
    moves: int
    rate: float
    p50: float
    p99: float
    cpu: float
    tenths: Sequence[float]

    @property
    def seconds(self) -> float:
        return self.moves / self.rate

    @property
    def growth(self) -> float:
        return self.tenths[-1] / self.tenths[0]


Results: TypeAlias = Mapping[tuple[str, int], list[Played]]


def table(results: Results) -> str:
    """A line for each system and length; the first system is the one that the others are compared with."""
    first = next(iter(results))[0]
    rows = [row(key, played, results[first, key[1]]) for key, played in results.items() if played]
    return columns(HEADS, rows)


def row(key: tuple[str, int], played: Sequence[Played], ours: Sequence[Played]) -> list[str]:
    def median(measure: Callable[[Played], float]) -> float:
        return Figure.of([measure(each) for each in played]).median

    name, length = key
    return [
        name,
        str(length),
        str(len(played)),
        str(Figure.of([each.rate for each in played])),
        short(median(lambda each: each.rate) / Figure.of([each.rate for each in ours]).median),
        short(median(lambda each: each.p50)),
        short(median(lambda each: each.p99)),
        short(median(lambda each: each.cpu)),
        f"× {short(median(lambda each: each.growth))}" if length >= LONG else "",
        f"{median(lambda each: each.size):.0f}",
    ]


def as_json(results: Results) -> list[dict[str, Any]]:
    """All samples."""
    return [{"system": name, **asdict(each)} for (name, _), played in results.items() for each in played]
