"""Situations in which tables can be: just begun, nearly over, constructed, played on for a while."""

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
from django.conf import settings
from django.utils import timezone

from games import clock
from games.ledger import Decision, Ledger
from games.models import Event, IdempotencyKey, Move, Seat, Table
from games.rules import dice7776, dominoes, pickomino
from games.rules.game import encode
from sessions import presence
from sessions.models import Player, Token
from sessions.secrecy import digest
from tests.people import Person, seat_all

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
# Before the settings' pause of bots and stand-ins is over, and after it.
PAUSE = 1.0
TURN = 120


def row(table: str) -> Any:
    """The stored table; untyped, since so is the JSON in it."""
    return Table.objects.get(pk=table)


def seats_of(table: str) -> list[Seat]:
    return list(Seat.objects.filter(table_id=table).order_by("number"))


def moves_of(table: str) -> list[Move]:
    return list(Move.objects.filter(table_id=table).order_by("number"))


def events_of(table: str, after: int = 0) -> list[Event]:
    return list(Event.objects.filter(table_id=table, number__gt=after).order_by("number"))


def kinds(table: str, after: int = 0) -> list[str]:
    return [event.kind for event in events_of(table, after)]


def told(table: str, after: int = 0) -> list[tuple[str, int | None, str]]:
    """What happened since: kind, seat and by of each event."""
    return [(event.kind, event.seat, event.by) for event in events_of(table, after)]


def ledger_of(table: str) -> Ledger:
    return Ledger(row(table), seats_of(table), timezone.now())


def state_of(table: str) -> Any:
    return ledger_of(table).state


def as_json(value: Any) -> Any:
    """A value as it looks once stored or sent."""
    return msgspec.json.decode(msgspec.json.encode(value))


def put_state(table: str, state: Any) -> None:
    """Let a playing table have come to this position just now."""
    ledger = ledger_of(table)
    ledger.state = state
    fresh = Decision(ledger.table.version, ledger.now)
    ledger.decisions = dict.fromkeys(sorted(ledger.game.to_move(state)), fresh)
    clock.set_clock(ledger)
    put_row(ledger)


def put_row(ledger: Ledger) -> None:
    """Store a table's row as it is in the hand, whatever the rules say."""
    ledger.table.state, ledger.table.decisions = encode(ledger.state), encode(ledger.decisions)
    ledger.table.save()


def everything(table: str) -> list[list[dict[str, Any]]]:
    """All that is stored about a table, to be compared."""
    kept: tuple[Any, ...] = (Seat, Move, Event, IdempotencyKey)
    rows = [model.objects.filter(table_id=table).values() for model in kept]
    return [sorted(found, key=str) for found in (Table.objects.filter(pk=table).values(), *rows)]


@contextmanager
def unchanged(table: str) -> Iterator[None]:
    """Holds that the block leaves all that is stored about a table as it was."""
    before = everything(table)
    yield
    assert everything(table) == before


def begun(game: str, people: Sequence[Person], **fields: Any) -> str:
    """A playing table of these people in this order; in pickomino, seat 0 is the first."""
    if game == "pickomino":
        fields["options"] = {"first": "seat_0", **fields.get("options", {})}
    return seat_all(game, list(people), **fields)


def play(people: Sequence[Person], table: str, moves: int, seed: int = 1) -> None:
    """So many moves, or fewer when the game ends, each any of the legal ones."""
    luck = random.Random(seed)
    for _ in range(moves):
        to_move = people[0].see(table)["to_move"]
        if not to_move:
            return
        mover = people[luck.choice(to_move)]
        answer = mover.move(table, luck.choice(mover.see(table)["legal_moves"]))
        assert answer.status == 201, answer


def let_pass(table: str, seconds: float) -> None:
    """Let everything at a table have happened so many seconds earlier."""
    ledger = ledger_of(table)
    earlier = timedelta(seconds=seconds)
    ledger.decisions = {
        number: Decision(asked.version, asked.since - earlier, asked.deadline and asked.deadline - earlier)
        for number, asked in ledger.decisions.items()
    }
    for name in ("created_at", "started_at", "touched_at", "paused_at", "wake_at"):
        moment = getattr(ledger.table, name)
        setattr(ledger.table, name, moment and moment - earlier)
    put_row(ledger)


def turn(
    seat: int,
    *,
    seats: int = 2,
    face_up: Sequence[int] = pickomino.DOMINOES,
    face_down: Sequence[int] = (),
    stacks: Sequence[Sequence[int]] = (),
    dice: Sequence[Any] = (),
    saved: Sequence[tuple[Any, int]] = (),
    **options: Any,
) -> pickomino.State:
    """A position of pickomino in this seat's turn."""
    lying = [tuple(stack) for stack in stacks] or [()] * seats
    return pickomino.State(
        pickomino.Options(**options),
        seat,
        tuple(face_up),
        tuple(face_down),
        tuple(lying),
        tuple(dice),
        tuple(pickomino.Saved(face, count) for face, count in saved),
    )


def last_domino(seat: int, stacks: Sequence[Sequence[int]]) -> pickomino.State:
    """Pickomino, where only `collect 21` is left: it ends the game, and brings a worm."""
    return turn(seat, face_up=[21], stacks=stacks, saved=[("W", 4), (1, 4)])


def last_round(points: tuple[int, int] = (0, 0), throws: Any = ((1, 1, 1, 1, 1), (2, 2, 2, 2, 2))) -> Any:
    """The sixteenth round of 7776: both can only `choose major-sum`, and have so many points."""
    earlier = []
    for number, choice in enumerate(dice7776.COMBINATIONS[:15]):
        scored = points if number == 0 else (0, 0)
        earlier.append(dice7776.Round(throws, (choice, choice), scored))
    return dice7776.State(dice7776.Options(), tuple(earlier), throws)


def hands(
    *held: Sequence[str],
    seat: int = 0,
    stock: Sequence[str] = (),
    scores: Sequence[int] = (),
    **options: Any,
) -> dominoes.State:
    """A round of dominoes in which no tile is laid yet."""
    return dominoes.State(
        options=dominoes.Options(**options),
        round=1,
        starter=seat,
        seat=seat,
        hands=tuple(tuple(hand) for hand in held),
        scores=tuple(scores) or (0,) * len(held),
        stock=tuple(stock),
    )


def player_of(person: Person) -> Player:
    assert person.token is not None
    return Token.objects.get(digest=digest(person.token)).player


def put_tables(count: int, people: Sequence[Person], *, capacity: int = 7, **fields: Any) -> list[str]:
    """So many tables of pickomino at once, oldest first, at which these people sit."""
    now = timezone.now()
    given = {
        "game": "pickomino",
        "rules_version": 1,
        "options": {},
        "capacity": capacity,
        "visibility": "public",
        "turn_seconds": TURN,
        "created_at": now,
        "touched_at": now,
        "wake_at": now + settings.TABLE_OPEN,
        **fields,
    }
    tables = Table.objects.bulk_create(Table(**given) for _ in range(count))
    players = [player_of(person) for person in people]
    Seat.objects.bulk_create(
        Seat(table=table, number=number, player=player, kind=Seat.Kind.HUMAN)
        for table in tables
        for number, player in enumerate(players)
    )
    return [str(table.pk) for table in tables]


def be_away(person: Person) -> None:
    """As if no transport of the person had been used for longer than the grace."""
    player_id = player_of(person).pk
    presence.forget(player_id)
