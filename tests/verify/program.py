"""The verifier in Python, imported by its path, and the files that both verifiers are tried on."""

import json
import re
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PATH = ROOT / "docs" / "verify" / "boneyard_verify.py"
VECTORS = ROOT / "tests" / "vectors"
RECORDS = Path(__file__).parent / "records"


def imported() -> Any:
    loader = SourceFileLoader("boneyard_verify", str(PATH))
    spec = spec_from_loader(loader.name, loader)
    assert spec is not None
    module = module_from_spec(spec)
    sys.modules[loader.name] = module  # dataclasses look their module up
    loader.exec_module(module)
    return module


verifier = imported()


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def record(name: str) -> Any:
    return read(RECORDS / f"{name}.json")


def documented() -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The vectors of the derivation, and the whole record, that docs/fairness.md gives."""
    page = (ROOT / "docs" / "fairness.md").read_text(encoding="utf-8")
    examples = [json.loads(block) for block in re.findall(r"```json\n(\{\n.*?)```", page, re.DOTALL)]
    cases = next(example["cases"] for example in examples if "cases" in example)
    return cases, next(example for example in examples if "hash" in example)


def luck(*draws: list[Any]) -> Any:
    """The luck of one step, as if a record had it."""
    return verifier.Luck(draws)


def options(game: Any, **others: Any) -> dict[str, Any]:
    """The first value that each option may have, but for those given."""
    return {name: allowed[0] for name, allowed in game.OPTIONS.items()} | others
