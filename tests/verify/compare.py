"""Compares the verifiers on tables played at random, and on the same tampered with; needs node.

    python -m tests.verify.compare 1000

plays that many tables of each game with the server's code. Both verifiers and the server's own check must
find each of them true. Then each is changed somewhere at random, and gets a new hash two times out of three:
the verifiers must say the same of it word for word, and the server must agree whether it is true, and about
what holds. (Where form ends and rules begin it may draw the line elsewhere.)
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from games.rules.registry import GAMES
from games.rules.verify import verify as server_verify
from tests.records.play import record_of
from tests.verify.program import verifier
from tests.verify.tampering import hash_of

EACH = Path(__file__).parent / "each.mjs"
PARTS = ("whole", "rules", "seeds")
OTHERS: list[Any] = [
    None,
    True,
    False,
    -1,
    0,
    1,
    6,
    7,
    255,
    256,
    2**31,
    "",
    "W",
    "roll",
    'a"',
    "é",
    [],
    {},
    [1],
]
OTHERS += ["player", "stand_in", "bot", "human", "left", "voided", "abandoned", "any", "nearest", "x" * 65]


class Differs(Exception):
    """The two verifiers do not say the same, or what the server records is not true."""


def places(thing: Any) -> Iterator[tuple[Any, Any]]:
    """Every member and entry, as what holds it and its name or index there."""
    names = thing if isinstance(thing, dict) else range(len(thing)) if isinstance(thing, list) else ()
    for name in names:
        yield thing, name
        yield from places(thing[name])


def near(value: Any, luck: Random) -> Any:
    """Another value of the same type, where there is one close by."""
    if type(value) is int:
        return value + luck.choice((-1, 1))
    if type(value) is str and value:
        return value[:-1] + luck.choice("0123456789abcW")
    return luck.choice(OTHERS)


def changed(record: dict[str, Any], luck: Random) -> dict[str, Any]:
    """The record with something set, removed, repeated or exchanged."""
    copy = deepcopy(record)
    about = copy if luck.random() < 0.6 else {name: value for name, value in copy.items() if name != "lines"}
    holder, name = luck.choice([*places(about)])
    kind = luck.choice(("near", "other", "remove", "repeat", "exchange"))
    if kind == "remove":
        del holder[name]
    elif kind == "repeat" and isinstance(holder, list):
        holder.insert(name, deepcopy(holder[name]))
    elif kind == "exchange":
        other = luck.choice([*holder] if isinstance(holder, dict) else range(len(holder)))
        holder[name], holder[other] = holder[other], holder[name]
    else:
        holder[name] = near(holder[name], luck) if kind == "near" else luck.choice(OTHERS)
    return copy | {"hash": hash_of(copy)} if luck.random() < 2 / 3 else copy


def told_by_node(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "records.jsonl"
        path.write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")
        told = subprocess.run(["node", str(EACH), str(path)], capture_output=True, check=True, text=True)
    return [json.loads(line) for line in told.stdout.splitlines()]


def agree(one: dict[str, Any], other: dict[str, Any]) -> bool:
    asked = None not in (one["rules"], other["rules"])
    return one["ok"] == other["ok"] and (not asked or all(one[part] == other[part] for part in PARTS))


def compare(records: list[dict[str, Any]]) -> tuple[int, list[str]]:
    """How many are true; and each time that the server's check says otherwise. Raises Differs."""
    true, otherwise = 0, []
    for record, by_node in zip(records, told_by_node(records), strict=True):
        by_python, by_server = asdict(verifier.verify(record)), asdict(server_verify(record))
        if by_python != by_node:
            raise Differs(json.dumps([record, by_python, by_node], indent=1))
        if not agree(by_python, by_server):
            otherwise.append(f"{by_python['problem']} The server: {by_server['problem']}\n")
        true += by_python["ok"]
    return true, otherwise


def compare_game(game: str, tables: int, luck: Random) -> list[str]:
    played = [record_of(game, f"compare {seed}") for seed in range(tables)]
    records: list[Any] = msgspec.json.decode(msgspec.json.encode(played))
    true, otherwise = compare(records)
    if otherwise or true < tables:
        raise Differs(f"Of {tables} records that the server makes of {game} {true} are true. {otherwise}")
    sys.stdout.write(f"{game}: {tables} tables are true\n")
    others = [other for record in records if (other := changed(record, luck)) != record]
    true, otherwise = compare(others)
    sys.stdout.write(f"{game}: of {len(others)} changed ones {len(others) - true} are found out\n")
    return otherwise


def main(tables: int) -> int:
    luck = Random(f"compare {tables}")
    otherwise = [words for game in sorted(GAMES) for words in compare_game(game, tables, luck)]
    sys.stdout.write(f"The server's check says otherwise {len(otherwise)} times\n")
    sys.stdout.writelines(sorted({*otherwise}))
    return 1 if otherwise else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
