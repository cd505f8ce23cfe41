"""Plays tables at random and checks their records: `python -m tests.records 1000`, of each game so many.

With `--out FOLDER` the records are kept there, for other verifiers. `--long MOVES` checks one record of at
least so many moves of each game instead, and says how long that takes.
"""

import sys
import time
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path

import msgspec

from games.rules.registry import GAMES
from games.rules.verify import verify
from tests.records.play import long_record_of, record_of


def main() -> None:
    parser = ArgumentParser(prog="python -m tests.records", description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=1000, help="how many of each game")
    parser.add_argument("--out", type=Path, help="keep the records in this folder")
    parser.add_argument("--long", type=int, help="one record of so many moves instead")
    asked = parser.parse_args()
    if asked.out:
        asked.out.mkdir(parents=True, exist_ok=True)
    for slug in GAMES:
        say(time_long(slug, asked.long) if asked.long else check_many(slug, asked.count, asked.out))


def check_many(slug: str, count: int, out: Path | None) -> str:
    ends: Counter[str] = Counter()
    lines = 0
    for number in range(count):
        record = record_of(slug, number)
        raw = msgspec.json.encode(record)
        if not (verdict := verify(msgspec.json.decode(raw))).ok:
            sys.exit(f"{slug} {number}: {verdict}")
        if out:
            (out / f"{slug}-{number}.json").write_bytes(raw)
        ends[record.outcome.reason] += 1
        lines += len(record.lines)
    return f"{slug}: {count} records with {lines} lines are true; {dict(ends)}"


def time_long(slug: str, moves: int) -> str:
    raw = msgspec.json.encode(long_record_of(slug, moves))
    began = time.perf_counter()
    record = msgspec.json.decode(raw)
    verdict = verify(record)
    seconds = time.perf_counter() - began
    if not verdict.ok:
        sys.exit(f"{slug}: {verdict}")
    return f"{slug}: {len(record['lines'])} lines, {len(raw)} bytes, checked in {seconds:.2f} s"


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
