"""The example programs play whole tables against a real server."""

import subprocess
import sys

import pytest

from config.embedded.process import ROOT
from games.rules.registry import GAMES
from tests.live.servers import Server

PROGRAM = ROOT / "docs" / "examples" / "play.py"
BOT = ROOT / "docs" / "examples" / "bot.py"


def play(url: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(PROGRAM), "--url", url, "--seed", "5", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)


@pytest.mark.parametrize(
    "arguments",
    [
        *(["--game", game, "--seats", "2"] for game in GAMES),
        ["--game", "pickomino", "--seats", "7"],
        ["--game", "dominoes", "--seats", "4", "--options", '{"target": 0}'],
    ],
    ids=" ".join,
)
def test_it_plays_a_table_from_opening_to_outcome(server: Server, arguments: list[str]) -> None:
    played = play(server.url, *arguments)
    assert played.returncode == 0, played.stderr
    assert not played.stderr
    assert f"{arguments[3]} seats" in played.stdout
    assert "won." in played.stdout


@pytest.mark.parametrize("arguments", [["--game", "chess"], ["--game", "7776", "--seats", "3"]], ids=" ".join)
def test_it_says_so_when_something_is_off(server: Server, arguments: list[str]) -> None:
    played = play(server.url, *arguments)
    assert played.returncode == 1
    assert played.stderr.startswith("play.py: ")
    assert len(played.stderr.splitlines()) == 1


def test_it_says_so_when_there_is_no_server(server: Server) -> None:
    server.stop()
    assert play(server.url).returncode == 1


@pytest.mark.parametrize("game", GAMES)
def test_two_of_the_example_bots_find_each_other_and_play_to_the_end(server: Server, game: str) -> None:
    command = [sys.executable, str(BOT), "--url", server.url, "--game", game, "--patience", "100"]
    both = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in "AB"
    ]
    told = [bot.communicate(timeout=110) for bot in both]
    assert [bot.returncode for bot in both] == [0, 0], told
    assert sorted(out.partition(" was ")[2][:6] for out, _ in told) == ["seat 0", "seat 1"]
    assert all("'reason': 'played_out'" in out for out, _ in told)


def test_an_example_bot_says_so_when_something_is_off(server: Server) -> None:
    command = [sys.executable, str(BOT), "--url", server.url, "--game", "chess"]
    played = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (played.returncode, played.stderr.startswith("bot.py: ")) == (1, True)
