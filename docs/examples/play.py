"""Plays whole tables against a running Boneyard server: one of every game, or of the game that is named.

    play.py --game dominoes --seats 4 --url http://127.0.0.1:8000

It needs httpx and nothing else, and knows no rules: each player looks at the table with its own token
and chooses among its legal moves at random. `--seed` repeats the choices, though not the luck.
"""

import argparse
import json
import random
import secrets
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import cycle, islice
from typing import Any

import httpx

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus")
ATTEMPTS = 8


class Wrong(Exception):
    """The server answered something that it should not have."""


@dataclass
class Player:
    """Somebody who has entered, and who follows a table by its events."""

    http: httpx.Client
    name: str
    token: str = ""
    heard: list[Any] = field(default_factory=list)

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """One request, sent again as often as the server asks for patience. Raises Wrong."""
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        for _ in range(ATTEMPTS):
            answer = self.http.request(method, f"/api/v1/{path}", json=body, headers=headers)
            if answer.status_code not in (429, 503):
                break
            time.sleep(float(answer.headers["Retry-After"]))
        if not answer.is_success:
            raise Wrong(f"{method} {path} was answered {answer.status_code} {answer.text}")
        return answer.json() if answer.content else None

    def make(self, path: str, body: Any) -> Any:
        """A request that makes something. Its key lets it be sent again without doing it twice."""
        return self.ask("POST", path, body, **{"Idempotency-Key": secrets.token_hex(16)})

    def enter(self) -> None:
        entered = self.ask("POST", "sessions", {"name": self.name, "secret": secrets.token_hex(8)})
        self.token = entered["token"]

    def leave(self) -> None:
        self.ask("DELETE", "sessions/current")

    def move(self, table: str, luck: random.Random) -> Any:
        """Look, choose, and move; the table afterwards.

        With the version that was looked at, a move can't be meant for another decision.
        """
        seen = self.ask("GET", f"tables/{table}")
        move = luck.choice(seen["legal_moves"])
        return self.make(f"tables/{table}/moves", {"move": move, "version": seen["version"]})

    def listen(self, table: str) -> None:
        """Hear what has happened since. Raises Wrong when something was left out."""
        more = True
        while more:
            page = self.ask("GET", f"tables/{table}/events?after={len(self.heard)}")
            self.heard += page["events"]
            more = page["more"]
        if [event["version"] for event in self.heard] != list(range(1, page["version"] + 1)):
            raise Wrong(f"the events of {table} have gaps")


def play_table(players: Sequence[Player], game: str, options: Any, luck: random.Random) -> Any:
    """Play one table from opening to outcome; the finished table. Raises Wrong."""
    opening = {"game": game, "capacity": len(players), "options": options, "visibility": "private"}
    opened = players[0].make("tables", opening)
    table, shown = opened["id"], opened
    for player in players[1:]:
        shown = player.make(f"tables/{table}/seats", {"code": opened["code"]})
    while shown["to_move"]:
        player = players[luck.choice(shown["to_move"])]
        shown = player.move(table, luck)
        player.listen(table)
    for player in players:
        player.listen(table)
    check(players, shown)
    return shown


def check(players: Sequence[Player], table: Any) -> None:
    """Raises Wrong unless the table was played out, and all have heard the same."""
    if table["status"] != "finished" or table["outcome"]["reason"] != "played_out":
        raise Wrong(f"table {table['id']} ended as {table['status']}, {table['outcome']}")
    if len(table["outcome"]["scores"]) != len(players):
        raise Wrong(f"table {table['id']} has the scores {table['outcome']['scores']}")
    public = [[{**event, "own": None} for event in player.heard] for player in players]
    if any(heard != public[0] for heard in public):
        raise Wrong(f"table {table['id']} was told differently to its seats")


def tell(info: Any, table: Any, heard: Sequence[Any]) -> None:
    """What happened, in a few lines."""
    kinds = [f"{count} {kind}" for kind, count in Counter(event["kind"] for event in heard).items()]
    winners, scores = table["outcome"]["winners"], table["outcome"]["scores"]
    say(f"{info['name']}, {len(scores)} seats: {', '.join(kinds)}.")
    won = " and ".join(f"seat {seat}" for seat in winners)
    say(f"  {table['number']} moves; the scores are {scores}, and {won or 'nobody'} won.")


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def run(http: httpx.Client, asked: argparse.Namespace) -> None:
    """Play what was asked for. Raises Wrong."""
    games = {info["game"]: info for info in Player(http, "").ask("GET", "games")["results"]}
    if asked.game and asked.game not in games:
        raise Wrong(f"this server plays {', '.join(games)}, and no {asked.game}")
    for game in [asked.game] if asked.game else games:
        seats = asked.seats or games[game]["seats"]["min"]
        players = [Player(http, f"{name} {secrets.token_hex(3)}") for name in islice(cycle(NAMES), seats)]
        for player in players:
            player.enter()
        luck = random.Random(asked.seed)  # noqa: S311  # choices, not secrets
        table = play_table(players, game, asked.options, luck)
        tell(games[game], table, players[0].heard)
        for player in players:
            player.leave()


def main() -> int:
    """The exit code: 0 when all went well."""
    parser = argparse.ArgumentParser(description="Plays whole tables against a Boneyard server.")
    parser.add_argument("--url", default="http://127.0.0.1:8000", help="the server (%(default)s)")
    parser.add_argument("--game", help="one game; else each that the server has")
    parser.add_argument("--seats", type=int, help="how many play; else as few as can")
    parser.add_argument("--options", type=json.loads, default={}, help="the game's options, as JSON")
    parser.add_argument("--seed", type=int, help="makes the choices repeatable")
    asked = parser.parse_args()
    try:
        with httpx.Client(base_url=asked.url, timeout=30) as http:
            run(http, asked)
    except (Wrong, httpx.HTTPError) as error:
        sys.stderr.write(f"play.py: {error or type(error).__name__}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
