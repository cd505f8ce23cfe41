"""A game gone through again line by line, as a record tells it, until it goes another way than the rules."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from games.rules.chance import ChanceMismatch, RecordedChance
from games.rules.game import Game, IllegalMove, NotYourTurn, Outcome, Reason, play
from games.rules.record import Draws, Line, RecordedEnd, RecordedLeave, RecordedMove, RecordedSeat


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong, in words; `line` says where if it is in a line, of which 0 is the start."""

    line: int | None
    problem: str


class Trace:
    """How far the game has come: its state, who is out, and its outcome once it is over."""

    def __init__(self, game: Game[Any, Any], seats: Sequence[RecordedSeat]) -> None:
        self.game, self.seats = game, seats
        self.state: Any = None
        self.out: set[int] = set()
        self.moves = 0
        self.outcome: Outcome | None = None

    def faults(self, options: Any, start: Draws, lines: Iterable[Line]) -> Iterator[Fault]:
        """Go through all of it; the first line that goes wrong is the last one looked at."""
        problem = self._start(options, start)
        if problem:
            yield Fault(0, problem)
            return
        for number, line in enumerate(lines, start=1):
            problem = "The game is over before this." if self.outcome else self._go_on(line)
            if problem:
                yield Fault(number, problem)
                return

    def _start(self, options: Any, drawn: Draws) -> str | None:
        chance = RecordedChance(drawn)
        try:
            self.state, _ = self.game.start(len(self.seats), options, chance)
            chance.finish()
        except ChanceMismatch as wrong:
            return f"The start draws something else: {wrong}."
        self.outcome = self.game.outcome(self.state, frozenset())
        return None

    def _go_on(self, line: Line) -> str | None:
        """What is wrong with the line, None if nothing is."""
        match line:
            case RecordedMove():
                return self._wrong_about(line) or self._move(line)
            case RecordedLeave(seat=seat):
                return self._leave(seat)
            case RecordedEnd(reason=reason):
                self._halt(reason)
        return None

    def _wrong_about(self, moved: RecordedMove) -> str | None:
        if moved.number != self.moves + 1:
            return f"This should be move {self.moves + 1}, not {moved.number}."
        if moved.seat >= len(self.seats):
            return f"There is no seat {moved.seat}."
        movers = self._movers(moved.seat)
        if moved.by not in movers:
            return f"Seat {moved.seat} is moved by: {' or '.join(movers)}; not by: {moved.by}."
        return None

    def _movers(self, seat: int) -> Sequence[str]:
        if self.seats[seat].kind == "bot":
            return ("bot",)
        return ("stand_in",) if seat in self.out else ("player", "stand_in")

    def _move(self, moved: RecordedMove) -> str | None:
        chance = RecordedChance(moved.chance)
        try:
            self.state, _ = play(self.game, self.state, moved.seat, moved.move, chance)
            chance.finish()
        except NotYourTurn:
            return f"Seat {moved.seat} is not to move."
        except IllegalMove:
            return f"{moved.move} is no legal move of seat {moved.seat}."
        except ChanceMismatch as wrong:
            return f"The move draws something else: {wrong}."
        self.moves += 1
        self.outcome = self.game.outcome(self.state, frozenset(self.out))
        return None

    def _leave(self, seat: int) -> str | None:
        """Who leaves is out: a game without people is abandoned, one seat that is left alone wins."""
        if seat >= len(self.seats) or self.seats[seat].kind != "human" or seat in self.out:
            return f"There is nobody on seat {seat} who could leave."
        self.out.add(seat)
        in_game = [number for number in range(len(self.seats)) if number not in self.out]
        if not any(self.seats[number].kind == "human" for number in in_game):
            self._halt("abandoned")
        elif len(in_game) == 1:
            self._halt("forfeit", (in_game[0],))
        return None

    def _halt(self, reason: Reason, winners: tuple[int, ...] = ()) -> None:
        self.state = self.game.halt(self.state)
        self.outcome = Outcome(winners, reason, self.game.scores(self.state))
