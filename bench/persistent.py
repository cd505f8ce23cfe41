"""Settings of a candidate for the stack: a connection kept by each thread, in place of the pool."""

from config.settings import *  # noqa: F403
from config.settings import DATABASES

DATABASES["default"]["OPTIONS"].pop("pool", None)
DATABASES["default"]["CONN_MAX_AGE"] = None
