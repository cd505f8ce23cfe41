"""The pgbouncer before the PostgreSQL of tests and benchmarks: its set-up, and what is said without it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from config.embedded import pgbouncer
from config.embedded.pgbouncer import pooler
from config.embedded.process import ROOT, Problem

DATABASE = "postgresql://ann:it's@db.example:6432/games"


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder, and a program of that name: what is looked at here does not run it."""
    program = tmp_path / "bin" / "pgbouncer"
    program.parent.mkdir()
    program.touch(mode=0o755)
    monkeypatch.setattr(pgbouncer, "PLACES", str(program.parent))
    return tmp_path


def test_every_database_of_the_server_is_behind_it_in_transaction_mode(installed: Path) -> None:
    made = pooler(installed, DATABASE)
    lines = Path(made.part.argv[-1]).read_text().splitlines()
    assert lines[1] == "* = host='db.example' port='6432' user='ann' password='it''s'"
    assert "pool_mode = transaction" in lines
    assert f"host={installed / 'pooler'}" in made.url
    assert "dbname=games" in made.url
    assert "it's" not in made.url


def test_nobody_else_can_enter_or_read_its_password(installed: Path) -> None:
    made = pooler(installed, DATABASE)
    file = Path(made.part.argv[-1])
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700


def test_it_never_runs_as_root(installed: Path) -> None:
    account = pooler(installed, DATABASE).part.account
    assert (account is not None and account.uid != 0) == (os.geteuid() == 0)


def test_more_settings_go_before_the_usual_ones(installed: Path) -> None:
    made = pooler(installed, DATABASE, {"default_pool_size": "7"})
    assert "default_pool_size = 7" in Path(made.part.argv[-1]).read_text().splitlines()


def test_a_path_that_no_socket_can_have_is_refused_in_words(installed: Path) -> None:
    deep = installed / ("a" * 100)
    deep.mkdir()
    with pytest.raises(Problem, match="TMPDIR"):
        pooler(deep, DATABASE)


def test_without_pgbouncer_it_is_said_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pgbouncer, "PLACES", str(tmp_path))
    with pytest.raises(Problem, match="apt-get install pgbouncer"):
        pooler(tmp_path, DATABASE)


def test_a_command_is_not_run_without_it(tmp_path: Path) -> None:
    script = (
        "import sys; from config.embedded import pgbouncer; from tests.pooler.__main__ import main\n"
        f"pgbouncer.PLACES = {str(tmp_path)!r}; sys.exit(main(['echo', 'it ran']))"
    )
    env = {**os.environ, "DATABASE_URL": DATABASE}
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, env=env, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("Boneyard: pgbouncer is missing")
