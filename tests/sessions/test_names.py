"""Names and secrets: what they may be, and which of them are the same."""

import pytest

from sessions.models import Player
from tests.people import Answer, Person

pytestmark = pytest.mark.django_db

E_ACUTE = "é"
E_AND_ACUTE = "e\u0301"


def enter(name: str, secret: str = "correct horse") -> Answer:
    return Person().post("sessions", {"name": name, "secret": secret})


@pytest.mark.parametrize(
    "name", ["A", "阿", "😀", "A" * 24, "阿" * 24, "😀" * 24, "Ann Lee", "O'Neill-2", "42"]
)
def test_a_name_has_1_to_24_code_points_of_any_writing(name: str) -> None:
    answer = enter(name)
    assert answer.status == 201
    assert answer["player"]["name"] == name


@pytest.mark.parametrize("name", ["", "A" * 25, "😀" * 25, "A" * 10_000])
def test_a_name_that_is_shorter_or_longer_is_refused(name: str) -> None:
    answer = enter(name)
    assert answer.status == 400
    assert answer.code == "invalid"
    assert answer["errors"].keys() == {"name"}


def test_a_name_that_becomes_too_long_by_normalisation_is_refused() -> None:
    assert enter("\ufdfa").status == 201  # one character that stands for eighteen
    assert enter("\ufdfa\ufdfa")["errors"].keys() == {"name"}


@pytest.mark.parametrize("secret", ["four", "密码密码", "😀" * 4, "x" * 128, "😀" * 128, "correct horse "])
def test_a_secret_has_4_to_128_code_points(secret: str) -> None:
    assert enter("Ann", secret).status == 201
    assert enter("Ann", secret).status == 200


@pytest.mark.parametrize("secret", ["", "abc", "😀" * 3, "x" * 129, "x" * 10_000])
def test_a_secret_that_is_shorter_or_longer_is_refused(secret: str) -> None:
    answer = enter("Ann", secret)
    assert answer.code == "invalid"
    assert answer["errors"].keys() == {"secret"}


def test_a_secret_that_becomes_too_short_by_normalisation_is_refused() -> None:
    assert enter("Ann", E_AND_ACUTE * 2)["errors"].keys() == {"secret"}


def test_a_name_is_shown_as_it_was_written_in_case() -> None:
    assert enter("McAnn")["player"]["name"] == "McAnn"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Ann", "ANN"),
        ("Ann", "aNN"),
        ("Straße", "STRASSE"),
        ("ΣΊΣΥΦΟΣ", "σίσυφος"),
        ("Ann", "Ａｎｎ"),
        ("カナ", "ｶﾅ"),
        ("Ren" + E_ACUTE, "Ren" + E_AND_ACUTE),
        ("Ren" + E_ACUTE, "REN" + E_AND_ACUTE.upper()),
        ("Ann", " Ann  "),
        ("Ann Lee", "Ann   Lee"),
        ("Ann Lee", "Ann\u00a0Lee"),
        ("Ann Lee", "Ann\u3000\u2009Lee"),
        ("office", "oﬃce"),
        ("Ann 2", "Ann ②"),
        ("Kelvin", "\u212aelvin"),
        ("dǆ", "DǄ"),
    ],
)
def test_look_alikes_in_case_width_composition_or_blanks_are_one_name(first: str, second: str) -> None:
    assert enter(first).status == 201
    assert enter(second, "another one").code == "name_taken"
    assert enter(second).status == 200
    assert Player.objects.count() == 1


@pytest.mark.parametrize(
    ("first", "second"), [("Ann", "Anne"), ("Ann", "Änn"), ("AnnLee", "Ann Lee"), ("i", "ı"), ("1", "l")]
)
def test_other_names_are_other_players(first: str, second: str) -> None:
    assert enter(first).status == 201
    assert enter(second, "another one").status == 201


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("  Ann  ", "Ann"),
        ("Ann \t".rstrip("\t"), "Ann"),
        ("Ann    Lee", "Ann Lee"),
        ("Ann\u3000Lee", "Ann Lee"),
        ("Ａｎｎ", "Ann"),
        (E_AND_ACUTE, E_ACUTE),
    ],
)
def test_a_name_is_shown_normalised(written: str, shown: str) -> None:
    assert enter(written)["player"]["name"] == shown


@pytest.mark.parametrize(
    "name",
    [
        "Ann",
        "ÅNGSTRÖM",
        "Ａｎｎ　Ｌｅｅ",
        "ﬃ",
        "ΐ" * 24,
        "ß" * 24,
        "\u1e9e" * 24,
        "İ" * 12,
        "ǰ" * 24,
        "\u1f82" * 24,
    ],
)
def test_a_name_gets_its_player_back_by_the_form_in_which_it_is_shown(name: str) -> None:
    shown = enter(name)["player"]["name"]
    answer = enter(shown)
    assert answer.status == 200
    assert answer["player"]["name"] == shown


