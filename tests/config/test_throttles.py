"""Throttles: counted in Valkey for all processes together, and nobody's trouble when it is away."""

import logging
from collections.abc import Iterator
from uuid import uuid4

import pytest
from django.conf import settings
from limits import RateLimitItem, RateLimitItemPerMinute
from redis import Redis

from config import throttles
from config.errors import Throttled
from config.throttles import CODE_LOOKS, Throttle
from tests.config.running import free_port
from tests.people import Person

TWICE = RateLimitItemPerMinute(2, namespace="test-throttles")


@pytest.fixture
def valkey() -> Iterator[Redis]:
    with Redis.from_url(settings.REDIS_URL) as valkey:
        yield valkey


@pytest.fixture
def who() -> str:
    """Somebody whom nobody counted yet, in no process."""
    return str(uuid4())


def admitted(throttle: Throttle, who: str, limit: RateLimitItem = TWICE) -> bool:
    try:
        throttle.admit(limit, who)
    except Throttled:
        return False
    return True


def test_so_much_is_admitted_in_a_minute_and_no_more(who: str) -> None:
    throttle = Throttle(settings.REDIS_URL)
    assert [admitted(throttle, who) for _ in range(4)] == [True, True, False, False]


def test_each_one_is_counted_apart(who: str) -> None:
    throttle = Throttle(settings.REDIS_URL)
    assert [admitted(throttle, who) for _ in range(3)] == [True, True, False]
    assert admitted(throttle, f"{who}-2")


def test_all_processes_count_together(who: str) -> None:
    one, two = Throttle(settings.REDIS_URL), Throttle(settings.REDIS_URL)
    assert [admitted(one, who), admitted(two, who), admitted(one, who)] == [True, True, False]


def test_the_refusal_tells_when_there_is_room_again(who: str) -> None:
    throttle = Throttle(settings.REDIS_URL)
    for _ in range(2):
        throttle.admit(TWICE, who)
    with pytest.raises(Throttled) as refused:
        throttle.admit(TWICE, who)
    assert 1 <= refused.value.retry_after <= 60


def test_the_counts_are_in_valkey_and_go_by_themselves(who: str, valkey: Redis) -> None:
    Throttle(settings.REDIS_URL).admit(TWICE, who)
    keys = list(valkey.scan_iter(f"*{who}*"))
    assert keys
    assert all(0 < valkey.ttl(key) <= 120 for key in keys)


def test_looks_for_a_code_are_counted_there_by_player(ann: Person, valkey: Redis) -> None:
    player = ann.get("sessions/current")["player"]["id"]
    ann.post("tables/by-code", {"code": "00000000"})
    (key,) = valkey.scan_iter(f"*{CODE_LOOKS.namespace}*{player}*")
    assert CODE_LOOKS.namespace.encode() in key
    assert b"Ann" not in key


def test_looks_for_a_code_are_throttled_for_one_and_not_for_another(ann: Person, bob: Person) -> None:
    code = bob.see(bob.open(visibility="private"))["code"]
    answers = [ann.post("tables/by-code", {"code": code}) for _ in range(settings.CODE_LOOKS_PER_MINUTE + 1)]
    assert [answer.status for answer in answers] == [200] * settings.CODE_LOOKS_PER_MINUTE + [429]
    assert answers[-1].code == "throttled"
    assert answers[-1].headers["Retry-After"]
    assert bob.post("tables/by-code", {"code": code}).status == 200


def test_entering_is_counted_by_a_hidden_address(db: None, valkey: Redis) -> None:
    ann = Person("Ann", address="203.0.113.77")
    ann.enter()
    assert list(valkey.scan_iter("*203.0.113.77*")) == []
    assert list(valkey.scan_iter("*Ann*")) == []


@pytest.fixture
def away() -> Throttle:
    """A throttle whose Valkey is not there."""
    return Throttle(f"redis://127.0.0.1:{free_port()}/0")


def test_without_valkey_everybody_is_admitted_with_a_line_in_the_log(
    away: Throttle, who: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        assert all(admitted(away, who) for _ in range(10))
    (line,) = caplog.messages
    assert "Valkey is away" in line
    assert who not in line


def test_without_valkey_it_is_asked_again_only_after_a_rest(
    away: Throttle, who: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(throttles, "REST_SECONDS", 0.0)
    with caplog.at_level(logging.WARNING):
        assert all(admitted(away, who) for _ in range(3))
    assert len(caplog.messages) == 3


def test_without_valkey_the_api_goes_on(away: Throttle, ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.api.throttle", away)
    monkeypatch.setattr("sessions.api.throttle", away)
    code = ann.see(ann.open(visibility="private"))["code"]
    for _ in range(settings.CODE_LOOKS_PER_MINUTE + 5):
        assert ann.post("tables/by-code", {"code": code}).status == 200
    assert Person("Ann").enter().status == 200
