"""The verifier as a command: what it prints, its exit code, and that it needs nothing but Python."""

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.verify.program import PATH, RECORDS, record, verifier
from tests.verify.tampering import TAMPERINGS, tampered


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Without the project, its packages, or anything else that is installed."""
    command = [sys.executable, "-I", "-S", "-X", "utf8", str(PATH), *arguments]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)


def kept(folder: Path, content: str) -> str:
    path = folder / "record.json"
    path.write_text(content, encoding="utf-8")
    return str(path)


def test_a_true_record_is_told_with_what_was_checked_and_its_commitment() -> None:
    done = run(str(RECORDS / "dominoes.json"))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "whole  yes  the form, and the hash",
        "rules  yes  dominoes, 3 seats: 19 moves, and the outcome",
        "seeds  yes  the commitment, and 2 throws and shuffles",
        "The record is true, if this is the commitment that you were shown:",
        record("dominoes")["fairness"]["commitment"],
    ]


def test_a_tampered_record_is_told_with_the_first_line_that_goes_wrong(tmp_path: Path) -> None:
    entry = next(
        entry for entry in TAMPERINGS if entry["kind"] == "who made the move of a seat that had left"
    )
    done = run(kept(tmp_path, json.dumps(tampered(entry, new_hash=True))))
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.splitlines()[3:] == [
        "The record is not true.",
        'Line 8, move 7: Seat 1 has left, and the move is by "player", no stand-in.',
    ]


def test_a_broken_form_leaves_the_rest_unasked(tmp_path: Path) -> None:
    done = run(kept(tmp_path, "[]"))
    assert done.returncode == 1
    assert "rules  could not be asked" in done.stdout


def test_another_commitment_than_the_kept_one_is_no_truth() -> None:
    assert run(str(RECORDS / "7776.json"), "00" * 32).returncode == 1


@pytest.mark.parametrize(
    "content",
    ["", "{", "\ufeff{}", '{"format": 1, "format": 1}', '{"format": 1.0}', '{"format": NaN}', "[" * 100_000],
    ids=["empty", "unfinished", "byte order mark", "a member twice", "a fraction", "no number", "deep"],
)
def test_what_others_could_read_otherwise_is_no_record(tmp_path: Path, content: str) -> None:
    done = run(kept(tmp_path, content))
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("This is no record")


def test_without_a_file_there_is_nothing_to_judge(tmp_path: Path) -> None:
    assert run().returncode == 2
    assert run(str(tmp_path / "nothing.json")).returncode == 2


def imports(tree: ast.AST) -> set[str]:
    nodes = [*ast.walk(tree)]
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return plain | {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}


def test_it_is_written_for_python_3_9_and_its_standard_library_alone() -> None:
    tree = ast.parse(PATH.read_text(encoding="utf-8"), feature_version=(3, 9))
    assert {name.split(".")[0] for name in imports(tree)} <= sys.stdlib_module_names


@pytest.mark.parametrize("given", [None, 1, "record", [], {}, {"format": 1}], ids=repr)
def test_nothing_that_is_given_makes_it_fail(given: Any) -> None:
    assert not verifier.verify(given).ok
