"""`GET /games`, `GET /games/{slug}`: what can be played here."""

from typing import Any

import jsonschema
import pytest

from games.rules.registry import GAMES
from tests.conftest import Enter
from tests.games.situations import begun, play
from tests.people import Person

MEMBERS = {"game", "name", "seats", "rules", "options", "view", "notation", "bots"}
SLUGS = ["pickomino", "7776", "dominoes"]


def test_results_are_the_games_of_the_registry() -> None:
    answer = Person().get("games")
    assert answer.status == 200
    assert answer.json.keys() == {"results"}
    assert [entry["game"] for entry in answer["results"]] == list(GAMES)
    assert set(SLUGS) <= GAMES.keys()


@pytest.mark.parametrize("slug", GAMES)
def test_one_game_is_told_as_in_the_list(slug: str) -> None:
    listed = {entry["game"]: entry for entry in Person().get("games")["results"]}
    answer = Person().get(f"games/{slug}")
    assert answer.status == 200
    assert answer.json == listed[slug]
    assert answer.json.keys() == MEMBERS


@pytest.mark.parametrize(("slug", "least", "most"), [("pickomino", 2, 7), ("7776", 2, 2), ("dominoes", 2, 4)])
def test_seats_are_the_least_and_the_greatest_capacity(slug: str, least: int, most: int) -> None:
    assert Person().get(f"games/{slug}")["seats"] == {"min": least, "max": most}


@pytest.mark.parametrize("slug", SLUGS)
def test_rules_and_notation_are_text(slug: str) -> None:
    game = Person().get(f"games/{slug}").json
    assert len(game["rules"]) > 500
    assert len(game["notation"]) > 100


@pytest.mark.parametrize("slug", GAMES)
def test_bots_are_the_levels_that_can_be_seated(slug: str) -> None:
    assert Person().get(f"games/{slug}")["bots"] == ["easy", "normal", "strong"]


def test_options_are_a_json_schema_with_defaults() -> None:
    def defaults(slug: str) -> dict[str, Any]:
        properties = resolved(Person().get(f"games/{slug}")["options"])["properties"]
        return {name: option["default"] for name, option in properties.items()}

    assert defaults("7776") == {}
    assert defaults("dominoes") == {"start": "rotate", "dead_row": "at_once", "target": 100, "corners": True}
    assert defaults("pickomino") == {
        "first": "random",
        "collect": "any",
        "turn_over_returned": False,
        "turn_over_on_empty_bust": True,
    }


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.django_db
def test_view_is_a_json_schema_that_every_view_fits(enter: Enter, slug: str) -> None:
    schema = Person().get(f"games/{slug}")["view"]
    jsonschema.Draft202012Validator.check_schema(schema)
    people = [enter(), enter()]
    watcher = enter()
    table = begun(slug, people)
    for seed in range(4):
        for person in (*people, watcher):
            jsonschema.validate(person.see(table)["view"], schema)
        play(people, table, 3, seed)


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.django_db
def test_options_fit_their_schema(enter: Enter, slug: str) -> None:
    schema = Person().get(f"games/{slug}")["options"]
    ann = enter()
    jsonschema.validate(ann.see(ann.open(slug))["options"], schema)


@pytest.mark.parametrize("path", ["games/chess", "games/PICKOMINO", "games/no such"])
def test_another_game_is_not_found(path: str) -> None:
    assert Person().get(path).code == "not_found"


def test_no_session_is_needed_and_the_header_is_ignored() -> None:
    assert Person(token="nonsense").get("games").status == 200
    assert Person(token="nonsense").get("games/7776").status == 200


def resolved(schema: dict[str, Any]) -> dict[str, Any]:
    reference = schema.get("$ref")
    return dict(schema["$defs"][reference.rsplit("/", 1)[1]]) if reference else schema
