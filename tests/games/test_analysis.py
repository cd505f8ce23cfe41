"""`GET /tables/{id}/analysis`: made once, when asked for first, by Celery; then kept."""

from typing import Any

import pytest

from config.celery import app
from config.throttles import Limit
from games import advice
from games.analyses import MOST, REST, make_analyses
from games.bots import BOTS
from games.bots.dice7776_rest import EVERY, worth
from games.models import Analysis
from games.rules.dice7776 import COMBINATIONS
from games.rules.registry import GAMES
from games.tasks import make_analyses as make_analyses_task
from tests.conftest import Enter
from tests.games.conftest import Wait
from tests.games.situations import PAUSE, TURN, begun, moves_of, play, row
from tests.people import Answer, Person


def ask(person: Person, table: str) -> Answer:
    return person.get(f"tables/{table}/analysis")


def over(game: str, people: list[Person], **fields: Any) -> str:
    """A table that was played to its end, with any legal moves."""
    if game == "dominoes":
        fields["options"] = {"target": 0}
    table = begun(game, people, **fields)
    play(people, table, 2000)
    assert row(table).status == "finished"
    return table


def analysed(person: Person, table: str) -> Any:
    ask(person, table)
    assert any(make_analyses() for _ in range(60))
    answer = ask(person, table)
    assert answer.status == 200
    return answer.json


@pytest.fixture
def table(ann: Person, bob: Person) -> str:
    return over("7776", [ann, bob])


def test_until_it_is_made_the_answer_is_202_and_says_when_to_ask_again(ann: Person, table: str) -> None:
    for _ in range(2):
        answer = ask(ann, table)
        assert (answer.status, answer.json) == (202, {"status": "being_made"})
        assert answer.headers["Retry-After"] == "2"
    assert make_analyses() == 1
    assert ask(ann, table).status == 200


def test_it_is_made_once_and_kept(ann: Person, bob: Person, table: str) -> None:
    first = analysed(ann, table)
    assert make_analyses() == 0
    assert ask(bob, table).json == first
    assert Analysis.objects.count() == 1


def test_nothing_is_made_of_a_table_that_nobody_asks_for(table: str) -> None:
    assert make_analyses() == 0
    assert not Analysis.objects.exists()


@pytest.mark.parametrize("game", GAMES)
def test_each_decision_stands_beside_the_best_one(ann: Person, bob: Person, game: str) -> None:
    table = over(game, [ann, bob])
    made, moves = analysed(ann, table), moves_of(table)
    assert (made["game"], made["unit"], made["complete"]) == (game, BOTS[game].UNIT, True)
    told = [(each["number"], each["seat"], each["by"], each["move"]) for each in made["decisions"]]
    assert told == [(move.number, move.seat, move.by, move.move) for move in moves]
    assert all(each["best_value"] >= each["value"] for each in made["decisions"])
    assert all(len(each["luck"]) == 2 for each in [*made["decisions"], {"luck": made["start_luck"]}])


def test_a_seats_totals_are_the_sums_of_its_decisions_and_of_all_luck(ann: Person, table: str) -> None:
    made = analysed(ann, table)
    for total in made["seats"]:
        own = [each for each in made["decisions"] if each["seat"] == total["seat"]]
        assert total["decisions"] == len(own) == 16
        given_away = sum(each["best_value"] - each["value"] for each in own)
        assert total["given_away"] == pytest.approx(given_away, abs=1e-4)
        luck = made["start_luck"][total["seat"]] + sum(
            each["luck"][total["seat"]] for each in made["decisions"]
        )
        assert total["luck"] == pytest.approx(luck, abs=1e-4)


def test_in_7776_skill_and_luck_explain_the_score(ann: Person, table: str) -> None:
    made = analysed(ann, table)
    for total, score in zip(made["seats"], row(table).outcome["scores"], strict=True):
        assert worth(EVERY) + total["luck"] - total["given_away"] == pytest.approx(score, abs=1e-3)


def test_what_a_stand_in_decided_is_told_but_not_the_seats(wait: Wait, enter: Enter) -> None:
    ann, bob = enter(), enter()
    table = begun("7776", [ann, bob])
    for round_, combination in enumerate(COMBINATIONS):
        bob.move(table, f"choose {combination}")
        wait(PAUSE if round_ else TURN)
        bob.see(table)
    made = analysed(bob, table)
    assert made["seats"][0]["decisions"] == 0
    assert made["seats"][0]["given_away"] == 0
    assert {each["by"] for each in made["decisions"] if each["seat"] == 0} == {"stand_in"}
    assert made["seats"][1]["decisions"] == 16


def test_a_game_that_was_left_is_analysed_as_far_as_it_went(ann: Person, bob: Person) -> None:
    table = begun("pickomino", [ann, bob])
    play([ann, bob], table, 6)
    bob.delete(f"tables/{table}/seats/me")
    assert len(analysed(ann, table)["decisions"]) == 6


