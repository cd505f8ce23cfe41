"""From ASGI to Django under WSGI: a request that was read whole is answered by one of a few threads.

Of our own, since what a library does besides, for bodies that come and go in pieces, costs as much as
half a move; see docs/operators.md for the figures.
"""

import sys
import time
from collections.abc import Callable
from io import BytesIO
from typing import Any, TypeAlias

from config import trace
from config.addresses import UNTRUSTED
from config.answers import Headers, Scope, Send, begin
from config.crew import Crew
from config.gate import LEAST, Gate, Pass
from config.metrics import OTHER
from config.wire import BODY, ROUTE

Answer: TypeAlias = tuple[int, Headers, bytes, str]


class Bridge:
    """A WSGI application as it is called from an event loop, by at most so many threads."""

    def __init__(
        self, application: Any, threads: int, name: str, first: Callable[[], None] | None = None
    ) -> None:
        self._application = application
        self._crew = Crew(threads, name, first)
        self._gate = Gate(LEAST, threads)

    async def __call__(self, scope: Scope, body: bytes, send: Send) -> tuple[int, str]:
        """Answer a request; status and route. It is answered to its end whether or not its client waits."""
        let_in = await self._gate.enter()
        try:
            status, headers, piece, route = await self._crew.run(self._timed, scope, body, let_in)
        finally:
            self._gate.leave(let_in)
        await begin(send, status, headers)
        await send({"type": "http.response.body", "body": piece})
        return status, route

    def end(self, seconds: float) -> None:
        """Let requests that were begun come to their end, for so long at most."""
        self._crew.end(seconds)

    def _timed(self, scope: Scope, body: bytes, let_in: Pass) -> Answer:
        begun = time.thread_time()
        try:
            return self._answer(scope, body)
        finally:
            let_in.cpu = time.thread_time() - begun

    def _answer(self, scope: Scope, body: bytes) -> Answer:
        begun: list[tuple[str, Headers]] = []

        def start_response(status: str, headers: Headers, failure: Any = None) -> None:
            begun[:] = [(status, headers)]

        trace.current.set(scope["request_id"])
        given = environ(scope, body)
        pieces: Any = self._application(given, start_response)
        try:
            whole = b"".join(pieces)
        finally:
            if hasattr(pieces, "close"):
                pieces.close()
        status, headers = begun[0]
        headers = [*headers, ("X-Request-Id", scope["request_id"])]
        return int(status[:3]), headers, whole, given.get(ROUTE, OTHER)


def environ(scope: Scope, body: bytes) -> dict[str, Any]:
    """A request as WSGI has it (PEP 3333): every text is bytes read as Latin-1."""
    host, port = scope.get("server") or ("localhost", 80)
    client = scope.get("client") or ("", 0)
    found: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": scope["path"].encode().decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": host,
        "SERVER_PORT": str(port),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": client[0],
        "REMOTE_PORT": str(client[1]),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": BytesIO(body),
        BODY: body,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        UNTRUSTED: UNTRUSTED in scope,
    }
    for name, value in scope["headers"]:
        key, text = _names.get(name) or _key(name), value.decode("latin-1")
        # A name with an underscore would pass for the same name with a hyphen.
        if key:
            found[key] = f"{found[key]},{text}" if key in found else text
    if body:
        found["CONTENT_LENGTH"] = str(len(body))
    return found


# What comes with nearly every request, and what WSGI has other names for. The body was read: neither its
# announced length nor its chunks are of any more use.
_names = {
    b"content-type": "CONTENT_TYPE",
    b"authorization": "HTTP_AUTHORIZATION",
    b"host": "HTTP_HOST",
    b"accept": "HTTP_ACCEPT",
    b"user-agent": "HTTP_USER_AGENT",
    b"idempotency-key": "HTTP_IDEMPOTENCY_KEY",
}
_DROPPED = (b"content-length", b"transfer-encoding")


def _key(name: bytes) -> str | None:
    if b"_" in name or name in _DROPPED:
        return None
    return "HTTP_" + name.decode("latin-1").upper().replace("-", "_")
