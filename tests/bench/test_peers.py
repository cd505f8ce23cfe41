"""The peers: they are the stated ones, play the same game as we do, and their loads are summed up rightly."""

import json
import shutil
import subprocess
from dataclasses import replace
from typing import Any

import pytest

from bench.peers.results import Played, as_json, table
from bench.peers.systems import FOLDER, SYSTEMS, peer_environment
from games.rules.game import play
from games.rules.pickomino import Options, Pickomino, State
from tests.games.rules.seeded import SeededChance

OPTIONS = Options(first="seat_0", turn_over_on_empty_bust=False)
MOVES = 400
# Plays what it is given by the peers' rules, and prints each position with what a player would do there.
REPLAY = """
import { readFileSync } from 'node:fs'
import * as dice from './game.mjs'
import { choose } from './policy.mjs'

const state = dice.start()
const seen = JSON.parse(readFileSync(0)).map(([move, rolled]) => {
  const { seat, total, tops, bbq } = dice.position(state)
  const told = { seat, total, tops, bbq, legal: dice.legalMoves(state), choice: choose(dice.position(state)) }
  dice.apply(state, move, () => rolled)
  return told
})
console.log(JSON.stringify(seen))
"""


PLAYED = Played(
    length=400,
    size=1000,
    moves=1000,
    rate=500.0,
    p50=2.0,
    p99=3.0,
    cpu=1.0,
    tenths=[1.0] * 9 + [2.0],
)


class Noted(SeededChance):
    """Keeps the last roll."""

    rolled: tuple[int, ...] = ()

    def roll(self, dice: int) -> tuple[int, ...]:
        self.rolled = super().roll(dice)
        return self.rolled


def our_game(seed: int) -> tuple[list[tuple[str, list[int]]], list[dict[str, Any]]]:
    """Moves with their dice, chosen as at random, and the positions before them as the peers tell theirs."""
    game, chance = Pickomino(), Noted(seed)
    state, _ = game.start(2, OPTIONS, chance)
    moves: list[tuple[str, list[int]]] = []
    seen: list[dict[str, Any]] = []
    while state.seat is not None and len(moves) < MOVES:
        legal = game.legal_moves(state, state.seat)
        seen.append(position(state) | {"legal": list(legal)})
        # Rather a further roll than a domino, or the game is short.
        move = "roll" if "roll" in legal else legal[chance.shuffle(len(legal))[0]]
        state, _ = play(game, state, state.seat, move, chance)
        moves.append((move, list(chance.rolled)))
    return moves, seen


def position(state: State) -> dict[str, Any]:
    tops = [stack[-1] if stack else None for stack in state.stacks]
    return {"seat": state.seat, "total": state.total, "tops": tops, "bbq": list(state.face_up)}


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")
@pytest.mark.parametrize("seed", range(5))
def test_the_peers_play_our_game(seed: int) -> None:
    moves, ours = our_game(seed)
    ran = subprocess.run(
        ["node", "--input-type=module", "--eval", REPLAY],
        input=json.dumps(moves),
        capture_output=True,
        text=True,
        check=False,
        cwd=FOLDER,
    )
    assert ran.returncode == 0, ran.stderr
    theirs = json.loads(ran.stdout)
    assert len(theirs) > 100
    for one, other in zip(ours, theirs, strict=True):
        choice = other.pop("choice")
        assert sorted(one.pop("legal")) == sorted(legal := other.pop("legal"))
        assert one == other
        assert choice in legal


def test_the_peers_are_those_that_are_named() -> None:
    locked = json.loads((FOLDER / "package-lock.json").read_text())["packages"]
    versions = {
        name: locked[f"node_modules/{name}"]["version"] for name in ("boardgame.io", "@colyseus/core")
    }
    assert versions["boardgame.io"] == "0.50.2"
    assert versions["@colyseus/core"].startswith("0.16.")
    assert all(each.get("integrity") for name, each in locked.items() if name)


def test_the_lock_file_names_no_host_of_a_registry() -> None:
    lock = (FOLDER / "package-lock.json").read_text()
    assert "resolved" not in lock
    assert "registry" not in lock


def test_a_table_has_the_medians_and_compares_with_the_first_system() -> None:
    ours = [replace(PLAYED, rate=100.0), replace(PLAYED, rate=300.0), replace(PLAYED, rate=200.0)]
    theirs = [replace(PLAYED, rate=50.0, p50=7.0, p99=9.0, cpu=3.0, tenths=[1.0] * 9 + [4.0])]
    lines = table({("ours", 400): ours, ("theirs", 400): theirs}).splitlines()
    assert [line.split()[0] for line in lines[1:]] == ["ours", "theirs"]
    assert "200 (100–300)" in lines[1]
    assert lines[2].split()[1:] == [
        "400",
        "1",
        "50.0",
        "(50.0–50.0)",
        "0.250",
        "7.00",
        "9.00",
        "3.00",
        "×",
        "4.00",
        "1000",
    ]


def test_a_system_that_was_not_played_at_a_length_has_no_line_there() -> None:
    lines = table({("ours", 400): [PLAYED], ("theirs", 400): []}).splitlines()
    assert [line.split()[0] for line in lines[1:]] == ["ours"]


def test_every_load_is_in_the_json() -> None:
    samples = as_json({("ours", 400): [PLAYED, replace(PLAYED, rate=2.0)], ("theirs", 400): [PLAYED]})
    assert [(each["system"], each["rate"]) for each in samples] == [
        ("ours", 500.0),
        ("ours", 2.0),
        ("theirs", 500.0),
    ]
    assert json.loads(json.dumps(samples)) == samples


def test_all_systems_have_names_of_their_own() -> None:
    assert len({system.name for system in SYSTEMS}) == len(SYSTEMS)


def test_the_peers_get_the_same_database(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://boneyard@/dice?host=%2Fa%2Ffolder&port=5432")
    given = peer_environment()
    assert (given["PGHOST"], given["PGPORT"], given["PGDATABASE"], given["PGUSER"]) == (
        "/a/folder",
        "5432",
        "dice",
        "boneyard",
    )
