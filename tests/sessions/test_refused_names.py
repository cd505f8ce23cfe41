"""Names that nobody may take: words of the settings and of moderators, however they are written."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from config.errors import Invalid, NotFound
from sessions import wordlist
from sessions.likeness import forms
from sessions.models import NameState, Player, RefusedName
from tests.conftest import Enter
from tests.people import Answer, Person
from tests.staff import ban_name, moderator, player_of

pytestmark = pytest.mark.django_db

WORD = "badword"


def add(word: str, whole: bool = False) -> RefusedName:
    return wordlist.add_word(word=word, whole=whole, by=moderator())


def assert_refused(answer: Answer) -> None:
    assert (answer.status, answer.code) == (400, "invalid")
    assert answer["errors"] == {"name": ["This name can't be used here."]}
    assert WORD not in str(answer.json).lower()


@pytest.fixture(params=["settings", "moderators"])
def listed(request: pytest.FixtureRequest, settings: Any) -> None:
    """The word is in one of the lists."""
    if request.param == "settings":
        settings.REFUSED_NAMES = ["another", WORD]
    else:
        add("another")
        add(WORD)


@pytest.mark.usefixtures("listed")
@pytest.mark.parametrize(
    "name",
    [
        "badword",
        "BadWord",
        "ｂａｄｗｏｒｄ",
        "xX badword Xx",
        "b.a.d-w o_r d",
        "bádwörd",
        "b4dw0rd",
        "8@dw0rd",
        "bаdwоrd",
        "BАDWОRD",
        "baԁword",
    ],
)
def test_a_name_that_holds_a_refused_word_is_refused_however_it_is_written(name: str) -> None:
    assert_refused(Person(name).enter())
    assert not Player.objects.exists()


@pytest.mark.usefixtures("listed")
@pytest.mark.parametrize("name", ["bad", "word", "bad sword", "Ann", "★"])
def test_other_names_are_not(name: str) -> None:
    assert Person(name).enter().status == 201


def test_a_word_may_be_refused_as_the_whole_name_only(db: None, settings: Any) -> None:
    settings.REFUSED_NAMES = ["=admin"]
    add("root", whole=True)
    for name in ("Admin", "4dm1n", "R00T"):
        assert_refused(Person(name).enter())
    for name in ("Admiral", "Badminton", "Beetroot"):
        assert Person(name).enter().status == 201


def test_what_is_wrong_with_the_secret_is_said_at_once(settings: Any) -> None:
    settings.REFUSED_NAMES = [WORD]
    answer = Person("badword", secret="abc").enter()
    assert answer["errors"].keys() == {"name", "secret"}


def test_who_is_here_keeps_the_name_and_comes_back_with_it(enter: Enter) -> None:
    person = enter("Badword")
    add(WORD)
    assert person.get("sessions/current").status == 200
    assert Person("Badword").enter().status == 200
    assert Person("Badword", secret="wrong guess").enter().code == "name_taken"
    assert Person("Badword", secret="abc").enter()["errors"].keys() == {"secret"}
    person.delete("sessions/current")
    assert_refused(Person("Badword").enter())


def test_a_word_that_is_removed_is_refused_no_longer(db: None) -> None:
    word = add(WORD)
    wordlist.remove_word(word_id=word.pk)
    assert Person("Badword").enter().status == 201
    with pytest.raises(NotFound):
        wordlist.remove_word(word_id=word.pk)


def test_a_word_that_is_there_is_not_added_again(db: None) -> None:
    assert add(WORD) == add("B4DW0RD")
    assert add(WORD, whole=True) != add(WORD)
    assert RefusedName.objects.count() == 2


@pytest.mark.parametrize(("word", "whole"), [("", True), ("a", False), ("4.", False), ("x" * 65, False)])
def test_a_word_needs_something_to_compare(word: str, whole: bool) -> None:
    with pytest.raises(Invalid) as refused:
        add(word, whole)
    assert refused.value.extra["errors"].keys() == {"word"}


def test_one_letter_may_be_refused_as_the_whole_name(db: None) -> None:
    add("x", whole=True)
    assert_refused(Person("X").enter())
    assert Person("XX").enter().status == 201


# --- names of who is here already


def in_question() -> set[str]:
    return set(Player.objects.filter(name_state=NameState.QUESTION).values_list("name", flat=True))


def test_who_is_here_under_a_word_that_is_added_is_put_before_a_moderator(enter: Enter) -> None:
    enter("xX b4dw0rd")
    enter("Ann")
    add(WORD)
    assert in_question() == {"xX b4dw0rd"}


def test_a_name_that_is_let_be_comes_into_question_by_another_word_only(enter: Enter) -> None:
    player = player_of(enter("Badword"))
    add(WORD)
    wordlist.keep_name(player_id=player.pk)
    assert in_question() == set()
    with pytest.raises(NotFound):
        wordlist.keep_name(player_id=player.pk)
    assert wordlist.look_over_names() == 0
    add("dword")
    assert in_question() == {"Badword"}


def test_words_that_were_added_to_the_settings_are_looked_for_at_night(enter: Enter, settings: Any) -> None:
    enter("Badword")
    enter("Ann")
    assert wordlist.look_over_names() == 0
    settings.REFUSED_NAMES = [WORD]
    assert wordlist.look_over_names() == 1
    assert wordlist.look_over_names() == 0
    assert in_question() == {"Badword"}


def test_a_name_in_question_goes_with_its_player(enter: Enter) -> None:
    person = enter("Badword")
    add(WORD)
    person.delete("sessions/current")
    assert in_question() == set()


# --- what looks alike


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("paypal", "раураl"),
        ("Larry", "Iarry"),
        ("modern", "rnodern"),
        ("b0b", "bob"),
        ("Bob", "Вob"),
        ("bob", "вob"),
        ("кот", "KOT"),
        ("Zoë", "Ζοe"),
        ("NICK", "ΝICK"),
        ("a b", "a_b"),
        ("Ａｎｎ", "ann"),
    ],
)
def test_these_names_look_alike(one: str, other: str) -> None:
    assert forms(one) & forms(other)


@pytest.mark.parametrize(
    ("one", "other"), [("Ann", "Anna"), ("कि", "क"), ("שָׁ", "ש1"), ("★", "♥"), ("漢", "字"), ("x", "y")]
)
def test_these_do_not(one: str, other: str) -> None:
    assert not forms(one) & forms(other)


def test_the_forms_of_a_name_hold_that_of_how_it_is_compared_whatever_its_case(db: None) -> None:
    for name in ("ΝICK", "Straße", "İstanbul", "ǅ", "ﬁ", "㎏", "i̇", "Ω"):
        assert forms(name.casefold()) & forms(name)


def test_entering_costs_the_same_however_long_the_lists_are(settings: Any) -> None:
    def cost(name: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            assert Person(name).enter().status == 201
        return len(queries)

    before = cost("Ann")
    settings.REFUSED_NAMES = [f"word {number}x" for number in range(500)]
    for number in range(20):
        add(f"other {number}x")
        ban_name(f"third {number}x")
    assert cost("Bob") == before
