"""Django under WSGI."""

from django.core.cache import close_caches
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, reset_queries

application = get_wsgi_application()

# A request ends with its connection given back, so none is old when the next one begins; statements are not
# collected, and caches hold nothing open. To look after all that costs as much as the rules of a move.
request_started.disconnect(close_old_connections)
request_started.disconnect(reset_queries)
request_finished.disconnect(close_caches)
