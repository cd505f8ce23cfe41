"""Whose address a request has: only proxies that are trusted are believed, whatever anybody writes."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config import addresses
from config.addresses import Proxies, parse

CLIENT, FORGED = "203.0.113.7", "198.51.100.66"
PROXY, OUTER = "10.1.2.3", "10.9.9.9"


@pytest.mark.parametrize(
    ("words", "peer", "forwarded", "client"),
    [
        # Nobody is trusted: the other end is the client.
        ([], CLIENT, "", CLIENT),
        ([], CLIENT, FORGED, CLIENT),
        (["0"], CLIENT, FORGED, CLIENT),
        # By networks: the last one in the chain that is none of ours.
        (["10.0.0.0/8"], PROXY, CLIENT, CLIENT),
        (["10.0.0.0/8"], PROXY, f"{FORGED}, {CLIENT}", CLIENT),
        (["10.0.0.0/8"], PROXY, f"{FORGED}, {CLIENT}, {OUTER}", CLIENT),
        (["10.0.0.0/8"], PROXY, f"{FORGED},{OUTER},{CLIENT}", CLIENT),
        (["10.0.0.0/8"], CLIENT, FORGED, CLIENT),
        (["10.1.2.3"], PROXY, f"{FORGED}, {CLIENT}", CLIENT),
        (["10.0.0.0/8"], PROXY, "", PROXY),
        (["10.0.0.0/8"], PROXY, "10.7.7.7", "10.7.7.7"),
        (["2001:db8::/32"], "2001:db8::1", "2001:db9::7", "2001:db9::7"),
        # What is no address ends the chain: further back nobody is believed.
        (["10.0.0.0/8"], PROXY, f"{FORGED}, unknown", PROXY),
        (["10.0.0.0/8"], PROXY, f"{FORGED}, nonsense, {OUTER}", OUTER),
        # By their number: what the outermost of them saw.
        (["1"], PROXY, CLIENT, CLIENT),
        (["1"], PROXY, f"{FORGED}, {CLIENT}", CLIENT),
        (["2"], PROXY, f"{FORGED}, {CLIENT}, {OUTER}", CLIENT),
        (["1"], PROXY, "nonsense", PROXY),
        (["1"], "", CLIENT, CLIENT),
        (["2"], PROXY, CLIENT, CLIENT),
    ],
)
def test_the_client_is_whom_the_nearest_trusted_proxies_saw(
    words: list[str], peer: str, forwarded: str, client: str
) -> None:
    assert Proxies(words).client(peer, forwarded) == client


@given(st.text(st.characters(max_codepoint=255), max_size=60))
def test_whatever_a_client_sends_on_ahead_changes_nothing(forged: str) -> None:
    for words in (["10.0.0.0/8"], ["1"]):
        assert Proxies(words).client(PROXY, f"{forged},{CLIENT}") == CLIENT


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("192.0.2.1", "192.0.2.1"),
        (" 192.0.2.1:4711 ", "192.0.2.1"),
        ("[2001:db8::1]:443", "2001:db8::1"),
        ("2001:DB8::1", "2001:db8::1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("unknown", "None"),
        ("", "None"),
        ("192.0.2.1, 192.0.2.2", "None"),
    ],
)
def test_addresses_are_read_as_proxies_write_them(text: str, address: str) -> None:
    assert str(parse(text)) == address


def settled(monkeypatch: pytest.MonkeyPatch, words: list[str], peer: str, **headers: str) -> dict[str, Any]:
    """A request under ASGI, when its address is settled."""
    monkeypatch.setattr(addresses, "proxies", Proxies(words))
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"client": (peer, 4711), "headers": raw}
    addresses.settle(scope)
    return scope


def test_a_request_gets_its_client_s_address(monkeypatch: pytest.MonkeyPatch) -> None:
    scope = settled(monkeypatch, ["10.0.0.0/8"], PROXY, x_forwarded_for=f"{FORGED}, {CLIENT}")
    assert scope["client"][0] == CLIENT


def test_of_several_headers_of_that_name_all_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "proxies", Proxies(["10.0.0.0/8"]))
    names = [(b"x-forwarded-for", FORGED.encode()), (b"x-forwarded-for", CLIENT.encode())]
    scope: dict[str, Any] = {"client": (PROXY, 1), "headers": names}
    addresses.settle(scope)
    assert scope["client"][0] == CLIENT


def test_who_is_not_trusted_is_not_believed_to_use_https_either(monkeypatch: pytest.MonkeyPatch) -> None:
    scope = settled(monkeypatch, ["10.0.0.0/8"], CLIENT, x_forwarded_proto="https", host="a")
    assert scope["headers"] == [(b"host", b"a")]
    scope = settled(monkeypatch, ["10.0.0.0/8"], PROXY, x_forwarded_proto="https")
    assert scope["headers"] == [(b"x-forwarded-proto", b"https")]


def test_under_wsgi_it_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "proxies", Proxies(["10.0.0.0/8"]))
    environ: dict[str, Any] = {"REMOTE_ADDR": PROXY, "HTTP_X_FORWARDED_FOR": f"{FORGED}, {CLIENT}"}
    addresses.settle_environ(environ)
    assert environ["REMOTE_ADDR"] == CLIENT
    environ = {"REMOTE_ADDR": CLIENT, "HTTP_X_FORWARDED_FOR": FORGED, "HTTP_X_FORWARDED_PROTO": "https"}
    addresses.settle_environ(environ)
    assert environ["REMOTE_ADDR"] == CLIENT
    assert "HTTP_X_FORWARDED_PROTO" not in environ


@pytest.mark.parametrize(
    ("address", "through", "may"),
    [
        ("127.0.0.1", False, True),
        ("::1", False, True),
        ("::ffff:127.0.0.1", False, True),
        (CLIENT, False, False),
        ("", False, False),
        # A proxy of this machine of which nobody told: whoever asks may be anybody.
        ("127.0.0.1", True, False),
    ],
)
def test_metrics_are_for_those_who_are_allowed(address: str, through: bool, may: bool) -> None:
    assert addresses.may_see_metrics({"REMOTE_ADDR": address, addresses.UNTRUSTED: through}) is may