# --- who may, and when


def test_who_may_read_the_table_may_read_its_analysis(ann: Person, bob: Person, cid: Person) -> None:
    table = over("7776", [ann, bob])
    assert ask(cid, table).status == 202
    assert ask(Person(), table).code == "not_authenticated"


def test_of_a_private_table_a_stranger_learns_nothing(ann: Person, bob: Person, cid: Person) -> None:
    table = ann.open("7776", visibility="private")
    bob.sit(table, code=ann.see(table)["code"])
    play([ann, bob], table, 2000)
    assert ask(cid, table).json == cid.get("tables/00000000-0000-0000-0000-000000000000").json
    assert not Analysis.objects.exists()
    assert ask(bob, table).status == 202


def test_a_game_that_is_not_over_has_none(ann: Person, bob: Person) -> None:
    waiting, playing = ann.open("7776"), begun("7776", [ann, bob])
    never = ann.open("7776")
    ann.delete(f"tables/{never}/seats/me")
    for table in (waiting, playing, never):
        assert (ask(ann, table).status, ask(ann, table).code) == (409, "not_finished")
    assert not Analysis.objects.exists()


def test_a_game_that_nobody_can_value_has_none(
    ann: Person, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(BOTS, "7776")
    assert ask(ann, table).code == "not_found"


def test_a_player_may_have_so_many_made_in_a_minute(
    ann: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(advice, "ANALYSES", Limit("test-analyses", 1))
    one, other = over("7776", [ann, bob]), over("7776", [ann, bob])
    assert [ask(ann, one).status, ask(ann, one).status, ask(ann, other).status] == [202, 202, 429]
    assert ask(bob, other).status == 202


# --- how it is made


def test_a_run_whose_time_is_over_is_gone_on_with_in_the_next(ann: Person, table: str) -> None:
    """One decision a run, since no run has any time: 32 runs, and the same analysis."""
    ask(ann, table)
    runs = [make_analyses(seconds=0) for _ in range(32)]
    assert runs == [0] * 31 + [1]
    stepwise = ask(ann, table).json
    Analysis.objects.all().delete()
    at_once = analysed(ann, table)
    assert {**stepwise, "made_at": None} == {**at_once, "made_at": None}


def test_the_one_that_waits_longest_comes_first(wait: Wait, enter: Enter) -> None:
    ann, bob = enter(), enter()
    tables = [over("7776", [ann, bob]) for _ in range(2)]
    for table in tables:
        ask(ann, table)
        wait(1)
    make_analyses(seconds=0)
    assert [bool(analysis.made) for analysis in Analysis.objects.order_by("asked_at")] == [True, False]


def test_one_that_can_not_be_made_rests_and_holds_up_no_other(
    wait: Wait, enter: Enter, caplog: pytest.LogCaptureFixture
) -> None:
    ann, bob = enter(), enter()
    broken, other = over("7776", [ann, bob]), over("7776", [ann, bob])
    moves_of(broken)[3].delete()
    for table in (broken, other):
        ask(ann, table)
    assert make_analyses() == 1
    assert [record.levelname for record in caplog.records] == ["ERROR"]
    assert (ask(ann, broken).status, ask(ann, other).status) == (202, 200)
    failed = Analysis.objects.get(table_id=broken)
    assert failed.due_at == failed.asked_at + REST
    make_analyses()
    assert len(caplog.records) == 1
    wait(REST.total_seconds())
    make_analyses()
    assert len(caplog.records) == 2


def test_one_that_can_not_be_saved_holds_up_no_other(
    ann: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PostgreSQL takes no infinite number."""
    broken, other = over("pickomino", [ann, bob]), over("7776", [ann, bob])
    monkeypatch.setattr(BOTS["pickomino"], "luck", lambda *_: (float("inf"),) * 2)
    for table in (broken, other):
        ask(ann, table)
    assert any(make_analyses() for _ in range(60))
    assert (ask(ann, broken).status, ask(ann, other).status) == (202, 200)
    assert Analysis.objects.get(table_id=broken).made is None


def test_of_an_endless_game_so_many_decisions_are_told(
    ann: Person, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert MOST == 4000
    monkeypatch.setattr("games.analyses.MOST", 5)
    made = analysed(ann, table)
    assert (len(made["decisions"]), made["complete"]) == (5, False)


def test_celery_goes_on_with_them_every_two_seconds(ann: Person, table: str) -> None:
    schedule = {entry["task"]: entry["schedule"] for entry in app.conf.beat_schedule.values()}
    assert schedule["games.tasks.make_analyses"] == 2
    ask(ann, table)
    make_analyses_task()
    assert ask(ann, table).status == 200


def test_it_goes_with_its_table(ann: Person, table: str) -> None:
    analysed(ann, table)
    row(table).delete()
    assert not Analysis.objects.exists()
