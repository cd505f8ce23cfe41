"""Celery: the schedule of everything that happens without a request."""

import os
from contextlib import suppress
from functools import cache

from celery import Celery
from celery.schedules import crontab
from celery.signals import after_task_publish
from django.conf import settings
from redis import Redis
from redis.exceptions import RedisError

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("boneyard")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

TABLES_EVERY = 1.0
ANALYSES_EVERY = 2.0
PLAYERS_EVERY = settings.SESSION_RENEWAL.total_seconds()
KEYS_EVERY = 600.0
NIGHTLY = crontab(hour="3", minute="17")
MESSAGES_KEPT = 100


def _every(seconds: float, task: str) -> dict[str, object]:
    # A message that nobody took in time only says "look": the next one says it again.
    return {"task": task, "schedule": seconds, "options": {"expires": max(seconds, 1.0)}}


def _nightly(task: str) -> dict[str, object]:
    return {"task": task, "schedule": NIGHTLY, "options": {"expires": 3_600}}


app.conf.beat_schedule = {
    "sweep tables": _every(TABLES_EVERY, "games.tasks.sweep_tables"),
    "sweep players": _every(PLAYERS_EVERY, "sessions.tasks.sweep_players"),
    "make analyses": _every(ANALYSES_EVERY, "games.tasks.make_analyses"),
    "sweep keys": _every(KEYS_EVERY, "games.tasks.sweep_keys"),
    "sweep reports": _every(KEYS_EVERY, "games.tasks.sweep_reports"),
    "check histories": _nightly("games.tasks.check_histories"),
    "look over names": _nightly("sessions.tasks.look_over_names"),
}


@cache
def _valkey() -> Redis:
    return Redis.from_url(settings.REDIS_URL, socket_timeout=1, socket_connect_timeout=1)


@after_task_publish.connect
def keep_newest(routing_key: str, **_: object) -> None:
    """Drop old messages: while no worker runs, nobody takes even the expired ones away."""
    with suppress(RedisError):
        _valkey().ltrim(routing_key, 0, MESSAGES_KEPT - 1)
