"""Says whether a record is whole, follows the rules and follows its seeds, else where it first does not."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from msgspec import Meta

from games.rules import record as records
from games.rules.chance import Chance, Draw
from games.rules.fair import Luck, commitment
from games.rules.game import BadOptions, Outcome, encode, options_from
from games.rules.record import Draws, Line, NotARecord, Record, RecordedMove
from games.rules.registry import UnknownRules, game_of
from games.rules.trace import Fault, Trace


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is to be said of a record."""

    ok: Annotated[bool, Meta(description="Whether it is true in every respect.")]
    line: Annotated[
        int | None,
        Meta(description="The first line that goes wrong, 0 for the start; null if it is in none."),
    ]
    problem: Annotated[str | None, Meta(description="What is wrong there, in words.")]
    whole: Annotated[bool, Meta(description="Whether it has the form of a record, and the right hash.")]
    rules: Annotated[
        bool | None, Meta(description="Whether it follows the rules; null without the form of a record.")
    ]
    seeds: Annotated[
        bool | None, Meta(description="Whether all luck follows from the seeds; null like `rules`.")
    ]


def verify(given: Any) -> Verdict:
    """Judge what JSON says. Nothing that is given makes it fail."""
    try:
        record = records.read(given)
    except NotARecord as wrong:
        return Verdict(False, wrong.line, f"This is no record: {wrong.text}.", False, None, None)
    whole, rules, seeds = (next(faults(record), None) for faults in (_whole, _rules, _seeds))
    worst = _first([fault for fault in (rules, seeds, whole) if fault])
    return Verdict(
        ok=worst is None,
        line=worst.line if worst else None,
        problem=worst.problem if worst else None,
        whole=whole is None,
        rules=rules is None,
        seeds=seeds is None,
    )


def _first(faults: Sequence[Fault]) -> Fault | None:
    """The one in the earliest line; what is in no line says least."""
    return min(faults, key=lambda fault: float("inf") if fault.line is None else fault.line, default=None)


def _whole(record: Record) -> Iterator[Fault]:
    if records.digest(record) != record.hash:
        yield Fault(None, "The hash is not that of what the record holds.")
    for number, seat in enumerate(record.seats):
        if (seat.kind == "human") != (seat.level is None):
            yield Fault(None, f"Seat {number} is neither a human without a level nor a bot with one.")


def _seeds(record: Record) -> Iterator[Fault]:
    fairness = record.fairness
    seed = bytes.fromhex(fairness.server_seed)
    if commitment(seed) != fairness.commitment:
        yield Fault(None, "The server seed is not the one that was committed to.")
    if len(fairness.client_seeds) != len(record.seats):
        yield Fault(None, "There is not one client seed, or null, for each seat.")
    for number, (seat, put) in enumerate(zip(record.seats, record.fairness.client_seeds, strict=False)):
        if seat.kind == "bot" and put is not None:
            # Who runs the server could try many, knowing everybody else's.
            yield Fault(None, f"Seat {number} is a bot's, and has a client seed.")
    luck = Luck(seed, record.table, fairness.client_seeds)
    yield from luck_faults(luck, record.start, record.lines)


def luck_faults(luck: Luck, start: Draws, lines: Iterable[Line]) -> Iterator[Fault]:
    """Draw all luck anew from the seeds, and compare."""
    if not _follows(start, luck.block(0)):
        yield Fault(0, "What the start drew does not follow from the seeds.")
    for number, line in enumerate(lines, start=1):
        if (
            isinstance(line, RecordedMove)
            and line.chance
            and not _follows(line.chance, luck.block(line.number))
        ):
            yield Fault(number, f"The luck of move {line.number} does not follow from the seeds.")


def _follows(drawn: Sequence[Draw], chance: Chance) -> bool:
    return all(_draw(chance, kind, len(values)) == values for kind, values in drawn)


def _draw(chance: Chance, kind: Literal["roll", "shuffle"], size: int) -> tuple[int, ...]:
    return chance.roll(size) if kind == "roll" else chance.shuffle(size)


def _rules(record: Record) -> Iterator[Fault]:
    try:
        game = game_of(record.game, record.rules_version)
        options = options_from(game, record.options)
    except UnknownRules:
        yield Fault(None, f"No rules are known here for {record.game}, version {record.rules_version}.")
        return
    except BadOptions as bad:
        yield Fault(None, f"The options do not fit the game: {', '.join(sorted(bad.errors))}.")
        return
    if encode(options) != record.options:
        yield Fault(None, "The options are not complete.")
    elif len(record.seats) not in game.seats:
        yield Fault(None, f"{game.name} is not played by {len(record.seats)} seats.")
    else:
        trace = Trace(game, record.seats)
        yield from trace.faults(options, record.start, record.lines)
        yield from _ending(trace.outcome, record.outcome)


def _ending(outcome: Outcome | None, told: records.RecordedOutcome) -> Iterator[Fault]:
    if outcome is None:
        yield Fault(None, "The game goes on after the last line: it is not over.")
    elif Outcome(told.winners, told.reason, told.scores) != outcome:
        yield Fault(None, f"The outcome should be {encode(outcome)}.")
