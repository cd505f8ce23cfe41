"""Serves the page's own files, and the bare page for one board, under a policy as strict as the server's."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

PLAY = Path(__file__).parents[3] / "play"
BARE = Path(__file__).parent
POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'"


class Files(SimpleHTTPRequestHandler):
    def translate_path(self, path: str) -> str:
        folder, name = (BARE, path[6:]) if path.startswith("/bare/") else (PLAY, path[1:])
        return str(folder / name.partition("?")[0])

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", POLICY)
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the name is inherited
        pass


@contextmanager
def serving() -> Iterator[str]:
    """The address of the bare page."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Files)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/bare/bare.html"
    finally:
        server.shutdown()
        server.server_close()