@pytest.mark.parametrize("name", [" ", "    ", "\u00a0", "\u3000\u2003", "\u2800", "\u2800 \u2800", "\u0301"])
def test_a_name_in_which_nothing_can_be_seen_is_refused(name: str) -> None:
    assert enter(name)["errors"].keys() == {"name"}


UNSEEN = {
    "NUL": "\x00",
    "tab": "\t",
    "line feed": "\n",
    "carriage return": "\r",
    "escape": "\x1b",
    "delete": "\x7f",
    "C1": "\x85",
    "soft hyphen": "\u00ad",
    "zero width space": "\u200b",
    "zero width joiner": "\u200d",
    "right-to-left mark": "\u200f",
    "right-to-left override": "\u202e",
    "isolate": "\u2066",
    "word joiner": "\u2060",
    "byte order mark": "\ufeff",
    "line separator": "\u2028",
    "paragraph separator": "\u2029",
    "Hangul filler": "\u3164",
    "variation selector": "\ufe0f",
    "tag": "\U000e0041",
    "private use": "\ue000",
    "noncharacter": "\uffff",
    "interlinear annotation": "\ufff9",
}


@pytest.mark.parametrize("character", UNSEEN.values(), ids=UNSEEN)
def test_control_and_format_characters_are_refused_in_names(character: str) -> None:
    for name in (character, f"A{character}nn", f"{character}Ann", f"Ann{character}"):
        answer = enter(name)
        assert answer.code == "invalid", ascii(name)
        assert answer["errors"].keys() == {"name"}
    assert Player.objects.count() == 0


@pytest.mark.parametrize("character", UNSEEN.values(), ids=UNSEEN)
def test_control_and_format_characters_are_refused_in_secrets(character: str) -> None:
    answer = enter("Ann", f"correct{character}horse")
    assert answer.code == "invalid"
    assert answer["errors"].keys() == {"secret"}


@pytest.mark.parametrize("escape", [r"\ud800", r"\udfff", r"\udc00\ud800", r"\ud83d"])
@pytest.mark.parametrize("field", ["name", "secret"])
def test_lone_surrogates_are_no_json(escape: str, field: str) -> None:
    other = "secret" if field == "name" else "name"
    body = f'{{"{field}": "Anna{escape}", "{other}": "Annette"}}'.encode()
    assert Person().post("sessions", body).code == "malformed_json"


def test_a_pair_of_surrogates_is_a_character() -> None:
    body = rb'{"name": "\ud83d\ude00", "secret": "correct horse"}'
    assert Person().post("sessions", body)["player"]["name"] == "😀"


def test_right_to_left_writing_is_welcome() -> None:
    for name in ("שרה", "عمر", "סבא Joe"):
        assert enter(name)["player"]["name"] == name


@pytest.mark.parametrize(
    "name",
    [
        "Seat 2",
        "seat2",
        "SEAT   12",
        "Ｓｅａｔ　２",
        "Seat ②",
        "Seat #2",
        "Seat-2",
        "ſeat 2",
        "Seat",
        "Player 1",
        "Bot",
        "bot 3",
        "Easy bot",
        "easy-bot",
        "EASYBOT 2",
        "Strong bot",
        "Normal bot 1",
        "Stand-in",
        "standin",
        "Server",
        "Moderator",
    ],
)
def test_a_name_may_not_look_like_a_seat_or_a_bot(name: str) -> None:
    assert enter(name)["errors"].keys() == {"name"}


@pytest.mark.parametrize(
    "name", ["Seattle", "Botticelli", "Abbot", "Seat of Power", "Bob", "Easy", "Observer"]
)
def test_a_name_that_only_begins_or_ends_so_is_fine(name: str) -> None:
    assert enter(name).status == 201


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("caf" + E_ACUTE, "caf" + E_AND_ACUTE),
        ("correct horse", "correct\u00a0horse"),
        ("correct horse", "correct\u3000horse"),
    ],
)
def test_a_secret_is_the_same_however_a_device_composes_it(first: str, second: str) -> None:
    assert enter("Ann", first).status == 201
    assert enter("Ann", second).status == 200


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("secret", "Secret"),
        ("secret", "ｓｅｃｒｅｔ"),
        ("a  secret", "a secret"),
        ("secret", "secret "),
        ("oﬃce", "office"),
    ],
)
def test_a_secret_is_another_where_opaque_string_keeps_the_difference(first: str, second: str) -> None:
    assert enter("Ann", first).status == 201
    assert enter("Ann", second).code == "name_taken"
