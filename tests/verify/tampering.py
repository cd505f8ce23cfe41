"""Changes records as tampering.json describes it; records.test.mjs does the same by itself.

An entry has a `kind`, the `record` it starts from, and `edits`, each of which sets, removes or inserts what
is at a path, or gives the moves their numbers anew. `hash` is that of the record so changed. `finds` is what
a verifier says after the tamperer has written this hash: what holds, and the part, line and text of each
problem; null where neither rules nor seeds can tell.
"""

import json
from copy import deepcopy
from hashlib import sha256
from pathlib import Path
from typing import Any

from tests.verify.program import read, record

TAMPERINGS: list[dict[str, Any]] = read(Path(__file__).parent / "tampering.json")


def tampered(entry: dict[str, Any], *, new_hash: bool) -> dict[str, Any]:
    changed: dict[str, Any] = record(entry["record"])
    for edit in deepcopy(entry["edits"]):
        change(changed, edit)
    return changed | {"hash": entry["hash"]} if new_hash else changed


def change(changed: dict[str, Any], edit: dict[str, Any]) -> None:
    match edit:
        case {"set": [*path, last], "to": value}:
            at(changed, path)[last] = value
        case {"insert": [*path, last], "it": value}:
            at(changed, path).insert(last, value)
        case {"remove": [*path, last]}:
            del at(changed, path)[last]
        case {"renumber": True}:
            moves = [line for line in changed["lines"] if line["kind"] == "move"]
            for number, line in enumerate(moves, 1):
                line["number"] = number


def at(thing: Any, path: list[Any]) -> Any:
    for step in path:
        thing = thing[step]
    return thing


def hash_of(changed: dict[str, Any]) -> str:
    """As docs/fairness.md says it."""
    rest = {name: value for name, value in changed.items() if name != "hash"}
    return sha256(json.dumps(rest, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
