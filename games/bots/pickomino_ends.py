"""How a turn of Pickomino can end: what can be taken on which total, and how the table stands then."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import TypeAlias

from games.bots.pickomino_turn import TOTALS, Payoffs
from games.rules.chance import RecordedChance
from games.rules.game import Move, Seat
from games.rules.pickomino import DOMINOES, Options, Pickomino, Saved, State, View

GAME = Pickomino()

End: TypeAlias = Move | None
"""A take, or None for a bust."""

Worth: TypeAlias = Mapping[End, float]
"""What each end of a turn brings, in any unit."""


@dataclass(frozen=True, slots=True)
class Ends:
    """How the turn of a seat can end."""

    seat: Seat
    before: State
    takes: tuple[tuple[Move, ...], ...]
    """By total, 0 to 40: what can be taken with a W saved."""
    after: Mapping[End, State]
    """How the table stands after each end, the bust too."""

    def best(self, worth: Worth) -> tuple[End, ...]:
        """By total, what to take; None where nothing can be taken."""
        # Of equals the greatest number, whatever the order.
        return tuple(max(takes, key=lambda take: (worth[take], take), default=None) for takes in self.takes)

    def gains(self) -> Worth:
        """The worms that each end brings to the seat's stack; below zero for a bust that returns some."""
        had = GAME.scores(self.before)[self.seat]
        return {end: float(GAME.scores(after)[self.seat] - had) for end, after in self.after.items()}

    def reaches(self) -> dict[Move, tuple[int, int]]:
        """What can be taken, by domino, with the least and the greatest total for it; so can all between."""
        totals = {
            take: [total for total in TOTALS if take in self.takes[total]] for take in chain(*self.takes)
        }
        return {take: (totals[take][0], totals[take][-1]) for take in sorted(totals, key=domino)}


def domino(take: Move) -> int:
    """The number of the domino that is taken."""
    return int(take.split()[1])


def payoffs(takes: Iterable[End], worth: Worth) -> Payoffs:
    """What a turn brings if these, by total, are taken."""
    return Payoffs(tuple(None if take is None else worth[take] for take in takes), worth[None])


def table(view: View, options: Options) -> State:
    """The table that the view shows, as it was when the turn began."""
    stacks = tuple(tuple(shown.domino for shown in stack) for stack in view.stacks)
    return State(options, view.seat, tuple(shown.domino for shown in view.bbq), view.face_down, stacks)


def ends(before: State, seat: Seat) -> Ends:
    """Every end of the turn of `seat` that begins so, each as the rules make it."""
    takes = tuple(tuple(_takes(before, seat, total)) for total in TOTALS)
    after: dict[End, State] = {None: _busted(before, seat)}
    for take in dict.fromkeys(chain(*takes)):
        after[take], _ = GAME.apply(before, seat, take, RecordedChance(()))
    return Ends(seat, before, takes, after)


def _takes(before: State, seat: Seat, total: int) -> list[Move]:
    """What may be taken on a total. With Ws and at most four 4s eight dice can show each from 21 on."""
    if total < DOMINOES[0]:
        return []
    fours = -total % 5
    saved = (Saved("W", (total - 4 * fours) // 5), Saved(4, fours))
    return [move for move in GAME.legal_moves(replace(before, saved=saved), seat) if move != "roll"]


def _busted(before: State, seat: Seat) -> State:
    """After a roll that shows nothing new."""
    chance = RecordedChance([("roll", (1,))])
    after, _ = GAME.apply(replace(before, saved=(Saved(1, 7),)), seat, "roll", chance)
    return after
