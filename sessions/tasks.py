"""What Celery does for sessions."""

from celery import shared_task

from sessions import services


@shared_task(ignore_result=True)
def sweep_players() -> None:
    """Forget the players whose time is over."""
    services.sweep_players()
