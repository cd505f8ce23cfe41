"""Celery: the schedule of everything that happens without a request."""

import logging
import os

from celery import Celery, Task
from celery.schedules import crontab
from celery.signals import after_task_publish, before_task_publish, setup_logging, task_prerun, worker_init
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from config import trace
from config.valkey import valkey

# One of Celery's own comes before it sets up logging.
logging.captureWarnings(True)

app = Celery("boneyard")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

TABLES_EVERY = 1.0
ANALYSES_EVERY = 2.0
PLAYERS_EVERY = settings.SESSION_RENEWAL.total_seconds()
KEYS_EVERY = 600.0
THINNED_EVERY = 60.0
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
    "thin tables": _every(THINNED_EVERY, "games.tasks.thin_tables"),
    "sweep reports": _every(KEYS_EVERY, "games.tasks.sweep_reports"),
    "check histories": _nightly("games.tasks.check_histories"),
    "look over names": _nightly("sessions.tasks.look_over_names"),
}


@after_task_publish.connect
def keep_newest(routing_key: str, **_: object) -> None:
    """Drop old messages: while no worker runs, nobody takes even the expired ones away."""
    valkey.ask(lambda client: client.ltrim(routing_key, 0, MESSAGES_KEPT - 1), None)


@setup_logging.connect
def keep_logging(**_: object) -> None:
    """Lines look as everywhere: without a receiver of this signal Celery would bring its own."""


@before_task_publish.connect
def send_request_id(headers: dict[str, object], **_: object) -> None:
    """A task goes on under the id of the request that asked for it; beat's have one of their own."""
    headers["request_id"] = trace.current.get() or trace.new_id()


@task_prerun.connect
def take_request_id(task: "Task[..., object]", **_: object) -> None:
    trace.current.set(getattr(task.request, "request_id", None) or trace.new_id())


@worker_init.connect
def tell_metrics(**_: object) -> None:
    """A worker tells what it counts and times at a port of its own, where one is set."""
    if settings.WORKER_METRICS_PORT:
        from config import exposition  # its models want the apps, which are ready by now

        exposition.serve(settings.WORKER_METRICS_PORT)
