"""People who play on and on, and clients that follow a table over every cut."""

import contextlib
import random
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Event as Flag
from typing import Any

import httpx

from tests.live.guests import PATIENCE, Guest, fresh_key
from tests.live.listener import Listener, watch
from tests.people import Answer


@dataclass
class Play:
    """A game that some people play, each move sent again until it is answered."""

    people: Sequence[Guest]
    table: str
    urls: Sequence[str]
    pause: float
    enough: Flag = field(default_factory=Flag)
    moves: int = 0

    def go_on(self) -> None:
        chance = random.Random(5)
        shown = self._insist(self.people[0], "GET", f"tables/{self.table}").json
        while shown["status"] == "playing" and not self.enough.is_set():
            mover = self.people[shown["to_move"][0]]
            legal = self._insist(mover, "GET", f"tables/{self.table}").json["legal_moves"]
            if not legal:
                shown = self._insist(mover, "GET", f"tables/{self.table}").json
                continue
            body = {"move": chance.choice(legal)}
            answer = self._insist(
                mover, "POST", f"tables/{self.table}/moves", body, idempotency_key=fresh_key()
            )
            assert answer.status == 201, answer
            shown = answer.json
            self.moves += 1
            time.sleep(self.pause)

    def _insist(self, who: Guest, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """Ask again, at any of the servers, until there is an answer: what was lost, or not yet possible."""
        deadline = time.monotonic() + PATIENCE
        while True:
            for url in self.urls:
                with contextlib.suppress(httpx.TransportError):
                    answer = who.at(url).call(method, path, body, **headers)
                    if answer.status != 503:
                        return answer
            assert time.monotonic() < deadline, "nobody answers"
            time.sleep(0.05)


@contextlib.contextmanager
def playing(people: Sequence[Guest], table: str, urls: Sequence[str], pause: float = 0.02) -> Iterator[Play]:
    """These people play as long as the block lasts."""
    play = Play(people, table, urls, pause)
    with ThreadPoolExecutor(1) as thread:
        done = thread.submit(play.go_on)
        try:
            yield play
        finally:
            play.enough.set()
            done.result(PATIENCE)


@dataclass
class Follower:
    """A client that resumes after its last version whenever it is cut. Keeps every version that it saw."""

    who: Guest
    table: str
    urls: Sequence[str]
    seen: list[int] = field(default_factory=list)
    shown: Any = None
    last_id: int | None = None
    cuts: int = 0
    resets: int = 0

    def follow(self, seconds: float, *, messages: int = 1_000_000, cut: bool = True) -> None:
        """Listen at the next server for a while, or until so many messages came, then be cut."""
        url = self.urls[self.cuts % len(self.urls)]
        self.cuts += 1
        headers = {} if self.last_id is None else {"last_event_id": str(self.last_id)}
        try:
            listener = Listener(
                url,
                f"tables/{self.table}/stream",
                authorization=f"Bearer {self.who.token}",
                **headers,
            )
        except OSError:
            time.sleep(0.02)
            return
        listener.listen(seconds, messages)
        self._note(listener)
        if cut:
            listener.reset()
        else:
            listener.close()

    def catch_up(self) -> None:
        """Follow until what it shows is what a fresh GET shows."""
        deadline = time.monotonic() + PATIENCE
        while True:
            fresh = self._fresh()
            if fresh is not None and self.last_id == fresh["version"]:
                break
            assert time.monotonic() < deadline, (self.last_id, fresh and fresh["version"])
            self.follow(0.3, cut=False)
        # One more message at this version, for who is connected may have changed since.
        with watch(self.who.at(self._alive()), self.table, self.last_id) as listener:
            shown = listener.next().data["table"]
        assert still(shown) == still(fresh)
        assert still(self.shown) == still(fresh)

    def check(self) -> None:
        """Every version once, in order."""
        assert self.seen == list(range(1, len(self.seen) + 1))
        assert self.resets == 0

    def _note(self, listener: Listener) -> None:
        for message in listener.messages:
            if message.name == "reset":
                self.resets += 1
            if message.name:
                assert message.id is not None
                self.seen += message.versions
                self.last_id, self.shown = message.id, message.data["table"]

    def _fresh(self) -> Any:
        for url in self.urls:
            with contextlib.suppress(httpx.TransportError):
                answer = self.who.at(url).get(f"tables/{self.table}")
                if answer.status == 200:
                    return answer.json
        return None

    def _alive(self) -> str:
        for url in self.urls:
            with contextlib.suppress(httpx.TransportError):
                httpx.get(f"{url}/healthz", trust_env=False)
                return url
        raise AssertionError("no server answers")


def still(shown: Any) -> Any:
    """A table but for who is connected, which changes without a version."""
    seats = [{**seat, "connected": None} for seat in shown["seats"]]
    return {**shown, "seats": seats}
