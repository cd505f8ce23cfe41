"""Tables and records keep the rules that they began under, whatever the server plays by now."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest
from django.db import connection

from config.embedded.process import ROOT
from games.models import Table
from games.rules import registry
from games.rules.dice7776 import Dice7776, State
from games.rules.dominoes import Dominoes
from games.rules.game import Game, IllegalMove, Move, Seat, encode, options_from, replay
from games.rules.registry import GAMES, UnknownRules, game_of
from games.sweeps import sweep_tables
from sessions.models import Player
from tests.conftest import Enter
from tests.games.conftest import Wait
from tests.games.situations import (
    TURN,
    as_json,
    begun,
    kinds,
    moves_of,
    play,
    row,
    seats_of,
    unchanged,
)
from tests.people import Person

FORBIDDEN = "choose major-sum"


class Later7776(Dice7776):
    """The rule that changed: a sum can't be chosen in the first round."""

    rules_version: ClassVar[int] = 2

    def legal_moves(self, state: State, seat: Seat) -> Sequence[Move]:
        moves = super().legal_moves(state, seat)
        return moves if state.history else tuple(move for move in moves if not move.endswith("-sum"))


@dataclass(frozen=True, slots=True)
class FewerOptions:
    """Those of dominoes but for the ones that are gone."""

    target: int = 100


class LaterDominoes(Dominoes):
    """Dominoes with fewer options, and for three at most."""

    rules_version: ClassVar[int] = 2
    options_type: ClassVar[type] = FewerOptions
    seats: ClassVar[range] = range(2, 4)


Change = Callable[[Game[Any, Any]], None]


@pytest.fixture
def change(monkeypatch: pytest.MonkeyPatch) -> Change:
    """Has the server come back with other rules, and keep those that it had."""

    def change(later: Game[Any, Any]) -> None:
        monkeypatch.setattr(registry, "EARLIER", (*registry.EARLIER, GAMES[later.slug]))
        monkeypatch.setitem(GAMES, later.slug, later)

    return change


def replayed(table: str, game: Game[Any, Any]) -> object:
    """What the history of a table leads to under these rules, as it would be stored."""
    stored = row(table)
    moves = [(move.seat, move.move, move.chance) for move in moves_of(table)]
    options = options_from(game, stored.options)
    return as_json(encode(replay(game, len(seats_of(table)), options, stored.start_chance, moves)))


def test_a_running_table_goes_on_under_the_rules_it_began_under(
    ann: Person, bob: Person, change: Change
) -> None:
    table = begun("7776", [ann, bob])
    change(Later7776())
    assert FORBIDDEN in ann.see(table)["legal_moves"]
    assert ann.move(table, FORBIDDEN).status == 201
    assert row(table).rules_version == 1


def test_an_open_table_starts_under_the_rules_it_was_opened_with(
    ann: Person, bob: Person, change: Change
) -> None:
    table = ann.open("7776")
    change(Later7776())
    assert bob.sit(table).status == 201
    assert bob.move(table, FORBIDDEN).status == 201


def test_a_new_table_is_played_under_the_rules_that_are_current(
    ann: Person, bob: Person, change: Change
) -> None:
    change(Later7776())
    table = begun("7776", [ann, bob])
    assert row(table).rules_version == 2
    assert ann.move(table, FORBIDDEN).code == "illegal_move"


def test_pain_34_a_recorded_table_replays_under_its_own_rules_and_no_others(
    ann: Person, bob: Person, change: Change
) -> None:
    table = begun("7776", [ann, bob])
    for person in (ann, bob):
        assert person.move(table, FORBIDDEN).status == 201
    play([ann, bob], table, 30)
    assert row(table).outcome["reason"] == "played_out"
    change(Later7776())
    assert ann.see(table)["view"]["history"][0]["choices"] == ["major-sum", "major-sum"]
    assert replayed(table, game_of("7776", row(table).rules_version)) == row(table).state
    with pytest.raises(IllegalMove):
        replayed(table, GAMES["7776"])


def test_a_rematch_is_a_new_table_and_keeps_the_options_that_there_still_are(
    ann: Person, bob: Person, change: Change
) -> None:
    table = begun("dominoes", [ann, bob], options={"target": 0, "corners": False})
    bob.delete(f"tables/{table}/seats/me")
    change(LaterDominoes())
    again = ann.post(f"tables/{table}/rematch")
    assert (again.status, again["options"]) == (201, {"target": 0})
    assert row(again["id"]).rules_version == 2


def test_a_rematch_that_the_current_rules_do_not_take_is_refused(enter: Enter, change: Change) -> None:
    people = [enter() for _ in range(4)]
    table = begun("dominoes", people)
    for person in people[1:]:
        person.delete(f"tables/{table}/seats/me")
    change(LaterDominoes())
    with unchanged(table):
        answer = people[0].post(f"tables/{table}/rematch")
    assert (answer.code, list(answer["errors"])) == ("invalid", ["capacity"])


