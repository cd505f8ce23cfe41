"""Is a record true? Whether it is whole, follows the rules, and follows its seeds, and the first line that does not."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from games.rules import record as records
from games.rules.chance import ChanceMismatch, Draw, RecordedChance
from games.rules.fair import FairChance, Luck, commitment
from games.rules.game import (
    BadOptions,
    Game,
    IllegalMove,
    NotYourTurn,
    Outcome,
    encode,
    options_from,
    play,
)
from games.rules.record import Ended, Left, Moved, NotARecord, Record, read

FindGame: TypeAlias = Callable[[str, int], Game[Any, Any] | None]
"""The rules of a game in one of their versions, None where there are none such."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong, in words; `line` says where if it is in a line, of which 0 is the start."""

    line: int | None
    problem: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is to be said of a record: `ok` when it is whole, and follows the rules and its seeds.

    `rules` and `seeds` are None when the record has not even the form in which they could be checked.
    `line` and `problem` tell the first line at which it goes wrong, or what is wrong with the whole.
    """

    ok: bool
    line: int | None
    problem: str | None
    whole: bool
    rules: bool | None
    seeds: bool | None


def verify(given: Any, find_game: FindGame) -> Verdict:
    """Judge what JSON says. Nothing that is given makes it fail."""
    try:
        record = read(given)
    except NotARecord as wrong:
        return Verdict(False, wrong.line, f"This is no record: {wrong.text}.", False, None, None)
    whole, rules, seeds = (
        next(faults, None) for faults in (_whole(record), _rules(record, find_game), _seeds(record))
    )
    worst = _first([fault for fault in (rules, seeds, whole) if fault])
    return Verdict(
        ok=worst is None,
        line=worst and worst.line,
        problem=worst and worst.problem,
        whole=whole is None,
        rules=rules is None,
        seeds=seeds is None,
    )


def _first(faults: Sequence[Fault]) -> Fault | None:
    """The one in the earliest line; one that is in no line says least."""
    return min(faults, key=lambda fault: float("inf") if fault.line is None else fault.line, default=None)


def _whole(record: Record) -> Iterator[Fault]:
    if records.digest(record) != record.hash:
        yield Fault(None, "The hash is not that of what the record holds.")


def _seeds(record: Record) -> Iterator[Fault]:
    """All luck is drawn anew from the seeds, and compared."""
    fairness = record.fairness
    seed = bytes.fromhex(fairness.server_seed)
    if commitment(seed) != fairness.commitment:
        yield Fault(None, "The server seed is not the one that was committed to.")
    if len(fairness.client_seeds) != len(record.seats):
        yield Fault(None, "There is not one client seed, or null, for each seat.")
    luck = Luck(seed, record.table, fairness.client_seeds)
    if not _follows(record.start, luck.block(0)):
        yield Fault(0, "What the start drew does not follow from the seeds.")
    for line, moved in enumerate(record.lines, start=1):
        if isinstance(moved, Moved) and not _follows(moved.chance, luck.block(moved.number)):
            yield Fault(line, f"The luck of move {moved.number} does not follow from the seeds.")


def _follows(drawn: Sequence[Draw], chance: FairChance) -> bool:
    return all(_draw(chance, kind, len(values)) == tuple(values) for kind, values in drawn)


def _draw(chance: FairChance, kind: Literal["roll", "shuffle"], size: int) -> tuple[int, ...]:
    return chance.roll(size) if kind == "roll" else chance.shuffle(size)


def _rules(record: Record, find_game: FindGame) -> Iterator[Fault]:
    game = find_game(record.game, record.rules_version)
    if game is None:
        yield Fault(None, f"No rules are known here for {record.game}, version {record.rules_version}.")
        return
    if len(record.seats) not in game.seats:
        yield Fault(None, f"{game.name} is not played by {len(record.seats)} seats.")
        return
    try:
        options = options_from(game, record.options)
    except BadOptions as bad:
        yield Fault(None, f"The options do not fit the game: {', '.join(sorted(bad.errors))}.")
        return
    if encode(options) != record.options:
        yield Fault(None, "The options are not complete.")
        return
    yield from _Course(game, record).faults(options)


class _Course:
    """The game as it went, line by line."""

    def __init__(self, game: Game[Any, Any], record: Record) -> None:
        self.game, self.record = game, record
        self.seats = record.seats
        self.state: Any = None
        self.out: set[int] = set()
        self.moves = 0
        self.outcome: Outcome | None = None

    def faults(self, options: Any) -> Iterator[Fault]:
        try:
            self.start(options)
        except ChanceMismatch as wrong:
            yield Fault(0, f"The start draws something else: {wrong}.")
            return
        for number, line in enumerate(self.record.lines, start=1):
            problem = "The game is over before this." if self.outcome else self.go_on(line)
            if problem:
                yield Fault(number, problem)
                return
        yield from self.ending()

    def start(self, options: Any) -> None:
        chance = RecordedChance(self.record.start)
        self.state, _ = self.game.start(len(self.seats), options, chance)
        chance.finish()
        self.outcome = self.game.outcome(self.state, frozenset())

    def go_on(self, line: records.Line) -> str | None:
        """What is wrong with the line, None if nothing is."""
        match line:
            case Moved():
                return self.wrong_about(line) or self.move(line)
            case Left(seat=seat):
                return self.leave(seat)
            case Ended(reason=reason):
                self.halt(reason, ())
        return None

    def wrong_about(self, moved: Moved) -> str | None:
        if moved.number != self.moves + 1:
            return f"This should be move {self.moves + 1}, not {moved.number}."
        if moved.seat >= len(self.seats):
            return f"There is no seat {moved.seat}."
        if moved.by not in self.movers(moved.seat):
            return f"For seat {moved.seat} moves the {' or the '.join(self.movers(moved.seat))}, not the {moved.by}."
        return None

    def movers(self, seat: int) -> Sequence[str]:
        if self.seats[seat].kind == "bot":
            return ("bot",)
        return ("stand_in",) if seat in self.out else ("player", "stand_in")

    def move(self, moved: Moved) -> str | None:
        chance = RecordedChance(moved.chance)
        try:
            self.state, _ = play(self.game, self.state, moved.seat, moved.move, chance)
            chance.finish()
        except NotYourTurn:
            return f"Seat {moved.seat} is not to move."
        except IllegalMove:
            return f"{moved.move} is not a legal move of seat {moved.seat}."
        except ChanceMismatch as wrong:
            return f"The move draws something else: {wrong}."
        self.moves += 1
        self.outcome = self.game.outcome(self.state, frozenset(self.out))
        return None

    def leave(self, seat: int) -> str | None:
        """Who leaves is out; a game without people is abandoned, the last seat that is not out wins."""
        if seat >= len(self.seats) or self.seats[seat].kind != "human" or seat in self.out:
            return f"There is nobody on seat {seat} who could leave."
        self.out.add(seat)
        in_game = [number for number in range(len(self.seats)) if number not in self.out]
        if not any(self.seats[number].kind == "human" for number in in_game):
            self.halt("abandoned", ())
        elif len(in_game) == 1:
            self.halt("forfeit", tuple(in_game))
        return None

    def halt(self, reason: Any, winners: tuple[int, ...]) -> None:
        self.state = self.game.halt(self.state)
        self.outcome = Outcome(winners, reason, self.game.scores(self.state))

    def ending(self) -> Iterator[Fault]:
        told = self.record.outcome
        if self.outcome is None:
            yield Fault(None, "The game goes on after the last line: it is not over.")
        elif Outcome(told.winners, told.reason, told.scores) != self.outcome:
            yield Fault(None, f"The outcome should be {encode(self.outcome)}.")
