"""Plays dominoes, always straight on: corners change neither what fits nor what scores.

`easy` rids itself of pips and doubles and keeps the row open for its own tiles; `normal` thinks besides of
what the next seat can't have; `strong` and the odds try every play on many deals that look alike to the seat,
and weigh what comes of it with what `normal` thinks.
"""

from collections.abc import Mapping, Sequence

from games.bots import dominoes_luck
from games.bots.dominoes_deals import Seen, seen
from games.bots.dominoes_search import Play, Tally, weighed
from games.bots.dominoes_stakes import Stakes
from games.bots.dominoes_tiles import FIT, bits_of, ends_of
from games.bots.odds import MoveOdds
from games.rules.dominoes import Options, View
from games.rules.game import Move, Seat
from games.rules.layout import CORNERS, ENDS, Tile, halves

DEFAULTS = Options()

UNIT = "win chance"

DETAIL: Mapping[str, str] = {
    "round": "How likely you win this round.",
    "points": "The points that you win in this round on the average.",
    "lost": "The points that others win in this round on the average.",
    "deals": "On how many deals of the tiles that you can't see the move was tried.",
}

DOUBLE = 6
"""What it is worth, in pips, to be rid of a double, which fits one number only."""

OPEN = 2
"""What it is worth, in pips, that one more tile of the hand could be laid next."""

SOME = 4
"""What it is worth to `normal`, in pips, that any could."""

STOP = 40
"""What it would be worth to `normal`, in pips, if the next seat could surely lay nothing."""

luck = dominoes_luck.luck


def easy(view: View, legal_moves: Sequence[Move], options: Options = DEFAULTS, seat: Seat = 0) -> Move:
    """The straight lay that is worth most, the first of equals; `draw` when that is all there is."""
    return max(_straight(legal_moves), key=lambda move: _worth(view, move))


def normal(view: View, legal_moves: Sequence[Move], options: Options = DEFAULTS, seat: Seat = 0) -> Move:
    """The same, with the chance that the next seat can lay nothing, by what it may hold."""
    table = seen(view, seat)
    return max(_straight(legal_moves), key=lambda move: _by_thumb(table, view, move))


def strong(view: View, legal_moves: Sequence[Move], options: Options = DEFAULTS, seat: Seat = 0) -> Move:
    """The straight move of the best odds, the first of equals."""
    moves = _straight(legal_moves)
    if len({_play(view, move) for move in moves}) == 1:
        return moves[0]
    tallies = _weighed(view, moves, options, seat)
    return next(move for move in moves if tallies[_play(view, move)].behind is None)


def odds(
    view: View, legal_moves: Sequence[Move], options: Options = DEFAULTS, seat: Seat = 0
) -> tuple[MoveOdds, ...]:
    """How likely the seat wins the game after each move, if all go on by rule of thumb."""
    tallies = _weighed(view, legal_moves, options, seat, further=True)
    return tuple(_told(move, tallies[_play(view, move)]) for move in legal_moves)


def _weighed(
    view: View, moves: Sequence[Move], options: Options, seat: Seat, *, further: bool = False
) -> dict[Play, Tally]:
    """Each different play of these moves; `further` makes the best one's number more exact, not another."""
    table, stakes = seen(view, seat), Stakes(view.scores, view.target)
    different: dict[Play, Move] = {}
    for move in moves:
        different.setdefault(_play(view, move), move)
    plays = [(play, _by_thumb(table, view, move)) for play, move in different.items()]
    tallies = weighed(table, plays, stakes, options.dead_row == "at_once", further=further)
    return dict(zip(different, tallies, strict=True))


def _told(move: Move, tally: Tally) -> MoveOdds:
    detail = {
        "round": tally.won / tally.deals,
        "points": tally.points / tally.deals,
        "lost": tally.lost / tally.deals,
        "deals": tally.deals,
    }
    return MoveOdds(move, tally.value, detail)


def _straight(legal_moves: Sequence[Move]) -> list[Move]:
    return [move for move in legal_moves if not move.endswith(CORNERS)]


def _play(view: View, move: Move) -> Play:
    """What a move does, corners aside."""
    match move.split():
        case ["lay", tile, *where]:
            return bits_of((tile,)), ends_of(*_ends_after(view, tile, where[:1]))
    return None


def _by_thumb(table: Seen, view: View, move: Move) -> float:
    """How good a move is to `normal`, in pips."""
    return _worth(view, move) + _closing(table, _play(view, move))


def _worth(view: View, move: Move) -> int:
    """How good a move is, in pips."""
    match move.split():
        case ["lay", tile, *where]:
            greater, lesser = halves(tile)
            return greater + lesser + DOUBLE * (greater == lesser) + OPEN * _layable(view, tile, where[:1])
    return 0


def _layable(view: View, tile: Tile, where: Sequence[str]) -> int:
    """How many of the other tiles in the hand would fit the row after this lay."""
    after = set(_ends_after(view, tile, where))
    return sum(not after.isdisjoint(halves(other)) for other in view.hand or () if other != tile)


def _ends_after(view: View, tile: Tile, where: Sequence[str]) -> list[int]:
    """The pips of both ends once the tile lies."""
    pips = [end.pips for end in view.ends] or list(halves(tile))
    for name in where:
        index = ENDS.index(name)
        pips[index] = sum(halves(tile)) - pips[index]
    return pips


def _closing(table: Seen, play: Play) -> float:
    """How good it is, in pips, that the row is closed to the next seat and open to this one."""
    if play is None:
        return 0
    tile, after = play
    return SOME * bool(table.hand & ~tile & FIT[after]) + STOP * table.stops(after)
