"""A page in headless Chromium that runs a script, and what the script tells of itself."""

import http.server
import json
import queue
import shutil
import subprocess
import tempfile
import threading
from typing import Any, Self

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# As root there is no sandbox; and nothing is asked of the world outside.
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PATIENCE_SECONDS = 60
# One after the other, or they could overtake each other.
TELL = """
let told = Promise.resolve();
const post = (value) => fetch("/", { method: "POST", body: JSON.stringify(value) });
const tell = (value) => { told = told.then(() => post(value)); };
"""


def chromium() -> str:
    """The browser's program. Raises LookupError when there is none."""
    for name in NAMES:
        if found := shutil.which(name):
            return found
    raise LookupError(f"none of {', '.join(NAMES)} is installed")


class Page:
    """A page with this script, open while the block lasts; `tell(value)` in it is heard here."""

    def __init__(self, script: str) -> None:
        self._html = f"<!doctype html><title>test</title><script>{TELL}{script}</script>".encode()
        self._told: queue.Queue[Any] = queue.Queue()

    def __enter__(self) -> Self:
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _handler(self._html, self._told))
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        address = f"http://127.0.0.1:{self._server.server_port}/"
        self._browser = subprocess.Popen(
            [chromium(), *FLAGS, f"--user-data-dir={self._profile.name}", address],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._browser.terminate()
        self._browser.wait(PATIENCE_SECONDS)
        self._server.shutdown()
        self._server.server_close()
        self._profile.cleanup()

    def hear(self) -> Any:
        """What the script tells next."""
        return self._told.get(timeout=PATIENCE_SECONDS)


def _handler(html: bytes, told: "queue.Queue[Any]") -> type[http.server.BaseHTTPRequestHandler]:
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(html)

        def do_POST(self) -> None:
            told.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self._answer(b"")

        def _answer(self, body: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the name is inherited
            pass

    return Handler
