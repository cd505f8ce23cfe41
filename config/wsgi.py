"""Django under WSGI."""

import os
from typing import Any

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from config import addresses  # it wants the settings

django = get_wsgi_application()


def application(environ: dict[str, Any], start_response: Any) -> Any:
    """Django where no ASGI side comes before it: what proxies say of the client is read here."""
    addresses.settle_environ(environ)
    return django(environ, start_response)
