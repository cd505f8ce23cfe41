"""`GET /tables/{id}/odds`: at a table with hints, what each of one's legal moves is worth."""

from typing import Any

import pytest

from config.throttles import Limit
from games import advice
from games.bots import BOTS, odds
from games.rules.registry import GAMES
from tests.conftest import Enter
from tests.games.rules.seeded import SeededChance
from tests.games.situations import as_json, begun, hands, last_round, play, put_state, state_of, unchanged
from tests.people import Answer, Person


def ask(person: Person, table: str) -> Answer:
    return person.get(f"tables/{table}/odds")


@pytest.mark.parametrize("game", GAMES)
def test_each_legal_move_has_a_value_and_the_best_is_named(ann: Person, bob: Person, game: str) -> None:
    table = begun(game, [ann, bob], hints=True)
    people = [ann, bob]
    play(people, table, 2)
    mover = people[ann.see(table)["to_move"][0]]
    seen, answer = mover.see(table), ask(mover, table)
    assert answer.status == 200
    assert [each["move"] for each in answer["moves"]] == seen["legal_moves"]
    values = {each["move"]: each["value"] for each in answer["moves"]}
    assert values[answer["best"]] == max(values.values())
    assert (answer["version"], answer["decision"]) == (seen["version"], seen["decision"])
    assert (answer["unit"], answer["detail"]) == (BOTS[game].UNIT, BOTS[game].DETAIL)
    assert all(each["detail"].keys() <= answer["detail"].keys() for each in answer["moves"])
    assert answer.headers["Cache-Control"] == "no-store"


def test_they_are_what_the_games_bots_say_of_the_seats_view(ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob], hints=True)
    state, game = state_of(table), GAMES["7776"]
    expected = odds("7776", game.view(state, 1), game.legal_moves(state, 1), seat=1)
    assert ask(bob, table)["moves"] == as_json(expected)


@pytest.mark.parametrize("game", GAMES)
def test_they_are_the_same_whatever_the_seat_may_not_know(ann: Person, bob: Person, game: str) -> None:
    table = begun(game, [ann, bob], hints=True)
    people, rules = [ann, bob], GAMES[game]
    play(people, table, 3)
    seat = ann.see(table)["to_move"][0]
    before, state, chance = ask(people[seat], table), state_of(table), SeededChance(3)
    for _ in range(5):
        put_state(table, rules.resample(state, seat, chance))
        after = ask(people[seat], table)
        assert (after["moves"], after["best"]) == (before["moves"], before["best"])


def test_another_seats_locked_choice_changes_nothing(ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob], hints=True)
    before = ask(ann, table).json
    bob.move(table, "choose 6")
    after = ask(ann, table).json
    assert after.pop("version") > before.pop("version")
    assert after == before


def test_the_tables_options_count(ann: Person, bob: Person) -> None:
    """With `draw_out` or without, `target` 0 or 100: what the game's bots get is the table's options."""
    table = begun("dominoes", [ann, bob], hints=True, options={"target": 0, "corners": False})
    put_state(table, hands(["6-4", "5-0"], ["3-3"], target=0, corners=False))
    assert [each["move"] for each in ask(ann, table)["moves"]] == ["lay 6-4", "lay 5-0"]


def test_asking_changes_nothing(ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob], hints=True)
    with unchanged(table):
        ask(ann, table)


# --- refusals


@pytest.mark.parametrize("fields", [{}, {"hints": False}])
def test_without_hints_there_are_none(ann: Person, bob: Person, fields: Any) -> None:
    answer = ask(ann, begun("7776", [ann, bob], **fields))
    assert (answer.status, answer.code) == (403, "hints_off")


def test_a_game_that_nobody_can_value_has_none(
    ann: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = begun("7776", [ann, bob], hints=True)
    monkeypatch.delitem(BOTS, "7776")
    assert ask(ann, table).code == "hints_off"


def test_they_are_for_who_sits_there(ann: Person, bob: Person, cid: Person) -> None:
    table = begun("7776", [ann, bob], hints=True)
    assert (ask(cid, table).status, ask(cid, table).code) == (403, "not_seated")
    assert ask(Person(), table).code == "not_authenticated"


def test_of_a_private_table_a_stranger_learns_nothing(ann: Person, bob: Person) -> None:
    table = ann.open("7776", visibility="private", hints=True)
    missing = bob.get("tables/00000000-0000-0000-0000-000000000000/odds")
    assert ask(bob, table).json == missing.json
    assert missing.code == "not_found"


def test_they_are_for_who_is_to_move(ann: Person, bob: Person) -> None:
    table = begun("pickomino", [ann, bob], hints=True)
    answer = ask(bob, table)
    assert (answer.status, answer.code) == (409, "not_your_turn")


def test_who_has_chosen_already_is_not_to_move(ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob], hints=True)
    ann.move(table, "choose 1")
    assert ask(ann, table).code == "not_your_turn"


def test_before_the_start_and_after_the_end_there_are_none(ann: Person, bob: Person) -> None:
    table = ann.open("7776", hints=True)
    assert (ask(ann, table).status, ask(ann, table).code) == (409, "not_playing")
    bob.sit(table)
    put_state(table, last_round())
    for person in (ann, bob):
        person.move(table, "choose major-sum")
    assert ask(ann, table).code == "not_playing"


def test_a_player_may_ask_so_often_in_a_minute(
    ann: Person, bob: Person, enter: Enter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(advice, "ODDS", Limit("test-odds", 2))
    table = begun("7776", [ann, bob], hints=True)
    answers = [ask(ann, table) for _ in range(3)]
    assert [answer.status for answer in answers] == [200, 200, 429]
    assert answers[-1].code == "throttled"
    assert int(answers[-1].headers["Retry-After"]) >= 1
    assert ask(bob, table).status == 200


# --- tables with hints


@pytest.mark.parametrize("hints", [True, False])
def test_a_table_says_whether_it_has_hints(ann: Person, bob: Person, hints: bool) -> None:
    table = ann.open("7776", hints=hints)
    assert ann.see(table)["hints"] is hints
    assert ann.get("tables?mine=true")["results"][0]["hints"] is hints
    assert bob.sit(table)["hints"] is hints


@pytest.mark.parametrize("hints", [None, 1, "true", []])
def test_hints_are_true_or_false(ann: Person, hints: Any) -> None:
    answer = ann.post("tables", {"game": "7776", "hints": hints})
    assert (answer.status, answer.code) == (400, "invalid")
    assert answer["errors"].keys() == {"hints"}


def test_a_quick_match_meets_only_who_wants_the_same(ann: Person, bob: Person, cid: Person) -> None:
    with_hints = ann.post("matches", {"game": "7776", "hints": True})
    without = bob.post("matches", {"game": "7776"})
    assert (with_hints["hints"], without["hints"]) == (True, False)
    assert without["id"] != with_hints["id"]
    met = cid.post("matches", {"game": "7776", "hints": True})
    assert (met["id"], met["status"]) == (with_hints["id"], "playing")


def test_without_saying_so_a_quick_match_has_no_hints(ann: Person, bob: Person, cid: Person) -> None:
    table = ann.post("matches", {"game": "7776", "hints": False})["id"]
    assert bob.post("matches", {"game": "7776"})["id"] == table


def test_a_rematch_has_them_again(ann: Person, bob: Person) -> None:
    for hints in (True, False):
        table = begun("7776", [ann, bob], hints=hints)
        put_state(table, last_round())
        for person in (ann, bob):
            person.move(table, "choose major-sum")
        assert ann.post(f"tables/{table}/rematch")["hints"] is hints
