"""What Celery does for tables."""

from celery import shared_task

from games import once, sweeps


@shared_task(ignore_result=True)
def sweep_tables() -> None:
    """Do what is due at tables."""
    sweeps.sweep_tables()


@shared_task(ignore_result=True)
def sweep_keys() -> None:
    """Forget idempotency keys older than a day."""
    once.sweep_keys()
