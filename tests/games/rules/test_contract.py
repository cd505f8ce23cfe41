"""Every game keeps the contract; and a game that breaks it in any one point is caught."""

import re
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.inspect import BoolType, DataclassType, IntType, LiteralType, Metadata, Type

from games.rules.contract import ContractBroken, Played, at_random, check_description, check_game
from games.rules.dice7776 import Dice7776, Options
from games.rules.game import Game
from games.rules.registry import GAMES
from tests.games.rules.broken import BROKEN
from tests.games.rules.seeded import SeededChance

SEEDS = st.integers(0, 2**32)


def values(kind: Type) -> st.SearchStrategy[Any]:
    """Any value of an option. Great numbers would only make a game longer."""
    match kind:
        case Metadata(type=described):
            return values(described)
        case BoolType():
            return st.booleans()
        case LiteralType(values=literals):
            return st.sampled_from(literals)
        case IntType(ge=int(least), le=int(greatest)):
            return st.integers(least, min(greatest, least + 40))
    raise NotImplementedError(f"an option of {kind}")


def options_of(game: Game[Any, Any]) -> st.SearchStrategy[Any]:
    described = msgspec.inspect.type_info(game.options_type)
    assert isinstance(described, DataclassType)
    return st.builds(game.options_type, **{field.name: values(field.type) for field in described.fields})


def played(game: Game[Any, Any], seats: int, options: Any, seed: int) -> Played[Any]:
    return check_game(game, seats, options, SeededChance(seed), at_random(SeededChance(-1 - seed)))


@pytest.mark.parametrize("slug", GAMES)
def test_a_client_can_read_what_it_plays(slug: str) -> None:
    check_description(GAMES[slug])


@pytest.mark.parametrize("slug", GAMES)
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_every_game_keeps_the_contract(slug: str, data: st.DataObject) -> None:
    game = GAMES[slug]
    seats = data.draw(st.sampled_from(game.seats), label="seats")
    options = data.draw(options_of(game), label="options")
    played(game, seats, options, data.draw(SEEDS, label="seed"))


@pytest.mark.parametrize("slug", GAMES)
def test_every_number_of_seats_keeps_the_contract(slug: str) -> None:
    game = GAMES[slug]
    for seats in game.seats:
        played(game, seats, game.options_type(), seed=seats)


@pytest.mark.parametrize("slug", GAMES)
def test_the_same_luck_and_the_same_moves_make_the_same_game(slug: str) -> None:
    game = GAMES[slug]
    once, again = (played(game, game.seats[-1], game.options_type(), seed=7) for _ in range(2))
    assert once == again


@pytest.mark.parametrize(("broken", "caught_as"), BROKEN, ids=lambda each: getattr(each, "__name__", None))
def test_a_broken_game_is_caught(broken: type[Dice7776], caught_as: str) -> None:
    with pytest.raises(ContractBroken, match=re.escape(caught_as)) as caught:
        check_game(broken(), 2, Options(), SeededChance(1), at_random(SeededChance(2)), longest=50)
    assert str(caught.value).startswith("7776 with 2 seats, after ")


class Undescribed(Dice7776):
    rules: ClassVar[str] = ""


class Unversioned(Dice7776):
    rules_version: ClassVar[int] = 0


class Unseated(Dice7776):
    seats: ClassVar[range] = range(2, 2)


@dataclass(frozen=True, slots=True)
class WrongByDefault:
    target: Annotated[int, msgspec.Meta(ge=1)] = 0


@dataclass(frozen=True)
class WithoutSlots:
    """Its defaults are not in the instances that msgspec makes, so they would not be stored."""

    target: int = 0


class Misdefaulted(Dice7776):
    options_type: ClassVar[type] = WrongByDefault


class Incomplete(Dice7776):
    options_type: ClassVar[type] = WithoutSlots


class Misnamed(Dice7776):
    slug: ClassVar[str] = "seven thousand"


class LongNamed(Dice7776):
    slug: ClassVar[str] = "7" * 33


@dataclass(frozen=True, slots=True)
class WithoutBounds:
    target: int = 0


class Boundless(Dice7776):
    options_type: ClassVar[type] = WithoutBounds


@pytest.mark.parametrize(
    "broken",
    [Undescribed, Unversioned, Unseated, Misdefaulted, Incomplete, Misnamed, LongNamed, Boundless],
)
def test_a_game_that_does_not_describe_itself_is_caught(broken: type[Dice7776]) -> None:
    with pytest.raises(ContractBroken):
        check_description(broken())
