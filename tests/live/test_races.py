"""What happens when requests meet: one server process, two of them, and the clock in between."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.conf import settings
from django.db import connection

from games.models import Seat, Table
from games.sweeps import sweep_tables
from tests.live.guests import (
    Call,
    Guest,
    at_once,
    enter_all,
    fresh_key,
    fresh_name,
    log_out,
    move,
    open_one,
    sit,
    stand,
    statuses,
)
from tests.live.servers import start_server
from tests.live.stored import check_whole, events_of, moves_of, numbers, run_out, seats_of
from tests.people import Answer

pytestmark = pytest.mark.django_db(transaction=True)

PAIRS = 200
TIMES = 15
Urls = Sequence[str]

# All of this comes from one address.
ENV = {"ENTRIES_PER_MINUTE": "1000000"}


@pytest.fixture(scope="module")
def both(django_db_setup: None) -> Iterator[Urls]:
    """Two server processes on one database, idle between the tests."""
    with start_server(ENV) as one, start_server(ENV) as other:
        yield [one.url, other.url]


@pytest.fixture(params=[1, 2], ids=["one process", "two processes"])
def urls(request: pytest.FixtureRequest, both: Urls) -> Urls:
    return both[: request.param]


def twice(act: Callable[[Guest], Call], who: Guest, urls: Urls) -> list[Answer]:
    """The same request of the same player from two connections, to two processes if there are."""
    return at_once(act(who.at(urls[0])), act(who.at(urls[-1])))


class Play:
    """Pickomino for two, with a fresh table whenever one is over."""

    def __init__(self, guests: list[Guest]) -> None:
        self.guests = guests
        self.tables: list[str] = []
        self.made = 0
        self.shown: Any = {"to_move": []}

    def next_move(self) -> tuple[Guest, str]:
        if not self.shown["to_move"]:
            self.tables.append(self.guests[0].open(capacity=2, turn_seconds=None))
            self.shown = self.guests[1].sit(self.tables[-1]).json
            self.made = 0
        [seat] = self.shown["to_move"]
        if seat != self.shown["you"]:
            self.shown = self.guests[seat].see(self.tables[-1])
        return self.guests[seat], self.shown["legal_moves"][0]

    def took_effect(self, answer: Answer) -> None:
        self.made += 1
        assert answer["number"] == self.made
        assert numbers(moves_of(self.tables[-1])) == list(range(1, self.made + 1))
        self.shown = answer.json


# pains 3, 4 and 6
def test_of_two_identical_moves_at_once_exactly_one_takes_effect(urls: Urls) -> None:
    play = Play(enter_all(2, *urls))
    for number in range(PAIRS):
        mover, text = play.next_move()
        table, shown = play.tables[-1], play.shown
        # With the version that the client saw, or, as a careless client would, without.
        version = shown["version"] if number % 2 else None
        answers = twice(lambda who: move(who, table, text, version), mover, urls)  # noqa: B023
        assert statuses(answers)[0] == 201, answers
        [late] = [answer for answer in answers if answer.status != 201]
        if version is None:
            assert late.code in {"not_your_turn", "illegal_move", "not_playing"}
        else:
            assert late.code in {"not_your_turn", "stale_version", "not_playing"}
        play.took_effect(next(answer for answer in answers if answer.status == 201))


# pain 2
def test_with_one_key_both_of_two_moves_at_once_are_answered_and_one_is_made(urls: Urls) -> None:
    play = Play(enter_all(2, *urls))
    for _ in range(PAIRS // 2):
        mover, text = play.next_move()
        table, version, key = play.tables[-1], play.shown["version"], fresh_key()
        answers = twice(lambda who: move(who, table, text, version, key), mover, urls)  # noqa: B023
        assert statuses(answers) == [201, 201]
        assert answers[0]["events"] == answers[1]["events"]
        assert answers[0]["number"] == answers[1]["number"]
        play.took_effect(answers[0])


# pain 18
def test_of_fifty_who_join_a_table_of_seven_at_once_seven_sit(urls: Urls) -> None:
    host, *others = enter_all(51, *urls)
    table = host.open(capacity=7)
    answers = at_once(*[sit(who, table) for who in others])
    check_full(table, 7, answers)


@pytest.mark.parametrize("capacity", range(2, 8))
def test_a_table_of_any_size_is_filled_exactly(both: Urls, capacity: int) -> None:
    host, *others = enter_all(12, *both)
    for _ in range(4):
        table = host.open(capacity=capacity)
        check_full(table, capacity, at_once(*[sit(who, table) for who in others]))


def check_full(table: str, capacity: int, answers: list[Answer]) -> None:
    seated = [answer for answer in answers if answer.status == 201]
    refused = [answer for answer in answers if answer.status != 201]
    assert sorted(answer["you"] for answer in seated) == list(range(1, capacity))
    assert {answer.status for answer in refused} <= {409}
    assert {answer.code for answer in refused} <= {"table_full", "not_open"}
    assert len(refused) == len(answers) - (capacity - 1)
    seats = seats_of(table)
    assert [seat.number for seat in seats] == list(range(capacity))
    assert len({seat.player_id for seat in seats}) == capacity
    assert events_of(table, "started").count() == 1


# pain 5
def test_both_choices_of_7776_at_the_same_instant_count(urls: Urls) -> None:
    pair = enter_all(2, *urls)
    rounds = 0
    while rounds < 100:
        table = pair[0].open("7776", turn_seconds=None)
        assert pair[1].sit(table).status == 201
        shown = pair[0].see(table)
        while shown["to_move"] and rounds < 100:
            text, version = shown["legal_moves"][0], shown["decision"]
            answers = at_once(*[move(who, table, text, version) for who in pair])
            assert statuses(answers) == [201, 201], answers
            rounds += 1
            shown = max((answer.json for answer in answers), key=lambda seen: seen["version"])
            assert [event["kind"] for event in shown["events"]][:2] == ["chose", "revealed"]
        check_whole(table)


# pain 20
def test_two_starts_at_once_deal_once(both: Urls) -> None:
    host, other = enter_all(2, *both)
    for _ in range(20):
        table = host.open("dominoes", capacity=4)
        assert other.sit(table).status == 201
        answers = twice(lambda who: Call(who, "POST", f"tables/{table}/start"), host, both)  # noqa: B023
        assert statuses(answers) == [200, 200]
        assert answers[0]["view"] == answers[1]["view"]
        assert events_of(table, "started").count() == 1
        assert events_of(table, "dealt").count() == 2


def test_a_start_and_the_last_join_at_once_deal_once(both: Urls) -> None:
    host, other, last = enter_all(3, *both)
    for _ in range(20):
        table = host.open("dominoes", capacity=3)
        assert other.sit(table).status == 201
        started, sat = at_once(Call(host, "POST", f"tables/{table}/start"), sit(last, table))
        assert started.status == 200
        assert sat.status == 201 or sat.code == "not_open"
        assert events_of(table, "started").count() == 1
        assert events_of(table, "dealt").count() == (3 if sat.status == 201 else 2)


def test_a_table_opened_twice_at_once_with_one_key_is_one_table(both: Urls) -> None:
    [host] = enter_all(1, *both)
    for number in range(1, 11):
        key = fresh_key()
        answers = twice(lambda who: open_one(who, key), host, both)  # noqa: B023
        assert statuses(answers) == [201, 201]
        assert answers[0]["id"] == answers[1]["id"]
        assert answers[0].headers["Location"] == answers[1].headers["Location"]
        assert Table.objects.count() == number


def test_one_key_for_two_different_tables_at_once_opens_one(both: Urls) -> None:
    [host] = enter_all(1, *both)
    for number in range(1, 11):
        key = fresh_key()
        answers = at_once(
            open_one(host.at(both[0]), key, capacity=2), open_one(host.at(both[-1]), key, capacity=3)
        )
        assert statuses(answers) == [201, 422]
        assert Table.objects.count() == number


# pain 19
@pytest.mark.parametrize("with_key", [False, True], ids=["without a key", "with a key"])
def test_one_player_who_sits_down_twice_at_once_gets_one_seat(both: Urls, with_key: bool) -> None:
    host, other = enter_all(2, *both)
    for _ in range(10):
        table = host.open(capacity=4)
        key = fresh_key() if with_key else None
        answers = twice(lambda who: sit(who, table, key=key), other, both)  # noqa: B023
        assert statuses(answers) == ([201, 201] if with_key else [200, 201])
        assert [answer["you"] for answer in answers] == [1, 1]
        assert seats_of(table).count() == 2
        assert events_of(table, "joined").count() == 2
        assert other.delete(f"tables/{table}/seats/me").status == 204
        assert host.delete(f"tables/{table}/seats/me").status == 204


def test_no_player_gets_past_the_limit_of_open_tables(both: Urls) -> None:
    player, *hosts = enter_all(6, *both)
    tables = [host.open(capacity=3) for host in hosts]
    opening = [open_one(player.at(both[number % 2])) for number in range(15)]
    joining = [sit(player.at(both[number % 2]), table) for number, table in enumerate(tables)]
    answers = at_once(*opening, *joining)
    refused = [answer for answer in answers if answer.status != 201]
    assert len(answers) - len(refused) == settings.OPEN_TABLES_PER_PLAYER
    assert {answer.code for answer in refused} == {"too_many_tables"}
    assert len(player.get("tables?mine=true")["results"]) == settings.OPEN_TABLES_PER_PLAYER


def test_a_new_name_entered_by_many_at_once_belongs_to_one_secret(both: Urls) -> None:
    for _ in range(10):
        name = fresh_name()
        # In other letters it is the same name.
        names = [name, name.upper(), name]
        entering = [
            Call(Guest(url=both[number % 2]), "POST", "sessions", {"name": written, "secret": secret})
            for secret in ("correct horse", "battery staple")
            for number, written in enumerate(names)
        ]
        answers = at_once(*entering)
        halves = sorted([statuses(answers[:3]), statuses(answers[3:])])
        assert halves == [[200, 200, 201], [409, 409, 409]]
        assert {answer.code for answer in answers if answer.status == 409} == {"name_taken"}
        assert len({answer["player"]["id"] for answer in answers if answer.status < 300}) == 1


def test_coming_back_while_logging_out_ends_one_way_or_the_other(both: Urls) -> None:
    for _ in range(TIMES):
        [player] = enter_all(1, *both)
        entering = Call(
            Guest(url=both[1]), "POST", "sessions", {"name": player.name, "secret": player.secret}
        )
        left, entered = at_once(log_out(player), entering)
        assert left.status == 204
        assert entered.status in {200, 201}
        # Whoever came back before the logout was logged out with it.
        still = Guest(token=entered["token"], url=both[0]).get("sessions/current").status
        assert still == 200 if entered.status == 201 else still == 401


def check_nobody_forgotten_sits() -> None:
    ghosts = Seat.objects.filter(kind=Seat.Kind.HUMAN, player=None, table__status=Table.Status.OPEN)
    assert not ghosts.exists()
    assert not Table.objects.filter(status=Table.Status.OPEN, seats=None).exists()


def test_a_logout_and_a_join_at_once_leave_no_seat_behind(both: Urls) -> None:
    [host] = enter_all(1, *both)
    for _ in range(TIMES):
        [player] = enter_all(1, *both)
        table = host.open(capacity=3)
        left, sat = at_once(log_out(player), sit(player.at(both[1]), table))
        assert left.status == 204
        assert sat.status in {201, 401}
        assert [seat["name"] for seat in host.see(table)["seats"]] == [host.name]
        check_nobody_forgotten_sits()
        assert host.delete(f"tables/{table}/seats/me").status == 204


def test_a_logout_and_the_last_join_at_once_leave_the_game_in_order(both: Urls) -> None:
    [host] = enter_all(1, *both)
    for _ in range(TIMES):
        [player] = enter_all(1, *both)
        table = host.open(capacity=2)
        left, sat = at_once(log_out(player), sit(player.at(both[1]), table))
        assert left.status == 204
        shown = host.see(table)
        if sat.status == 201:
            assert shown["outcome"]["reason"] == "forfeit"
            assert shown["outcome"]["winners"] == [0]
        else:
            assert sat.status == 401
            assert shown["status"] == "open"
            assert host.delete(f"tables/{table}/seats/me").status == 204


def test_a_logout_and_opening_a_table_at_once_leave_no_table_behind(both: Urls) -> None:
    for _ in range(TIMES):
        [player] = enter_all(1, *both)
        left, opened = at_once(log_out(player), open_one(player.at(both[1])))
        assert left.status == 204
        assert opened.status in {201, 401}
        assert not Table.objects.filter(status=Table.Status.OPEN).exists()
        check_nobody_forgotten_sits()


def test_a_logout_and_a_move_at_once_end_the_game_once(both: Urls) -> None:
    [host] = enter_all(1, *both)
    for _ in range(TIMES):
        [player] = enter_all(1, *both)
        table = host.open(capacity=2, options={"first": "seat_0"}, turn_seconds=None)
        assert player.sit(table).status == 201
        # Whose turn it is makes no difference to the race: both leave and move by turns.
        shown = host.see(table)
        mover = [host, player][shown["to_move"][0]]
        left, moved = at_once(log_out(player), move(mover.at(both[1]), table, "roll", shown["version"]))
        assert left.status == 204
        assert moved.status in {201, 401} or moved.code in {"not_seated", "not_playing"}
        assert host.see(table)["outcome"]["winners"] == [0]
        assert events_of(table, "finished").count() == 1
        assert len(numbers(moves_of(table))) == (1 if moved.status == 201 else 0)


def test_two_logouts_at_once_are_one(both: Urls) -> None:
    for _ in range(10):
        [host, player] = enter_all(2, *both)
        tables = [host.open(capacity=3) for _ in range(4)]
        for table in tables:
            assert player.sit(table).status == 201
        answers = twice(log_out, player, both)
        assert set(statuses(answers)) <= {204, 401}
        for table in tables:
            assert events_of(table, "left").count() == 1
        assert host.delete("sessions/current").status == 204


@pytest.mark.parametrize("leaver_moves", [True, False], ids=["its own", "another's"])
def test_leaving_and_a_move_at_once_both_find_a_whole_table(both: Urls, leaver_moves: bool) -> None:
    three = enter_all(3, *both)
    for _ in range(TIMES):
        table = three[0].open(capacity=3, turn_seconds=None)
        for other in three[1:]:
            assert other.sit(table).status == 201
        shown = three[0].see(table)
        seat = shown["to_move"][0]
        mover = three[seat]
        leaver = mover if leaver_moves else three[(seat + 1) % 3]
        left, moved = at_once(stand(leaver, table), move(mover.at(both[1]), table, "roll", shown["version"]))
        assert left.status == 204
        assert moved.status == 201 or (leaver_moves and moved.code == "not_seated")
        assert events_of(table, "left").count() == 1
        check_whole(table)
        assert moves_of(table).filter(by="player").count() == (moved.status == 201)
        for who in three:
            if who is not leaver:
                assert who.delete(f"tables/{table}/seats/me").status == 204


def sweep() -> None:
    try:
        sweep_tables()
    finally:
        connection.close()


# pain 38
@pytest.mark.parametrize("seconds", [-1, 0.03], ids=["late", "at the last moment"])
def test_the_clock_and_a_move_at_once_decide_a_turn_once(both: Urls, seconds: float) -> None:
    pair = enter_all(2, *both)
    for _ in range(TIMES):
        table = pair[0].open(capacity=2)
        assert pair[1].sit(table).status == 201
        shown = pair[0].see(table)
        seat = shown["to_move"][0]
        mover, other = pair[seat].at(both[0]), pair[1 - seat].at(both[1])
        run_out(table, seconds)
        with ThreadPoolExecutor(1) as sweeper:
            swept = sweeper.submit(sweep)
            moved, seen = at_once(
                move(mover, table, "roll", shown["version"]), Call(other, "GET", f"tables/{table}")
            )
            swept.result()
        assert seen.status == 200
        decided = moves_of(table).filter(first_version__lte=shown["version"] + 2)
        stood_in = events_of(table, "stand_in").exists()
        if moved.status == 201:
            assert not stood_in
            assert decided.get().by == "player"
        else:
            assert stood_in
            assert moved.code in {"stale_version", "not_your_turn"}
            assert decided.get().by == "stand_in"
        assert seconds >= 0 or stood_in
        assert other.delete(f"tables/{table}/seats/me").status == 204


def test_sweeps_at_once_relieve_a_seat_once(both: Urls) -> None:
    three = enter_all(3, *both)
    tables = []
    for _ in range(10):
        tables.append(three[0].open(capacity=3))
        for other in three[1:]:
            assert other.sit(tables[-1]).status == 201
        run_out(tables[-1])
    with ThreadPoolExecutor(4) as sweepers:
        for swept in [sweepers.submit(sweep) for _ in range(4)]:
            swept.result()
    for table in tables:
        assert events_of(table, "stand_in").count() == 1
        assert moves_of(table).filter(number=1).count() == 1
