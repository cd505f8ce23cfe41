"""Runs on disk, and how a run compares with an earlier one: by ratios, since machines differ."""

import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from bench.figures import columns, short
from bench.run import Line

FOLDER = Path(__file__).parent / "results"
NEW = FOLDER / "new.json"
WORSE = 0.1  # a change by more than this, and beyond both spreads, is marked


@dataclass(frozen=True, slots=True)
class Result:
    """A run: when, on what, how much of everything, and the lines of each bench."""

    at: str
    machine: str
    size: str
    benches: Mapping[str, Sequence[Line]]


def result(size: str, benches: Mapping[str, Sequence[Line]]) -> Result:
    machine = f"{os.cpu_count()} processors, {platform.system()}, Python {platform.python_version()}"
    return Result(datetime.now(UTC).isoformat(timespec="seconds"), machine, size, benches)


def kept(size: str) -> Path:
    """The file of the run with which others of its size are compared."""
    return FOLDER / f"{size}.json"


def save(run: Result, path: Path) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(msgspec.json.format(msgspec.json.encode(run), indent=1) + b"\n")


def load(path: Path) -> Result | None:
    """None where there is no file. Raises msgspec.ValidationError for one that holds something else."""
    return msgspec.json.decode(path.read_bytes(), type=Result) if path.exists() else None


def merged(earlier: Result | None, run: Result) -> Result:
    """A run of some benches in the place of theirs in an earlier one."""
    benches = {} if earlier is None else earlier.benches
    return Result(run.at, run.machine, run.size, {**benches, **run.benches})


def verdict(line: Line, before: Line | None) -> str:
    """How the ratio changed, in percent: marked where it is worse by more than chance would make it."""
    if before is None:
        return "new"
    change = line.ratio.median / before.ratio.median - 1
    loss = change if line.better == "less" else -change
    apart = line.ratio.least > before.ratio.greatest or line.ratio.greatest < before.ratio.least
    mark = "" if not apart or abs(change) <= WORSE else " WORSE" if loss > 0 else " better"
    return f"{change:+.0%}{mark}"


HEADS = ("", "unit", "ours", "beside", "theirs", "ratio", "was", "change")


def table(run: Result, before: Result | None) -> str:
    """Every line beside its peer, and its ratio beside that of the earlier run."""
    rows: list[list[str]] = []
    for bench, lines in run.benches.items():
        rows.append([bench.upper(), *[""] * (len(HEADS) - 1)])
        known = {(line.name, line.unit): line for line in (before.benches.get(bench, []) if before else [])}
        rows += [_row(line, known.get((line.name, line.unit))) for line in lines]
    return columns(HEADS, rows)


def _row(line: Line, before: Line | None) -> list[str]:
    was = short(before.ratio.median) if before else ""
    theirs = short(line.theirs.median)
    return [
        *(line.name, line.unit, str(line.ours), line.peer, theirs, str(line.ratio)),
        *(was, verdict(line, before)),
    ]
