"""What `make run` calls, with stand-ins for the server's own parts: `python -m tests.config.stand_in`."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from config.embedded.address import Address
from config.embedded.process import Part
from config.run import main, serve

PART = [sys.executable, str(Path(__file__).with_name("stand_in_part.py"))]


def migration(env: Mapping[str, str]) -> Part:
    return Part("migrate", [*PART, "migrate"], env)


def parts(env: Mapping[str, str], address: Address) -> Sequence[Part]:
    web = Part("web", [*PART, "web", address.host, str(address.port)], env)
    return [web, Part("worker", [*PART, "worker"], env)]


if __name__ == "__main__":
    sys.exit(main([], lambda environ: serve(environ, parts, migration)))
