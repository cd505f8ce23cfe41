"""People who reach a real server over HTTP, and requests that they send at the same instant."""

import itertools
import json
import logging
import uuid
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from threading import Barrier
from typing import Any, Self

import httpx

from tests.people import API, Answer, Person

AT_MOST = 64  # requests at once
logging.getLogger("httpx").setLevel(logging.WARNING)  # else a line for each request

PATIENCE = 60  # seconds, for one answer on a machine with much else to do

_http = httpx.Client(
    trust_env=False, timeout=PATIENCE, limits=httpx.Limits(max_connections=4 * AT_MOST, keepalive_expiry=5)
)
_threads = ThreadPoolExecutor(AT_MOST)
_numbers = itertools.count(1)


def fresh_name() -> str:
    return f"Guest {next(_numbers)}x"


@dataclass
class Guest(Person):
    """Somebody whose requests go through a socket to `url`."""

    url: str = field(kw_only=True)

    def at(self, url: str) -> Self:
        """The same person with the same token, at another process."""
        return replace(self, url=url)

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        return self._answer(method, path, _raw(body), headers)

    def call_together(
        self, barrier: Barrier, method: str, path: str, body: Any = None, **headers: str
    ) -> Answer:
        """Send everything but the last byte, and that when all others are as far."""
        raw = _raw(body) or b"{}"

        def parts() -> Iterator[bytes]:
            yield raw[:-1]
            barrier.wait(PATIENCE)
            yield raw[-1:]

        return self._answer(method, path, parts(), {**headers, "content_length": str(len(raw))})

    def _answer(
        self, method: str, path: str, content: bytes | Iterator[bytes], headers: dict[str, str]
    ) -> Answer:
        path = path if path.startswith("/") else f"{API}/{path}"
        sent = {"Content-Type": "application/json"} if content else {}
        if self.token is not None:
            sent["Authorization"] = f"Bearer {self.token}"
        sent |= {name.replace("_", "-").title(): value for name, value in headers.items()}
        response = _http.request(method, f"{self.url}{path}", content=content, headers=sent)
        return answer_from(response)


def answer_from(response: httpx.Response) -> Answer:
    kind = response.headers.get("Content-Type", "")
    held = json.loads(response.content) if "json" in kind and response.content else None
    return Answer(response.status_code, held, response.headers)


def _raw(body: Any) -> bytes:
    return body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()


def enter_all(count: int, *urls: str) -> list[Guest]:
    """So many new guests, in turn at each of the servers."""
    guests = [
        Guest(fresh_name(), url=url) for url, _ in zip(itertools.cycle(urls), range(count), strict=False)
    ]
    for answer in _threads.map(Guest.enter, guests):
        assert answer.status == 201, answer
    return guests


@dataclass(frozen=True)
class Call:
    """A request that somebody is about to make."""

    who: Guest
    method: str
    path: str
    body: Any = None
    key: str | None = None

    def make(self, barrier: Barrier) -> Answer:
        headers = {} if self.key is None else {"idempotency_key": self.key}
        return self.who.call_together(barrier, self.method, self.path, self.body, **headers)


def at_once(*calls: Call) -> list[Answer]:
    """Make all these requests at the same instant; no answer may be a fault of the server."""
    barrier = Barrier(len(calls))
    answers = list(_threads.map(lambda call: call.make(barrier), calls))
    for answer in answers:
        assert answer.status < 500, answer
        if answer.status >= 400:
            assert answer.code
    return answers


def in_parallel(act: Callable[[Guest], Answer], guests: Sequence[Guest]) -> list[Answer]:
    """Let all of them do the same, each when its thread gets to it."""
    return list(_threads.map(act, guests))


def fresh_key() -> str:
    return uuid.uuid4().hex


def sit(who: Guest, table: str, **rest: Any) -> Call:
    return Call(who, "POST", f"tables/{table}/seats", **rest)


def stand(who: Guest, table: str) -> Call:
    return Call(who, "DELETE", f"tables/{table}/seats/me")


def move(who: Guest, table: str, text: str, version: int | None = None, key: str | None = None) -> Call:
    body = {"move": text} if version is None else {"move": text, "version": version}
    return Call(who, "POST", f"tables/{table}/moves", body, key)


def open_one(who: Guest, key: str | None = None, **fields: Any) -> Call:
    return Call(who, "POST", "tables", {"game": "pickomino", **fields}, key)


def log_out(who: Guest) -> Call:
    return Call(who, "DELETE", "sessions/current")


def statuses(answers: Sequence[Answer]) -> list[int]:
    return sorted(answer.status for answer in answers)
