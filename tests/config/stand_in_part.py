"""Stands in for a part: a migration, a web process that counts its visits, a worker that sleeps."""

import json
import os
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

import psycopg


class Visits(BaseHTTPRequestHandler):
    """Every visit is a row, and the answer is their number."""

    def do_GET(self) -> None:
        with psycopg.connect(os.environ["DATABASE_URL"]) as connection:
            connection.execute("INSERT INTO visits VALUES (now())")
            row = connection.execute("SELECT count(*) FROM visits").fetchone()
        assert row is not None
        body = json.dumps({"visits": row[0]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def run(name: str, *arguments: str) -> None:
    match name:
        case "migrate":
            if "BROKEN_MIGRATION" in os.environ:
                sys.exit("this migration fails")
            with psycopg.connect(os.environ["DATABASE_URL"]) as connection:
                connection.execute("CREATE TABLE IF NOT EXISTS visits (at timestamptz)")
        case "web":
            HTTPServer((arguments[0], int(arguments[1])), Visits).serve_forever()
        case "worker":
            if "BROKEN_WORKER" in os.environ:
                sys.exit("no worker today")
            time.sleep(600)


if __name__ == "__main__":
    run(*sys.argv[1:])
