"""People who look for each other at the same moment, at two server processes on one database."""

from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from uuid import UUID

import pytest

from games import course
from games.lock import lock_table
from games.models import Seat, Table
from tests.live.guests import Call, Guest, at_once, enter_all, fresh_key, log_out, sit, statuses
from tests.live.servers import start_server
from tests.live.stored import check_whole, events_of, row_of, seats_of

pytestmark = pytest.mark.django_db(transaction=True)

TIMES = 50
PLAYERS = 100
Urls = Sequence[str]

# All of this comes from one address.
ENV = {"ENTRIES_PER_MINUTE": "1000000"}


@pytest.fixture(scope="module")
def both(django_db_setup: None) -> Iterator[Urls]:
    """Two server processes on one database, idle between the tests."""
    with start_server(ENV) as one, start_server(ENV) as other:
        yield [one.url, other.url]


def match(who: Guest, game: str = "7776", key: str | None = None, **fields: object) -> Call:
    return Call(who, "POST", "matches", {"game": game, **fields}, key)


def rematch(who: Guest, table: str, key: str | None = None) -> Call:
    return Call(who, "POST", f"tables/{table}/rematch", {}, key)


def over(*people: Guest, game: str = "7776", capacity: int | None = None) -> str:
    """A table that is over, at which these people sit in this order."""
    table = people[0].open(game, capacity=capacity or len(people))
    for other in people[1:]:
        assert other.sit(table).status == 201
    if capacity:
        assert people[0].post(f"tables/{table}/start").status == 200
    with lock_table(UUID(table)) as ledger:
        course.end(ledger, "voided")
    return table


def leave(table: str, *people: Guest) -> None:
    """So that nobody sits at too many tables."""
    for who in people:
        assert who.delete(f"tables/{table}/seats/me").status == 204


def everybody_at_once(calls: Sequence[Call]) -> list[int]:
    """The statuses of more requests at one instant than the usual pool has threads for."""
    barrier = Barrier(len(calls))
    with ThreadPoolExecutor(len(calls)) as pool:
        return [answer.status for answer in pool.map(lambda call: call.make(barrier), calls)]


# --- quick match


@pytest.mark.parametrize("game", ["7776", "pickomino"])
def test_a_hundred_at_once_are_fifty_pairs(both: Urls, game: str) -> None:
    players = enter_all(PLAYERS, *both)
    assert everybody_at_once([match(who, game) for who in players]) == [201] * PLAYERS
    assert dict(Table.objects.values_list("status", "capacity")) == {"playing": 2}
    assert Table.objects.count() == PLAYERS // 2
    seated = Counter(Seat.objects.values_list("player_id", flat=True))
    assert len(seated) == PLAYERS
    assert set(seated.values()) == {1}
    assert set(Counter(Seat.objects.values_list("table_id", flat=True)).values()) == {2}
    for table in Table.objects.values_list("pk", flat=True):
        check_whole(str(table))


def test_two_who_ask_at_the_same_moment_meet(both: Urls) -> None:
    pair = enter_all(2, *both)
    for _ in range(TIMES):
        answers = at_once(*[match(who) for who in pair])
        assert statuses(answers) == [201, 201]
        [table] = {answer["id"] for answer in answers}
        assert {answer["you"] for answer in answers} == {0, 1}
        assert row_of(table).status == "playing"
        leave(table, *pair)
    assert Table.objects.count() == TIMES


