"""`fairness` of a table: the commitment from its opening, the seed when it is over and never before."""

from hashlib import sha256
from typing import Any

import pytest

from games.models import Table
from games.sweeps import sweep_tables
from tests.conftest import Enter
from tests.games.conftest import Wait
from tests.games.situations import begun, play, put_tables, row
from tests.games.test_play import play_out
from tests.games.test_rematch import end
from tests.people import Person


def fairness(person: Person, table: str) -> Any:
    return person.see(table)["fairness"]


def assert_opened(shown: Any, before: Any) -> None:
    """The seed is the one that was committed to."""
    assert shown["commitment"] == before["commitment"]
    assert sha256(bytes.fromhex(shown["server_seed"])).hexdigest() == before["commitment"]


def test_an_open_table_shows_its_commitment_and_nothing_else(ann: Person, bob: Person) -> None:
    table = ann.open("7776")
    for person in (ann, bob):
        shown = fairness(person, table)
        assert shown == {"commitment": shown["commitment"], "client_seeds": [], "server_seed": None}
    assert shown["commitment"] == sha256(bytes(row(table).seed)).hexdigest()


def test_the_commitment_stays(ann: Person, bob: Person) -> None:
    table = ann.open("7776")
    before = fairness(ann, table)
    bob.sit(table)
    ann.move(table, "choose 1")
    shown = fairness(ann, table)
    assert shown == {**before, "client_seeds": [None, None]}


@pytest.mark.parametrize("game", ["pickomino", "7776", "dominoes"])
def test_pain_36_the_commitment_is_told_before_the_game_and_the_seed_after(enter: Enter, game: str) -> None:
    people = [enter(), enter()]
    table = begun(game, people, **({"options": {"target": 0}} if game == "dominoes" else {}))
    before = fairness(people[0], table)
    assert before["server_seed"] is None
    play_out(people, table)
    for person in (*people, enter()):
        assert_opened(fairness(person, table), before)


def test_so_does_one_that_the_others_left(ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    before = fairness(ann, table)
    bob.delete(f"tables/{table}/seats/me")
    assert_opened(fairness(ann, table), before)


@pytest.mark.parametrize("reason", ["abandoned", "voided"])
def test_so_does_one_that_was_ended_from_outside(ann: Person, bob: Person, reason: Any) -> None:
    table = begun("7776", [ann, bob])
    before = fairness(ann, table)
    end(table, reason)
    assert_opened(fairness(ann, table), before)


def test_so_does_a_table_that_closed_before_it_started(wait: Wait, ann: Person, bob: Person) -> None:
    table = ann.open("7776", client_seed="a0")
    before = fairness(ann, table)
    wait(1800)
    sweep_tables()
    shown = fairness(bob, table)
    assert_opened(shown, before)
    assert shown["client_seeds"] == []


def test_the_answer_that_ends_a_game_shows_it_at_once(ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    play([ann, bob], table, 31)
    [last] = ann.see(table)["to_move"]
    person = (ann, bob)[last]
    answer = person.move(table, person.see(table)["legal_moves"][0])
    assert answer["fairness"]["server_seed"] == bytes(row(table).seed).hex()


def test_every_table_has_a_seed_of_its_own(ann: Person, bob: Person) -> None:
    tables = [begun("7776", [ann, bob]) for _ in range(3)]
    end(tables[0])
    ann.post(f"tables/{tables[0]}/rematch")
    ann.post("matches", {"game": "pickomino"})
    put_tables(3, [])
    seeds = [bytes(seed) for seed in Table.objects.values_list("seed", flat=True) if seed]
    assert len(set(seeds)) == len(seeds) == 8
    assert {len(seed) for seed in seeds} == {32}


def test_a_table_that_is_older_than_this_proof_has_none_and_plays_on(ann: Person, bob: Person) -> None:
    table = begun("pickomino", [ann, bob])
    Table.objects.filter(pk=table).update(seed=None)
    assert ann.see(table)["fairness"] is None
    assert ann.move(table, "roll").status == 201
    end(table)
    assert ann.get(f"tables/{table}/record").code == "not_found"
    assert ann.get(f"tables/{table}/replay").status == 200
