"""A game is added as docs/games.md tells: one file, one entry in the registry, and all works for it."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx
import jsonschema
import pytest
from drf_spectacular.validation import validate_schema

from config.embedded.process import ROOT
from tests.fourth import pig
from tests.live.guests import Guest, enter_all
from tests.live.listener import told, watch
from tests.live.servers import Server, database_url, start_server
from tests.people import seat_all

PAGE = (ROOT / "docs" / "games.md").read_text()
SECONDS = 110
VERSION = "rules_version: ClassVar[int] = {}\n"
FOR_EVERY_GAME = (
    "tests/golden",
    "tests/games/rules/test_contract.py",
    "tests/games/test_games.py",
    "tests/games/test_matches.py",
    "tests/test_schema.py",
)

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project in which the game was added."""
    tree = tmp_path_factory.mktemp("fourth") / "boneyard"
    shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(".*", "__pycache__", "fourth"))
    shutil.copy(str(pig.__file__), tree / "games" / "rules" / "pig.py")
    registry = tree / "games" / "rules" / "registry.py"
    registry.write_text(entered(registry.read_text()))
    return tree


def entered(registry: str) -> str:
    """With an entry as the page shows it, behind the last one; and its import."""
    [entry] = re.findall(r"^```python\n( +YourGame\(\),\n)```$", PAGE, re.MULTILINE)
    games, end, rest = registry.partition("    )\n}\n")
    assert end
    return f"from games.rules.pig import Pig\n{games}{entry.replace('YourGame', 'Pig')}{end}{rest}"


def commands() -> list[list[str]]:
    """What the page says to run, for this game and with this Python."""
    lines = re.findall(r"^\$ (\.venv/bin/python .+)$", PAGE, re.MULTILINE)
    return [
        shlex.split(line.replace(".venv/bin/python", sys.executable).replace("yourgame", "pig"))
        for line in lines
    ]


def run(tree: Path, command: Sequence[str]) -> str:
    """Its output. The tests among the commands make a database beside the one of this test."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    env["DATABASE_URL"] = database_url()
    done = subprocess.run(
        command, cwd=tree, env=env, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def test_the_game_needs_no_more_than_the_page_tells() -> None:
    source = Path(str(pig.__file__)).read_text()
    [needed] = re.findall(r"^```python\n(from games\.rules.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    own = [line for line in source.splitlines(keepends=True) if re.match("(from|import) (games|tests)", line)]
    assert "".join(own) == needed


def test_the_contract_holds_and_the_golden_files_are_written(tree: Path) -> None:
    check, write, _ = commands()
    assert run(tree, check) == "Pig keeps its promises in 6 games.\n"
    run(tree, write)
    golden = tree / "tests" / "golden"
    # A roll first; then a roll or a hold, unless it was a 1.
    assert (golden / "pig-1.counts").read_text().startswith("pig 2 {} 1 1\npig 2 {} 2 2\n")
    assert len((golden / "pig-1.jsonl").read_text().splitlines()) == 3


@pytest.mark.timeout(2 * SECONDS)
def test_the_tests_that_there_are_for_every_game_run_for_it(tree: Path) -> None:
    _, write, play = commands()
    run(tree, write)
    said = run(tree, [*play, *FOR_EVERY_GAME])
    assert int(re.findall(r"(\d+) passed", said)[0]) >= 13


def test_a_rule_is_changed_as_the_page_tells(tree: Path, tmp_path: Path) -> None:
    changed = tmp_path / "boneyard"
    shutil.copytree(tree, changed)
    _, write, _ = commands()
    run(changed, write)
    change_rule(changed / "games" / "rules")
    golden = changed / "tests" / "golden"
    before = {name: (golden / name).read_bytes() for name in ("pig-1.jsonl", "pig-1.counts")}
    run(changed, write)
    assert before == {name: (golden / name).read_bytes() for name in before}
    assert (golden / "pig-2.counts").read_text() != before["pig-1.counts"].decode()
    run(changed, [sys.executable, "-m", "pytest", "-q", "-k", "pig-1 or pig-2", "tests/golden"])
    check = re.findall(r"`(manage\.py check_game yourgame --rules-version 1)`", PAGE)[0]
    run(changed, [sys.executable, *check.replace("yourgame", "pig").split()])
    document = run(changed, [sys.executable, *["manage.py", "spectacular", "--validate", "--fail-on-warn"]])
    assert "PigView:" in document
    assert "Pig1V1View:" in document


def change_rule(rules: Path) -> None:
    """From now on a 2 loses as well; the page's steps 1 to 3."""
    current, registry = rules / "pig.py", rules / "registry.py"
    text = current.read_text()
    (rules / "pig_1.py").write_text(text.replace("class Pig(", "class Pig1("))
    later = text.replace("if die > 1:", "if die > 2:").replace(VERSION.format(1), VERSION.format(2))
    assert later.count(VERSION.format(2)) == 1
    current.write_text(later)
    [shown] = re.findall(r"`(EARLIER: [^`]+ = )(\([^`]+\))`", PAGE)
    text = registry.read_text()
    assert text.count(f"{shown[0]}()") == 1
    text = text.replace(f"{shown[0]}()", f"{shown[0]}{shown[1].replace('YourGame', 'Pig')}")
    registry.write_text(f"from games.rules.pig_1 import Pig1\n{text}")


