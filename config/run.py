"""What `make run` calls: starts all that a server needs, watches it and ends it."""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from signal import Signals

import psycopg

from config.embedded.address import Address
from config.embedded.dotenv import read_dotenv
from config.embedded.folder import Folder
from config.embedded.postgres import running_postgres, start_postgres
from config.embedded.process import ROOT, Part, Problem
from config.embedded.rights import settle
from config.embedded.supervisor import Requests, Stopped, Supervisor, say
from config.embedded.valkey import start_valkey

Environment = Mapping[str, str]
Parts = Callable[[Environment, Address], Sequence[Part]]

USAGE = "usage: python -m config.run [manage COMMAND … | exec -- COMMAND …]"
READY_SECONDS = 120
EXTERNAL_SECONDS = 10
MOST_WEB_PROCESSES = 64
# Where prometheus_client is told to count together with other processes.
SHARED_METRICS = "PROMETHEUS_MULTIPROC_DIR"


def migration(env: Environment) -> Part:
    return Part("migrate", [sys.executable, "manage.py", "migrate", "--noinput"], env)


def parts(env: Environment, address: Address) -> Sequence[Part]:
    """The server's own processes."""
    celery = [sys.executable, "-m", "celery", "-A", "config.celery"]
    web = [sys.executable, "-m", "config.web", address.host, str(address.port)]
    count = int(env.get("WEB_PROCESSES") or 1)
    threads = ["--pool", "threads", "--concurrency", "2", "--without-gossip", "--without-mingle"]
    plain = {**env, "CELERY_QUIET": "1"}  # its banner is no line of a log
    plain.pop(SHARED_METRICS, None)  # what they count, they tell themselves
    return [
        *(Part(f"web-{number}" if number > 1 else "web", web, env) for number in range(1, count + 1)),
        Part("worker", [*celery, "worker", *threads, "--loglevel", "WARNING"], plain),
        # Keeps its times in memory: all of them are short, and a file could be cut off half-way.
        Part(
            "beat", [*celery, "beat", "--scheduler", "celery.beat:Scheduler", "--loglevel", "WARNING"], plain
        ),
    ]


def serve(
    environ: Environment,
    parts: Parts = parts,
    migration: Callable[[Environment], Part] = migration,
) -> int:
    """Run the server until a signal asks for its end. Raises Problem."""
    address = Address.named(environ.get("HOST", ""), environ.get("PORT", ""))
    web_processes = _web_processes(environ)
    requests = Requests()
    requests.listen()
    folder = Folder(_data(environ))
    folder.claim(f"as process {os.getpid()} at {address.url} (`kill {os.getpid()}` ends it)")
    for name in folder.end_orphans():
        say(f"The last run was cut off: {name} was still there, and has been ended.")
    address.check_free()
    say("Starting.")
    with Supervisor(folder, requests) as supervisor, _reporting_stop():
        env = {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            **environ,
            **services(supervisor, environ),
            "DATA_DIR": str(folder.path),
            "PYTHONUNBUFFERED": "1",
        }
        supervisor.finish(migration(env), "The database could not be migrated")
        supervisor.start(*parts({**env, **_sharing(folder, web_processes)}, address))
        supervisor.until(
            address.ready,
            READY_SECONDS,
            f"{address.url}/readyz did not answer; see {folder.log('web')}.",
        )
        say(_welcome(address.url, folder))
        supervisor.until(lambda: False)
    return 0


def _web_processes(environ: Environment) -> int:
    """How many; one, unless it is said, for which every limit is exact. Raises Problem."""
    given = environ.get("WEB_PROCESSES") or "1"
    if not (
        given.isascii() and given.isdecimal() and len(given) < 4 and 1 <= int(given) <= MOST_WEB_PROCESSES
    ):
        raise Problem(f"WEB_PROCESSES must be a number from 1 to {MOST_WEB_PROCESSES}, not {given!r}.")
    return int(given)


def _sharing(folder: Folder, web_processes: int) -> dict[str, str]:
    """What several web processes need to know: how many they are, and where they count together."""
    if web_processes == 1:
        return {"WEB_PROCESSES": "1"}
    metrics = folder.path / "metrics"
    shutil.rmtree(metrics, ignore_errors=True)
    metrics.mkdir()
    return {"WEB_PROCESSES": str(web_processes), SHARED_METRICS: str(metrics)}


def manage(command: Sequence[str], environ: Environment) -> int:
    """Run manage.py on the database of the server that runs here; its exit code. Raises Problem."""
    url = environ.get("DATABASE_URL") or running_postgres(_data(environ))
    argv = [sys.executable, "manage.py", *command]
    return subprocess.call(argv, cwd=ROOT, env={**environ, "DATABASE_URL": url})  # noqa: S603


def _data(environ: Environment) -> Path:
    return Path(environ.get("DATA_DIR") or ROOT / ".data")


