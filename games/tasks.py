"""What Celery does for tables."""

from celery import shared_task
from django.conf import settings

from games import analyses, histories, once, reports, sweeps


@shared_task(ignore_result=True)
def sweep_tables() -> None:
    """Do what is due at tables."""
    sweeps.sweep_tables()


@shared_task(ignore_result=True)
def make_analyses() -> None:
    """Go on with the analyses that are asked for."""
    analyses.make_analyses()


@shared_task(ignore_result=True)
def sweep_keys() -> None:
    """Forget idempotency keys older than a day."""
    once.sweep_keys()


@shared_task(ignore_result=True)
def sweep_reports() -> None:
    """Delete what was written in old reports."""
    reports.sweep_texts()


@shared_task(ignore_result=True)
def check_histories() -> None:
    """Replay some stored tables, and log and count those that differ."""
    if settings.HISTORIES_PER_NIGHT:
        histories.check_tables(histories.sample_ids(histories.started_tables(), settings.HISTORIES_PER_NIGHT))
