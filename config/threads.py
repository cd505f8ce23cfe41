"""Django's blocking world, called from streams: few threads, and no connection kept between calls."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

from django.conf import settings
from django.db import close_old_connections, connections

P = ParamSpec("P")
T = TypeVar("T")

_threads = ThreadPoolExecutor(settings.STREAM_THREADS, thread_name_prefix="stream")


async def in_thread(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run blocking work in one of the threads. Raises what it raises."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_threads, partial(_with_connection, partial(work, *args, **kwargs)))


def _with_connection(work: Callable[[], T]) -> T:
    close_old_connections()
    try:
        return work()
    finally:
        # Back into the pool: a stream that waits holds none.
        connections.close_all()
