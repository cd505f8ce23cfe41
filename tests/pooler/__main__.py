"""Runs a command with a pgbouncer in transaction mode between it and the PostgreSQL of DATABASE_URL.

`python -m tests.pooler COMMAND …`, as `make test-pooler` does: each transaction gets another of pgbouncer's
connections than the one before, so whatever is left at a connection is missing right away.
"""

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from config.embedded.folder import Folder
from config.embedded.pgbouncer import RESTLESS, start_pgbouncer
from config.embedded.process import Problem
from config.embedded.supervisor import Requests, Supervisor


def execute(command: Sequence[str]) -> int:
    """The exit code of the command. Raises Problem, without pgbouncer for one."""
    requests = Requests()
    requests.listen()
    with tempfile.TemporaryDirectory(prefix="boneyard-", ignore_cleanup_errors=True) as name:
        Path(name).chmod(0o711)  # for pgbouncer's own user, should we be root
        with Supervisor(Folder(Path(name)), requests) as supervisor:
            url = start_pgbouncer(supervisor, os.environ["DATABASE_URL"], RESTLESS)
            env = {**os.environ, "DATABASE_URL": url, "DATABASE_POOLER": "transaction"}
            return _attend(subprocess.Popen(command, env=env), supervisor, requests)


def _attend(child: subprocess.Popen[bytes], supervisor: Supervisor, requests: Requests) -> int:
    passed = 0
    try:
        while child.poll() is None:
            for number in requests.received[passed:]:
                child.send_signal(number)
                passed += 1
            supervisor.look()
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(0.1)
    finally:
        child.kill()
        child.wait()
    return 128 - child.returncode if child.returncode < 0 else child.returncode


def main(command: Sequence[str]) -> int:
    try:
        return execute(command)
    except Problem as problem:
        sys.stderr.write(f"Boneyard: {problem}\n")
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