def test_a_quick_match_seats_nobody_at_a_table_of_earlier_rules(
    ann: Person, bob: Person, change: Change
) -> None:
    waiting = ann.post("matches", {"game": "7776"})["id"]
    change(Later7776())
    found = bob.post("matches", {"game": "7776"})["id"]
    assert row(found).rules_version == 2
    # Who waits there already is not sent to another one.
    assert ann.post("matches", {"game": "7776"})["id"] == waiting


def test_a_game_that_is_offered_no_more_is_played_to_its_end(
    ann: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = begun("7776", [ann, bob])
    monkeypatch.setattr(registry, "EARLIER", (GAMES["7776"],))
    monkeypatch.delitem(GAMES, "7776")
    assert ann.post("tables", {"game": "7776"}).code == "invalid"
    play([ann, bob], table, 32)
    assert ann.see(table)["outcome"]["reason"] == "played_out"
    assert ann.post(f"tables/{table}/rematch").code == "invalid"


# --- rules that this server does not have


def forget_rules(table: str) -> None:
    """As if a later server had opened this table, of which this one knows nothing."""
    Table.objects.filter(pk=table).update(rules_version=99)


def remember_rules(table: str) -> None:
    Table.objects.filter(pk=table).update(rules_version=1)


def test_what_needs_rules_that_are_not_here_is_refused_and_logged(
    ann: Person, bob: Person, caplog: pytest.LogCaptureFixture
) -> None:
    table = begun("7776", [ann, bob])
    forget_rules(table)
    with unchanged(table):
        for answer in (
            ann.get(f"tables/{table}"),
            ann.move(table, "choose 1"),
            ann.post(f"tables/{table}/seats/me/return"),
            ann.post(f"tables/{table}/start"),
        ):
            assert (answer.status, answer.code) == (503, "unavailable")
            assert "rules" in answer["detail"]
            assert "Retry-After" in answer.headers
    said = [record.getMessage() for record in caplog.records if record.name == "games.ledger"]
    assert len(said) == 4
    assert all(table in line and "no rules of 7776 in version 99" in line for line in said)


def test_such_a_table_is_still_listed_and_its_events_are_told(ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    forget_rules(table)
    assert table in [entry["id"] for entry in ann.get("tables?mine=true")["results"]]
    assert ann.enter().status == 200
    assert [event["version"] for event in bob.events(table)] == list(range(1, row(table).version + 1))


def test_its_clock_stands_still_and_holds_up_no_other(wait: Wait, enter: Enter) -> None:
    people = [enter(), enter()]
    stuck, other = (begun("7776", people) for _ in range(2))
    forget_rules(stuck)
    wait(TURN)
    with unchanged(stuck):
        # A sweep that takes one table at a time takes the other one.
        sweep_tables(batch=1)
    assert kinds(other)[-2:] == ["stand_in", "stand_in"]
    remember_rules(stuck)
    sweep_tables()
    assert kinds(stuck)[-2:] == ["stand_in", "stand_in"]


def test_one_may_leave_it_and_be_forgotten_and_it_ends_once_its_rules_are_back(
    wait: Wait, enter: Enter
) -> None:
    people = [enter(), enter()]
    table = begun("7776", people)
    forget_rules(table)
    assert people[1].delete("sessions/current").status == 204
    assert not Player.objects.filter(name=people[1].name).exists()
    assert (kinds(table)[-1], row(table).status) == ("left", "playing")
    remember_rules(table)
    wait(TURN)
    # What happens to a table whose time is over would be a stand-in, were the game not decided.
    shown = people[0].see(table)
    assert kinds(table)[-2:] == ["left", "finished"]
    assert (shown["outcome"]["reason"], shown["outcome"]["winners"]) == ("forfeit", [0])


def test_the_operators_page_tells_how_to_find_such_tables(ann: Person, bob: Person) -> None:
    tables = [begun("7776", [ann, bob]) for _ in range(2)]
    forget_rules(tables[0])
    page = (ROOT / "docs" / "operators.md").read_text()
    [query] = re.findall(r"^```sql\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    with connection.cursor() as cursor:
        cursor.execute(query)
        assert ("7776", 99, 1) in cursor.fetchall()


def test_there_is_no_game_of_a_version_that_never_was() -> None:
    assert game_of("7776", 1) is GAMES["7776"]
    for slug, version in (("7776", 2), ("chess", 1)):
        with pytest.raises(UnknownRules):
            game_of(slug, version)


def test_the_current_rules_are_not_among_the_earlier_ones() -> None:
    assert all(game.rules_version < GAMES[game.slug].rules_version for game in registry.EARLIER)
