"""Ways to play, measured by turns with pgbench."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from bench.limit import Limit, Rate
from bench.meter import Burst, Meter, Tally
from bench.play import ask, movers
from bench.tables import Played, lengthen, make_tables

GAMES = ("pickomino", "7776", "dominoes")
USUAL = 8  # clients, where their number is not what is looked at
LONG_TABLES = 96
LOADS = 8  # at most so many loads make one burst of moves


class Pool:
    """Tables in play; new ones come when many are over."""

    def __init__(self, make: Callable[[], list[Played]]) -> None:
        self._make = make
        self.tables = make()

    def renew(self) -> None:
        if sum(bool(table.to_move) for table in self.tables) < 0.8 * len(self.tables):
            self.tables = self._make()


@dataclass(slots=True)
class Case:
    """One way to play, what came of it in each round, and L just before."""

    name: str
    clients: int
    keyed: float  # the share of moves with an idempotency key
    pool: Pool
    bursts: list[Burst] = field(default_factory=list)
    limits: list[Rate] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Effort:
    """How often and how long: rounds, moves in each burst, seconds of pgbench in each sample."""

    rounds: int
    moves: int
    seconds: int


def play(meter: Meter, case: Case, most: int) -> Burst:
    """About so many moves, and nothing else, in the time that is measured."""
    case.pool.renew()
    tally = Tally()
    for _ in range(LOADS):
        if len(tally.latencies) < most:
            turns = ask(meter.web.port, case.pool.tables)
            meter.drive(tally, movers(turns, case.clients, most - len(tally.latencies), case.keyed))
    return tally.burst()


def measure(meter: Meter, limit: Limit, cases: Sequence[Case], effort: Effort) -> None:
    """All by turns, so that what disturbs the machine disturbs all alike."""
    for case in cases:
        play(meter, case, effort.moves // 4)
    for _ in range(effort.rounds):
        for case in cases:
            case.limits.append(limit.rate("plain", effort.seconds))
            case.bursts.append(play(meter, case, effort.moves))


def ways(database: str, game: str, clients: Sequence[int], keyed: Sequence[float], tables: int) -> list[Case]:
    """Fresh tables of a game, played by so many clients, with and without keys."""
    pool = Pool(partial(make_tables, database, game, tables))
    words = {0.0: "", 1.0: ", keyed"}
    return [
        Case(f"{game}, {count} clients{words.get(share, f', {share:.0%} keyed')}", count, share, pool)
        for count in clients
        for share in keyed
    ]


def lengths(meter: Meter, database: str, game: str, moves: int) -> tuple[Case, Case]:
    """The same few tables short, and with so many moves behind them."""
    short_ones = Pool(partial(make_tables, database, game, LONG_TABLES))
    long_ones = Pool(partial(long_tables, meter, database, game, LONG_TABLES, moves))
    return (
        Case(f"{game}, short tables", USUAL, 0, short_ones),
        Case(f"{game}, {moves:,} moves before", USUAL, 0, long_ones),
    )


def long_tables(meter: Meter, database: str, game: str, count: int, moves: int) -> list[Played]:
    """Tables with about so many moves behind them, each with an event."""
    tables = make_tables(database, game, count)
    # A move is made at each, whose rows are then copied.
    meter.burst(movers(ask(meter.web.port, tables), USUAL, 1_000_000, 0))
    lengthen(database, tables, moves)
    return tables
