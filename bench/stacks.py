"""The candidates for the stack that serves the API, under the same moves and looks at tables.

`python -m bench.stacks --python VENV/bin/python [--only NAME,…] [--rounds 3] [--into FILE]`, where the
environment VENV holds all that requirements-dev.lock names, and a2wsgi, granian and gunicorn besides.
Each server runs alone, one after the other, and pgbench before each, so that its rate is a share of L at its
own time. Samples are added to FILE, from which `--show` prints all that were ever added as one table.
"""

import argparse
import itertools
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from bench.cases import Case, Pool, play
from bench.figures import Figure, columns, short
from bench.limit import Limit, limit
from bench.meter import Meter
from bench.place import place, postmaster
from bench.reads import readers
from bench.tables import make_tables
from bench.views import looks
from bench.web import serving
from config.embedded.address import Address
from config.embedded.process import Part

CLIENTS = 16
THREADS = (4, 8, 16)
CONNECTIONS = {"pool": "config.settings", "persistent": "bench.persistent"}
WSGI, ASGI, LIBRARY = "config.wsgi:application", "config.asgi:application", "bench.library:application"


@dataclass(frozen=True, slots=True)
class Stack:
    """A way to serve: `{host}`, `{port}`, `{threads}` and `{workers}` stand in the words of its command."""

    name: str
    words: str
    workers: int = 1
    threads: int = 8
    connections: str = "pool"

    @property
    def title(self) -> str:
        many = f"{self.workers} workers, " if self.workers > 1 else ""
        return f"{self.name}, {many}{self.threads} threads, {self.connections}"

    def part(self, python: str, env: Mapping[str, str], address: Address) -> Part:
        given = {"host": address.host, "port": address.port}
        words = self.words.format(**given, threads=self.threads, workers=self.workers).split()
        own = {
            "WEB_THREADS": str(self.threads),
            "DJANGO_SETTINGS_MODULE": CONNECTIONS[self.connections],
        }
        return Part("web", [python, "-m", *words], {**env, **own})


UVICORN = (
    "uvicorn {application} --host {{host}} --port {{port}} --workers {{workers}} --no-server-header"
    " --no-access-log --no-proxy-headers --log-level warning --timeout-keep-alive 30"
)
GRANIAN = (
    "granian --interface {interface} --host {{host}} --port {{port}} --workers {{workers}} --no-access-log"
    " --log-level warning --no-ws {more} {application}"
)
GUNICORN = (
    "gunicorn --worker-class gthread --workers {workers} --threads {threads} --keep-alive 30"
    " --bind {host}:{port} --log-level warning " + WSGI
)
COMMANDS = {
    "uvicorn with our bridge": UVICORN.format(application=ASGI),
    "uvicorn with a2wsgi": UVICORN.format(application=LIBRARY),
    "granian wsgi": GRANIAN.format(interface="wsgi", application=WSGI, more="--blocking-threads {threads}"),
    "granian asgi with our bridge": GRANIAN.format(interface="asgi", application=ASGI, more="--loop uvloop"),
    "gunicorn gthread": GUNICORN,
}


def candidates() -> Iterable[Stack]:
    """Each alone with all numbers of threads, then with two workers."""
    for (name, words), connections in itertools.product(COMMANDS.items(), CONNECTIONS):
        for threads in THREADS:
            yield Stack(name, words, 1, threads, connections)
        yield Stack(name, words, 2, THREADS[1], connections)


def measure(
    stack: Stack, python: str, limit: Limit, pool: Pool, master: int | None, most: int
) -> dict[str, Any]:
    """One sample: the limit just before, moves, looks, and memory after them."""
    rate = limit.rate("plain", 2)
    case = Case(stack.title, CLIENTS, 0, pool)
    with serving(partial(stack.part, python)) as web:
        meter = Meter(web, master)
        play(meter, case, most // 3)
        meter.burst(readers(looks(pool.tables), CLIENTS, most // 3))
        moves = play(meter, case, most)
        looked = meter.burst(readers(looks(pool.tables), CLIENTS, most))
        return {
            "stack": stack.title,
            "limit": rate.rate,
            "moves": asdict(moves),
            "looks": asdict(looked),
            "memory": web.memory,
        }


HEADS = (
    *("", "moves/s", "of L", "p50 ms", "p99 ms", "web CPU ms", "PostgreSQL CPU ms"),
    *("looks/s", "of L", "p50 ms", "p99 ms", "web CPU ms", "memory MiB", "samples"),
)


def table(samples: Sequence[Mapping[str, Any]]) -> str:
    """The best rate of moves first, by its share of L."""
    by_stack: dict[str, list[Mapping[str, Any]]] = {}
    for sample in samples:
        by_stack.setdefault(sample["stack"], []).append(sample)
    best = sorted(by_stack, key=lambda title: -_share(by_stack[title], "moves").median)
    return columns(HEADS, [_row(title, by_stack[title]) for title in best])


def _row(title: str, samples: Sequence[Mapping[str, Any]]) -> list[str]:
    memory = Figure.of([sample["memory"] / 2**20 for sample in samples])
    looks = [*_loads(samples, "looks")]
    return [title, *_loads(samples, "moves"), *looks[:-1], short(memory.median), str(len(samples))]


def _loads(samples: Sequence[Mapping[str, Any]], load: str) -> Iterable[str]:
    yield short(Figure.of([sample[load]["rate"] for sample in samples]).median)
    yield str(_share(samples, load))
    for name in ("p50", "p99", "web_cpu", "database_cpu"):
        known = [sample[load][name] * 1_000 for sample in samples if sample[load][name] is not None]
        yield short(Figure.of(known).median) if known else "–"


def _share(samples: Sequence[Mapping[str, Any]], load: str) -> Figure:
    return Figure.of([sample[load]["rate"] / sample["limit"] for sample in samples])


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--only", default="", help="those whose title holds one of these, with ; between")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--moves", type=int, default=600)
    parser.add_argument("--into", type=Path, default=Path("stacks.jsonl"))
    parser.add_argument("--no-fsync", action="store_true", help="see bench.place")
    parser.add_argument("--show", action="store_true", help="measure nothing")
    parser.add_argument("--list", action="store_true", help="name the candidates")
    return parser.parse_args()


def main() -> None:
    given = arguments()
    chosen = [stack for stack in candidates() if any(word in stack.title for word in given.only.split(";"))]
    if given.list:
        print("\n".join(stack.title for stack in chosen))
    elif not given.show:
        with place(fsync=not given.no_fsync) as database, limit(database, postmaster(database)) as pgbench:
            pool = Pool(partial(make_tables, database, "pickomino", 300))
            for stack in chosen * given.rounds:
                sample = measure(stack, given.python, pgbench, pool, postmaster(database), given.moves)
                with given.into.open("a") as file:
                    file.write(json.dumps(sample) + "\n")
    if not given.list:
        print(table([json.loads(line) for line in given.into.read_text().splitlines()]))


if __name__ == "__main__":
    main()
