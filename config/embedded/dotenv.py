"""Reads a `.env` file: lines of KEY=VALUE, as docker compose reads it too."""

from pathlib import Path

from config.embedded.process import Problem


def read_dotenv(path: Path) -> dict[str, str]:
    """Its settings, or none if it isn't there. Raises Problem for any other line."""
    try:
        lines = path.read_text().splitlines()
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeError) as error:
        raise Problem(f"Can't read {path}: {error}.") from None
    found = {}
    for number, line in enumerate(lines, 1):
        words = line.strip().removeprefix("export ")
        if not words or words.startswith("#"):
            continue
        key, equals, value = words.partition("=")
        if not equals or not key.strip().isidentifier():
            raise Problem(f"{path}, line {number}: expected KEY=VALUE.")
        found[key.strip()] = _value(value.strip())
    return found


def _value(text: str) -> str:
    quote = text[:1]
    if quote in {"'", '"'} and (end := text.find(quote, 1)) > 0:
        return text[1:end]
    return "" if quote == "#" else text.split(" #", 1)[0].rstrip()
