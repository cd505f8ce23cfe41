"""Throttles: counted in Valkey for all processes together, and nobody's trouble when it is away."""

import logging
import re
from collections.abc import Iterator
from uuid import uuid4

import pytest
from django.conf import settings
from redis import Redis

from config import metrics
from config import valkey as valkeys
from config.errors import Throttled
from config.throttles import CODE_LOOKS, MINUTE, NEIGHBOURS, Limit, Throttle
from config.valkey import Valkey
from tests.config.running import free_port
from tests.people import Person
from tests.together import together

TWICE = Limit("test-throttles", 2)


@pytest.fixture
def valkey() -> Iterator[Redis]:
    with Redis.from_url(settings.REDIS_URL) as valkey:
        yield valkey


@pytest.fixture
def throttle() -> Throttle:
    return Throttle(Valkey(settings.REDIS_URL))


@pytest.fixture
def who() -> str:
    """Somebody whom nobody counted yet, in no process."""
    return str(uuid4())


def admitted(throttle: Throttle, who: str, limit: Limit = TWICE) -> bool:
    try:
        throttle.admit({limit: who})
    except Throttled:
        return False
    return True


def left(headers: dict[str, str]) -> list[int]:
    return [int(number) for number in re.findall(r";r=(\d+)", headers["RateLimit"])]


def test_so_much_is_admitted_in_a_minute_and_no_more(throttle: Throttle, who: str) -> None:
    assert [admitted(throttle, who) for _ in range(4)] == [True, True, False, False]


def test_each_one_is_counted_apart(throttle: Throttle, who: str) -> None:
    assert [admitted(throttle, who) for _ in range(3)] == [True, True, False]
    assert admitted(throttle, f"{who}-2")


def test_all_processes_count_together(who: str) -> None:
    one, two = (Throttle(Valkey(settings.REDIS_URL)) for _ in range(2))
    assert [admitted(one, who), admitted(two, who), admitted(one, who)] == [True, True, False]


def test_requests_at_the_same_instant_do_not_share_a_place(who: str) -> None:
    throttles = [Throttle(Valkey(settings.REDIS_URL)) for _ in range(8)]
    for each in throttles:
        admitted(each, f"{who}-before")
    answers = together(*(lambda each=each: admitted(each, who) for each in throttles))
    assert sorted(answers) == [False] * 6 + [True] * 2


def test_a_session_is_counted_before_its_address_and_takes_no_more_from_it(
    throttle: Throttle, who: str
) -> None:
    address, neighbour = f"{who}-address", f"{who}-neighbour"
    for _ in range(2):
        throttle.admit({TWICE: who, TWICE.neighbours: address})
    for _ in range(50):
        with pytest.raises(Throttled):
            throttle.admit({TWICE: who, TWICE.neighbours: address})
    told = throttle.admit({TWICE: neighbour, TWICE.neighbours: address})
    assert left(told) == [1, 2 * NEIGHBOURS - 3]


def test_an_address_that_is_used_up_takes_nothing_from_the_session(throttle: Throttle, who: str) -> None:
    full, session = Limit("test-full", 1), Limit("test-session", 5)
    throttle.admit({full: who})
    for _ in range(3):
        with pytest.raises(Throttled):
            throttle.admit({session: who, full: who})
    assert left(throttle.admit({session: who})) == [4]


def test_the_refusal_tells_when_there_is_room_again(throttle: Throttle, who: str) -> None:
    for _ in range(2):
        throttle.admit({TWICE: who})
    with pytest.raises(Throttled) as refused:
        throttle.admit({TWICE: who})
    assert 1 <= refused.value.retry_after <= MINUTE / 2
    assert left(dict(refused.value.headers)) == [0]


def test_the_headers_tell_the_policy_and_what_is_left(throttle: Throttle, who: str) -> None:
    told = [throttle.admit({TWICE: who}) for _ in range(2)]
    assert [left(headers) for headers in told] == [[1], [0]]
    assert told[0]["RateLimit-Policy"] == '"test-throttles";q=2;w=60'
    assert re.fullmatch(r'"test-throttles";r=1;t=(29|30)', told[0]["RateLimit"])


