"""A record as text for people: a summary, then one line for each move. It is not read back."""

from collections.abc import Iterator

from games.rules.record import Draws, Line, Record, RecordedEnd, RecordedLeave, RecordedMove

BY = {"player": "", "stand_in": " (stand-in)", "bot": " (bot)"}
WORDS = {"roll": "dice", "shuffle": "order"}


def as_text(record: Record) -> str:
    lines = [*_summary(record), "", _row(0, "start", "", _drawn(record.start))]
    lines += [_line(number, line) for number, line in enumerate(record.lines, start=1)]
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _summary(record: Record) -> Iterator[str]:
    fairness, outcome = record.fairness, record.outcome
    options = [f"{name} {_word(value)}" for name, value in record.options.items()]
    seats = [seat.kind if seat.level is None else f"{seat.kind} {seat.level}" for seat in record.seats]
    yield f"{record.game}, rules version {record.rules_version}, record format {record.format}"
    yield f"table         {record.table}"
    yield f"options       {', '.join(options) or 'none'}"
    yield f"seats         {_numbered(seats)}"
    yield f"outcome       {outcome.reason}; winners {_list(outcome.winners)}; scores {_list(outcome.scores)}"
    yield f"commitment    {fairness.commitment}"
    yield f"server seed   {fairness.server_seed}"
    yield f"client seeds  {_numbered([seed or 'none' for seed in fairness.client_seeds])}"
    yield f"hash          {record.hash}"


def _line(number: int, line: Line) -> str:
    match line:
        case RecordedMove():
            return _row(number, f"seat {line.seat}{BY[line.by]}", line.move, _drawn(line.chance))
        case RecordedLeave():
            return _row(number, f"seat {line.seat}", "leaves the game", "")
        case RecordedEnd():
            return _row(number, "", f"ended: {line.reason}", "")


def _row(number: int, who: str, what: str, drawn: str) -> str:
    return f"{number:5}  {who:18}  {what:24}  {drawn}"


def _drawn(draws: Draws) -> str:
    return "; ".join(f"{WORDS[kind]} {' '.join(map(str, values))}" for kind, values in draws)


def _numbered(words: list[str]) -> str:
    return ", ".join(f"{number}: {word}" for number, word in enumerate(words))


def _list(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers)) or "none"


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
