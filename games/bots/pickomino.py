"""Plays Pickomino, where the best way through the rest of a turn can be found exactly.

`easy` follows a few rules of thumb. `normal` plays each turn as well as can be for the worms that it may
gain, and gives no thought to what a bust costs, nor to the others. `strong` plays each turn as well as can be
for the chance to win, with the worms that others lose, the danger to every top and the end in mind.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from games.bots.odds import MoveOdds
from games.bots.pickomino_chances import win_chances
from games.bots.pickomino_ends import GAME, Ends, Worth, domino, ends, payoffs, table
from games.bots.pickomino_turn import Rest, Spot, counted, reaching, rest
from games.rules.game import Move, Seat
from games.rules.pickomino import FACE_NAMED, FACES, VALUES, Options, State, View, worms

UNIT = "win chance"

DETAIL: Mapping[str, str] = {
    "worms": "How many worms your stack gains in this turn on the average; below zero where it loses some.",
    "bust": "How likely this turn ends with a bust.",
    "reach": "By domino, how likely you get it in this turn if from here on you play for it alone.",
}

AVERAGE_COST = 2.0  # what a saved die must be worth before spending it is a gain
FIRST_WORM = 3.0  # without a W the whole turn is worth nothing
BEARABLE_LOSS = 0.2  # in worms: what a further roll may put at stake, on average


def easy(view: View, legal_moves: Sequence[Move], options: Options, seat: Seat) -> Move:
    """Many good dice first, a W in time, and no long risks for a domino in reach."""
    if view.phase == "save":
        return max(legal_moves, key=lambda move: (_gain(view, move), move))  # if equal, fewer greater dice
    takes = [move for move in legal_moves if move != "roll"]
    if not takes:
        return "roll"
    best = max(takes, key=domino)
    return "roll" if "roll" in legal_moves and _worth_a_roll(view, best) else best


def normal(view: View, legal_moves: Sequence[Move], options: Options, seat: Seat) -> Move:
    """The move that promises most worms in this turn, as if a bust cost nothing."""
    turn = ends(table(view, options), seat)
    gains = {end: float(worms(domino(end))) if end else 0.0 for end in turn.after}
    return _best(view, legal_moves, turn, gains)


def strong(view: View, legal_moves: Sequence[Move], options: Options, seat: Seat) -> Move:
    """The move that promises the greatest chance to win."""
    turn = ends(table(view, options), seat)
    return _best(view, legal_moves, turn, _winning(turn))


def odds(view: View, legal_moves: Sequence[Move], options: Options, seat: Seat) -> tuple[MoveOdds, ...]:
    """What each move promises, if the turn is played on as `strong` would."""
    turn = ends(table(view, options), seat)
    winning, gains, busts = _winning(turn), turn.gains(), {end: float(end is None) for end in turn.after}
    takes = turn.best(winning)
    aim = payoffs(takes, winning)
    play = rest(aim)
    gaining, busting = counted(aim, payoffs(takes, gains)), counted(aim, payoffs(takes, busts))
    return tuple(
        MoveOdds(
            move,
            _value(view, move, play, winning),
            {
                "worms": _value(view, move, gaining, gains),
                "bust": _value(view, move, busting, busts),
                "reach": _reach(view, move, turn),
            },
        )
        for move in legal_moves
    )


def luck(before: State | None, move: Move | None, after: State) -> tuple[float, ...]:
    """What chance gave each seat, in chances to win: to the seat that rolled, by its dice.

    That is the best that can be made of them, less the mean of that over all dice. It is no luck to begin.
    """
    if before is None or before.seat is None or move != "roll":
        return (0.0,) * len(after.stacks)
    by_dice = _by_dice(before, after, before.seat)
    return tuple(by_dice if seat == before.seat else 0.0 for seat in range(len(after.stacks)))


def _by_dice(before: State, after: State, seat: Seat) -> float:
    turn = ends(replace(before, saved=()), seat)
    winning = _winning(turn)
    play = rest(payoffs(turn.best(winning), winning))
    saves = GAME.legal_moves(after, seat) if after.dice else ()
    best = max((_value(after, save, play, winning) for save in saves), default=winning[None])
    return best - play.after_rolling(_spot(before))


def _best(view: View, legal_moves: Sequence[Move], turn: Ends, worth: Worth) -> Move:
    if len(legal_moves) == 1:
        return legal_moves[0]
    play = rest(payoffs(turn.best(worth), worth))
    return max(legal_moves, key=lambda move: (_value(view, move, play, worth), move))


def _winning(turn: Ends) -> Worth:
    return {end: win_chances(after)[turn.seat] for end, after in turn.after.items()}


def _value(shown: View | State, move: Move, play: Rest, worth: Worth) -> float:
    """What a move brings with such a play of the rest of the turn, whose ends are worth so much."""
    match move.split():
        case ["roll"]:
            return play.after_rolling(_spot(shown))
        case ["save", number]:
            face = FACE_NAMED[number]
            return play.after_saving(_spot(shown).saving(face, shown.dice.count(face)))
        case _:
            return worth[move]


def _spot(shown: View | State) -> Spot:
    numbers = {saved.face for saved in shown.saved}
    return Spot(tuple(face for face in FACES if face in numbers), shown.dice_left, shown.total)


def _reach(view: View, move: Move, turn: Ends) -> dict[str, float]:
    """By domino, ascending; what is out of reach is absent."""
    reached = {}
    for take, (least, most) in turn.reaches().items():
        got = {end: float(end == take) for end in turn.after}
        reached[str(domino(take))] = _value(view, move, reaching(least, most), got)
    return {number: chance for number, chance in reached.items() if chance}


def _gain(view: View, save: Move) -> float:
    """How far saving a number brings the turn. W can be saved once only, so it is always the first."""
    face = FACE_NAMED[save.removeprefix("save ")]
    gain = view.dice.count(face) * (VALUES[face] - AVERAGE_COST)
    return gain + FIRST_WORM if face == "W" else gain


def _worth_a_roll(view: View, take: Move) -> bool:
    """A steal is never left: it gains as much as it costs the other."""
    return take.startswith("collect") and _risk(view) * worms(domino(take)) < BEARABLE_LOSS


def _risk(view: View) -> float:
    """The chance that the next roll shows no new number."""
    return float((len(view.saved) / len(FACES)) ** view.dice_left)
