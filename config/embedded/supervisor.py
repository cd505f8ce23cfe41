"""Keeps parts running: starts them, starts them again when they end, and ends them all."""

import contextlib
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from signal import Signals
from types import FrameType, TracebackType
from typing import Self

from config.embedded.folder import Folder
from config.embedded.process import Child, Part, Problem, tail

TICK = 0.1
FAST = 10.0  # seconds; who lives no longer than this died fast
FAST_DEATHS = 5
LONGEST_PAUSE = 5.0


class Stopped(Exception):
    """Someone asked for the end."""


def say(line: str) -> None:
    with contextlib.suppress(OSError, ValueError):  # the terminal may be gone
        sys.stdout.write(line + "\n")
        sys.stdout.flush()


class Requests:
    """The signals that ask for the end, as they came in."""

    def __init__(self) -> None:
        self.received: list[Signals] = []

    def listen(self) -> None:
        for number in (Signals.SIGINT, Signals.SIGTERM):
            signal.signal(number, self._note)
        if signal.getsignal(Signals.SIGHUP) is not signal.SIG_IGN:  # as nohup has it
            signal.signal(Signals.SIGHUP, self._note)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.received.append(Signals(number))


@dataclass
class Kept:
    part: Part
    child: Child | None = None
    fast_deaths: int = 0
    due: float = 0.0


class Supervisor:
    """A context in which parts run; leaving it ends them, the last started first."""

    def __init__(self, folder: Folder, requests: Requests, tell: Callable[[str], None] = say) -> None:
        self.folder = folder
        self.requests = requests
        self.tell = tell
        self._groups: list[list[Kept]] = []
        self._next_trim = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for group in reversed(self._groups):
            self._end([kept.child for kept in group if kept.child is not None])
        self._groups.clear()
        self._record()

    def start(self, *parts: Part) -> None:
        """Keep these parts running from now on. They end together."""
        self._groups.append([Kept(part) for part in parts])
        self.look()

    def finish(self, part: Part, failure: str) -> None:
        """Run a part to its end. Raises Problem with `failure` and the end of its log unless it succeeds."""
        child = Child(part, self.folder.log(part.name))
        try:
            self.until(child.ended)
        finally:
            if not child.ended():
                self._end([child])
        if child.popen.returncode != 0:
            log = self.folder.log(part.name)
            raise Problem(f"{failure} ({part.name} {child.how_it_ended()}); the end of {log}:{tail(log)}")

    def until(self, happened: Callable[[], bool], seconds: float = float("inf"), failure: str = "") -> None:
        """Keep everything running until something has happened. Raises Stopped, or Problem in the end."""
        deadline = time.monotonic() + seconds
        while not happened():
            if time.monotonic() > deadline:
                raise Problem(failure)
            if self.requests.received:
                raise Stopped
            self.look()
            time.sleep(TICK)

    def look(self) -> None:
        """Start what has to run and doesn't. Raises Problem for a part that won't stay up."""
        changed = False
        for kept in self._kept():
            if kept.child is not None and kept.child.ended():
                fast = time.monotonic() - kept.child.since < FAST
                self._note_death(kept, kept.child.how_it_ended(), fast=fast)
                changed = True
            if kept.child is None and time.monotonic() >= kept.due:
                self._start(kept)
                changed = True
        if changed:
            self._record()
        if time.monotonic() > self._next_trim:
            self._next_trim = time.monotonic() + 60
            self.folder.trim_logs()

    def _kept(self) -> list[Kept]:
        return [kept for group in self._groups for kept in group]

    def _record(self) -> None:
        with contextlib.suppress(OSError):  # a full disk: children end with this process all the same
            self.folder.record([kept.child for kept in self._kept() if kept.child is not None])

    def _start(self, kept: Kept) -> None:
        try:
            kept.child = Child(kept.part, self.folder.log(kept.part.name))
        except (OSError, subprocess.SubprocessError) as error:
            self._note_death(kept, f"could not be started ({error})", fast=True)

    def _note_death(self, kept: Kept, how: str, *, fast: bool) -> None:
        kept.child = None
        kept.fast_deaths = kept.fast_deaths + 1 if fast else 1
        if kept.fast_deaths >= FAST_DEATHS:
            log = self.folder.log(kept.part.name)
            raise Problem(
                f"{kept.part.name} {how}, {FAST_DEATHS} times in a row; the end of {log}:{tail(log)}"
            )
        kept.due = time.monotonic() + min(LONGEST_PAUSE, 0.25 * 2**kept.fast_deaths)
        self.tell(f"{kept.part.name} {how}; starting it again")

    def _end(self, children: Sequence[Child]) -> None:
        asked, begun = len(self.requests.received), time.monotonic()
        for child in children:
            child.signal(child.part.stop)
        while living := [child for child in children if not child.ended()]:
            # Whoever asks again doesn't want to wait.
            hurried = len(self.requests.received) > max(asked, 1)
            for child in living:
                if time.monotonic() - begun > child.part.grace * (0.2 if hurried else 1):
                    child.kill()
            time.sleep(TICK / 4)
