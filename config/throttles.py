"""How often something may be asked for, counted in Valkey; without Valkey nobody is held up.

Who has a session is counted by it first, and then with all others of the address, of which more is allowed:
one who is refused for the session takes nothing from its neighbours. All of that is one script,
so nobody comes in between.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from django.conf import settings

from config import metrics
from config.errors import Throttled
from config.valkey import Valkey, valkey

MINUTE, HOUR = 60, 3_600
# As many sessions as may ask from one address, each as often as it likes.
NEIGHBOURS = 20

# The generic cell rate algorithm: of each key only the moment is kept at which all counted is used up.
# Keys in the order of the limits; for each, how many there may be in how many microseconds.
# Answers the number of the limit that refuses, or 0; then for each limit what is left, and the
# microseconds until there is room (for the one that refuses) or until all is there again.
SCRIPT = """
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local refused, told, until_ = 0, {}, {}
for i, key in ipairs(KEYS) do
  local most, span = tonumber(ARGV[2 * i - 1]), tonumber(ARGV[2 * i])
  local used = math.max(tonumber(redis.call('GET', key) or 0), now)
  local next_ = used + span / most
  if refused == 0 and next_ - now > span then
    refused = i
    told[2 * i - 1], told[2 * i] = 0, math.ceil(next_ - now - span)
  else
    until_[i] = next_
    told[2 * i - 1] = math.floor((span - (next_ - now)) / (span / most) + 1e-6)
    told[2 * i] = math.ceil(next_ - now)
  end
end
if refused == 0 then
  for i, key in ipairs(KEYS) do
    redis.call('SET', key, string.format('%.0f', until_[i]), 'PX', math.ceil((until_[i] - now) / 1000) + 1)
  end
end
return {refused, unpack(told)}
"""


@dataclass(frozen=True, slots=True)
class Limit:
    """So many in a minute, or in another time, for one session or for one address."""

    name: str
    quota: int
    seconds: int = MINUTE

    @property
    def neighbours(self) -> "Limit":
        """What all sessions of an address may together."""
        return Limit(f"{self.name}-address", NEIGHBOURS * self.quota, self.seconds)


ENTRIES = Limit("enter", settings.ENTRIES_PER_MINUTE)
CODE_LOOKS = Limit("code", settings.CODE_LOOKS_PER_MINUTE)
RECORD_CHECKS = Limit("record", settings.RECORD_CHECKS_PER_MINUTE)
OPENINGS = Limit("open", settings.TABLES_PER_MINUTE)
TICKETS = Limit("ticket", settings.TICKETS_PER_MINUTE)
ODDS = Limit("odds", settings.ODDS_PER_MINUTE)
ANALYSES = Limit("analysis", settings.ANALYSES_PER_MINUTE)
REPORTS = Limit("report", settings.REPORTS_PER_HOUR, HOUR)
REPORTS_FROM_ADDRESS = Limit("report-address", settings.REPORTERS_PER_ADDRESS * REPORTS.quota, HOUR)


class Throttle:
    """Limits that all processes share. Fails open, with a line in the log and a count."""

    def __init__(self, valkey: Valkey) -> None:
        self._valkey = valkey
        self._script = valkey.script(SCRIPT)

    def admit(self, counted: Mapping[Limit, str]) -> dict[str, str]:
        """Count one more for each limit, by whom; the headers that tell what is left.

        Raises Throttled, with the same headers and the seconds until there is room again.
        """
        keys = [f"boneyard:limit:{limit.name}:{who}" for limit, who in counted.items()]
        numbers = [number for limit in counted for number in (limit.quota, limit.seconds * 1_000_000)]
        answer = self._valkey.ask(lambda client: self._script(keys, numbers, client=client), None)
        if answer is None:
            metrics.THROTTLES_OPEN.inc()
            return {}
        refused, *told = answer
        headers = _headers(list(counted), told)
        if not refused:
            return headers
        metrics.child(metrics.THROTTLED, list(counted)[refused - 1].name).inc()
        raise Throttled(told[2 * refused - 1] / 1_000_000, headers=headers)


def _headers(limits: list[Limit], told: list[int]) -> dict[str, str]:
    """As draft-ietf-httpapi-ratelimit-headers has them, the nearest limit last known first."""
    left = [
        f'"{limit.name}";r={told[2 * i]};t={math.ceil(told[2 * i + 1] / 1_000_000)}'
        for i, limit in enumerate(limits)
    ]
    policies = [f'"{limit.name}";q={limit.quota};w={limit.seconds}' for limit in limits]
    return {"RateLimit": ", ".join(left), "RateLimit-Policy": ", ".join(policies)}


throttle = Throttle(valkey)