@pytest.fixture(scope="module")
def web(tree: Path, django_db_setup: None) -> Iterator[Server]:
    with start_server({"BOT_PAUSE_SECONDS": "0.1"}, root=tree) as server:
        yield server


@pytest.fixture(scope="module")
def document(web: Server) -> Any:
    return httpx.get(f"{web.url}/api/schema?format=json", trust_env=False).json()


def test_the_document_is_valid(document: Any) -> None:
    validate_schema(document)  # type: ignore[no-untyped-call]  # it has no types
    assert "PigView" in document["components"]["schemas"]


def check_table(table: Any, document: Any) -> None:
    """A table of this game is as the document has it, and its view as the game's own entry has it."""
    components = document["components"]
    jsonschema.validate(table, {**components["schemas"]["Table"], "components": components})
    if table["view"] is not None:
        pig_view = {**components["schemas"]["PigView"], "components": components}
        jsonschema.validate(table["view"], pig_view)


def play_out(people: Sequence[Guest], table: str) -> Any:
    """Hold as soon as one may, and wait for bots; the finished table."""
    deadline = time.monotonic() + SECONDS
    while (shown := people[0].see(table))["status"] == "playing":
        assert time.monotonic() < deadline
        seat = shown["to_move"][0]
        if seat < len(people):
            mover = people[seat]
            assert mover.move(table, mover.see(table)["legal_moves"][0]).status == 201
        else:
            time.sleep(0.05)
    return shown


def test_it_is_listed_with_its_rules_and_schemas(web: Server) -> None:
    [someone] = enter_all(1, web.url)
    [listed] = [game for game in someone.get("games")["results"] if game["game"] == "pig"]
    assert listed == someone.get("games/pig").json
    assert (listed["name"], listed["seats"]) == ("Pig", {"min": 2, "max": 4})
    assert "A 1" in listed["rules"]
    assert listed["options"]["$defs"]["Options"]["properties"]["target"]["default"] == 100
    jsonschema.Draft202012Validator.check_schema(listed["view"])


def test_the_example_program_plays_it(web: Server, tree: Path) -> None:
    program = [sys.executable, "docs/examples/play.py", "--url", web.url, "--game", "pig", "--seats", "4"]
    assert "Pig, 4 seats: " in run(tree, program)


def test_two_people_play_it_hear_of_it_and_play_again(web: Server, document: Any) -> None:
    people = enter_all(2, web.url)
    ann, bob = people
    table = seat_all("pig", [*people], options={"target": 10})
    check_table(ann.see(table), document)
    assert bob.move(table, "roll").code == "not_your_turn"
    refused = ann.move(table, "hold")
    assert (refused.code, refused["legal_moves"]) == ("illegal_move", ["roll"])
    with watch(bob, table) as stream:
        assert ann.move(table, "roll").status == 201
        stream.wait_for(told("rolled"))
    over = play_out(people, table)
    check_table(over, document)
    assert over["outcome"]["reason"] == "played_out"
    assert {"rolled", "held", "finished"} <= {event["kind"] for event in ann.events(table)}
    again = ann.post(f"tables/{table}/rematch")
    assert (again.status, again["options"]) == (201, {"target": 10})
    assert bob.post(f"tables/{table}/rematch")["status"] == "playing"


def test_it_is_played_with_a_bot_and_through_a_quick_match(web: Server, document: Any) -> None:
    ann, bob = enter_all(2, web.url)
    table = ann.open("pig", capacity=2, options={"target": 10})
    assert ann.post(f"tables/{table}/bots", {}).status == 201
    over = play_out([ann], table)
    check_table(over, document)
    assert "bot" in {event["by"] for event in ann.events(table)}
    tables = {person.post("matches", {"game": "pig"})["id"] for person in (ann, bob)}
    assert len(tables) == 1
    assert bob.see(tables.pop())["status"] == "playing"
