"""The Django app of the games, and what it answers when sessions come and go."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from games import signals  # noqa: F401  # connects its receivers