def test_the_counts_are_in_valkey_and_go_by_themselves(throttle: Throttle, who: str, valkey: Redis) -> None:
    throttle.admit({TWICE: who})
    keys = list(valkey.scan_iter(f"*{who}*"))
    assert keys
    assert all(0 < valkey.ttl(key) <= MINUTE + 1 for key in keys)


def test_looks_for_a_code_are_counted_there_by_player(ann: Person, valkey: Redis) -> None:
    player = ann.get("sessions/current")["player"]["id"]
    answer = ann.post("tables/by-code", {"code": "00000000"})
    [key] = valkey.scan_iter(f"*:{CODE_LOOKS.name}:{player}*")
    assert b"Ann" not in key
    quota = settings.CODE_LOOKS_PER_MINUTE
    assert answer.status == 404
    assert answer.headers["RateLimit"].startswith(f'"code";r={quota - 1};t=')
    assert f'"code-address";q={NEIGHBOURS * quota};w=60' in answer.headers["RateLimit-Policy"]


def test_looks_for_a_code_are_throttled_for_one_and_not_for_another(ann: Person, bob: Person) -> None:
    code = bob.see(bob.open(visibility="private"))["code"]
    answers = [ann.post("tables/by-code", {"code": code}) for _ in range(settings.CODE_LOOKS_PER_MINUTE + 1)]
    assert [answer.status for answer in answers] == [200] * settings.CODE_LOOKS_PER_MINUTE + [429]
    assert answers[-1].code == "throttled"
    assert answers[-1].headers["Retry-After"]
    assert '"code";r=0' in answers[-1].headers["RateLimit"]
    assert bob.post("tables/by-code", {"code": code}).status == 200


def test_tables_matches_and_rematches_are_counted_together(ann: Person) -> None:
    table = ann.open()
    answers = [
        ann.post("matches", {"game": "7776"}),
        ann.post(f"tables/{table}/rematch", {}),
        ann.post("tables", {"game": "dominoes"}),
    ]
    most = settings.TABLES_PER_MINUTE
    assert [answer.headers["RateLimit"].split(";")[1] for answer in answers] == [
        f"r={most - n}" for n in (2, 3, 4)
    ]


def test_tickets_are_counted(ann: Person) -> None:
    answer = ann.post("stream-tickets", {})
    assert answer.headers["RateLimit"].startswith(f'"ticket";r={settings.TICKETS_PER_MINUTE - 1};')


def test_moves_and_looks_are_not_counted(ann: Person) -> None:
    table = ann.open()
    for answer in (ann.get(f"tables/{table}"), ann.move(table, "roll"), ann.get("tables")):
        assert "RateLimit" not in answer.headers


def test_entering_is_counted_by_a_hidden_address(db: None, valkey: Redis) -> None:
    ann = Person("Ann", address="203.0.113.77")
    ann.enter()
    assert list(valkey.scan_iter("*203.0.113.77*")) == []
    assert list(valkey.scan_iter("*Ann*")) == []


@pytest.fixture
def away() -> Throttle:
    """A throttle whose Valkey is not there."""
    return Throttle(Valkey(f"redis://127.0.0.1:{free_port()}/0"))


def passed_uncounted() -> float:
    [family] = metrics.THROTTLES_OPEN.collect()
    return family.samples[0].value


def test_without_valkey_everybody_is_admitted_with_a_line_in_the_log_and_a_count(
    away: Throttle, who: str, caplog: pytest.LogCaptureFixture
) -> None:
    before = passed_uncounted()
    with caplog.at_level(logging.WARNING):
        assert all(admitted(away, who) for _ in range(10))
    [line] = caplog.messages
    assert "Valkey is away" in line
    assert who not in line
    assert passed_uncounted() - before == 10


def test_without_valkey_it_is_asked_again_only_after_a_rest(
    away: Throttle, who: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(valkeys, "REST_SECONDS", 0.0)
    with caplog.at_level(logging.WARNING):
        assert all(admitted(away, who) for _ in range(3))
    assert len(caplog.messages) == 3


def test_without_valkey_the_api_goes_on(away: Throttle, ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sessions.views.throttle", away)
    code = ann.see(ann.open(visibility="private"))["code"]
    for _ in range(settings.CODE_LOOKS_PER_MINUTE + 5):
        answer = ann.post("tables/by-code", {"code": code})
        assert answer.status == 200
        assert "RateLimit" not in answer.headers
    assert Person("Ann").enter().status == 200