def services(supervisor: Supervisor, environ: Environment, *, scratch: bool = False) -> dict[str, str]:
    """The URLs of PostgreSQL and of Valkey: as the environment gives them, else started here."""
    return {
        "DATABASE_URL": _external_postgres(supervisor, environ)
        or start_postgres(supervisor, scratch=scratch),
        "REDIS_URL": environ.get("REDIS_URL") or start_valkey(supervisor, scratch=scratch),
    }


def execute(command: Sequence[str], environ: Environment) -> int:
    """Run a command beside a fresh PostgreSQL and Valkey, or those of the environment; its exit code."""
    requests = Requests()
    requests.listen()
    with _scratch_folder() as folder, Supervisor(folder, requests, tell=_complain) as supervisor:
        try:
            env = {**environ, **services(supervisor, environ, scratch=True)}
        except Stopped:
            return 128 + requests.received[-1]
        return _attend(command, env, supervisor, requests)


def _attend(command: Sequence[str], env: Environment, supervisor: Supervisor, requests: Requests) -> int:
    parent = os.getpid()
    try:
        child = subprocess.Popen(  # noqa: S603
            command, env=dict(env), preexec_fn=lambda: settle(parent, Signals.SIGTERM, None)
        )
    except OSError as error:
        raise Problem(f"Can't start {command[0]}: {error.strerror}.") from None
    try:
        _pass_signals(child, supervisor, requests)
    finally:
        if child.poll() is None:
            child.terminate()
            child.wait()
    return 128 - child.returncode if child.returncode < 0 else child.returncode


def _pass_signals(child: subprocess.Popen[bytes], supervisor: Supervisor, requests: Requests) -> None:
    passed = 0
    while child.poll() is None:
        for number in requests.received[passed:]:
            # What is typed at a terminal reaches the command by itself.
            if number is not Signals.SIGINT or not _in_foreground():
                child.send_signal(number)
            passed += 1
        supervisor.look()
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(0.1)


def _in_foreground() -> bool:
    try:
        return os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()
    except (OSError, ValueError):
        return False


@contextlib.contextmanager
def _scratch_folder() -> Iterator[Folder]:
    path = Path(tempfile.mkdtemp(prefix="boneyard-"))
    path.chmod(0o711)  # for PostgreSQL's own user, should we be root
    try:
        yield Folder(path)
    finally:
        shutil.rmtree(path, ignore_errors=True)


@contextlib.contextmanager
def _reporting_stop() -> Iterator[None]:
    try:
        yield
    except Stopped:
        say("Stopping.")


def _external_postgres(supervisor: Supervisor, environ: Environment) -> str:
    url = environ.get("DATABASE_URL", "")
    if url:
        trouble = ""

        def answers() -> bool:
            nonlocal trouble
            try:
                psycopg.connect(url, connect_timeout=5).close()
            except psycopg.Error as error:
                trouble = str(error).strip()
                return False
            return True

        if not answers():
            say("Waiting for the PostgreSQL of DATABASE_URL.")
            with _explaining(lambda: f"The PostgreSQL of DATABASE_URL does not answer: {trouble}"):
                supervisor.until(answers, EXTERNAL_SECONDS)
    return url


@contextlib.contextmanager
def _explaining(why: Callable[[], str]) -> Iterator[None]:
    try:
        yield
    except Problem:
        raise Problem(why()) from None


def _welcome(address: str, folder: Folder) -> str:
    body = json.dumps({"name": "Ann", "secret": "correct horse"})
    return (
        f"Boneyard runs at {address}\n"
        f"Open it in a browser to play. The API is described at {address}/api/docs\n"
        f"Data and logs are in {folder.path}; Ctrl-C ends it. Three lines to try:\n\n"
        f"  curl {address}/api/v1/\n"
        f"  curl {address}/api/v1/games\n"
        f"  curl -H 'Content-Type: application/json' -d '{body}' {address}/api/v1/sessions\n"
    )


def _complain(line: str) -> None:
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()


def main(arguments: Sequence[str], serve: Callable[[Environment], int] = serve) -> int:
    """The exit code. Whatever goes wrong is told in words."""
    try:
        match list(arguments):
            case []:
                return serve({**read_dotenv(ROOT / ".env"), **os.environ})
            case ["manage", *command] if command:
                return manage(command, {**read_dotenv(ROOT / ".env"), **os.environ})
            case ["exec", "--", *command] if command:
                return execute(command, os.environ)
            case _:
                _complain(USAGE)
                return 2
    except Problem as problem:
        _complain(f"Boneyard: {problem}")
    except Exception as error:
        trace = Path(tempfile.gettempdir()) / f"boneyard-failure-{os.getpid()}.log"
        with contextlib.suppress(OSError):
            trace.write_text(traceback.format_exc())
        _complain(f"Boneyard: this should not have happened: {error!r}. Please report it, with {trace}.")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
