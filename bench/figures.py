"""Figures of repeated measurements: what is typical, and how far they lie apart."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True, slots=True)
class Figure:
    """The median of several samples, with the least and the greatest."""

    median: float
    least: float
    greatest: float

    @classmethod
    def of(cls, samples: Sequence[float]) -> Self:
        """Raises ValueError without any."""
        if not samples:
            raise ValueError("no samples")
        return cls(statistics.median(samples), min(samples), max(samples))

    def __str__(self) -> str:
        return f"{short(self.median)} ({short(self.least)}–{short(self.greatest)})"


def quantile(values: Sequence[float], share: float) -> float:
    """The least value that at least that share of all does not exceed. Raises ValueError without any."""
    if not values:
        raise ValueError("no values")
    rank = -(-len(values) * share // 1)  # rounded up
    return sorted(values)[max(int(rank), 1) - 1]


def short(value: float) -> str:
    """A number with three digits that count, and thousands as they are."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}" if abs(value) >= 1 else f"{value:.3f}"


def columns(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in plain text: the first column to the left, the others to the right."""
    lines = [heads, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(heads))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )
