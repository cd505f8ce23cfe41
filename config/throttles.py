"""How often something may be asked for, counted in Valkey; without Valkey nobody is held up."""

import logging
import time
from threading import Lock

from django.conf import settings
from limits import RateLimitItem, RateLimitItemPerHour, RateLimitItemPerMinute
from limits.storage import RedisStorage
from limits.strategies import SlidingWindowCounterRateLimiter
from redis.exceptions import RedisError

from config.errors import Throttled

log = logging.getLogger(__name__)

CODE_LOOKS = RateLimitItemPerMinute(settings.CODE_LOOKS_PER_MINUTE, namespace="boneyard-code")
RECORD_CHECKS = RateLimitItemPerMinute(settings.RECORD_CHECKS_PER_MINUTE, namespace="boneyard-record")
ODDS = RateLimitItemPerMinute(settings.ODDS_PER_MINUTE, namespace="boneyard-odds")
ANALYSES = RateLimitItemPerMinute(settings.ANALYSES_PER_MINUTE, namespace="boneyard-analyses")
ENTRIES = RateLimitItemPerMinute(settings.ENTRIES_PER_MINUTE, namespace="boneyard-enter")
REPORTS = RateLimitItemPerHour(settings.REPORTS_PER_HOUR, namespace="boneyard-report")
REPORTS_FROM_ADDRESS = RateLimitItemPerHour(
    settings.REPORTS_PER_HOUR * settings.REPORTERS_PER_ADDRESS, namespace="boneyard-report-address"
)

# After a failure Valkey is not asked again for so long, so that its absence costs nothing.
REST_SECONDS = 2.0


class Throttle:
    """Sliding windows that all processes share. Fails open, with a line in the log."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._limiter: SlidingWindowCounterRateLimiter | None = None
        self._resting_until = 0.0
        self._lock = Lock()

    def admit(self, limit: RateLimitItem, who: str) -> None:
        """Count one more. Raises Throttled with the seconds until there is room again."""
        if time.monotonic() < self._resting_until:
            return
        try:
            limiter = self._connected()
            if limiter.hit(limit, who):
                return
            wait = limiter.get_window_stats(limit, who).reset_time - time.time()
        except (RedisError, OSError) as error:
            log.warning("throttles are off, Valkey is away: %s", type(error).__name__)
            self._resting_until = time.monotonic() + REST_SECONDS
            return
        raise Throttled(wait)

    def _connected(self) -> SlidingWindowCounterRateLimiter:
        with self._lock:
            if self._limiter is None:
                storage = RedisStorage(self._url, socket_timeout=0.1, socket_connect_timeout=0.1)
                self._limiter = SlidingWindowCounterRateLimiter(storage)
            return self._limiter


throttle = Throttle(settings.REDIS_URL)
