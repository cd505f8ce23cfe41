"""Plays tables at random without a server: any seats and options, bots, stand-ins, people who leave."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, ClassVar
from uuid import UUID

from games.rules import record as records
from games.rules.fair import SEED_BYTES, Luck, commitment
from games.rules.game import Game, Move, Reason, encode, play
from games.rules.record import (
    Draws,
    Line,
    Record,
    RecordedEnd,
    RecordedFairness,
    RecordedLeave,
    RecordedMove,
    RecordedSeat,
)
from games.rules.registry import GAMES
from games.rules.variants import other_values

LEAVES, ENDS = 0.004, 0.0005  # how likely before each move


def record_of(slug: str, seed: int | str) -> Record:
    """A table played to whatever end it comes to; the same seed gives the same one."""
    return _Played(GAMES[slug], Random(f"{slug} {seed}")).record()


def long_record_of(slug: str, moves: int) -> Record:
    """A table that is ended after so many moves, unless the game can't be made to last so long."""
    return _Lasting(GAMES[slug], Random(slug), moves).record()


class _Played:
    def __init__(self, game: Game[Any, Any], luck: Random) -> None:
        self.game, self.luck = game, luck
        self.seats = [RecordedSeat("human", None), *(self.seat() for _ in range(1, luck.choice(game.seats)))]
        luck.shuffle(self.seats)
        self.server_seed = luck.randbytes(SEED_BYTES)
        self.client_seeds = tuple(self.client_seed(seat) for seat in self.seats)
        self.table = str(UUID(int=luck.getrandbits(128)))
        self.fair = Luck(self.server_seed, self.table, self.client_seeds)
        self.lines: list[Line] = []
        self.out: set[int] = set()
        self.absent: set[int] = set()
        self.outcome: Any = None

    def seat(self) -> RecordedSeat:
        return RecordedSeat("human", None) if self.luck.random() < 0.7 else RecordedSeat("bot", "easy")

    def client_seed(self, seat: RecordedSeat) -> str | None:
        digits = self.luck.randint(1, 64)
        put = seat.kind == "human" and self.luck.random() < 0.7
        return f"{self.luck.getrandbits(4 * digits):0{digits}x}" if put else None

    def record(self) -> Record:
        options, start = self.options(), self.start()
        while self.outcome is None:
            self.step()
        return records.sealed(
            Record(
                format=1,
                table=self.table,
                game=self.game.slug,
                rules_version=self.game.rules_version,
                options=encode(options),
                seats=tuple(self.seats),
                fairness=self.fairness(),
                start=start,
                lines=tuple(self.lines),
                outcome=self.outcome,
                hash="",
            )
        )

    def fairness(self) -> RecordedFairness:
        return RecordedFairness(commitment(self.server_seed), self.server_seed.hex(), self.client_seeds)

    def options(self) -> Any:
        others = {
            name: values for name, values in other_values(self.game).items() if self.luck.random() < 0.5
        }
        self.chosen = self.game.options_type(
            **{name: self.luck.choice(some) for name, some in others.items()}
        )
        return self.chosen

    def start(self) -> Draws:
        chance = self.fair.block(0)
        self.state, _ = self.game.start(len(self.seats), self.chosen, chance)
        self.moves = 0
        return records.draws(chance.drawn)

    def step(self) -> None:
        people = [n for n, seat in enumerate(self.seats) if seat.kind == "human" and n not in self.out]
        if self.luck.random() < LEAVES:
            self.leave(self.luck.choice(people))
        elif self.luck.random() < ENDS:
            self.stop(self.luck.choice(["abandoned", "voided"]))
        else:
            self.move(self.luck.choice(sorted(self.game.to_move(self.state))))

    def move(self, seat: int) -> None:
        self.moves += 1
        chance = self.fair.block(self.moves)
        move = self.choice(self.game.legal_moves(self.state, seat))
        self.state, _ = play(self.game, self.state, seat, move, chance)
        self.lines.append(RecordedMove(self.moves, seat, self.by(seat), move, records.draws(chance.drawn)))
        if outcome := self.game.outcome(self.state, frozenset(self.out)):
            self.outcome = records.RecordedOutcome(outcome.winners, outcome.reason, outcome.scores)

    def choice(self, moves: Sequence[Move]) -> Move:
        return self.luck.choice(moves)

    def by(self, seat: int) -> Any:
        if self.seats[seat].kind == "bot":
            return "bot"
        if self.luck.random() < 0.1:
            self.absent ^= {seat}
        return "stand_in" if seat in self.absent | self.out else "player"

    def leave(self, seat: int) -> None:
        self.lines.append(RecordedLeave(seat))
        self.out.add(seat)
        in_game = [n for n in range(len(self.seats)) if n not in self.out]
        if all(self.seats[n].kind == "bot" for n in in_game):
            self.end("abandoned", ())
        elif len(in_game) == 1:
            self.end("forfeit", (in_game[0],))

    def stop(self, reason: Any) -> None:
        self.lines.append(RecordedEnd(reason))
        self.end(reason, ())

    def end(self, reason: Reason, winners: tuple[int, ...]) -> None:
        scores = self.game.scores(self.game.halt(self.state))
        self.outcome = records.RecordedOutcome(winners, reason, scores)


class _Lasting(_Played):
    """Nobody leaves, and what ends a game is put off."""

    OPTIONS: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "pickomino": {"turn_over_on_empty_bust": False},
        "dominoes": {"target": 1000, "dead_row": "draw_out"},
    }

    def __init__(self, game: Game[Any, Any], luck: Random, moves: int) -> None:
        super().__init__(game, luck)
        self.most = moves
        self.planned: list[Move] = []

    def seat(self) -> RecordedSeat:
        return RecordedSeat("human", None)

    def options(self) -> Any:
        self.chosen = self.game.options_type(**self.OPTIONS.get(self.game.slug, {}))
        return self.chosen

    def step(self) -> None:
        if self.moves == self.most:
            self.stop("abandoned")
        else:
            self.move(self.luck.choice(sorted(self.game.to_move(self.state))))

    def choice(self, moves: Sequence[Move]) -> Move:
        """In pickomino, a way through the turn on which nothing is taken: who holds the seeds sees it."""
        if not self.planned and self.game.slug == "pickomino":
            self.planned = self.way_to_bust(self.state, self.moves) or []
        return self.planned.pop(0) if self.planned else super().choice(moves)

    def way_to_bust(self, state: Any, number: int) -> list[Move] | None:
        for move in self.game.legal_moves(state, state.seat):
            if move.startswith(("roll", "save")):
                after, _ = self.game.apply(state, state.seat, move, self.fair.block(number))
                if after.seat != state.seat:
                    return [move]
                if way := self.way_to_bust(after, number + 1):
                    return [move, *way]
        return None
