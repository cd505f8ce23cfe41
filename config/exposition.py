"""What Prometheus reads: this process's instruments, and what is asked of the database and kept for a while.

Each web process tells of itself, so scrape each. With PROMETHEUS_MULTIPROC_DIR set, processes that share
a port, and that folder, tell of all of them together.
"""

import logging
import os
import time
from collections.abc import Iterable, Iterator, Mapping
from socketserver import ThreadingMixIn
from threading import Lock, Thread
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from django.db import DatabaseError, connection, connections
from django.utils import timezone
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from config import keeping, readiness
from config.addresses import may_see_metrics
from games import census
from games.models import HistoryCheck
from sessions.models import Sweep

log = logging.getLogger(__name__)

KEPT_SECONDS = 15.0
EVERYWHERE = "0.0.0.0"  # noqa: S104  # nosec B104  # METRICS_ALLOW says who is answered


class Stored(Collector):
    """Tables, seats, sweeps and readiness, as database and bus have them: the same from each process."""

    def __init__(self) -> None:
        self._found: list[Metric] = []
        self._until = 0.0
        self._lock = Lock()

    def describe(self) -> Iterable[Metric]:
        """Nothing beforehand, or registering it would ask the database."""
        return []

    def collect(self) -> Iterator[Metric]:
        yield _gauge("boneyard_check", "Whether a part of /readyz is green.", "check", _checks())
        yield _gauge("boneyard_database_connections", "Of this process's pool.", "state", _connections())
        with self._lock:
            if time.monotonic() >= self._until:
                self._found = _read()
                self._until = time.monotonic() + KEPT_SECONDS
            yield from self._found

    def forget(self) -> None:
        self._until = 0.0


def _read() -> list[Metric]:
    """Nothing while the database is away: a figure that is old would pass for a new one."""
    try:
        found = census.take()
        sweeps = list(Sweep.objects.all())
        check = HistoryCheck.objects.order_by("-pk").first()
    except DatabaseError as error:
        log.warning("nothing can be counted: %s", type(error).__name__)
        return []
    now = timezone.now()
    ages = {sweep.name: max(0.0, (now - sweep.ran_at).total_seconds()) for sweep in sweeps}
    return [
        _gauge(
            "boneyard_tables", "Tables; those that are over by PostgreSQL's estimate.", "status", found.tables
        ),
        _gauge("boneyard_seats", "Seats of tables that are not over.", "state", found.seats),
        _gauge("boneyard_sweep_age_seconds", "Since a sweep last told of itself.", "sweep", ages),
        _gauge(
            "boneyard_sweep_size",
            "What the last sweep did.",
            "sweep",
            {each.name: each.size for each in sweeps},
        ),
        GaugeMetricFamily(
            "boneyard_history_differences",
            "Tables of the last nightly check that differ from their histories.",
            value=check.differing if check else 0,
        ),
    ]


def _gauge(name: str, told: str, label: str, values: Mapping[str, float]) -> Metric:
    family = GaugeMetricFamily(name, told, labels=[label])
    for value, number in values.items():
        family.add_metric([value], number)
    return family


def _checks() -> dict[str, float]:
    return {name: float(check.ok) for name, check in readiness.board.checks().items()}


def _connections() -> dict[str, float]:
    pool: Any = getattr(connection, "pool", None)
    if pool is None:
        return {}
    stats = pool.get_stats()
    free, kept = stats.get("pool_available", 0), len(keeping.idle)
    return {
        "free": free,
        "kept": kept,
        "in_use": max(0, stats.get("pool_size", 0) - free - kept),
        "waited_for": stats.get("requests_waiting", 0),
        "most": stats.get("pool_max", 0),
    }


stored = Stored()


def told() -> tuple[bytes, str]:
    """All of it, and its content type."""
    registry = CollectorRegistry()
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        own = b""
    else:
        own = generate_latest(REGISTRY)
    registry.register(stored)
    return own + generate_latest(registry), CONTENT_TYPE_LATEST


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Handler(WSGIRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the library's name
        """Nothing: it would tell addresses."""


def _answer(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    if environ["PATH_INFO"] != "/metrics":
        start_response("404 Not Found", [])
        return []
    if not may_see_metrics(environ):
        start_response("403 Forbidden", [])
        return []
    try:
        content, kind = told()
    finally:
        # Back into the pool, for this thread ends with its answer.
        connections.close_all()
    start_response("200 OK", [("Content-Type", kind)])
    return [content]


def serve(port: int) -> None:
    """Answer at a port of its own from now on: for processes that serve nothing else."""
    server = make_server(EVERYWHERE, port, _answer, _Server, _Handler)
    Thread(target=server.serve_forever, name="metrics", daemon=True).start()
