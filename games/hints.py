"""What a seat may be told of its own moves, at a table with hints."""

from dataclasses import dataclass
from typing import Any

from config import errors
from games.bots import BOTS, odds
from games.bots.odds import best
from games.ledger import Ledger, Viewer
from games.models import Table
from games.rules.game import encode, options_from


@dataclass(frozen=True, slots=True)
class Asked:
    """A seat that is to move, and the version at which its decision began."""

    ledger: Ledger
    seat: int
    decision: int


def asked_by(ledger: Ledger, player: Viewer) -> Asked:
    """The decision that is the player's now.

    Raises NotSeated, HintsOff, NotPlaying, NotYourTurn.
    """
    seat = ledger.seat_of(player)
    if seat is None:
        raise errors.NotSeated
    if not ledger.table.hints:
        raise errors.HintsOff
    if ledger.table.game not in BOTS:
        raise errors.HintsOff("Nobody has worked out what the moves of this game are worth.")
    if ledger.table.status != Table.Status.PLAYING:
        raise errors.NotPlaying
    decision = ledger.decisions.get(seat.number)
    if decision is None:
        raise errors.NotYourTurn
    return Asked(ledger, seat.number, decision.version)


def odds_json(asked: Asked) -> dict[str, Any]:
    """What each legal move of the seat is worth, by what the seat sees, and by nothing else."""
    table, game, state = asked.ledger.table, asked.ledger.game, asked.ledger.state
    options = options_from(game, table.options)
    view, legal_moves = game.view(state, asked.seat), game.legal_moves(state, asked.seat)
    valued = odds(game.slug, view, legal_moves, options, asked.seat)
    return {
        "version": table.version,
        "decision": asked.decision,
        "unit": BOTS[game.slug].UNIT,
        "detail": dict(BOTS[game.slug].DETAIL),
        "best": best(valued).move,
        "moves": encode(valued),
    }
