"""Games that break the contract: each is 7776 but for one fault, named by its class."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, ClassVar, TypeVar

from games.rules.chance import Chance
from games.rules.dice7776 import Dice7776, Options, Round, State, View
from games.rules.game import Event, Move, Outcome, Seat, Step

G = TypeVar("G", bound=type[Dice7776])

BROKEN: list[tuple[type[Dice7776], str]] = []


def caught_as(message: str) -> Callable[[G], G]:
    """Enters a game here, with what the contract must say of it."""

    def enter(game: G) -> G:
        BROKEN.append((game, message))
        return game

    return enter


class Retold(Dice7776):
    """Tells its events in another way."""

    def retold(self, event: Event, state: State) -> Event:
        raise NotImplementedError

    def start(self, seats: int, options: Options, chance: Chance) -> Step[State]:
        state, events = super().start(seats, options, chance)
        return state, [self.retold(event, state) for event in events]

    def apply(self, state: State, seat: Seat, move: Move, chance: Chance) -> Step[State]:
        state, events = super().apply(state, seat, move, chance)
        return state, [self.retold(event, state) for event in events]


class Restored(Dice7776):
    """Starts from another state."""

    def restored(self, state: State) -> Any:
        raise NotImplementedError

    def start(self, seats: int, options: Options, chance: Chance) -> Step[State]:
        state, events = super().start(seats, options, chance)
        return self.restored(state), events


@caught_as("sees by the view what it may not know")
class ShowsTheOthersThrow(Dice7776):
    def view(self, state: State, seat: Seat | None) -> View:
        view = super().view(state, seat)
        return replace(view, throw=state.throws[1 - seat]) if view.throw and seat is not None else view


@caught_as("a watcher sees by the view what it may not know")
class ShowsAWatcherAThrow(Dice7776):
    def view(self, state: State, seat: Seat | None) -> View:
        return super().view(state, 0 if seat is None else seat)


@caught_as("sees by the view what it may not know")
class ShowsALockedChoiceAsUsed(Dice7776):
    def view(self, state: State, seat: Seat | None) -> View:
        locked = tuple((choice,) if choice else () for choice in state.choices)
        view = super().view(state, seat)
        return replace(view, used=tuple(used + more for used, more in zip(view.used, locked, strict=True)))


@caught_as("sees by the legal moves what it may not know")
class OrdersMovesByTheOthersThrow(Dice7776):
    def legal_moves(self, state: State, seat: Seat) -> Sequence[Move]:
        moves = super().legal_moves(state, seat)
        return moves[::-1] if state.throws and sum(state.throws[1 - seat]) % 2 else moves


@caught_as("sees by the scores what it may not know")
class CountsWhatIsHidden(Dice7776):
    def scores(self, state: State) -> tuple[int, ...]:
        return tuple(score + sum(sum(throw) for throw in state.throws) for score in state.scores)


@caught_as("sees by the view after halt what it may not know")
class ShowsTheThrowsOnHalt(Dice7776):
    def halt(self, state: State) -> State:
        shown = (Round(state.throws, ("1", "1"), (0, 0)),) if state.throws else ()
        return replace(super().halt(state), history=(*state.history, *shown))


@caught_as("is told what it may not know")
class TellsTheThrowsToAll(Retold):
    def retold(self, event: Event, state: State) -> Event:
        return replace(event, data={**event.data, **(event.own or {})}) if event.kind == "threw" else event


@caught_as("is told what it may not know")
class TellsASeatBothThrows(Retold):
    def retold(self, event: Event, state: State) -> Event:
        return replace(event, own={"dice": state.throws}) if event.kind == "threw" else event


@caught_as("is told what it may not know")
class TellsTheNextThrowsWithTheReveal(Retold):
    def retold(self, event: Event, state: State) -> Event:
        data = {**event.data, "next": state.throws}
        return replace(event, data=data) if event.kind == "revealed" else event


@caught_as("is told what it may not know")
class TellsTheChoiceToAll(Retold):
    def retold(self, event: Event, state: State) -> Event:
        return replace(event, data=event.own or {}, own=None) if event.kind == "chose" else event


@caught_as("what it may not know")
class TellsOfTheThrowWithTheChoice(Retold):
    def retold(self, event: Event, state: State) -> Event:
        if event.kind != "chose" or event.seat is None or state.choices[event.seat] is None:
            return event
        return replace(event, data={"pips": sum(state.throws[event.seat])})


@caught_as("resample draws nothing anew")
class GuessesNothing(Dice7776):
    def resample(self, state: State, seat: Seat | None, chance: Chance) -> State:
        return state


@caught_as("sees by the view what it may not know")
class GuessesWhatTheSeatKnows(Dice7776):
    def resample(self, state: State, seat: Seat | None, chance: Chance) -> State:
        return super().resample(state, None, chance)


@caught_as("is another after a JSON round trip")
class GuessesWhatCanNotBe(Dice7776):
    def resample(self, state: State, seat: Seat | None, chance: Chance) -> State:
        guess = super().resample(state, seat, chance)
        return replace(guess, throws=tuple(throw[:4] for throw in guess.throws))


@dataclass(frozen=True, slots=True)
class ListState(State):
    told: list[str] = field(default_factory=list)


@caught_as("holds what can be changed")
class KeepsAList(Restored):
    state_type: ClassVar[type] = ListState

    def restored(self, state: State) -> Any:
        return ListState(state.options, state.history, state.throws, state.choices)


@dataclass(slots=True)
class Counter:
    count: int = 0


@dataclass(frozen=True, slots=True)
class CountingState(State):
    counter: Counter = field(default_factory=Counter)


@caught_as("holds what can be changed")
class KeepsADataclassThatIsNotFrozen(Restored):
    state_type: ClassVar[type] = CountingState

    def restored(self, state: State) -> Any:
        return CountingState(state.options, state.history, state.throws, state.choices)


@dataclass(frozen=True, slots=True)
class UntypedState(State):
    more: Any = ((1, 2),)


@caught_as("is another after a JSON round trip")
class ForgetsATypeInJson(Restored):
    state_type: ClassVar[type] = UntypedState

    def restored(self, state: State) -> Any:
        return UntypedState(state.options, state.history, state.throws, state.choices)


@caught_as("the state is not of the game's state_type")
class HasAnotherStateType(Dice7776):
    state_type: ClassVar[type] = Round


@caught_as("changed the state that it was given")
class ChangesItsArgument(GuessesNothing):
    def apply(self, state: State, seat: Seat, move: Move, chance: Chance) -> Step[State]:
        step = super().apply(state, seat, move, chance)
        object.__setattr__(state, "choices", step[0].choices)
        return step


@caught_as("the state changed while it was looked at")
class ChangesWhatIsLookedAt(Restored):
    state_type: ClassVar[type] = UntypedState

    def restored(self, state: State) -> Any:
        return UntypedState(state.options, state.history, state.throws, state.choices, "not looked at")

    def view(self, state: State, seat: Seat | None) -> View:
        object.__setattr__(state, "more", "looked at")
        return super().view(state, seat)


@caught_as("is to move, its moves are ()")
class AsksAgainWhoHasChosen(Dice7776):
    def to_move(self, state: State) -> frozenset[Seat]:
        return frozenset({0, 1}) if state.throws else frozenset()

    def legal_moves(self, state: State, seat: Seat) -> Sequence[Move]:
        return super().legal_moves(state, seat) if seat in super().to_move(state) else ()


@caught_as("is not to move, its moves are")
class LetsSeatsMoveOutOfTurn(Dice7776):
    def legal_moves(self, state: State, seat: Seat) -> Sequence[Move]:
        return tuple(f"choose {combination}" for combination in state.unused(seat))


@caught_as("has a move twice")
class OffersAMoveTwice(Dice7776):
    def legal_moves(self, state: State, seat: Seat) -> Sequence[Move]:
        return (*super().legal_moves(state, seat), *super().legal_moves(state, seat)[:1])


@caught_as("odd spaces in")
class OffersMovesWithOddSpaces(Dice7776):
    def legal_moves(self, state: State, seat: Seat) -> Sequence[Move]:
        return tuple(f"{move} " for move in super().legal_moves(state, seat))


@caught_as("no such seats")
class AsksASeatThatIsNotThere(Dice7776):
    def to_move(self, state: State) -> frozenset[Seat]:
        return super().to_move(state) | {2}


@caught_as("the game should be over by now")
class NeverEnds(Dice7776):
    def apply(self, state: State, seat: Seat, move: Move, chance: Chance) -> Step[State]:
        after, events = super().apply(state, seat, move, chance)
        return replace(after, history=after.history[:1]), events


@caught_as("an outcome while a seat is to move")
class IsWonBeforeItsEnd(Dice7776):
    def outcome(self, state: State, out: frozenset[Seat]) -> Outcome | None:
        return Outcome((0,), "played_out", (0, 0))


@caught_as("the game is over without an outcome")
class IsNeverWon(Dice7776):
    def outcome(self, state: State, out: frozenset[Seat]) -> Outcome | None:
        return None


@caught_as("win, where only")
class LetsWhoIsOutWin(Dice7776):
    def outcome(self, state: State, out: frozenset[Seat]) -> Outcome | None:
        return super().outcome(state, frozenset())


class Ended(Dice7776):
    """Ends in another way."""

    def ended(self, outcome: Outcome) -> Outcome:
        raise NotImplementedError

    def outcome(self, state: State, out: frozenset[Seat]) -> Outcome | None:
        outcome = super().outcome(state, out)
        return outcome and self.ended(outcome)


@caught_as("the winners are ()")
class HasNoWinners(Ended):
    def ended(self, outcome: Outcome) -> Outcome:
        return replace(outcome, winners=())


@caught_as("the winners are")
class NamesAWinnerTwice(Ended):
    def ended(self, outcome: Outcome) -> Outcome:
        return replace(outcome, winners=outcome.winners * 2)


@caught_as("the game was played out, not forfeit")
class CallsItsEndAForfeit(Ended):
    def ended(self, outcome: Outcome) -> Outcome:
        return replace(outcome, reason="forfeit")


@caught_as("the outcome has other scores than the game")
class EndsWithOtherScores(Ended):
    def ended(self, outcome: Outcome) -> Outcome:
        return replace(outcome, scores=tuple(score + 1 for score in outcome.scores))


@caught_as("scores has not one number a seat")
class HasOneScoreForTwo(Dice7776):
    def scores(self, state: State) -> tuple[int, ...]:
        return state.scores[:1]


@caught_as("a seat is to move after halt")
class GoesOnAfterHalt(Dice7776):
    def halt(self, state: State) -> State:
        return state


@caught_as("the phase is choose")
class IsNeverOverInViews(Dice7776):
    def view(self, state: State, seat: Seat | None) -> View:
        return replace(super().view(state, seat), phase="choose")


@caught_as("the view is not of the game's view_type")
class HasAViewOfAnotherType(Dice7776):
    view_type: ClassVar[type] = Round


@caught_as("does not fit its type")
class ViewsARoundThatCanNotBe(Dice7776):
    def view(self, state: State, seat: Seat | None) -> View:
        return replace(super().view(state, seat), round=0)


@caught_as("the events by the seat are of ()")
class DoesNotTellWhoDecided(Retold):
    def retold(self, event: Event, state: State) -> Event:
        return replace(event, by_seat=False)


@caught_as("the events by the seat are of (0, 1), they should be of ()")
class TellsItsOwnDoingAsTheSeats(Retold):
    def retold(self, event: Event, state: State) -> Event:
        return replace(event, by_seat=True)


@caught_as("data or own is no plain JSON")
class TellsWhatJsonDoesNotKnow(Retold):
    def retold(self, event: Event, state: State) -> Event:
        return replace(event, data={**event.data, "seats": frozenset({0, 1})})


@caught_as("a kind has 1 to 16 characters")
class TellsAtLength(Retold):
    def retold(self, event: Event, state: State) -> Event:
        return replace(event, kind=f"{event.kind}_by_the_seat_it_names")


@caught_as("a move is too long")
class MovesAtLength(Dice7776):
    def legal_moves(self, state: State, seat: Seat) -> Sequence[Move]:
        return tuple(f"{move:x<65}" for move in super().legal_moves(state, seat))


@caught_as("there is no seat 2")
class TellsOfASeatThatIsNotThere(Retold):
    def retold(self, event: Event, state: State) -> Event:
        return replace(event, seat=2)


@caught_as("own, but no seat to tell it to")
class HasAnOwnPartForNobody(Retold):
    def retold(self, event: Event, state: State) -> Event:
        return replace(event, seat=None)


@caught_as("a replay ends in another state")
class HasLuckOfItsOwn(Restored):
    def __init__(self) -> None:
        self.starts = count()

    def restored(self, state: State) -> State:
        face = next(self.starts) % 6 + 1
        return replace(state, history=(Round(((face,) * 5,) * 2, ("1", "1"), (0, 0)),))


@caught_as("a replay goes another way")
class NeedsOtherLuckTheSecondTime(Dice7776):
    def __init__(self) -> None:
        self.starts = count()

    def start(self, seats: int, options: Options, chance: Chance) -> Step[State]:
        chance.shuffle(next(self.starts) + 1)
        return super().start(seats, options, chance)
