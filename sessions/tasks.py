"""What Celery does for sessions."""

from celery import shared_task

from sessions import services, wordlist


@shared_task(ignore_result=True)
def sweep_players() -> None:
    """Forget the players whose time is over."""
    services.sweep_players()


@shared_task(ignore_result=True)
def look_over_names() -> None:
    """Put names before a moderator that match a word which was added to the settings."""
    wordlist.look_over_names()
