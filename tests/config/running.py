"""Starts the server of stand-ins in a folder of its own, and finds every process that belongs to it."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from config.embedded.process import ROOT, birth

STAND_IN = [sys.executable, "-m", "tests.config.stand_in"]
REAL = [sys.executable, "-m", "config.run"]
# Empty counts as unset, and keeps a developer's own .env out.
UNSET = dict.fromkeys(["DATABASE_URL", "REDIS_URL", "HOST", "PORT", "DATA_DIR", "WEB_PROCESSES"], "")
SECONDS = 90


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, **UNSET, **more}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(happened: Callable[[], object], seconds: float = SECONDS) -> None:
    deadline = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.05)


def processes_about(path: Path) -> list[int]:
    """Every living process with this path in its command line, its environment or as its working folder."""
    mark, found = os.fsencode(path), []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            words = (entry / "cmdline").read_bytes() + (entry / "environ").read_bytes()
            words += os.fsencode((entry / "cwd").readlink())
        except OSError:
            continue
        if mark in words and int(entry.name) != os.getpid() and birth(int(entry.name)):
            found.append(int(entry.name))
    return found


@dataclass
class Running:
    process: subprocess.Popen[str]
    data: Path
    port: int
    output: Path

    def said(self) -> str:
        return self.output.read_text()

    def get(self, path: str = "/", token: str = "") -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return self._ask(urllib.request.Request(self.url(path), headers=headers))

    def post(self, path: str, body: dict[str, Any], token: str = "") -> dict[str, Any]:
        headers = {"Content-Type": "application/json"} | (
            {"Authorization": f"Bearer {token}"} if token else {}
        )
        return self._ask(urllib.request.Request(self.url(path), json.dumps(body).encode(), headers))

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def _ask(self, request: urllib.request.Request) -> dict[str, Any]:
        with urllib.request.urlopen(request, timeout=10) as answer:
            found: dict[str, Any] = json.load(answer)
            return found

    def answers(self, path: str = "/") -> bool:
        try:
            self.get(path)
        except OSError:
            return False
        return True

    def pid_of(self, part: str) -> int:
        entries = json.loads((self.data / "processes.json").read_text())
        return next((int(entry["pid"]) for entry in entries if entry["name"] == part), 0)

    def wait_until_ready(self) -> None:
        wait_for(lambda: "runs at" in self.said() or self.process.poll() is not None)
        assert self.process.poll() is None, self.said()

    def kill(self, part: str) -> None:
        """End a part the hard way, and wait until another one has taken its place."""
        before = self.pid_of(part)
        os.kill(before, signal.SIGKILL)
        wait_for(lambda: self.pid_of(part) not in {0, before})

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(SECONDS)


@contextmanager
def running(
    folder: Path,
    command: list[str] = STAND_IN,
    data: Path | None = None,
    port: int = 0,
    env: Mapping[str, str] = {},
) -> Iterator[Running]:
    """A server that was started in `folder`, and is asked to end in the end."""
    data, port = data or folder / "data", port or free_port()
    output = folder / f"output-{time.monotonic_ns()}"
    with output.open("w") as out:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment(**{"DATA_DIR": str(data), "PORT": str(port), **env}),
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            text=True,
            # Under nohup the tests would hand on that SIGHUP is to be ignored.
            preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),
        )
    try:
        yield Running(process, data, port, output)
    finally:
        if process.poll() is None:
            process.terminate()
        process.wait(SECONDS)
