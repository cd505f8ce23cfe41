"""The id of a request, by which its log lines are found: from the client, or made here.

It goes with the work: through the threads of the web process, and in the headers of Celery's messages.
"""

import os
import re
from contextvars import ContextVar

HEADER = b"x-request-id"
# Hex digits and hyphens, so a UUID in any form: no word, no address and no token looks like that.
WELL_FORMED = re.compile(rb"[0-9A-Fa-f-]{8,64}")

current: ContextVar[str] = ContextVar("request_id", default="")


def new_id() -> str:
    """64 random bits."""
    return os.urandom(8).hex()


def id_of(headers: list[tuple[bytes, bytes]]) -> str:
    """The id that a request brings, if it is well-formed; else a new one."""
    for name, value in headers:
        if name == HEADER and WELL_FORMED.fullmatch(value):
            return value.decode()
    return new_id()
