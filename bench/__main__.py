"""The whole story in one command: `make bench`, or `make bench QUICK=1` for its two minutes.

`python -m bench [NAME …] [--quick] [--keep] [--rows 10000000] [--no-fsync] [--server run]`. Each bench gives
lines, each beside a peer in the same run; a new one is a function of bench.run.Run in a file of its own, and
its name below.
"""

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from bench import (
    beside,
    desk,
    entering,
    growth,
    lobby,
    moves,
    polls,
    resident,
    scale,
    streams,
    sums,
    sweeps,
    views,
    workers,
)
from bench.cases import GAMES
from bench.limit import limit
from bench.place import place, postmaster
from bench.results import NEW, Result, kept, load, merged, result, save, table
from bench.run import FULL, QUICK, Bench, Line, Run
from bench.web import SERVERS

BENCHES: Mapping[str, Bench] = {
    "limits": moves.limits_lines,
    **{f"moves-{game}": partial(moves.lines, game=game) for game in GAMES},
    "beside": beside.lines,
    "lengths": moves.lengths_lines,
    "views": views.lines,
    "polls": polls.lines,
    "streams": streams.lines,
    "entering": entering.lines,
    "sweeps": sweeps.lines,
    "memory": resident.lines,
    "web-processes": scale.processes_lines,
    "pooler": scale.pooler_lines,
    "workers": workers.lines,
    "open-tables": growth.tables_lines,
    "history": growth.history_lines,
    "written": sums.written_lines,
    "watched": sums.watched_lines,
    "idle": sums.idle_lines,
    # Last, since they fill the database.
    "lobby": lobby.lines,
    "desk": desk.lines,
}


def measure(run: Run, names: Sequence[str], found: dict[str, list[Line]]) -> None:
    """Add the lines of these benches; how long each took is said as they go."""
    for name in names:
        begun = time.monotonic()
        found[name] = list(BENCHES[name](run))
        print(f"{name}: {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)


def report(found: Result, name: str, *, keep: bool) -> None:
    last = load(kept(name))
    print(table(found, last))
    save(found, NEW)
    if keep:
        save(merged(last, found), kept(name))
    print(f"It is in {kept(name) if keep else NEW}.")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[[], *BENCHES], help="all, if none is named")
    parser.add_argument("--quick", action="store_true", help="little of everything")
    parser.add_argument("--keep", action="store_true", help="what later runs are compared with")
    parser.add_argument("--no-fsync", action="store_true", help="see bench.place")
    parser.add_argument("--rows", type=int, help="of history, in place of what the size says")
    parser.add_argument("--server", default="run", choices=sorted(SERVERS))
    return parser.parse_args()


def main() -> None:
    given = arguments()
    size, name = (QUICK, "quick") if given.quick else (FULL, "full")
    size = replace(size, rows=given.rows or size.rows)
    name += "-no-fsync" if given.no_fsync else ""
    with place(fsync=not given.no_fsync) as database:
        master = postmaster(database)
        with limit(database, master) as pgbench:
            run = Run(database, master, pgbench, SERVERS[given.server], size)
            found: dict[str, list[Line]] = {}
            try:
                measure(run, given.names or list(BENCHES), found)
            finally:
                # What was measured before one of them failed took its time.
                report(result(name, found), name, keep=given.keep)


if __name__ == "__main__":
    main()
