"""What Celery does for tables."""

from celery import shared_task

from games import analyses, once, sweeps


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
