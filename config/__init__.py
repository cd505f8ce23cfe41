"""How Boneyard is put together: settings, addresses, servers, and the way it says no."""
