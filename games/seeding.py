"""How a player puts a share of the luck, which the server could not know when it committed to its own."""

from uuid import UUID

from config import errors
from games.lock import lock_table
from games.models import Table
from games.services import own_seat
from sessions.models import Player


def put_client_seed(*, table_id: UUID, player: Player, digits: str) -> None:
    """Put it, or another in its place, before the start; nobody is told until then.

    Raises NotFound, NotSeated, NotOpen.
    """
    with lock_table(table_id) as ledger:
        seat = own_seat(ledger, player)
        if ledger.table.status != Table.Status.OPEN:
            raise errors.NotOpen
        seat.client_seed = digits
        # The table itself does not change by it.
        seat.save(update_fields=["client_seed"])
