"""A fourth game, added as docs/games.md tells."""
