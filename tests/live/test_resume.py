"""Clients that are cut, servers that are killed, stores that restart: no version is missed or told twice."""

import random
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.live.followers import Follower, playing
from tests.live.guests import Guest, enter_all
from tests.live.listener import watch
from tests.live.outage import Stores
from tests.live.servers import Server, start_server

CUTS = 100
ENV = {"ENTRIES_PER_MINUTE": "1000000", "STREAM_THREADS": "3", "DATABASE_POOL_SIZE": "8"}


@pytest.fixture(scope="module")
def stores() -> Iterator[Stores]:
    with Stores() as stores:
        stores.migrate()
        yield stores


@pytest.fixture(scope="module")
def pair(stores: Stores) -> Iterator[list[Server]]:
    """Two web processes on one database; which ones these are may change."""
    servers: list[Server] = []
    try:
        for _ in range(2):
            servers.append(start_server({**ENV, **stores.env}))
        yield servers
    finally:
        for server in servers:
            server.stop()


def seat_two(urls: list[str], **options: object) -> tuple[list[Guest], Guest, str]:
    """Two at a long game of dominoes, a watcher, and the table."""
    *people, watcher = enter_all(3, urls[0])
    table = people[0].open("dominoes", capacity=2, options={"target": 1000}, **options)
    assert people[1].at(urls[-1]).sit(table).status == 201
    return people, watcher, table


def test_pain_23_a_client_cut_100_times_sees_every_version_once(pair: list[Server]) -> None:
    urls = [pair[0].url]
    people, watcher, table = seat_two(urls)
    seated, watching = (Follower(who, table, urls) for who in (people[1], watcher))
    with playing(people, table, urls) as play, ThreadPoolExecutor(2) as threads:
        assert all(threads.map(cut_often, (seated, watching)))
    assert play.moves > 10
    for follower in (seated, watching):
        follower.catch_up()
        follower.check()
    assert seated.seen == watching.seen
    assert len(seated.seen) > play.moves


def cut_often(follower: Follower) -> bool:
    """Before the first byte, in the middle of it all, or after some messages: `retry` is the first."""
    chance = random.Random(1)
    for _ in range(CUTS):
        messages = chance.choice([1, 2, 2, 3])
        follower.follow(chance.random() * 0.01 if messages == 1 else 2, messages=messages)
    return bool(follower.seen)


def keep_following(follower: Follower, seconds: float) -> None:
    chance = random.Random(2)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        follower.follow(chance.random() * 0.2, cut=chance.random() < 0.5)


def test_both_processes_are_killed_in_turn(stores: Stores, pair: list[Server]) -> None:
    urls = [server.url for server in pair]
    people, watcher, table = seat_two(urls)
    followers = [Follower(who, table, urls) for who in (people[0], watcher)]
    with playing(people, table, urls) as play:
        for turn in range(2):
            for follower in followers:
                keep_following(follower, 0.5)
            pair[turn].kill()
            for follower in followers:
                keep_following(follower, 0.5)
            pair[turn] = start_server({**ENV, **stores.env}, port=pair[turn].port)
    assert play.moves > 20
    for follower in followers:
        follower.catch_up()
        follower.check()


@pytest.mark.parametrize("store", ["valkey", "postgres"])
def test_pain_22_a_store_restarts_in_the_middle(stores: Stores, pair: list[Server], store: str) -> None:
    urls = [server.url for server in pair]
    people, watcher, table = seat_two(urls)
    followers = [Follower(who, table, urls) for who in (people[0], watcher)]
    # Streams that were there before and stay: what the restart hid from them comes besides.
    with watch(watcher.at(urls[0]), table) as one, watch(people[1].at(urls[1]), table) as other:
        with playing(people, table, urls) as play:
            for follower in followers:
                keep_following(follower, 0.5)
            stores.restart_valkey() if store == "valkey" else stores.restart_postgres()
            while play.moves <= 20:
                for follower in followers:
                    keep_following(follower, 0.5)
        version = people[0].see(table)["version"]
        for stream in (one, other):
            stream.wait_for_version(version)
            assert stream.versions == list(range(1, version + 1))
    assert play.moves > 20
    for follower in followers:
        follower.catch_up()
        follower.check()
