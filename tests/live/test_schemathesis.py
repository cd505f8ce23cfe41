"""Requests that schemathesis makes up from the OpenAPI document, sent to a real server."""

import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.live.servers import start_server

CHECKS = [
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "allow_header_conformance",
    "negative_data_rejection",
    "missing_required_header",
    "unsupported_method",
    "ignored_auth",
]
# So that limits don't answer in the place of what is tested.
GENEROUS = {
    "ENTRIES_PER_MINUTE": "1000000",
    "CODE_LOOKS_PER_MINUTE": "1000000",
    "RECORD_CHECKS_PER_MINUTE": "1000000",
    "TABLES_PER_MINUTE": "1000000",
    "TICKETS_PER_MINUTE": "1000000",
    "ODDS_PER_MINUTE": "1000000",
    "ANALYSES_PER_MINUTE": "1000000",
    "LOG_LEVEL": "WARNING",
}
# So that none of them takes long: streams and long polls end after a second.
BRIEF = {"STREAM_LIFETIME_SECONDS": "1"}


@pytest.mark.timeout(400)
def test_no_request_is_answered_in_an_undocumented_way(transactional_db: None, tmp_path: Path) -> None:
    with start_server({**GENEROUS, **BRIEF}) as server:
        player = {"name": "Tess", "secret": "correct horse"}
        token = httpx.post(f"{server.url}/api/v1/sessions", json=player).json()["token"]
        options = {
            "--header": f"Authorization: Bearer {token}",
            # It would end the token that all requests share.
            "--exclude-operation-id": "log_out",
            "--checks": ",".join(CHECKS),
            "--phases": "examples,coverage,fuzzing",
            "--max-examples": "10",
            "--seed": "7776",
        }
        command = [sys.executable, "-m", "schemathesis.cli", "--no-color", "run", f"{server.url}/api/schema"]
        command += [word for option in options.items() for word in option]
        # In a folder of its own, since it keeps what failed.
        ran = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=350, check=False)
        assert ran.returncode == 0, ran.stdout + ran.stderr + server.tail
    assert "Selected: 30/31" in ran.stdout
