"""What a table's luck follows from, and what is told of it: `docs/fairness.md` specifies both."""

from typing import Any

from games.ledger import Ledger
from games.rules.chance import LiveChance, StreamChance
from games.rules.fair import Luck, commitment


def luck_of(ledger: Ledger) -> Luck | None:
    """The luck of a table whose seats have their final numbers; None for one that has no seed."""
    table = ledger.table
    if table.seed is None:
        return None
    return Luck(bytes(table.seed), str(table.pk), tuple(seat.client_seed for seat in ledger.seats))


def chance_for(ledger: Ledger, number: int) -> StreamChance:
    """What the start draws from, 0, or the move of that number."""
    luck = luck_of(ledger)
    return luck.block(number) if luck else LiveChance()


def fairness_json(ledger: Ledger) -> dict[str, Any] | None:
    """The commitment; the client seeds once they are fixed; the server's own seed once all is over."""
    table = ledger.table
    if table.seed is None:
        return None
    seed = bytes(table.seed)
    return {
        "commitment": commitment(seed),
        "client_seeds": [seat.client_seed for seat in ledger.seats] if table.started_at else [],
        "server_seed": seed.hex() if table.is_over else None,
    }
