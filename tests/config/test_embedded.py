"""The embedded PostgreSQL and Valkey: beside one command, in odd folders, after odd ends."""

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import psycopg
import pytest

from config.embedded.dotenv import read_dotenv
from config.embedded.folder import Folder
from config.embedded.process import ROOT, Child, Part, Problem, birth
from config.embedded.rights import account_for, settle
from tests.config.running import SECONDS, environment, processes_about, running, wait_for

pytestmark = [
    pytest.mark.timeout(300),
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc"),
]

EXEC = [sys.executable, "-m", "config.run", "exec", "--"]
PYTHON = [*EXEC, sys.executable, "-c"]


def run(command: list[str], **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=ROOT,
        env=environment(**env),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


def test_a_command_gets_a_fresh_postgresql_and_valkey(tmp_path: Path) -> None:
    script = """
import os, psycopg, redis
with psycopg.connect(os.environ["DATABASE_URL"]) as connection:
    print(connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone())
    print(connection.info.server_version // 10000)
print(redis.Redis.from_url(os.environ["REDIS_URL"]).dbsize())
"""
    done = run([*PYTHON, script], TMPDIR=str(tmp_path))
    assert (done.stdout, done.stderr, done.returncode) == ("(0,)\n18\n0\n", "", 0)
    assert list(tmp_path.glob("boneyard-*")) == []
    assert processes_about(tmp_path) == []


def test_a_command_of_manage_py_needs_a_server_that_runs(tmp_path: Path) -> None:
    done = run([sys.executable, "-m", "config.run", "manage", "check"], DATA_DIR=str(tmp_path))
    assert (done.stdout, done.returncode) == ("", 1)
    assert done.stderr.startswith(f"Boneyard: No server runs on {tmp_path}: start it with `make run`")


def test_the_exit_code_is_the_command_s(tmp_path: Path) -> None:
    services = {"DATABASE_URL": "", "REDIS_URL": "redis://unused"}
    assert run([*EXEC, "sh", "-c", "exit 7"], TMPDIR=str(tmp_path), **services).returncode == 7
    assert run([*EXEC, "sh", "-c", "kill -9 $$"], TMPDIR=str(tmp_path), **services).returncode == 137


def test_a_command_that_is_none_is_said(tmp_path: Path) -> None:
    done = run([*EXEC, "no-such-command"], TMPDIR=str(tmp_path))
    assert done.returncode == 1
    assert re.fullmatch(r"Boneyard: Can't start no-such-command: .*\.\n", done.stderr)


def test_signals_reach_the_command_and_nothing_is_left(tmp_path: Path) -> None:
    script = """
import signal, sys, time
signal.signal(signal.SIGTERM, lambda *_: sys.exit(9))
print("ready", flush=True)
time.sleep(600)
"""
    process = subprocess.Popen(
        [*PYTHON, script], cwd=ROOT, env=environment(TMPDIR=str(tmp_path)), stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.terminate()
    assert process.wait(SECONDS) == 9
    process.stdout.close()
    assert list(tmp_path.glob("boneyard-*")) == []
    assert processes_about(tmp_path) == []


def test_urls_that_are_set_are_used(tmp_path: Path) -> None:
    inner = f"{shlex.quote(sys.executable)} -m config.run exec -- sh -c 'echo $DATABASE_URL $REDIS_URL'"
    done = run([*EXEC, "sh", "-c", f"echo $DATABASE_URL $REDIS_URL; {inner}"], TMPDIR=str(tmp_path))
    outside, inside = done.stdout.splitlines()
    assert outside == inside


def test_players_words_stay_out_of_the_log_of_postgresql(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        server.wait_until_ready()
        socket = server.data / "socket"
        host = socket if socket.exists() else next(Path("/tmp").glob("boneyard-*"))
        with psycopg.connect(f"host={host} user=boneyard dbname=boneyard", autocommit=True) as connection:
            connection.execute("CREATE TABLE names (name text UNIQUE)")
            connection.execute("INSERT INTO names VALUES ('Annabella')")
            with pytest.raises(psycopg.errors.UniqueViolation):
                connection.execute("INSERT INTO names VALUES ('Annabella')")
            with pytest.raises(psycopg.errors.UniqueViolation):
                connection.execute("INSERT INTO names VALUES (%s)", ["Annabella"])
        log = (server.data / "log" / "postgres.log").read_text()
        assert "duplicate key" in log
        assert "Annabella" not in log


@pytest.mark.parametrize("name", ["with space", "qu'o\"te, comma", "d" * 60 + "/" + "e" * 60, "größe"])
def test_it_runs_in_any_folder(tmp_path: Path, name: str) -> None:
    with running(tmp_path, data=tmp_path / name / "data") as server:
        server.wait_until_ready()
        assert server.answers()


def test_it_runs_where_the_socket_s_path_would_name_two_hosts(tmp_path: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="b,y") as short:
        with running(tmp_path, data=Path(short) / "data") as server:
            server.wait_until_ready()
        assert processes_about(Path(short)) == []


def test_a_folder_that_is_closed_to_others_stays_closed(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    with running(tmp_path) as server:
        server.wait_until_ready()
    assert tmp_path.stat().st_mode & 0o777 == 0o700


def test_data_of_another_postgresql_are_left_alone(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        server.wait_until_ready()
    version = server.data / "postgres" / "PG_VERSION"
    version.write_text("16\n")
    with running(tmp_path) as server:
        assert server.process.wait(SECONDS) == 1
        assert "was written by PostgreSQL 16, and this is PostgreSQL 18" in server.said()


def test_data_that_were_cut_off_while_being_made_are_made_anew(tmp_path: Path) -> None:
    half = tmp_path / "data" / "postgres.new"
    half.mkdir(parents=True)
    (half / "PG_VERSION").write_text("18\n")
    with running(tmp_path) as server:
        server.wait_until_ready()


def test_a_lock_whose_number_now_belongs_to_another_program_is_no_obstacle(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        server.wait_until_ready()
        lock = (server.data / "postgres" / "postmaster.pid").read_text().split("\n")
        os.kill(server.process.pid, signal.SIGKILL)
        os.kill(server.pid_of("postgres"), signal.SIGKILL)
        server.process.wait(SECONDS)
    stale = server.data / "postgres" / "postmaster.pid"
    stale.write_text("\n".join([str(os.getpid()), *lock[1:]]))
    with running(tmp_path) as server:
        server.wait_until_ready()
    assert birth(os.getpid())


def test_only_what_was_recorded_is_ended(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    sleep = shutil.which("sleep")
    assert sleep
    ours, other = (Child(Part(name, [sleep, "60"], {}), folder.log(name)) for name in ("ours", "other"))
    try:
        folder.record([ours, other])
        entries = (tmp_path / "processes.json").read_text()
        assert other.birth
        (tmp_path / "processes.json").write_text(entries.replace(other.birth, "an earlier birth"))
        reaper = Folder(tmp_path)
        assert reaper.end_orphans() == ["ours"]
        assert ours.ended()
        assert not other.ended()
    finally:
        ours.kill()
        other.kill()
        wait_for(other.ended)


def test_a_log_is_kept_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("config.embedded.folder.LOG_BYTES", 10)
    folder = Folder(tmp_path)
    with folder.log("web").open("ab", buffering=0) as writer:
        writer.write(b"more than ten bytes")
        folder.trim_logs()
        writer.write(b"new")
    assert folder.log("web").read_text() == "new"
    assert (tmp_path / "log" / "web.log.1").read_text() == "more than ten bytes"


def test_settings_are_read_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    assert read_dotenv(file) == {}
    file.write_text("# a comment\n\nA=1\nexport B = two words # and why\nC='# kept'\nD=\"x=y\"\nE=\nF=a#b\n")
    assert read_dotenv(file) == {"A": "1", "B": "two words", "C": "# kept", "D": "x=y", "E": "", "F": "a#b"}


def test_a_line_that_is_no_setting_is_said(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("A=1\nnonsense\n")
    with pytest.raises(Problem, match=r"line 2: expected KEY=VALUE"):
        read_dotenv(file)


def test_who_passes_closed_folders_is_told_so_by_access_too(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    program = closed / "program"
    program.write_text("")
    program.chmod(0o755)
    account = account_for(program, Path(sys.executable))
    parent = os.getpid()
    done = subprocess.run(
        [sys.executable, "-c", "import os, sys; print(os.access(sys.argv[1], os.R_OK | os.X_OK))", program],
        preexec_fn=lambda: settle(parent, signal.SIGTERM, account),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "True\n"
