"""The folder that holds the data of a server: who uses it, its logs, and the processes that belong to it."""

import contextlib
import fcntl
import json
import os
import shutil
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from signal import Signals

from config.embedded.process import Child, Problem, birth, signal_group

LOG_BYTES = 10_000_000


class Folder:
    """Raises Problem where the folder can't be written."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self._claim: int | None = None
        with self._writing():
            (self.path / "log").mkdir(parents=True, exist_ok=True)

    def log(self, name: str) -> Path:
        return self.path / "log" / f"{name}.log"

    def claim(self, note: str) -> None:
        """Be the only one here until this process ends. `note` tells others what they find running."""
        with self._writing():
            lock = os.open(self.path / "run.lock", os.O_RDWR | os.O_CREAT, 0o644)
            self._try_writing()
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            held = os.read(lock, 1_000).decode(errors="replace").strip() or "as another process"
            os.close(lock)
            raise Problem(f"It is running already, {held}; its data are in {self.path}.") from None
        os.ftruncate(lock, 0)
        os.pwrite(lock, note.encode(), 0)
        self._claim = lock

    def record(self, children: Iterable[Child]) -> None:
        """Remember who is running, for the next run to find should this one be killed."""
        entries = [
            {"name": child.part.name, "pid": child.pid, "birth": child.birth, "stop": int(child.part.stop)}
            for child in children
        ]
        new = self.path / "processes.new"
        new.write_text(json.dumps(entries))
        new.replace(self.path / "processes.json")

    def end_orphans(self) -> list[str]:
        """End what a killed run left, and nothing else: a process counts by its number and its birth."""
        try:
            entries = json.loads((self.path / "processes.json").read_text())
        except (OSError, ValueError):
            return []
        found = [entry for entry in entries if entry["birth"] and birth(entry["pid"]) == entry["birth"]]
        for entry in found:
            with contextlib.suppress(ProcessLookupError):
                os.kill(entry["pid"], entry["stop"])
        deadline = time.monotonic() + 20
        for entry in found:
            while birth(entry["pid"]) == entry["birth"]:
                if time.monotonic() > deadline:
                    signal_group(entry["pid"], Signals.SIGKILL)
                time.sleep(0.05)
        return [entry["name"] for entry in found]

    def trim_logs(self) -> None:
        """Move what is past a log's size to one older file. Writers append, so they go on."""
        for log in (self.path / "log").glob("*.log"):
            with contextlib.suppress(OSError):
                if log.stat().st_size > LOG_BYTES:
                    shutil.copyfile(log, log.with_suffix(".log.1"))
                    os.truncate(log, 0)

    def _try_writing(self) -> None:
        probe = self.path / "log" / "probe"
        probe.write_bytes(b"\0" * 4_096)
        probe.unlink()

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise Problem(
                f"Can't write to {self.path}: {error.strerror}. "
                "Make it writable, or name another folder with DATA_DIR=/some/where."
            ) from None
