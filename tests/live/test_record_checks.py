"""POST /records/check over a real server: long bodies are for records alone, and hold nobody up."""

import json
from collections.abc import Iterator
from functools import cache
from threading import Thread

import msgspec
import pytest
from django.conf import settings

from tests.live.guests import Guest, enter_all
from tests.live.servers import Server, start_server
from tests.live.sockets import wire
from tests.people import API
from tests.records.play import long_record_of

pytestmark = pytest.mark.django_db(transaction=True)

CHECK = f"{API}/records/check"


@pytest.fixture(scope="module")
def web(django_db_setup: None) -> Iterator[Server]:
    with start_server({"ENTRIES_PER_MINUTE": "1000000", "RECORD_CHECKS_PER_MINUTE": "1000"}) as server:
        yield server


@cache
def long_record() -> bytes:
    """Of three times as many bytes as other bodies may have."""
    raw = msgspec.json.encode(long_record_of("pickomino", 2_500))
    assert len(raw) > 3 * settings.BODY_LIMIT_BYTES
    return raw


def test_a_long_record_is_checked(web: Server) -> None:
    answer = Guest(url=web.url).post("records/check", long_record())
    assert answer.status == 200
    assert answer["ok"] is True


def test_a_body_may_be_as_long_as_the_limit_and_no_longer(web: Server) -> None:
    longest = b"{}".ljust(settings.RECORD_LIMIT_BYTES)
    with wire(web.port) as client:
        assert client.ask("POST", CHECK, longest)["ok"] is False
        assert client.ask("POST", CHECK, longest + b" ").code == "too_large"
        assert client.is_closed()


def test_who_sends_more_before_reading_learns_why_all_the_same(web: Server) -> None:
    """Were the connection closed at once, what is still on its way would take the answer with it."""
    for _ in range(20):
        with wire(web.port) as client:
            assert client.ask("POST", CHECK, b" " * (3 * settings.RECORD_LIMIT_BYTES)).code == "too_large"


def test_the_longer_limit_is_for_this_address_alone(web: Server) -> None:
    with wire(web.port) as client:
        body = (
            json.dumps({"name": "Ann", "secret": "correct horse"})
            .encode()
            .ljust(settings.BODY_LIMIT_BYTES + 1)
        )
        assert client.ask("POST", f"{API}/sessions", body).code == "too_large"


def test_checks_hold_no_move_up(web: Server) -> None:
    [ann] = enter_all(1, web.url)
    checks = [
        Thread(target=Guest(url=web.url).post, args=("records/check", long_record())) for _ in range(24)
    ]
    for check in checks:
        check.start()
    tables = [ann.open("pickomino") for _ in range(5)]
    still_checking = [check.is_alive() for check in checks]
    for check in checks:
        check.join()
    assert len(set(tables)) == 5
    assert any(still_checking)
