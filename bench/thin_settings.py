"""The settings of bench.thin: ours, with nothing of Django's or DRF's that its one view does not need."""

from config.settings import *  # noqa: F403

ROOT_URLCONF = "bench.thin"
INSTALLED_APPS = []
MIDDLEWARE = []
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": [],
    "UNAUTHENTICATED_USER": None,
}
