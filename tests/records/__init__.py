"""Records of games played at random, true ones and tampered ones."""
