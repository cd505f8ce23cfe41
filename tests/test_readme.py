"""The README keeps its word: its game is played, its settings are those that there are."""

import re
import subprocess

from config.embedded.process import ROOT
from tests.live.conftest import server as server
from tests.live.servers import Server

README = (ROOT / "README.md").read_text()
ADDRESS = "http://127.0.0.1:8000"


def block(language: str) -> str:
    """The one fenced block in that language."""
    [found] = re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    return str(found)


def test_the_first_game_is_played_as_it_stands_there(server: Server) -> None:
    script = block("sh").replace(ADDRESS, server.url)
    assert script != block("sh")
    played = subprocess.run(
        ["sh", "-eu"], input=script, capture_output=True, text=True, timeout=100, check=False
    )
    assert played.returncode == 0, played.stderr
    assert not played.stderr
    looked, heard, revealed, outcome = played.stdout.splitlines()
    assert '"choose poker"' in looked
    assert '"kind":"chose"' in heard
    assert "poker" not in heard
    assert '"kind":"revealed"' in revealed
    assert '"reason":"played_out"' in outcome


def test_it_can_be_pasted_again(server: Server) -> None:
    script = block("sh").replace(ADDRESS, server.url)
    for _ in range(2):
        played = subprocess.run(["sh"], input=script, capture_output=True, text=True, timeout=100, check=True)
        assert '"reason":"played_out"' in played.stdout


def test_every_setting_is_described_and_no_other() -> None:
    read = re.findall(
        r'(?:text|flag|number|words)\(\s*"([A-Z_]+)"', (ROOT / "config" / "settings.py").read_text()
    )
    read += re.findall(r'environ\.get\("([A-Z_]+)"', (ROOT / "config" / "run.py").read_text())
    described = re.findall(r"^\| `([A-Z_]+)` \|", README, re.MULTILINE)
    assert sorted(described) == sorted(set(read))


def test_the_commands_that_it_names_are_there() -> None:
    makefile = (ROOT / "Makefile").read_text()
    named = set(re.findall(r"`?make (\w+)", block("console") + README.partition("## Development")[2]))
    assert {"run", "test", "lint", "format", "lock"} <= named
    for command in named:
        assert re.search(rf"^{command}:", makefile, re.MULTILINE), command


def test_the_files_that_the_documents_link_to_are_there() -> None:
    for document in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")):
        for link in re.findall(r"\]\(([^)#:]+)\)", document.read_text()):
            assert (document.parent / link).exists(), (document.name, link)
