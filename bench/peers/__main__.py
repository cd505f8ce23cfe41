"""Plays one dice game on several servers by turns, and prints what each move took: `make bench-peers`.

`python -m bench.peers [--rounds 3] [--matches 16] [--lengths 40,400] [--only NAME …] [--json FILE]`.
Needs Node.js and what `npm ci` installs in bench/peers.

All matches of a system are played at once, by two players each; a move is made when the match's last one is
confirmed, by the same client program for all systems. Whatever is stored is stored in the PostgreSQL that
`bench.place` starts, which keeps every commit. What the figures can't show:

* Boneyard confirms a move after its commit, and keeps a history and hidden views. boardgame.io confirms it
  before it is written, so a crash loses what was confirmed. What is in memory is lost with its process.
* boardgame.io and Colyseus push each move to both players over a socket that is open. Boneyard does that in
  the line that says so, over streams, beside the answer to the mover.
* Growth is the server's CPU for each move in the last tenth of all moves, against the first tenth; a tenth of
  short matches is too little to tell. Less than 1 is a JavaScript engine that still gets faster.
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from bench.peers.results import Played, Results, as_json, table
from bench.peers.systems import FOLDER, SYSTEMS, System, node
from bench.place import place
from bench.results import FOLDER as RESULTS
from bench.web import Web

PATIENCE = 20.0  # seconds at one length, after which a system gets no further round of it
BUDGET = 190.0  # seconds after which no further round of anything begins
WARM = 6.0, 1.0  # seconds of play that are not measured: in the first round, and in later ones
LIMIT = 120.0  # seconds for one load
JSON = RESULTS / "new-peers.json"


def load(system: System, web: Web, warm: float, matches: int, lengths: Sequence[int]) -> list[Played]:
    """One load for each length. Raises RuntimeError with what the client said, or TimeoutExpired."""
    url = f"http://127.0.0.1:{web.port}"
    given = [system.client, url, str(web.pid), str(warm), str(matches), *map(str, lengths)]
    ran = subprocess.run(
        [node(), "load.mjs", *given], cwd=FOLDER, capture_output=True, text=True, check=False, timeout=LIMIT
    )
    if ran.returncode:
        raise RuntimeError(f"{system.name}: {ran.stderr}")
    return [Played(**json.loads(line)) for line in ran.stdout.splitlines() if line.startswith("{")]


def measure(systems: Sequence[System], rounds: int, matches: int, lengths: Sequence[int]) -> Results:
    """Rounds by turns, so that what disturbs the machine disturbs all alike."""
    results: Results = {
        (system.name, length): []
        for system in systems
        for length in (lengths if system.at_length else [min(lengths)])
    }
    begun = time.monotonic()
    with ExitStack() as stack:
        servers = [stack.enter_context(system.serving()) for system in systems]
        for number in range(rounds):
            for system, web in zip(systems, servers, strict=True):
                if number == 0 or time.monotonic() - begun < BUDGET:
                    _play(results, system, web, WARM[number > 0], matches)
    return results


def _play(results: Results, system: System, web: Web, warm: float, matches: int) -> None:
    """One load for each length at which the system has not taken too long yet."""
    own = {length: played for (name, length), played in results.items() if name == system.name}
    lengths = [length for length in own if sum(played.seconds for played in own[length]) < PATIENCE]
    begun = time.monotonic()
    for played in load(system, web, warm, matches, lengths) if lengths else []:
        own[played.length].append(played)
    print(f"{system.name}: {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--matches", type=int, default=16)
    parser.add_argument("--lengths", default="40,400", help="moves of a match")
    parser.add_argument("--only", nargs="*", default=[], help="systems whose name holds one of these")
    parser.add_argument("--json", type=Path, default=JSON, help="where all samples are written")
    return parser.parse_args()


def main() -> None:
    given = arguments()
    lengths = [int(length) for length in given.lengths.split(",")]
    systems = [each for each in SYSTEMS if not given.only or any(part in each.name for part in given.only)]
    with place():
        results = measure(systems, given.rounds, given.matches, lengths)
    print(table(results))
    given.json.parent.mkdir(exist_ok=True)
    given.json.write_text(json.dumps(as_json(results), indent=1))


if __name__ == "__main__":
    main()
