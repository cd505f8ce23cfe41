"""The server process that other tests rely on."""

from signal import SIGINT, SIGKILL, SIGTERM

import httpx

from tests.live.servers import END_SECONDS, Server, start_server


def test_a_server_answers_until_it_is_stopped_and_another_goes_on_at_its_port(server: Server) -> None:
    entered = httpx.post(f"{server.url}/api/v1/sessions", json={"name": "Ann", "secret": "correct horse"})
    assert entered.status_code == 201
    server.stop()
    assert server.process.returncode in (0, -SIGTERM)
    with start_server(port=server.port) as again:
        token = entered.json()["token"]
        headers = {"Authorization": f"Bearer {token}"}
        current = httpx.get(f"{again.url}/api/v1/sessions/current", headers=headers)
        assert current.json()["player"] == entered.json()["player"]


def test_ctrl_c_ends_it_in_order(server: Server) -> None:
    server.process.send_signal(SIGINT)
    assert server.process.wait(END_SECONDS) == 0
    assert "Traceback" not in server.log


def test_a_killed_server_leaves_what_it_said(server: Server) -> None:
    server.kill()
    assert server.process.returncode == -SIGKILL
    assert isinstance(server.log, str)


def test_settings_can_be_given(transactional_db: None) -> None:
    with start_server(env={"SESSION_IDLE_SECONDS": "77"}) as server:
        defaults = httpx.get(f"{server.url}/api/v1/").json()["defaults"]
    assert defaults["session_idle_seconds"] == 77
