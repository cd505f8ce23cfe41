"""Secrets, tokens and addresses: what is kept of them, and how it is compared."""

import hashlib
import hmac
import secrets
from ipaddress import IPv4Address, IPv6Network, ip_address
from threading import BoundedSemaphore

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError
from django.conf import settings
from django.utils.crypto import salted_hmac

# OWASP's first choice for Argon2id: 19 MiB, 2 passes, 1 lane.
HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
# Few at once in a process, so that log-ins can't starve moves.
AT_ONCE = BoundedSemaphore(2)


def hash_secret(secret: str) -> str:
    with AT_ONCE:
        return HASHER.hash(secret)


def is_secret(secret_hash: str, secret: str) -> bool:
    with AT_ONCE:
        try:
            return HASHER.verify(secret_hash, secret)
        except VerificationError:
            return False


def new_token() -> str:
    """256 random bits."""
    return secrets.token_urlsafe(32)


def digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def hide_address(address: str) -> str:
    """A keyed hash: the same address gives the same text, which does not lead back to it."""
    return hmac.new(settings.SECRET_KEY.encode(), _household(address).encode(), hashlib.sha256).hexdigest()


def mark_of(kind: str, text: str) -> str:
    """A keyed hash for one kind of thing: the same text of another kind gives another mark."""
    return salted_hmac(f"boneyard.{kind}", text, algorithm="sha256").hexdigest()


def _household(address: str) -> str:
    """The part that one household has to itself: of IPv6 the network, of IPv4 the whole address."""
    try:
        known = ip_address(address)
    except ValueError:
        # A socket of this machine has no address.
        return address
    if isinstance(known, IPv4Address):
        return str(known)
    return str(known.ipv4_mapped or IPv6Network((int(known), 64), strict=False))
