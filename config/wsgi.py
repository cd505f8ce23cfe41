"""Django under WSGI."""

from typing import Any

from django.core.cache import close_caches
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, reset_queries
from django.utils.module_loading import import_string

from config import addresses  # it wants the settings

django = get_wsgi_application()
# Imported by its name, since it wants Django set up.
served = import_string("config.lane.Lane")(django)

# A request ends with its connection given back, so none is old when the next one begins; statements are not
# collected, and caches hold nothing open. To look after all that costs as much as the rules of a move.
request_started.disconnect(close_old_connections)
request_started.disconnect(reset_queries)
request_finished.disconnect(close_caches)


def application(environ: dict[str, Any], start_response: Any) -> Any:
    """The same where no ASGI side comes before it: what proxies say of the client is read here."""
    addresses.settle_environ(environ)
    return served(environ, start_response)
