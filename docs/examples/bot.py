"""A bot of your own: it enters, finds a table, and moves whenever its seat is to move.

    bot.py --game pickomino --url http://127.0.0.1:8000

It needs httpx and nothing else. It plays any game, at random: write a better `choose`.
"""

import argparse
import random
import secrets
import sys
import time
from typing import Any

import httpx

ATTEMPTS = 8
OVER = ("finished", "abandoned", "closed")


def choose(table: Any) -> str:
    """Your bot's mind. `table` is what its seat may see: `view`, `legal_moves`, `options`, and more."""
    legal_moves: list[str] = table["legal_moves"]
    return random.choice(legal_moves)  # noqa: S311  # choices, not secrets


class Bot:
    """A player that is a program, and says so."""

    def __init__(self, http: httpx.Client, name: str) -> None:
        self.http = http
        entering = {"name": name, "secret": secrets.token_hex(8), "bot": True}
        http.headers["Authorization"] = f"Bearer {self.told('POST', 'sessions', entering)['token']}"

    def ask(self, method: str, path: str, body: Any = None) -> httpx.Response:
        """One request, sent again as the same when the line breaks or the server asks for patience."""
        headers = {"Idempotency-Key": secrets.token_hex(16)}
        for attempt in range(ATTEMPTS):
            try:
                answer = self.http.request(method, f"/api/v1/{path}", json=body, headers=headers)
            except httpx.TransportError:
                time.sleep(2**attempt / 4)
                continue
            if answer.status_code not in (429, 503):
                return answer
            time.sleep(float(answer.headers["Retry-After"]))
        sys.exit("bot.py: the server does not answer")

    def told(self, method: str, path: str, body: Any = None) -> Any:
        """What a request is answered; a refusal is the end."""
        answer = self.ask(method, path, body)
        if not answer.is_success:
            sys.exit(f"bot.py: {answer.json()['detail']}")
        return answer.json()

    def play(self, game: str, patience: int) -> Any:
        """One table from finding it to its end; bots of the server fill it when nobody else comes."""
        table = self.told("POST", "matches", {"game": game, "fill_with_bots_after": patience})
        while table["status"] not in OVER:
            if table["legal_moves"]:
                move = {"move": choose(table), "version": table["version"]}
                # It may be refused, when time was up and a stand-in moved; whatever came of it, look again.
                self.ask("POST", f"tables/{table['id']}/moves", move)
            else:
                # The answer waits until something has happened.
                self.ask("GET", f"tables/{table['id']}/events?after={table['version']}&wait=25")
            table = self.told("GET", f"tables/{table['id']}")
        return table

    def leave(self) -> None:
        self.ask("DELETE", "sessions/current")


def main() -> None:
    parser = argparse.ArgumentParser(description="Plays one game against whoever comes, at random.")
    parser.add_argument("--url", default="http://127.0.0.1:8000", help="the server (%(default)s)")
    parser.add_argument("--game", default="pickomino", help="what to play (%(default)s)")
    parser.add_argument("--name", default=f"Random {secrets.token_hex(2)}", help="its name at the table")
    parser.add_argument("--patience", type=int, default=5, help="seconds to wait for others (%(default)s)")
    asked = parser.parse_args()
    with httpx.Client(base_url=asked.url, timeout=40) as http:
        bot = Bot(http, asked.name)
        table = bot.play(asked.game, asked.patience)
        sys.stdout.write(f"{asked.name} was seat {table['you']}; the outcome is {table['outcome']}\n")
        bot.leave()


if __name__ == "__main__":
    main()
