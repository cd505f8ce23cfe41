"""How Boneyard is put together: settings, addresses, servers, and the way it says no."""

import os

# Whoever imports a part of this package, under whatever server, means these settings.
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
