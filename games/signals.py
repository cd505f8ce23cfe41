"""What the games do when a session is shown, runs out, or goes."""

from datetime import datetime
from typing import Any

from django.dispatch import receiver

from games import bus, queries, reports, services
from games.models import By
from sessions.models import Player
from sessions.signals import news_told, player_expiring, player_left, session_shown


@receiver(player_left)
def leave_tables(player: Player, by: str, **_: Any) -> None:
    bus.announce_player(player.pk)
    services.leave_everything(player=player, by=By(by))


@receiver(player_expiring)
def needed_until(player: Player, **_: Any) -> datetime | None:
    return queries.needed_until(player)


@receiver(session_shown)
def show_tables(player: Player, **_: Any) -> dict[str, Any]:
    return {"tables": queries.live_tables(player)}


@receiver(news_told)
def tell_decisions(player: Player, **_: Any) -> dict[str, Any]:
    return {"reports": reports.tell_decisions(player)}
