"""Everything that is counted and timed, under its name; `/metrics` tells it to Prometheus.

Labels are from closed sets: routes, codes, games, levels. What came from outside is never one. An
instrument with its labels is looked up once and kept, for the move path pays for each look.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import TypeVar

from prometheus_client import Counter, Gauge, Histogram, disable_created_metrics
from prometheus_client.metrics import MetricWrapperBase

disable_created_metrics()  # type: ignore[no-untyped-call]  # half of all lines, and nobody's question

M = TypeVar("M", bound=MetricWrapperBase)

# From a move on an idle machine to one that a player feels.
MOVE_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
LOCK_BUCKETS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5)
WORK_BUCKETS = (0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)

METHODS = frozenset({"GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"})
OTHER = "other"

REQUESTS = Counter("boneyard_requests", "Requests that were answered.", ["method", "route", "status"])
REFUSALS = Counter("boneyard_refusals", "Requests that were refused, by code.", ["route", "code"])
MOVE_SECONDS = Histogram(
    "boneyard_move_seconds", "From the whole request of a move to its answer.", buckets=MOVE_BUCKETS
)
MOVES = Counter("boneyard_moves", "Moves that were written.", ["game", "by"])
LOCK_SECONDS = Histogram(
    "boneyard_lock_seconds", "Until a table's row was locked and read.", buckets=LOCK_BUCKETS
)
SIGHT_LOST = Counter(
    "boneyard_moves_at_sight_lost", "Moves that found the table changed, and were made under its lock."
)
STREAMS = Gauge(
    "boneyard_streams", "Streams and long polls that are open.", ["route"], multiprocess_mode="livesum"
)
BUS_UP = Gauge(
    "boneyard_bus_up", "Whether this process listens to the bus; 0 before its first stream.",
    multiprocess_mode="livemin",
)  # fmt: skip
VALKEY_FAILURES = Counter("boneyard_valkey_failures", "Questions to Valkey that failed.")
THROTTLED = Counter("boneyard_throttled", "Requests beyond a limit.", ["limit"])
THROTTLES_OPEN = Counter("boneyard_throttles_open", "Requests let pass uncounted, Valkey being away.")
SWEEP_SECONDS = Histogram("boneyard_sweep_seconds", "How long a sweep took.", ["sweep"], buckets=WORK_BUCKETS)
SWEPT = Counter("boneyard_swept", "What sweeps did: steps at tables, players, keys, tables.", ["sweep"])
BOT_SECONDS = Histogram(
    "boneyard_bot_seconds", "How long a bot thought.", ["game", "level"], buckets=WORK_BUCKETS
)
ANALYSIS_SECONDS = Histogram(
    "boneyard_analysis_seconds", "How long odds or an analysis took.", ["game", "kind"], buckets=WORK_BUCKETS
)


@cache
def child(instrument: M, *labels: str) -> M:
    """An instrument under these labels."""
    return instrument.labels(*labels)


def answered(method: str, route: str, status: int) -> None:
    """Count a request."""
    child(REQUESTS, method if method in METHODS else OTHER, route, str(status)).inc()


def refused(route: str, code: str) -> None:
    child(REFUSALS, route, code).inc()


@contextmanager
def timed(instrument: Histogram, *labels: str) -> Iterator[None]:
    """Time a block: `with timed(ANALYSIS_SECONDS, game, "odds"): …`."""
    begun = time.perf_counter()
    try:
        yield
    finally:
        (child(instrument, *labels) if labels else instrument).observe(time.perf_counter() - begun)


@contextmanager
def sweeping(name: str) -> Iterator[Callable[[int], None]]:
    """Time a sweep; what is yielded counts what it did."""
    with timed(SWEEP_SECONDS, name):
        yield child(SWEPT, name).inc
