"""The Authorization header: `Bearer TOKEN` and nothing else lets anybody in."""

import secrets

import pytest

from sessions.models import Player, Token
from tests.people import Answer, Person
from tests.rows import all_rows

pytestmark = pytest.mark.django_db


def ask(header: str | None) -> Answer:
    headers = {} if header is None else {"authorization": header}
    return Person().get("sessions/current", **headers)


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
def test_the_scheme_is_bearer_in_any_case(ann: Person, scheme: str) -> None:
    assert ask(f"{scheme} {ann.token}")["player"]["name"] == "Ann"


def test_without_a_header_nobody_is_in(ann: Person) -> None:
    assert ask(None).code == "not_authenticated"


@pytest.mark.parametrize(
    "header",
    [
        "",
        " ",
        "Bearer",
        "Bearer ",
        "Bearer  ",
        "Token {}",
        "Basic {}",
        "{}",
        "Bearer: {}",
        "Bearer={}",
        "Bearer\t{}",
        "Bearer {},",
        "Bearer {} {}",
        'Bearer "{}"',
        "Bearer {}, Bearer {}",
        "Bearer token={}",
        "NotBearer {}",
    ],
)
def test_another_header_lets_nobody_in(ann: Person, header: str) -> None:
    answer = ask(header.replace("{}", str(ann.token)))
    assert answer.status == 401
    assert answer.code == "not_authenticated"
    assert answer.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize(
    "damage",
    [
        lambda token: token[:-1],
        lambda token: token[1:],
        lambda token: token[: len(token) // 2],
        lambda token: token + "A",
        lambda token: token.swapcase(),
        lambda token: token + "\x00",
        lambda token: token + "=",
        lambda token: token + "é",
        lambda token: token * 1_000,
    ],
    ids=["cut", "beheaded", "half", "longer", "other case", "NUL", "padded", "not ASCII", "very long"],
)
def test_a_damaged_token_lets_nobody_in(ann: Person, damage: object) -> None:
    before = all_rows()
    assert callable(damage)
    assert ask(f"Bearer {damage(ann.token)}").code == "not_authenticated"
    assert all_rows() == before


def test_a_token_that_was_never_given_out_lets_nobody_in(ann: Person) -> None:
    assert ask(f"Bearer {secrets.token_urlsafe(32)}").code == "not_authenticated"


def test_neither_the_id_nor_the_digest_nor_the_name_is_a_token(ann: Person) -> None:
    player, token = Player.objects.get(), Token.objects.get()
    for public in (player.pk, player.pk.hex, token.digest, player.name, player.secret_hash, "0", "null"):
        assert ask(f"Bearer {public}").code == "not_authenticated"


def test_a_token_is_its_players_alone(ann: Person, bob: Person) -> None:
    assert ask(f"Bearer {ann.token}")["player"]["name"] == "Ann"
    assert ask(f"Bearer {bob.token}")["player"]["name"] == "Bob"


@pytest.mark.parametrize("place", ["token", "access_token", "authorization"])
def test_a_token_in_the_query_is_none(ann: Person, place: str) -> None:
    assert Person().get(f"sessions/current?{place}={ann.token}").code == "not_authenticated"


def test_a_token_in_a_cookie_or_another_header_is_none(ann: Person) -> None:
    for header in ("cookie", "x_token", "proxy_authorization"):
        answer = Person().get("sessions/current", **{header: f"Bearer {ann.token}"})
        assert answer.code == "not_authenticated"
    assert Person().get("sessions/current", cookie=f"sessionid={ann.token}").code == "not_authenticated"


ADDRESSES = [
    ("GET", "sessions/current"),
    ("DELETE", "sessions/current"),
    ("GET", "tables"),
    ("POST", "tables"),
    ("POST", "tables/by-code"),
    ("GET", "tables/{}"),
    ("POST", "tables/{}/seats"),
    ("DELETE", "tables/{}/seats/me"),
    ("POST", "tables/{}/seats/me/return"),
    ("DELETE", "tables/{}/seats/0"),
    ("POST", "tables/{}/bots"),
    ("POST", "tables/{}/start"),
    ("POST", "tables/{}/moves"),
    ("GET", "tables/{}/events"),
]


@pytest.mark.parametrize(("method", "path"), ADDRESSES)
@pytest.mark.parametrize("header", [None, "Bearer", "Bearer nobodys"])
def test_every_address_wants_a_token_before_anything_else(
    ann: Person, method: str, path: str, header: str | None
) -> None:
    path = path.replace("{}", ann.open())
    before = all_rows()
    headers = {} if header is None else {"authorization": header}
    answer = Person().call(method, path, b"no json", **headers)
    assert answer.status == 401
    assert answer.code == "not_authenticated"
    assert all_rows() == before


@pytest.mark.parametrize(
    "path", ["", "games", "games/7776", "/api/v1", "/healthz", "/readyz?checks=database"]
)
@pytest.mark.parametrize("header", ["", "Bearer", "Bearer nobodys", "Basic QW5uOnNlY3JldA=="])
def test_addresses_for_everybody_do_not_look_at_the_header(db: None, path: str, header: str) -> None:
    assert Person().get(path, authorization=header).status == 200
