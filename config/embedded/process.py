"""A program that is kept running: how it is started, recognised again and ended."""

import contextlib
import functools
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from signal import Signals

from config.embedded.rights import Account, settle

ROOT = Path(__file__).resolve().parents[2]


class Problem(Exception):
    """What the user has to know before this can go on; its text is what they read."""


@dataclass(frozen=True)
class Part:
    """A program with all it needs. `env` is its whole environment."""

    name: str
    argv: Sequence[str]
    env: Mapping[str, str]
    cwd: Path = ROOT
    stdin: bytes = field(default=b"", repr=False)
    account: Account | None = None
    stop: Signals = Signals.SIGTERM
    grace: float = 10.0  # seconds between asking it to stop and killing it
    orphaned: Signals = Signals.SIGKILL  # what it gets when whoever started it is gone


class Child:
    """A running part, the leader of a session and process group of its own."""

    def __init__(self, part: Part, log: Path) -> None:
        self.part = part
        self.since = time.monotonic()
        prepare = functools.partial(settle, os.getpid(), part.orphaned, part.account)
        with log.open("ab") as out:
            self.popen = subprocess.Popen(  # noqa: S603
                part.argv,
                cwd=part.cwd,
                env=dict(part.env),
                stdin=subprocess.PIPE if part.stdin else subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=prepare,  # nothing here has threads
            )
        self.birth = birth(self.popen.pid)
        if self.popen.stdin is not None:
            with contextlib.suppress(BrokenPipeError), self.popen.stdin as pipe:
                pipe.write(part.stdin)

    @property
    def pid(self) -> int:
        return self.popen.pid

    def ended(self) -> bool:
        """Whether it has ended; then what it left in its group is ended too."""
        if self.popen.returncode is not None:
            return True
        if hasattr(os, "waitid"):
            # Until it is reaped its number can't be given to another process.
            if os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
                return False
            signal_group(self.pid, Signals.SIGKILL)
        return self.popen.poll() is not None

    def signal(self, number: Signals) -> None:
        if not self.ended():
            os.kill(self.pid, number)

    def kill(self) -> None:
        if not self.ended():
            signal_group(self.pid, Signals.SIGKILL)

    def how_it_ended(self) -> str:
        code = self.popen.returncode
        return f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"


def signal_group(leader: int, number: Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, number)


def birth(pid: int) -> str | None:
    """When the process with this number began, in the system's words; None when there is none that lives.

    A number with its birth names one process for good, where a number alone may be given out again.
    """
    if sys.platform == "linux":
        try:
            stat = Path(f"/proc/{pid}/stat").read_text(errors="replace")
            boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        except OSError:
            return None
        fields = stat.rpartition(")")[2].split()
        return None if fields[0] in "ZX" else f"{boot} {fields[19]}"
    return _ps(pid, "lstart") if "Z" not in _ps(pid, "state") else None


def command(pid: int) -> str:
    """The command line of a process, or "" if there is none."""
    if sys.platform == "linux":
        try:
            line = Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            return ""
        return line.replace(b"\0", b" ").decode(errors="replace").strip()
    return _ps(pid, "command")


def _ps(pid: int, what: str) -> str:
    argv = ["ps", "-o", f"{what}=", "-p", str(pid)]
    answer = subprocess.run(argv, capture_output=True, text=True, check=False)  # noqa: S603
    return answer.stdout.strip()


def tail(log: Path, lines: int = 15) -> str:
    """The last lines of a log, indented; for telling the user why something did not work."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, log.stat().st_size - 8_000))
            text = file.read().decode(errors="replace")
    except OSError:
        return ""
    return "".join(f"\n    {line}" for line in text.splitlines()[-lines:])
