"""The Django app of the sessions, under a label that Django's own sessions app leaves free."""

from django.apps import AppConfig


class PlayersConfig(AppConfig):
    name = "sessions"
    label = "players"
    verbose_name = "Players"
    default_auto_field = "django.db.models.BigAutoField"
