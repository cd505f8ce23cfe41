"""`GET /tables/{id}/events?after=N`: what happened after a cursor."""

import pytest

from games.models import Event, Table
from tests.conftest import Enter
from tests.games.conftest import Wait
from tests.games.situations import TURN, begun, kinds, play, row
from tests.people import Person


def lengthen(table: str, count: int) -> None:
    """So many more events, as of a long game."""
    shown = row(table)
    Event.objects.bulk_create(
        Event(table=shown, number=number, kind="passed", seat=0, by="server", data={}, at=shown.created_at)
        for number in range(shown.version + 1, shown.version + count + 1)
    )
    Table.objects.filter(pk=table).update(version=shown.version + count)


def test_after_defaults_to_0(ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    answer = bob.get(f"tables/{table}/events")
    assert answer.status == 200
    assert answer.json == bob.get(f"tables/{table}/events?after=0").json
    assert [event["version"] for event in answer["events"]] == [1, 2, 3, 4, 5, 6]
    assert (answer["version"], answer["more"], answer["reset"]) == (6, False, False)
    assert answer.json.keys() == {"events", "version", "more", "reset"}


def test_events_after_the_cursor_only(ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    assert [event["version"] for event in bob.events(table, 4)] == [5, 6]
    answer = bob.get(f"tables/{table}/events?after=6")
    assert answer.json == {"events": [], "version": 6, "more": False, "reset": False}


def test_at_most_500_at_once(ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    lengthen(table, 1100)
    pages, after = [], 0
    while True:
        answer = bob.get(f"tables/{table}/events?after={after}")
        pages.append(len(answer["events"]))
        after = answer["events"][-1]["version"]
        if not answer["more"]:
            break
    assert pages == [500, 500, 106]
    assert after == answer["version"] == 1106


def test_exactly_500_are_all(ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    lengthen(table, 494)
    answer = bob.get(f"tables/{table}/events")
    assert (len(answer["events"]), answer["more"]) == (500, False)


@pytest.mark.parametrize("after", [7, 1000, 999_999_999, 10**17])
def test_pain_24_a_cursor_from_the_future_gets_reset_and_no_events(
    ann: Person, bob: Person, after: int
) -> None:
    table = begun("7776", [ann, bob])
    answer = bob.get(f"tables/{table}/events?after={after}")
    assert answer.json == {"events": [], "version": 6, "more": False, "reset": True}


@pytest.mark.parametrize(
    "query",
    [
        "after=-1",
        "after=x",
        "after=",
        "after=1.5",
        "after=1e3",
        "after=%00",
        "after=+1",
        "after=1%0A",
        "after=%D9%A1",
        "since=1",
    ],
)
def test_a_cursor_that_is_none_is_invalid(ann: Person, query: str) -> None:
    answer = ann.get(f"tables/{ann.open('7776')}/events?{query}")
    assert (answer.status, answer.code) == (400, "invalid")


def test_a_huge_cursor_is_no_fault_of_the_server(ann: Person) -> None:
    answer = ann.get(f"tables/{ann.open('7776')}/events?after={10**99}")
    assert (answer["events"], answer["reset"]) == ([], True)


def test_an_event_has_its_members(ann: Person, bob: Person) -> None:
    event = ann.events(begun("7776", [ann, bob]))[0]
    assert event.keys() == {"version", "kind", "seat", "by", "data", "at"}
    assert event["at"].endswith("Z")


def test_own_is_added_for_its_seat_alone(ann: Person, bob: Person, cid: Person) -> None:
    table = begun("dominoes", [ann, bob])
    for person, seat in ((ann, 0), (bob, 1), (cid, None)):
        dealt = [event for event in person.events(table) if event["kind"] == "dealt"]
        assert [("own" in event) for event in dealt] == [seat == 0, seat == 1]


def test_every_version_is_the_same_event_for_everybody_but_for_own(
    ann: Person, bob: Person, cid: Person
) -> None:
    table = begun("dominoes", [ann, bob], options={"target": 20})
    play([ann, bob], table, 40)
    heard = [[{**event, "own": None} for event in person.events(table)] for person in (ann, bob, cid)]
    assert heard[0] == heard[1] == heard[2]


def test_who_left_hears_what_a_watcher_hears(ann: Person, bob: Person, cid: Person) -> None:
    table = begun("dominoes", [ann, bob, cid])
    ann.delete(f"tables/{table}/seats/me")
    assert all("own" not in event for event in ann.events(table))


def test_of_a_private_table_a_stranger_learns_nothing(ann: Person, bob: Person) -> None:
    table = ann.open("dominoes", visibility="private")
    missing = bob.get("tables/00000000-0000-0000-0000-000000000000/events")
    assert missing.code == "not_found"
    assert bob.get(f"tables/{table}/events").json == missing.json


def test_who_has_not_entered_hears_nothing(ann: Person) -> None:
    assert Person().get(f"tables/{ann.open('7776')}/events").code == "not_authenticated"


def test_due_work_is_done_first_and_told(wait: Wait, enter: Enter) -> None:
    ann, bob = enter(), enter()
    table = begun("pickomino", [ann, bob])
    wait(TURN)
    assert [event["kind"] for event in bob.events(table)][-2:] == kinds(table)[-2:]
    assert "stand_in" in kinds(table)


def test_never_stored(ann: Person) -> None:
    answer = ann.get(f"tables/{ann.open('7776')}/events")
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("game", ["pickomino", "7776", "dominoes"])
def test_pain_23_versions_have_no_gaps_and_any_cursor_goes_on_from_there(
    ann: Person, bob: Person, game: str
) -> None:
    table = begun(game, [ann, bob])
    play([ann, bob], table, 25)
    whole = bob.events(table)
    assert [event["version"] for event in whole] == list(range(1, bob.see(table)["version"] + 1))
    for after in (1, 7, len(whole) - 1):
        assert bob.events(table, after) == whole[after:]


def test_pain_26_events_are_there_as_soon_as_the_move_is_answered(ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    answer = ann.move(table, "choose 1")
    assert bob.events(table)[-1]["version"] == answer["version"]
