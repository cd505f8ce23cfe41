"""People who use the API in tests: each with a token and an address of its own."""

import itertools
import json
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpResponse

from tests.served import ServedClient

API = "/api/v1"
_client: Any = ServedClient()
_addresses = itertools.count(1)


def fresh_address() -> str:
    """An address that nobody used in this test run, so that no counter remembers it."""
    number = next(_addresses)
    return f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"


@dataclass
class Answer:
    """An answer as a client sees it."""

    status: int
    json: Any
    headers: Any

    def __getitem__(self, member: str) -> Any:
        return self.json[member]

    @property
    def code(self) -> str:
        """The code of a refusal, which must be a whole problem document."""
        assert self.headers["Content-Type"] == "application/problem+json", self
        assert {"type", "title", "status", "code", "detail"} <= self.json.keys(), self
        assert self.json["status"] == self.status, self
        return str(self.json["code"])


@dataclass
class Person:
    """Somebody with a client; with a token once entered."""

    name: str = ""
    token: str | None = None
    address: str = field(default_factory=fresh_address)
    secret: str = "correct horse"

    def get(self, path: str, **headers: str) -> Answer:
        return self.call("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Answer:
        return self.call("POST", path, body, **headers)

    def put(self, path: str, body: Any = None, **headers: str) -> Answer:
        return self.call("PUT", path, body, **headers)

    def delete(self, path: str, **headers: str) -> Answer:
        return self.call("DELETE", path, **headers)

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """Headers are given with underscores: `idempotency_key="k"`."""
        raw = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        names = {f"HTTP_{name.upper()}": value for name, value in headers.items() if name != "content_type"}
        if self.token is not None:
            names.setdefault("HTTP_AUTHORIZATION", f"Bearer {self.token}")
        response = _client.generic(
            method,
            path if path.startswith("/") else f"{API}/{path}",
            raw,
            content_type=headers.get("content_type", "application/json"),
            REMOTE_ADDR=self.address,
            **names,
        )
        return Answer(response.status_code, _json(response), response.headers)

    def enter(self) -> Answer:
        """Enter under one's name and secret, and keep the token."""
        answer = self.post("sessions", {"name": self.name, "secret": self.secret})
        if answer.status in (200, 201):
            self.token = answer["token"]
        return answer

    def open(self, game: str = "pickomino", **fields: Any) -> str:
        """Open a table; its id."""
        answer = self.post("tables", {"game": game, **fields})
        assert answer.status == 201, answer
        return str(answer["id"])

    def sit(self, table: str, **fields: Any) -> Answer:
        return self.post(f"tables/{table}/seats", fields)

    def move(self, table: str, move: str, **fields: Any) -> Answer:
        return self.post(f"tables/{table}/moves", {"move": move, **fields})

    def see(self, table: str) -> Any:
        """The table as this person sees it."""
        answer = self.get(f"tables/{table}")
        assert answer.status == 200, answer
        return answer.json

    def events(self, table: str, after: int = 0) -> list[Any]:
        answer = self.get(f"tables/{table}/events?after={after}")
        assert answer.status == 200, answer
        return list(answer["events"])


def _json(response: HttpResponse) -> Any:
    kind = response.headers.get("Content-Type", "")
    return json.loads(response.content) if "json" in kind and response.content else None


def seat_all(game: str, people: list[Person], **fields: Any) -> str:
    """A playing table at which these people sit in this order."""
    table = people[0].open(game, capacity=len(people), **fields)
    for person in people[1:]:
        assert person.sit(table).status == 201
    return table


def on_move(people: list[Person], table: str) -> Person:
    """The first of the people whose turn it is."""
    seat: int = people[0].see(table)["to_move"][0]
    return people[seat]
