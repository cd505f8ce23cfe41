"""Commands of the games."""
