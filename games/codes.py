"""Codes of private tables: eight characters of Crockford's base32, as people read them aloud."""

import secrets

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
LOOK_ALIKES = str.maketrans("OIL", "011", "- ")


def new_code() -> str:
    """40 random bits."""
    return "".join(secrets.choice(ALPHABET) for _ in range(8))


def read_code(typed: str) -> str:
    """The code that somebody meant: case, blanks, hyphens and look-alike letters do not matter."""
    return typed.upper().translate(LOOK_ALIKES)
