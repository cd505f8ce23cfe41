"""`make run` with stand-ins for the server's own parts: how it begins, recovers and ends."""

import os
import signal
import socket
from pathlib import Path

import pytest

from tests.config.running import SECONDS, free_port, processes_about, running, wait_for

pytestmark = [
    pytest.mark.timeout(300),
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc"),
]


def test_it_says_where_it_runs_and_what_to_try(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        server.wait_until_ready()
        said = server.said()
        assert f"Boneyard runs at http://127.0.0.1:{server.port}\n" in said
        assert said.count("  curl ") == 3
        assert server.get()["visits"] > 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_all_of_it_without_leaving_a_process(tmp_path: Path, number: signal.Signals) -> None:
    with running(tmp_path) as server:
        server.wait_until_ready()
        assert len(processes_about(tmp_path)) > 5
        assert server.stop(number) == 0
        assert processes_about(tmp_path) == []
        assert server.said().endswith("Stopping.\n")


def test_a_signal_to_the_whole_group_twice_ends_it_too(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        server.wait_until_ready()
        os.killpg(server.process.pid, signal.SIGINT)
        os.killpg(server.process.pid, signal.SIGINT)
        assert server.process.wait(SECONDS) == 0
        assert processes_about(tmp_path) == []
        assert "Traceback" not in server.said()


def test_a_signal_while_it_starts_ends_it_too(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        wait_for((server.data / "postgres.new").exists)
        assert server.stop() == 0
        assert processes_about(tmp_path) == []
    with running(tmp_path) as server:
        server.wait_until_ready()


def test_data_stay_across_runs(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        server.wait_until_ready()
        before = server.get()["visits"]
        server.stop()
    with running(tmp_path) as server:
        server.wait_until_ready()
        assert server.get()["visits"] > before


def test_a_second_run_in_the_same_folder_is_refused(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        server.wait_until_ready()
        with running(tmp_path) as second:
            assert second.process.wait(SECONDS) == 1
            assert (
                f"It is running already, as process {server.process.pid} at http://127.0.0.1:"
                in second.said()
            )
            assert "Traceback" not in second.said()
        assert server.answers()


def test_a_taken_port_is_said_before_anything_starts(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with running(tmp_path, port=taken.getsockname()[1]) as server:
            assert server.process.wait(SECONDS) == 1
            assert "Address already in use. Try another port, as in `make run PORT=" in server.said()
            assert not (server.data / "postgres").exists()


@pytest.mark.parametrize("port", ["0", "65536", "http", "-1", "8000 "])
def test_a_port_that_is_none_is_refused(tmp_path: Path, port: str) -> None:
    with running(tmp_path, env={"PORT": port}) as server:
        assert server.process.wait(SECONDS) == 1
        assert "PORT must be a number from 1 to 65535" in server.said()


@pytest.mark.parametrize("count", ["0", "65", "two", "-1", "1.5", "1" * 5_000])
def test_a_number_of_web_processes_that_is_none_is_refused(tmp_path: Path, count: str) -> None:
    with running(tmp_path, env={"WEB_PROCESSES": count}) as server:
        assert server.process.wait(SECONDS) == 1
        assert "WEB_PROCESSES must be a number from 1 to 64" in server.said()


def test_a_host_that_is_none_is_refused(tmp_path: Path) -> None:
    with running(tmp_path, env={"HOST": "no.such.host.invalid"}) as server:
        assert server.process.wait(SECONDS) == 1
        assert "HOST=no.such.host.invalid is no address of this machine." in server.said()


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with running(tmp_path, data=tmp_path / "file" / "data") as server:
        assert server.process.wait(SECONDS) == 1
        assert f"Can't write to {tmp_path}/file/data: Not a directory." in server.said()
        assert "Traceback" not in server.said()


@pytest.mark.parametrize("part", ["web", "worker", "valkey", "postgres"])
def test_a_part_that_was_killed_is_started_again(tmp_path: Path, part: str) -> None:
    with running(tmp_path) as server:
        server.wait_until_ready()
        before = server.get()["visits"]
        server.kill(part)
        wait_for(server.answers)
        assert server.get()["visits"] > before
        assert f"{part} was ended by SIGKILL; starting it again" in server.said()
        assert server.stop() == 0
        assert processes_about(tmp_path) == []


def test_when_it_is_killed_itself_nothing_outlives_it_and_the_next_run_goes_on(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        server.wait_until_ready()
        before = server.get()["visits"]
        server.process.kill()
        server.process.wait(SECONDS)
        with running(tmp_path) as second:
            second.wait_until_ready()
            assert second.get()["visits"] > before
            second.stop()
        assert processes_about(tmp_path) == []


def test_killed_with_postgresql_at_once_it_loses_nothing(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        server.wait_until_ready()
        before = server.get()["visits"]
        postgres = server.pid_of("postgres")
        server.process.kill()
        os.kill(postgres, signal.SIGKILL)
        server.process.wait(SECONDS)
        assert (server.data / "postgres" / "postmaster.pid").exists()
        with running(tmp_path) as second:
            second.wait_until_ready()
            assert second.get()["visits"] > before


def test_a_part_that_keeps_failing_ends_it_with_the_end_of_its_log(tmp_path: Path) -> None:
    with running(tmp_path, env={"BROKEN_WORKER": "1"}) as server:
        assert server.process.wait(SECONDS) == 1
        assert "worker ended with exit code 1, 5 times in a row" in server.said()
        assert "\n    no worker today\n" in server.said()
        assert processes_about(tmp_path) == []


def test_a_migration_that_fails_ends_it_with_the_end_of_its_log(tmp_path: Path) -> None:
    with running(tmp_path, env={"BROKEN_MIGRATION": "1"}) as server:
        assert server.process.wait(SECONDS) == 1
        assert "The database could not be migrated" in server.said()
        assert "\n    this migration fails\n" in server.said()
        assert processes_about(tmp_path) == []


def test_a_postgresql_url_that_does_not_answer_is_said(tmp_path: Path) -> None:
    url = f"postgresql://ann:s3cret@127.0.0.1:{free_port()}/boneyard"
    with running(tmp_path, env={"DATABASE_URL": url}) as server:
        assert server.process.wait(SECONDS) == 1
        assert "The PostgreSQL of DATABASE_URL does not answer" in server.said()
        assert "s3cret" not in server.said()
