"""What the OpenAPI document says of odds and analyses."""

from datetime import datetime
from typing import Annotated, Any, Literal, TypedDict

from msgspec import Meta

from config import errors
from config.openapi import Call
from games import examples
from games.answers import GameSlug, SeatNumber

Luck = Annotated[list[float], Meta(description="By seat; zero on the average.")]


class MoveOdds(TypedDict):
    """What a legal move is worth."""

    move: str
    value: Annotated[float, Meta(description="What the best play makes as great as can be, in the unit.")]
    detail: Annotated[dict[str, Any], Meta(description="More about it; the answer's `detail` tells what.")]


class Odds(TypedDict):
    """What your moves are worth, by what you can see."""

    version: Annotated[int, Meta(description="The table's version.")]
    decision: Annotated[int, Meta(description="The version at which your decision began.")]
    unit: Annotated[str, Meta(description="In what values are counted, for people.")]
    detail: Annotated[dict[str, str], Meta(description="What each key of a move's `detail` tells.")]
    best: Annotated[str, Meta(description="The move of the greatest value, the first of equals.")]
    moves: Annotated[list[MoveOdds], Meta(description="Your legal moves, in their order.")]


class Judged(TypedDict):
    """A decision beside the best one."""

    number: Annotated[int, Meta(description="The move's number, from 1.")]
    seat: SeatNumber
    by: Annotated[Literal["player", "stand_in", "bot"], Meta(description="Who decided.")]
    move: str
    value: Annotated[float, Meta(description="What the move was worth by what its seat could see.")]
    best: Annotated[str, Meta(description="The best move then.")]
    best_value: Annotated[float, Meta(description="What that one was worth.")]
    luck: Luck


class Total(TypedDict):
    """A seat's game."""

    seat: SeatNumber
    decisions: Annotated[int, Meta(description="Its own, without those of its stand-in.")]
    given_away: Annotated[float, Meta(description="What better choices would have been worth more: skill.")]
    luck: Annotated[float, Meta(description="What chance gave it; zero on the average.")]


class Analysis(TypedDict):
    """How well a game was played, and how lucky."""

    game: GameSlug
    unit: Annotated[str, Meta(description="In what values are counted, for people.")]
    made_at: datetime
    complete: Annotated[bool, Meta(description="False when the game has more decisions than are told.")]
    seats: Annotated[list[Total], Meta(description="In seat order.")]
    start_luck: Luck
    decisions: Annotated[list[Judged], Meta(description="In their order; at most 4000.")]


class Pending(TypedDict):
    """It is not there yet."""

    status: Literal["being_made"]


GET_ODDS = Call(
    "get_odds",
    "play",
    "What my moves are worth",
    {200: Odds},
    (
        errors.NotFound,
        errors.NotSeated,
        errors.HintsOff,
        errors.NotPlaying,
        errors.NotYourTurn,
        errors.Throttled,
    ),
    description="At a table that was opened with `hints`, for a seat that is to move. It is worked out from"
    " what the seat sees and nothing else: the same view has the same odds.",
    counted=True,
    tells=examples.valued,
)
GET_ANALYSIS = Call(
    "get_analysis",
    "play",
    "How well a game was played, and how lucky",
    {200: Analysis, 202: Pending},
    (errors.NotFound, errors.NotFinished, errors.Throttled),
    description="Of a table that is over. It is made when somebody asks for it first, and then kept: until it"
    " is there, the answer is 202.",
    counted=True,
    tells=examples.analysed,
)
