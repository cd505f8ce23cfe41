"""The moderators' desk: tables, and who sits at them."""

from games.admin import histories, players, tables

__all__ = ["histories", "players", "tables"]
