"""Where a request comes from: the one place that reads what proxies say of it.

`TRUSTED_PROXIES` names the proxies in front, by their networks or by their number. What anybody else
says in `X-Forwarded-For` and `X-Forwarded-Proto` counts for nothing.
"""

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any, TypeAlias

from django.conf import settings

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network
Headers: TypeAlias = Sequence[tuple[bytes, bytes]]

FORWARDED_FOR = b"x-forwarded-for"
FORWARDED_PROTO = b"x-forwarded-proto"
# What a proxy adds, by which a request that came through one is known.
PASSED_ON = frozenset({FORWARDED_FOR, FORWARDED_PROTO, b"x-forwarded-host", b"forwarded", b"via"})

# Marks a request that came through somebody who is not trusted.
UNTRUSTED = "boneyard.untrusted"


def parse(text: str) -> Address | None:
    """An address as proxies write it, with a port or without; None for anything else."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        found = ip_address(text)
    except ValueError:
        return None
    return (found.ipv4_mapped if isinstance(found, IPv6Address) else None) or found


class Proxies:
    """Who is believed. Raises ValueError for words that are neither networks nor one number."""

    def __init__(self, words: Sequence[str]) -> None:
        self.count = int(words[0]) if len(words) == 1 and words[0].isdecimal() else 0
        self.networks = networks([] if self.count or list(words) == ["0"] else words)

    @property
    def are_known(self) -> bool:
        return bool(self.count or self.networks)

    def trusts(self, peer: str) -> bool:
        """Whether what the other end says of others is believed."""
        return bool(self.count) or _within(parse(peer), self.networks)

    def client(self, peer: str, forwarded: str) -> str:
        """The address of who asks: the last one in the chain that no proxy of ours has.

        With a number of proxies, the one that the first of these saw.
        """
        if not forwarded or not self.trusts(peer):
            return peer
        chain = forwarded.split(",")
        if self.count:
            return str(parse(chain[max(0, len(chain) - self.count)]) or peer)
        client = peer
        for text in reversed(chain):
            address = parse(text)
            if address is None:
                break
            client = str(address)
            if not _within(address, self.networks):
                break
        return client


def networks(words: Sequence[str]) -> list[Network]:
    """Raises ValueError for what is no address or network."""
    return [ip_network(word, strict=False) for word in words]


def _within(address: Address | None, known: Sequence[Network]) -> bool:
    return address is not None and any(address in network for network in known)


proxies = Proxies(settings.TRUSTED_PROXIES)
_allowed = networks(settings.METRICS_ALLOW)


def settle(scope: Any) -> None:
    """Put the client's address into a request under ASGI, and take out what nobody trusted says."""
    peer = str((scope.get("client") or ("", 0))[0])
    headers: Headers = scope["headers"]
    passed_on = [name for name, _ in headers if name in PASSED_ON]
    if not passed_on:
        return
    if proxies.trusts(peer):
        told = b",".join(value for name, value in headers if name == FORWARDED_FOR)
        scope["client"] = (proxies.client(peer, told.decode("latin-1")), 0)
    else:
        scope[UNTRUSTED] = True
        if proxies.are_known:
            scope["headers"] = [entry for entry in headers if entry[0] != FORWARDED_PROTO]


def settle_environ(environ: dict[str, Any]) -> None:
    """The same for a request under WSGI, where no ASGI side came before."""
    peer = str(environ.get("REMOTE_ADDR") or "")
    if proxies.trusts(peer):
        environ["REMOTE_ADDR"] = proxies.client(peer, str(environ.get("HTTP_X_FORWARDED_FOR", "")))
    elif any(_environ_name(name) in environ for name in PASSED_ON):
        environ[UNTRUSTED] = True
        if proxies.are_known:
            environ.pop(_environ_name(FORWARDED_PROTO), None)


def _environ_name(header: bytes) -> str:
    return "HTTP_" + header.decode().upper().replace("-", "_")


def client_address(request: Any) -> str:
    """The address of the other end, or of the client when a trusted proxy told it to the server."""
    return str(request.META.get("REMOTE_ADDR") or "")


def may_see_metrics(environ: dict[str, Any]) -> bool:
    """Whether METRICS_ALLOW has the address. What an unknown proxy passed on has come from anywhere."""
    if environ.get(UNTRUSTED):
        return False
    return _within(parse(str(environ.get("REMOTE_ADDR") or "")), _allowed)
