"""`"bot": true` on entering: a program plays under the name, and its seats show it."""

from typing import Any

import pytest

from tests.conftest import Enter
from tests.people import Answer, Person

pytestmark = pytest.mark.django_db


def enter_as(name: str, **fields: Any) -> tuple[Person, Answer]:
    person = Person(name)
    answer = person.post("sessions", {"name": name, "secret": person.secret, **fields})
    person.token = answer.json.get("token")
    return person, answer


def test_who_says_so_is_a_bot() -> None:
    robot, answer = enter_as("Robot R", bot=True)
    assert (answer.status, answer["player"]["bot"]) == (201, True)
    assert robot.get("sessions/current")["player"]["bot"] is True


@pytest.mark.parametrize("fields", [{}, {"bot": False}])
def test_who_does_not_is_none(fields: Any) -> None:
    assert enter_as("Person P", **fields)[1]["player"]["bot"] is False


def test_who_comes_back_stays_what_it_was_unless_it_says_otherwise() -> None:
    said: list[Any] = [{"bot": True}, {}, {"bot": False}, {}, {"bot": True}]
    answers = [enter_as("Robot R", **fields)[1] for fields in said]
    assert [answer["player"]["bot"] for answer in answers] == [True, True, False, False, True]
    assert [answer.status for answer in answers] == [201, 200, 200, 200, 200]


def test_a_wrong_secret_changes_nothing() -> None:
    robot, _ = enter_as("Robot R", bot=True)
    assert enter_as("Robot R", secret="another secret", bot=False)[1].code == "name_taken"
    assert robot.get("sessions/current")["player"]["bot"] is True


@pytest.mark.parametrize("bot", [None, 1, "true", []])
def test_it_is_true_or_false(bot: Any) -> None:
    _, answer = enter_as("Robot R", bot=bot)
    assert (answer.status, answer.code) == (400, "invalid")
    assert answer["errors"].keys() == {"bot"}


def test_its_seats_show_it(enter: Enter) -> None:
    robot, _ = enter_as("Robot R", bot=True)
    ann = enter("Ann")
    table = ann.open("7776")
    robot.sit(table)
    shown = ann.see(table)["seats"]
    assert (shown[1]["name"], shown[1]["kind"], shown[1]["bot"]) == ("Robot R", "human", True)
    assert "bot" not in shown[0]
    assert "level" not in shown[1]
    assert robot.get("sessions/current")["tables"][0]["seats"] == shown


def test_it_plays_by_the_clock_of_people(enter: Enter) -> None:
    """The server does not move for it: it has a deadline, and a stand-in when that is over."""
    robot, _ = enter_as("Robot R", bot=True)
    ann = enter("Ann")
    table = ann.open("7776")
    robot.sit(table)
    assert robot.see(table)["deadline"] is not None
