"""An experiment: Django under ASGI by a2wsgi, a library, in the place of config.bridge.

It is not among the project's dependencies, and has neither the limits nor the streams of config.asgi.
"""

import importlib
import os

from config.wsgi import application as django

library = importlib.import_module("a2wsgi")
application = library.WSGIMiddleware(django, workers=int(os.environ.get("WEB_THREADS") or 16))
