"""The document's examples of records and replays: the same table as in the other examples."""

from typing import Any

from games import examples
from games.rules import record as records
from games.rules.fair import Luck, commitment
from games.rules.game import default_options, encode
from games.rules.record import (
    Record,
    RecordedFairness,
    RecordedLeave,
    RecordedMove,
    RecordedOutcome,
    RecordedSeat,
)
from games.rules.verify import Verdict, verify


def record() -> Record:
    """One move, after which the only human leaves."""
    seed, game = examples.SEED, examples.GAME
    client_seeds = tuple(examples.FAIRNESS["client_seeds"])
    luck = Luck(seed, examples.ID, client_seeds)
    drawn, moved = luck.block(0), luck.block(1)
    state, _ = game.start(examples.SEATS, game.options_type(), drawn)
    seat = min(game.to_move(state))
    move = game.legal_moves(state, seat)[0]
    state, _ = game.apply(state, seat, move, moved)
    return records.sealed(
        Record(
            format=records.FORMAT,
            table=examples.ID,
            game=game.slug,
            rules_version=game.rules_version,
            options=default_options(game),
            seats=(RecordedSeat("human", None), *[RecordedSeat("bot", "easy")] * (examples.SEATS - 1)),
            fairness=RecordedFairness(commitment(seed), seed.hex(), client_seeds),
            start=records.draws(drawn.drawn),
            lines=(
                RecordedMove(1, seat, "player" if seat == 0 else "bot", move, records.draws(moved.drawn)),
                RecordedLeave(0),
            ),
            outcome=RecordedOutcome((), "abandoned", game.scores(game.halt(state))),
            hash="",
        )
    )


def verdict() -> Verdict:
    """Of that record, when the move drew something else."""
    whole = encode(record())
    whole["lines"][0]["chance"] = [["roll", [1]]]
    return verify(whole)


def replayed() -> dict[str, Any]:
    """The same table after its first move, seen when it was over."""
    shown = {**examples.moved(), "fairness": {**examples.FAIRNESS, "server_seed": examples.SEED.hex()}}
    del shown["number"]
    return {**shown, "deadline": None, "decision": None}
