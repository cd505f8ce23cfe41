"""What a name looks like: forms that names have in common when one can be taken for the other.

After the skeletons of UTS #39. Only for comparing: nobody is shown them, and of a name they are stored
nowhere but under a key.
"""

import re
import unicodedata
from functools import cache
from pathlib import Path

from sessions import names

TABLE = Path(__file__).with_name("confusables.txt")

# Digits and signs that are written for letters, where the table knows no likeness.
LEET = str.maketrans("3456789@$€+!", "easgtbgasetl")
# Accents, which in other scripts than these are letters.
ACCENTS = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]")


def forms(nickname: str) -> frozenset[str]:
    """Two names look alike when they have a form in common.

    One is of the name as it is compared, whatever its case; one of its capitals as they are shown, for a
    letter that looks like another only when it is great.
    """
    return frozenset((form(nickname), form(_skeleton(nickname))))


def plain_forms(nickname: str) -> frozenset[str]:
    """The same for word lists: digits and signs are read as the letters that they are written for."""
    return frozenset(map(plain_form, (nickname, _skeleton(nickname))))


def plain_form(word: str) -> str:
    """The one of them that does not depend on case, by which words are kept."""
    return form(word.translate(LEET))


def form(text: str) -> str:
    """Folded, look-alikes fallen together; without accents, blanks and signs, unless it is all signs."""
    # Folding has made an i of the capital that looks like an l.
    looks = _skeleton(names.folded(text)).replace("i", "l")
    looks = ACCENTS.sub("", unicodedata.normalize("NFD", names.folded(looks)))
    return "".join(filter(_is_written, looks)) or looks


def _is_written(character: str) -> bool:
    return character.isalnum() or unicodedata.category(character)[0] == "M"


def _skeleton(text: str) -> str:
    return unicodedata.normalize("NFD", text).translate(_table())


@cache
def _table() -> dict[int, str]:
    """The prototype of each character that can be taken for it."""
    found: dict[int, str] = {}
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        to, _, sources = line.partition(": ")
        if not line.startswith("#"):
            prototype = "".join(chr(int(point, 16)) for point in to.split())
            found.update((int(point, 16), prototype) for point in sources.split())
    return found
