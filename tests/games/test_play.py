"""Whole tables of every game, played over the API."""

import random

import pytest

from tests.conftest import Enter
from tests.people import Person


def play_out(people: list[Person], table: str, seed: int = 1) -> None:
    luck = random.Random(seed)
    shown = people[0].see(table)
    while shown["to_move"]:
        seat = luck.choice(shown["to_move"])
        mover = people[seat]
        moves = mover.see(table)["legal_moves"]
        answer = mover.move(table, luck.choice(moves))
        assert answer.status == 201, answer
        shown = answer.json


@pytest.mark.parametrize(
    ("game", "seats"), [("pickomino", 2), ("pickomino", 7), ("7776", 2), ("dominoes", 2), ("dominoes", 4)]
)
def test_a_table_is_played_from_entering_to_its_outcome(enter: Enter, game: str, seats: int) -> None:
    people = [enter() for _ in range(seats)]
    options = {"target": 0} if game == "dominoes" else {}
    table = people[0].open(game, capacity=seats, options=options)
    for person in people[1:]:
        assert person.sit(table).status == 201
    play_out(people, table)
    shown = people[0].see(table)
    assert shown["status"] == "finished"
    assert shown["outcome"]["reason"] == "played_out"
    assert len(shown["outcome"]["scores"]) == seats
    events = people[-1].events(table)
    assert [event["version"] for event in events] == list(range(1, len(events) + 1))
