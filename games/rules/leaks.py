"""Finds what a game tells a seat, or a watcher, that it may not know."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeAlias, TypeVar

import msgspec

from games.rules.chance import Chance, ChanceMismatch, Draw, RecordedChance
from games.rules.game import Event, Game, Seat, Step

S = TypeVar("S")

Audience: TypeAlias = Seat | None
"""A seat, or with None a watcher."""


def in_state(game: Game[S, Any], state: S, guess: S, audience: Audience, chance: Chance) -> Iterator[str]:
    """What differs to the audience between a state and `guess`, which `resample` says looks the same to it.

    `chance` is for the moves that are tried.
    """
    guessed = seen(game, guess, audience)
    for what, shown in seen(game, state, audience).items():
        if guessed[what] != shown:
            yield f"{name(audience)} sees by {what} what it may not know"
    yield from _in_moves(game, state, guess, audience, chance)


def between_steps(
    game: Game[S, Any], taken: Step[S], other: Step[S], audiences: Iterable[Audience]
) -> Iterator[str]:
    """Who hears a difference between two steps that it can't see in the states to which they lead.

    The steps are from one state, made with other luck, or by a move that the audiences do not know.
    """
    (state, events), (another, others) = taken, other
    if state == another:
        return
    for audience in audiences:
        sounds_alike = heard(events, audience) == heard(others, audience)
        if not sounds_alike and seen(game, state, audience) == seen(game, another, audience):
            yield f"{name(audience)} is told what it may not know"


def seen(game: Game[S, Any], state: S, audience: Audience) -> dict[str, bytes]:
    """All that the audience may look at, as it is sent."""
    moves = [] if audience is None else game.legal_moves(state, audience)
    looks = {
        "the view": game.view(state, audience),
        "the legal moves": moves,
        "the seats to move": sorted(game.to_move(state)),
        "the scores": game.scores(state),
        "the outcome": game.outcome(state, frozenset()),
        "the view after halt": game.view(game.halt(state), audience),
    }
    return {what: msgspec.json.encode(look) for what, look in looks.items()}


def heard(events: Iterable[Event], audience: Audience) -> bytes:
    """All that the audience is told: not what is another seat's own."""
    told = [replace(event, own=event.own if event.seat == audience else None) for event in events]
    return msgspec.json.encode(told)


def name(audience: Audience) -> str:
    return "a watcher" if audience is None else f"seat {audience}"


def _in_moves(game: Game[S, Any], state: S, guess: S, audience: Audience, chance: Chance) -> Iterator[str]:
    """Other seats' moves: the mover's own event. What follows by itself may reveal what was hidden."""
    for mover in game.to_move(state) - {audience}:
        others = game.legal_moves(guess, mover)
        for move in (move for move in game.legal_moves(state, mover) if move in others):
            noted = Noted(chance)
            here = _by_seat(game.apply(state, mover, move, noted))
            there = _by_seat(game.apply(guess, mover, move, Again(noted.drawn, chance)))
            if heard(here, audience) != heard(there, audience):
                yield f"{name(audience)} hears of {move!r} what it may not know"


def _by_seat(step: Step[S]) -> list[Event]:
    _, events = step
    return [event for event in events if event.by_seat]


class Noted:
    """Hands on another chance's luck; `drawn` keeps what it gave, in order."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance
        self.drawn: list[Draw] = []

    def roll(self, dice: int) -> tuple[int, ...]:
        faces = self._chance.roll(dice)
        self.drawn.append(("roll", faces))
        return faces

    def shuffle(self, size: int) -> tuple[int, ...]:
        permutation = self._chance.shuffle(size)
        self.drawn.append(("shuffle", permutation))
        return permutation


class Again:
    """Luck that was drawn before, while the same is asked for; new luck where it is not."""

    def __init__(self, drawn: Sequence[Draw], chance: Chance) -> None:
        self._drawn, self._chance = RecordedChance(drawn), chance

    def roll(self, dice: int) -> tuple[int, ...]:
        try:
            return self._drawn.roll(dice)
        except ChanceMismatch:
            return self._chance.roll(dice)

    def shuffle(self, size: int) -> tuple[int, ...]:
        try:
            return self._drawn.shuffle(size)
        except ChanceMismatch:
            return self._chance.shuffle(size)


def nudged(drawn: Sequence[Draw], chance: Chance) -> list[Draw]:
    """The same luck but for one die, thrown again, or two places of a shuffle, exchanged."""
    which = chance.shuffle(len(drawn))[0]
    kind, values = drawn[which]
    one, *others = chance.shuffle(len(values))
    changed = list(values)
    if kind == "roll":
        changed[one] = chance.roll(1)[0]
    elif others:
        changed[one], changed[others[0]] = values[others[0]], values[one]
    return [*drawn[:which], (kind, changed), *drawn[which + 1 :]]
