"""A real pgbouncer in transaction mode in front of a PostgreSQL: for tests and benchmarks.

It is of the machine, as PostgreSQL's own packages are, and not among the project's dependencies. Whoever can
enter its socket's folder can enter the databases, so that folder is closed.
"""

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from signal import Signals

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from config.embedded.postgres import SOCKET, SOCKET_PATH_BYTES
from config.embedded.process import Part, Problem
from config.embedded.rights import Account, account_for
from config.embedded.supervisor import Supervisor

# Debian's is not on everybody's PATH.
PLACES = os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/sbin", "/usr/local/sbin"))
CONFIGURATION = {
    "listen_port": "5432",
    "unix_socket_mode": "0700",
    "auth_type": "any",  # whoever asks is the one user of `databases`
    "pool_mode": "transaction",
    "max_client_conn": "1000",
    "default_pool_size": "20",
    "log_connections": "0",
    "log_disconnections": "0",
    "log_stats": "0",
}
# Whatever a client leaves at a server connection is not there in its next transaction, and nothing is kept
# at a database for long, which could then not be dropped.
RESTLESS = {"server_round_robin": "1", "min_pool_size": "3", "server_idle_timeout": "1"}


@dataclass(frozen=True)
class Pooler:
    """A pgbouncer to be started, and the URL of the database behind it; so are all others of its server."""

    part: Part
    url: str


def start_pgbouncer(supervisor: Supervisor, database: str, settings: Mapping[str, str] = {}) -> str:
    """The URL of this database behind a pgbouncer that is ready. Raises Problem."""
    made = pooler(supervisor.folder.path, database, settings)
    supervisor.start(made.part)
    log = supervisor.folder.log("pgbouncer")
    supervisor.until(lambda: answers(made.url), 30, f"pgbouncer did not answer in thirty seconds; see {log}.")
    return made.url


def pooler(folder: Path, database: str, settings: Mapping[str, str] = {}) -> Pooler:
    """One whose socket and configuration are in a folder in `folder`. Raises Problem."""
    program, given, own = _program(), conninfo_to_dict(database), folder / "pooler"
    if len(os.fsencode(own / SOCKET)) > SOCKET_PATH_BYTES:
        raise Problem(f"{own} is too long a path for a socket: set TMPDIR to a short one.")
    account = _account(str(given.get("host") or ""), program)
    file = own / "pgbouncer.ini"
    own.mkdir(mode=0o700, exist_ok=True)
    file.touch(mode=0o600)
    file.write_text(_configuration(given, own, settings))
    if account is not None:
        for path in (own, file):
            os.chown(path, account.uid, account.gid)
    part = Part(
        name="pgbouncer",
        argv=[str(program), "--quiet", str(file)],
        env={"PATH": os.defpath, "LC_ALL": "C"},
        cwd=Path("/"),
        account=account,
        orphaned=Signals.SIGTERM,
    )
    user, name = str(given.get("user") or "boneyard"), str(given["dbname"])
    return Pooler(part, make_conninfo(host=str(own), port="5432", user=user, dbname=name))


def answers(url: str) -> bool:
    try:
        psycopg.connect(url, connect_timeout=2).close()
    except psycopg.OperationalError:
        return False
    return True


def _program() -> Path:
    found = shutil.which("pgbouncer", path=PLACES)
    if found is None:
        raise Problem("pgbouncer is missing: install it, on Debian with `apt-get install pgbouncer`.")
    return Path(found)


def _account(host: str, program: Path) -> Account | None:
    """Who it runs as, since it refuses to be root: the one whose socket it has to reach, or `nobody`."""
    return account_for(Path(host) if host.startswith("/") else Path("/nowhere"), program)


def _configuration(given: Mapping[str, object], folder: Path, settings: Mapping[str, str]) -> str:
    names = ("host", "port", "user", "password")
    server = " ".join(f"{name}={_quoted(given[name])}" for name in names if given.get(name))
    options = {**CONFIGURATION, "unix_socket_dir": str(folder), **settings}
    lines = [f"{name} = {value}" for name, value in options.items()]
    return "\n".join(["[databases]", f"* = {server}", "[pgbouncer]", *lines, ""])


def _quoted(value: object) -> str:
    return "'{}'".format(str(value).replace("'", "''"))
