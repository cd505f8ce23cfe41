"""Celery, Valkey and PostgreSQL are away, or go and come back in the middle of everything."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from datetime import timedelta
from threading import Event as Flag
from typing import Any

import psycopg
import pytest
from django.utils import timezone

from config.embedded.process import ROOT
from games.models import Table
from sessions.models import Player, Sweep
from tests.live.guests import Guest, enter_all, fresh_key, fresh_name
from tests.live.instances import Instance
from tests.live.listener import watch
from tests.live.servers import free_port, start_part, start_server
from tests.live.stored import check_whole, moves_of, row_of, run_out, wait_for
from tests.people import Answer

pytestmark = pytest.mark.django_db(transaction=True)

# What a player decides, as the events of Pickomino tell it.
MADE = {"rolled", "saved", "collected", "stole"}
ENV = {"ENTRIES_PER_MINUTE": "1000000"}


@pytest.fixture
def valkey() -> Iterator[Instance]:
    with Instance("valkey") as instance:
        yield instance


def three_at(url: str, **fields: Any) -> tuple[list[Guest], str]:
    """Three guests at a playing table, in the order of their seats."""
    guests = enter_all(3, url)
    table = guests[0].open(capacity=3, **fields)
    for guest in guests[1:]:
        assert guest.sit(table).status == 201
    return guests, table


def everything_works(url: str) -> None:
    """People enter, come back, look, join by a code, play, leave and log out."""
    guests, table = three_at(url)
    host, other, _ = guests
    assert Guest(host.name, url=url).enter().status == 200
    assert len(host.get("tables?mine=true")["results"]) == 1
    private = host.open("dominoes", visibility="private", capacity=2)
    code = host.see(private)["code"]
    assert other.post("tables/by-code", {"code": code}).status == 200
    assert other.sit(private, code=code).status == 201
    mover = guests[host.see(table)["to_move"][0]]
    assert mover.move(table, "roll").status == 201
    against_bot = host.open("7776", turn_seconds=None)
    assert host.post(f"tables/{against_bot}/bots", {}).status == 201
    assert other.delete(f"tables/{private}/seats/me").status == 204
    assert host.see(private)["outcome"]["reason"] == "forfeit"
    for guest in guests:
        assert guest.delete("sessions/current").status == 204


def the_clock_is_kept_by_requests(url: str) -> None:
    """Nobody but the requests themselves does what is due."""
    guests, table = three_at(url)
    seat = guests[0].see(table)["to_move"][0]
    late, others = guests[seat], [guest for guest in guests if guest is not guests[seat]]
    run_out(table)
    # A look at the table is enough, and a move that comes late meets what the stand-in did.
    shown = others[0].see(table)
    assert [taken["stand_in"] for taken in shown["seats"]].index(True) == seat
    assert moves_of(table)[0].by == "stand_in"
    assert late.move(table, "roll", version=4).code in {"stale_version", "not_your_turn"}
    # The stand-in goes on at the next looks, after its pause.
    wait_for(
        lambda: others[0].see(table)["to_move"] != [seat] or row_of(table).status != "playing",
        "the end of the stand-in's turn",
    )
    assert late.post(f"tables/{table}/seats/me/return").status == 200
    check_whole(table)
    stale = late.open()
    run_out(stale)
    assert stale not in {listed["id"] for listed in others[0].get("tables")["results"]}
    assert others[0].sit(stale).code == "not_open"
    assert late.see(stale)["status"] == "closed"


def parts_of(url: str) -> Any:
    """What `/readyz` says of each part."""
    return Guest(url=url).get("/readyz")["checks"]


def test_without_celery_and_without_valkey_everything_works() -> None:
    nobody_there = f"redis://127.0.0.1:{free_port()}/0"
    with start_server({**ENV, "REDIS_URL": nobody_there}) as web:
        everything_works(web.url)
        the_clock_is_kept_by_requests(web.url)
        ready = parts_of(web.url)
        assert not ready["bus"]["ok"]
        assert "never ran" in ready["tables_sweep"]["detail"]
    assert "Traceback" not in web.log


def test_what_piled_up_without_celery_is_done_once_it_is_there(valkey: Instance) -> None:
    env = {**ENV, "REDIS_URL": valkey.url}
    with start_server(env) as web:
        guests, late = three_at(web.url)
        stale = guests[0].open()
        against_bot = guests[1].open("7776", turn_seconds=None)
        assert guests[1].post(f"tables/{against_bot}/bots", {}).status == 201
        [gone] = enter_all(1, web.url)
        assert gone.sit(stale).status == 201
    run_out(late)
    run_out(stale)
    # Whoever is forgotten leaves its seats in order, at the table that is over by now too.
    Player.objects.filter(folded=gone.name.casefold()).update(
        expires_at=timezone.now() - timedelta(hours=5), last_seen=timezone.now() - timedelta(hours=29)
    )
    with ExitStack() as stack:
        env["SESSION_IDLE_SECONDS"] = "10"
        parts = [stack.enter_context(start_part(name, env)) for name in ("worker", "beat")]
        wait_for(lambda: row_of(stale).status == Table.Status.CLOSED, "the close of a stale table")
        wait_for(lambda: moves_of(late).exists(), "the move of a stand-in")
        wait_for(lambda: moves_of(against_bot).exists(), "the move of a bot")
        wait_for(lambda: not Player.objects.filter(folded=gone.name.casefold()).exists(), "the forgetting")
    for part in parts:
        assert "Traceback" not in part.log, part.log
    for table in (late, stale, against_bot):
        check_whole(table)


# pains 22 and 29
@pytest.mark.parametrize("end", [Instance.stop, Instance.freeze], ids=["stopped", "frozen"])
def test_valkey_may_go_and_come_back(valkey: Instance, end: Callable[[Instance], None]) -> None:
    env = {**ENV, "REDIS_URL": valkey.url}
    with ExitStack() as stack:
        web = stack.enter_context(start_server(env))
        for name in ("worker", "beat"):
            stack.enter_context(start_part(name, env))
        wait_for(swept_since, "a first sweep")
        _, table = three_at(web.url)
        end(valkey)
        everything_works(web.url)
        the_clock_is_kept_by_requests(web.url)
        assert not parts_of(web.url)["bus"]["ok"]
        valkey.start()
        run_out(table)
        # The same worker and beat are at work again, with no request to help them.
        wait_for(lambda: moves_of(table).exists(), "the move of a stand-in")
        wait_for(swept_since, "another sweep")
        wait_for(lambda: parts_of(web.url)["bus"]["ok"], "the bus")
        everything_works(web.url)
    check_whole(table)
    assert "Traceback" not in web.log


def swept_since() -> bool:
    return Sweep.objects.filter(name="tables", ran_at__gt=timezone.now() - timedelta(seconds=2)).exists()


# --- PostgreSQL ----------------------------------------------------------------------------------


class Pair:
    """Two who play on whatever happens, as good clients do: the same request again until it is answered."""

    def __init__(self, url: str) -> None:
        self.guests = enter_all(2, url)
        self.table = self.guests[0].open(capacity=2, turn_seconds=None)
        assert self.guests[1].sit(self.table).status == 201
        self.acknowledged: list[int] = []
        self.refused: list[Answer] = []
        self.enough = Flag()
        self.given_up = Flag()

    def play(self) -> None:
        while not self.enough.is_set():
            shown = self._insist(self.guests[0], "GET", f"tables/{self.table}")
            if not shown["to_move"]:
                break
            mover = self.guests[shown["to_move"][0]]
            shown = self._insist(mover, "GET", f"tables/{self.table}")
            body = {"move": shown["legal_moves"][0], "version": shown["version"]}
            made = self._insist(
                mover, "POST", f"tables/{self.table}/moves", body, idempotency_key=fresh_key()
            )
            self.acknowledged.append(made["number"])

    def _insist(self, who: Guest, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        while True:
            answer = who.call(method, path, body, **headers)
            if answer.status < 300:
                return answer
            self.refused.append(answer)
            assert answer.status == 503, answer
            assert not self.given_up.wait(0.1)

    def check(self) -> None:
        """All that was acknowledged is there, once, and nothing else."""
        assert self.acknowledged == list(range(1, len(self.acknowledged) + 1))
        events = self.guests[0].events(self.table)
        assert [event["version"] for event in events] == list(range(1, len(events) + 1))
        decided = [event for event in events if event["by"] == "player" and event["kind"] in MADE]
        assert len(decided) == len(self.acknowledged)


@pytest.mark.timeout(300)  # each refusal waits for a connection first
@pytest.mark.parametrize("end", [Instance.stop, Instance.kill], ids=["stopped", "killed"])
def test_postgresql_may_go_and_come_back(end: Callable[[Instance], None]) -> None:
    with Instance("postgres") as postgres, Instance("valkey") as valkey, ExitStack() as stack:
        env = {**ENV, "DATABASE_URL": postgres.url, "REDIS_URL": valkey.url}
        migrate(env)
        web = stack.enter_context(start_server(env))
        parts = [stack.enter_context(start_part(name, env)) for name in ("worker", "beat")]
        wait_for(lambda: swept_at(postgres.url), "a first sweep")
        pairs = [Pair(web.url) for _ in range(4)]
        crowd = stack.enter_context(ThreadPoolExecutor(2 * len(pairs)))
        for pair in pairs:
            stack.callback(pair.given_up.set)
        playing = [crowd.submit(pair.play) for pair in pairs]
        wait_for(lambda: all(pair.acknowledged for pair in pairs) or failed(playing), "first moves")
        end(postgres)
        wait_for(lambda: all(pair.refused for pair in pairs) or failed(playing), "refusals")
        guest = pairs[0].guests[0]
        asking = [
            crowd.submit(Guest(fresh_name(), url=web.url).enter),
            crowd.submit(guest.get, "tables"),
            crowd.submit(guest.post, "tables", {"game": "7776"}),
            crowd.submit(guest.delete, "sessions/current"),
            crowd.submit(guest.get, f"tables/{pairs[0].table}/stream"),
            crowd.submit(guest.get, f"tables/{pairs[0].table}/events?after=0&wait=1"),
            crowd.submit(guest.get, "stream"),
        ]
        for asked in asking:
            check_unavailable(asked.result())
        anybody = Guest(url=web.url)
        assert anybody.get("/readyz").status == 503
        assert anybody.get("/healthz").status == 200
        postgres.start()
        seen = [len(pair.acknowledged) for pair in pairs]
        wait_for(
            lambda: (
                all(len(pair.acknowledged) > before for pair, before in zip(pairs, seen, strict=True))
                or failed(playing)
            ),
            "moves again",
        )
        for pair in pairs:
            pair.enough.set()
        for future in playing:
            future.result()
        for pair in pairs:
            pair.check()
            for answer in pair.refused:
                check_unavailable(answer)
        # All of it goes on, with the same processes.
        wait_for(lambda: anybody.get("/readyz").status == 200, "readiness")
        with watch(guest, pairs[0].table) as stream:
            assert stream.next().data["table"]["id"] == pairs[0].table
        before = swept_at(postgres.url)
        wait_for(lambda: swept_at(postgres.url) > before, "another sweep")
        assert [part.process.poll() for part in (web, *parts)] == [None] * 3


def failed(playing: list[Future[None]]) -> bool:
    return any(future.done() and future.exception() for future in playing)


def check_unavailable(answer: Answer) -> None:
    assert answer.status == 503, answer
    assert answer.code == "unavailable"
    assert int(answer.headers["Retry-After"]) >= 1


def migrate(env: Mapping[str, str]) -> None:
    argv = [sys.executable, "manage.py", "migrate", "--noinput", "--verbosity", "0"]
    subprocess.run(argv, cwd=ROOT, env={**os.environ, **env}, check=True, timeout=100)


def swept_at(url: str) -> Any:
    """When Celery last swept the tables, as the database has it."""
    with psycopg.connect(url) as connection:
        found = connection.execute("SELECT ran_at FROM players_sweep WHERE name = 'tables'").fetchone()
    return found and found[0]
