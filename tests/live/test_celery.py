"""A real worker and beat: everything that happens without a request."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone
from redis import Redis

from config.celery import MESSAGES_KEPT
from games.models import Table
from sessions.models import Player, Sweep
from tests.conftest import Enter
from tests.live.guests import Guest, fresh_name
from tests.live.instances import Instance
from tests.live.servers import Running, start_part, start_server
from tests.live.stored import check_whole, events_of, moves_of, row_of, run_out, wait_for, waiting_locks
from tests.people import seat_all

pytestmark = pytest.mark.django_db(transaction=True)

IDLE = {"SESSION_IDLE_SECONDS": "5"}


@pytest.fixture
def valkey() -> Iterator[Instance]:
    """One of the test's own: messages in another would reach the workers of other tests."""
    with Instance("valkey") as instance:
        yield instance


@contextmanager
def celery(valkey: Instance, *names: str, **env: str) -> Iterator[list[Running]]:
    """The named parts of Celery; all have ended when the block has, and none had a mishap."""
    with ExitStack() as stack:
        started = [stack.enter_context(start_part(name, {"REDIS_URL": valkey.url, **env})) for name in names]
        yield started
    for part in started:
        assert "Traceback" not in part.log, part.log
        assert "ERROR" not in part.log, part.log


def swept_since(name: str) -> Callable[[], bool]:
    """A check whether a whole sweep has run from now on."""
    before = timezone.now()
    return lambda: Sweep.objects.filter(name=name, ran_at__gt=before).exists()


def test_without_a_request_the_clocks_of_all_tables_are_kept(valkey: Instance, enter: Enter) -> None:
    ann, bob, cid = enter(), enter(), enter()
    stale = ann.open()
    late = seat_all("pickomino", [ann, bob, cid])
    deserted = seat_all("pickomino", [ann, bob])
    while row_of(deserted).paused_at is None:
        run_out(deserted)
        assert ann.see(deserted)["status"] == "playing"
    made = moves_of(deserted).count()
    against_bot = ann.open("7776", turn_seconds=None)
    assert ann.post(f"tables/{against_bot}/bots", {}).status == 201
    left = seat_all("dominoes", [ann, bob, cid])
    assert bob.delete(f"tables/{left}/seats/me").status == 204
    for table in (stale, late, deserted):
        run_out(table)
    with celery(valkey, "worker", "beat"):
        wait_for(lambda: row_of(stale).status == Table.Status.CLOSED, "the close of a stale table")
        wait_for(lambda: events_of(late, "stand_in").exists(), "the stand-in of a seat that is late")
        wait_for(lambda: events_of(against_bot, "chose").exists(), "the choice of a bot")
        wait_for(lambda: row_of(deserted).status == Table.Status.ABANDONED, "the end of a deserted table")
    assert [made.by for made in moves_of(against_bot)] == ["bot"]
    assert moves_of(late)[0].by == "stand_in"
    assert moves_of(deserted).count() == made
    for table in (stale, late, deserted, against_bot, left):
        check_whole(table)


def test_an_abandoned_session_is_forgotten_and_one_that_plays_on_is_not(valkey: Instance) -> None:
    env = {"REDIS_URL": valkey.url, "ENTRIES_PER_MINUTE": "1000000", **IDLE}
    with start_server(env) as web, celery(valkey, "worker", "beat", **IDLE):
        stays, goes = (Guest(fresh_name(), url=web.url) for _ in range(2))
        assert stays.enter().status == goes.enter().status == 201
        table = stays.open()
        assert goes.sit(table).status == 201
        begun = timezone.now()
        wait_for(
            lambda: (
                stays.get("sessions/current").status == 200
                and Player.objects.filter(folded=goes.name.casefold()).count() == 0
            ),
            "the end of an abandoned session",
        )
        # That long it may be away, and not for less.
        assert timezone.now() - begun >= timedelta(seconds=5)
        assert [seat["name"] for seat in stays.see(table)["seats"]] == [stays.name]
        assert goes.get("sessions/current").status == 401
        assert Guest(goes.name, secret="another secret", url=web.url).enter().status == 201
        until = timezone.now() + timedelta(seconds=6)
        wait_for(
            lambda: stays.get("sessions/current").status == 200 and timezone.now() > until,
            "more than the idle time",
        )
        assert stays.see(table)["you"] == 0
    assert Player.objects.filter(folded=stays.name.casefold()).exists()


def test_two_workers_and_two_beats_do_everything_once(valkey: Instance, enter: Enter) -> None:
    three = [enter() for _ in range(3)]
    tables = [seat_all("pickomino", three) for _ in range(15)]
    leavers = [enter() for _ in range(6)]
    opened = [leaver.open() for leaver in leavers]
    for table in opened:
        assert three[0].sit(table).status == 201
    Player.objects.filter(name__in=[leaver.name for leaver in leavers]).update(expires_at=timezone.now())
    for table in tables:
        run_out(table)
    # Players are looked for once in a tenth of the idle time.
    with celery(valkey, "worker", "worker", "beat", "beat", SESSION_IDLE_SECONDS="10"):
        wait_for(lambda: not Player.objects.filter(expires_at__lte=timezone.now()).exists(), "expiry")
        wait_for(lambda: all(moves_of(table).exists() for table in tables), "stand-ins everywhere")
        for _ in range(3):
            wait_for(swept_since("tables"), "another sweep")
    for table in tables:
        assert events_of(table, "stand_in").count() == 1
        check_whole(table)
    for table in opened:
        assert events_of(table, "left").count() == 1
        assert events_of(table, "host_changed").count() == 1
        check_whole(table)


def test_messages_do_not_pile_up_while_no_worker_runs(valkey: Instance, enter: Enter) -> None:
    late = seat_all("pickomino", [enter(), enter(), enter()])
    run_out(late)
    with Redis.from_url(valkey.url) as queue, celery(valkey, "beat") as [beat]:
        wait_for(lambda: queue.llen("celery") >= 3, "messages")
        [message] = queue.lrange("celery", 0, 0)
        # As many as beat says in a night.
        queue.lpush("celery", *[message] * 30_000)
        wait_for(lambda: queue.llen("celery") == MESSAGES_KEPT, "the end of old messages")
        assert events_of(late, "stand_in").count() == 0
        assert beat.process.poll() is None
        with celery(valkey, "worker"):
            wait_for(lambda: moves_of(late).exists(), "a worker at work")
            wait_for(lambda: queue.llen("celery") <= 2, "an empty queue")
    assert events_of(late, "stand_in").count() == 1


def test_what_a_killed_worker_left_the_next_one_does(valkey: Instance, enter: Enter) -> None:
    three = [enter() for _ in range(3)]
    tables = [seat_all("pickomino", three) for _ in range(5)]
    for table in tables:
        run_out(table)
    with celery(valkey, "beat"):
        with transaction.atomic(), connection.cursor() as cursor:
            # The sweep gets as far as writing what happened at the first table.
            cursor.execute("LOCK TABLE games_event IN SHARE MODE")
            with celery(valkey, "worker") as [worker]:
                wait_for(waiting_locks, "a sweep in the middle of its work")
                worker.kill()
        assert not any(events_of(table, "stand_in").exists() for table in tables)
        with celery(valkey, "worker"):
            wait_for(lambda: all(moves_of(table).exists() for table in tables), "all that was left")
    for table in tables:
        assert events_of(table, "stand_in").count() == 1
        check_whole(table)
