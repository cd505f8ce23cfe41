"""What processes of this machine have used: time of the processor, and memory. Needs Linux."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


def tree(pid: int) -> list[int]:
    """A process and all that descends from it."""
    children: dict[int, list[int]] = {}
    for child, parent in _parents():
        children.setdefault(parent, []).append(child)
    found = [pid]
    for each in found:
        found += children.get(each, [])
    return found


def parent_of(pid: int) -> int:
    return int(_fields(pid)[1])


def cpu(pid: int) -> float:
    """Seconds of a process and its descendants, with those that have ended."""
    return sum(_own(each) + sum(map(int, _fields(each)[13:15])) / TICKS for each in tree(pid))


def _own(pid: int) -> float:
    """Seconds of a process by its clock, to the nanosecond, where `stat` has but hundredths."""
    try:
        # What clock_getcpuclockid(3) gives for a process.
        return time.clock_gettime((~pid << 3) | 2)
    except OSError:
        return 0.0


def cpu_or_none(pid: int | None) -> float | None:
    """The same; None for a process that is not to be seen from here."""
    return None if pid is None else cpu(pid)


def memory(pid: int) -> int:
    """Bytes of a process and its descendants, where shared pages are shared out."""
    return sum(_shared_out(each) for each in tree(pid))


def _shared_out(pid: int) -> int:
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024
    raise RuntimeError("no memory figure")


def _parents() -> Iterator[tuple[int, int]]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            yield int(entry.name), int(_fields(int(entry.name))[1])


def _fields(pid: int) -> list[str]:
    """What stands behind the name in `stat`: state, parent, … (proc(5)); zeros for one that is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return ["X", *["0"] * 50]