def test_two_meet_though_one_names_what_the_other_leaves_open(both: Urls) -> None:
    pair = enter_all(2, *both)
    for _ in range(TIMES // 5):
        answers = at_once(match(pair[0], "dominoes"), match(pair[1], "dominoes", capacity=2))
        [table] = {answer["id"] for answer in answers}
        leave(table, *pair)


def test_one_who_asks_twice_at_once_waits_at_one_table(both: Urls) -> None:
    [player] = enter_all(1, *both)
    for _ in range(TIMES // 5):
        answers = at_once(*[match(player.at(url)) for url in both])
        assert statuses(answers) == [200, 201]
        [table] = {answer["id"] for answer in answers}
        assert seats_of(table).count() == 1
        leave(table, player)


def test_with_one_key_both_answers_are_the_same(both: Urls) -> None:
    [player] = enter_all(1, *both)
    for _ in range(TIMES // 5):
        key = fresh_key()
        answers = at_once(*[match(player.at(url), key=key) for url in both])
        assert statuses(answers) == [201, 201]
        [table] = {answer["id"] for answer in answers}
        assert seats_of(table).count() == 1
        leave(table, player)


def test_a_match_and_a_guest_who_sits_down_by_itself_do_not_share_a_seat(both: Urls) -> None:
    host, seeker, guest = enter_all(3, *both)
    for _ in range(TIMES // 2):
        table = host.open("7776")
        matched, sat = at_once(match(seeker), sit(guest, table))
        assert matched.status == 201
        seats = seats_of(table)
        assert [seat.number for seat in seats] == [0, 1]
        if sat.status == 201:
            assert matched["id"] != table
            leave(matched["id"], seeker)
        else:
            assert sat.code in {"not_open", "table_full"}
            assert matched["id"] == table
        leave(table, host)


def test_a_match_and_the_host_s_leaving_at_once_leave_nobody_at_a_closed_table(both: Urls) -> None:
    host, seeker = enter_all(2, *both)
    for _ in range(TIMES // 2):
        table = host.open("pickomino", capacity=3)
        left, matched = at_once(Call(host, "DELETE", f"tables/{table}/seats/me"), match(seeker, "pickomino"))
        assert left.status == 204
        assert matched.status == 201
        assert row_of(matched["id"]).status == "open"
        assert [seat.player_id for seat in seats_of(matched["id"])] == [UUID(player_id(seeker))]
        leave(matched["id"], seeker)


def player_id(who: Guest) -> str:
    return str(who.get("sessions/current")["player"]["id"])


def test_a_match_and_a_logout_at_once_leave_no_seat_behind(both: Urls) -> None:
    for _ in range(TIMES // 5):
        [player] = enter_all(1, *both)
        matched, gone = at_once(match(player.at(both[1])), log_out(player))
        assert gone.status == 204
        assert matched.status in {201, 401}
        assert not Table.objects.filter(status="open").exists()


def test_tickets_and_a_logout_at_once_are_no_fault(both: Urls) -> None:
    for _ in range(TIMES // 5):
        [player] = enter_all(1, *both)
        tickets = [Call(player.at(both[1]), "POST", "stream-tickets", {}) for _ in range(3)]
        gone, *asked = at_once(log_out(player), *tickets)
        assert gone.status == 204
        assert {answer.status for answer in asked} <= {201, 401}


# --- rematch


def test_both_who_want_a_rematch_at_the_same_moment_meet_on_their_seats(both: Urls) -> None:
    pair = enter_all(2, *both)
    table = over(*pair)
    first = 0
    for _ in range(TIMES):
        answers = at_once(*[rematch(who, table) for who in pair])
        assert statuses(answers) == [201, 201]
        [again] = {answer["id"] for answer in answers}
        first = 1 - first
        assert [answer["you"] for answer in answers] == [first, 1 - first]
        assert row_of(again).status == "playing"
        assert events_of(table, "rematch").count() == 1
        assert str(row_of(table).rematch) == again
        check_whole(table)
        with lock_table(UUID(again)) as ledger:
            course.end(ledger, "voided")
        table = again


def test_seven_at_once_all_sit_where_they_belong(both: Urls) -> None:
    people = enter_all(7, *both)
    for _ in range(TIMES // 10):
        table = over(*people, game="pickomino")
        answers = at_once(*[rematch(who, table) for who in people])
        assert statuses(answers) == [201] * 7
        assert len({answer["id"] for answer in answers}) == 1
        assert [answer["you"] for answer in answers] == [6, 0, 1, 2, 3, 4, 5]
        leave(answers[0]["id"], *people)


def test_one_who_asks_twice_at_once_sits_once(both: Urls) -> None:
    pair = enter_all(2, *both)
    for _ in range(TIMES // 5):
        table = over(*pair)
        answers = at_once(*[rematch(pair[0].at(url), table) for url in both])
        assert statuses(answers) == [200, 201]
        [again] = {answer["id"] for answer in answers}
        assert seats_of(again).count() == 1
        leave(again, pair[0])


def test_with_one_key_both_rematches_are_answered_alike(both: Urls) -> None:
    pair = enter_all(2, *both)
    for _ in range(TIMES // 5):
        table, key = over(*pair), fresh_key()
        answers = at_once(*[rematch(pair[0].at(url), table, key) for url in both])
        assert statuses(answers) == [201, 201]
        [again] = {answer["id"] for answer in answers}
        leave(again, pair[0])


def test_strangers_who_push_in_get_no_kept_seat(both: Urls) -> None:
    one, other, *strangers = enter_all(6, *both)
    for _ in range(TIMES // 5):
        table = over(one, other)
        again = one.post(f"tables/{table}/rematch")["id"]
        back, *pushed = at_once(
            rematch(other, table),
            *[sit(who, again) for who in strangers[:2]],
            *[match(who) for who in strangers[2:]],
        )
        assert (back.status, back["id"], back["you"]) == (201, again, 0)
        assert {answer.code for answer in pushed[:2]} <= {"table_full", "not_open"}
        assert [seat.number for seat in seats_of(again)] == [0, 1]
        [elsewhere] = {answer["id"] for answer in pushed[2:]}
        assert elsewhere != again
        leave(again, one, other)
        leave(elsewhere, *strangers[2:])


def test_a_rematch_while_the_first_is_being_left_finds_an_open_table(both: Urls) -> None:
    pair = enter_all(2, *both)
    for _ in range(TIMES // 2):
        table = over(*pair, game="pickomino", capacity=3)
        first = pair[0].post(f"tables/{table}/rematch")["id"]
        left, back = at_once(
            Call(pair[0], "DELETE", f"tables/{first}/seats/me"), rematch(pair[1].at(both[1]), table)
        )
        assert left.status == 204
        assert back.status == 201
        assert row_of(back["id"]).status == "open"
        leave(back["id"], pair[1])
