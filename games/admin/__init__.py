"""What the admin shows of games; Django looks for it here."""

from games import report_admin
from games.admin import histories, players, tables

__all__ = ["histories", "players", "report_admin", "tables"]
