"""Makes `sessions/confusables.txt` anew: `python -m tests.confusables [VERSION_OF_ICU]`.

The source is Unicode's security/confusables.txt (UTS #39), as the ICU library that is installed holds it.
"""

import ctypes
import sys
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterator

from sessions.likeness import TABLE

SKIPPED = {"Cc", "Cf", "Cn", "Co", "Cs", "Zs", "Zl", "Zp"}
HEAD = """\
# Characters that look alike: a prototype, then all that can be taken for it, as code points.
# From Unicode's security/confusables.txt (UTS #39), Unicode {unicode}, as ICU {icu} has it, for what
# can stand in names. A small letter whose own shape resembles no ASCII counts as what its capital resembles.
# Made by `python -m tests.confusables`. Copyright © Unicode, Inc.; terms of use: unicode.org/copyright.html
"""


def skeletons(version: str) -> Callable[[str], str]:
    icu = ctypes.CDLL(f"libicui18n.so.{version}")
    status, buffer = ctypes.c_int(0), ctypes.create_string_buffer(400)
    open_checker, get_skeleton = icu[f"uspoof_open_{version}"], icu[f"uspoof_getSkeletonUTF8_{version}"]
    open_checker.restype = ctypes.c_void_p
    checker = ctypes.c_void_p(open_checker(ctypes.byref(status)))

    def skeleton(text: str) -> str:
        raw = text.encode()
        length = get_skeleton(checker, 0, raw, len(raw), buffer, len(buffer), ctypes.byref(status))
        if status.value > 0:
            raise RuntimeError(f"ICU failed: {status.value}")
        return buffer.raw[:length].decode()

    return skeleton


def unicode_version(version: str) -> str:
    told = (ctypes.c_uint8 * 4)()
    ctypes.CDLL(f"libicuuc.so.{version}")[f"u_getUnicodeVersion_{version}"](told)
    return f"{told[0]}.{told[1]}"


def folded(text: str) -> str:
    return unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text).casefold())


def characters() -> Iterator[str]:
    """Those that are not made of others."""
    for character in map(chr, range(0x21, 0x20000)):
        if unicodedata.category(character) not in SKIPPED and composed(character) == character:
            yield character


def composed(text: str) -> str:
    return unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text))


def prototypes(skeleton: Callable[[str], str]) -> dict[str, list[str]]:
    likeness: dict[str, str] = {}
    for character in sorted(characters(), key=lambda each: folded(each) != each):
        own, capital = folded(skeleton(character)), folded(skeleton(character.upper()))
        small = folded(character)
        if small == character:
            likeness[character] = capital if not own.isascii() and capital.isascii() else own
        elif own != likeness.get(small, small):
            likeness[character] = own
    found: dict[str, list[str]] = defaultdict(list)
    for character, prototype in likeness.items():
        if prototype != character:
            found[prototype].append(character)
    return {prototype: sorted(sources) for prototype, sources in sorted(found.items())}


def points(text: str) -> str:
    return " ".join(f"{ord(character):04X}" for character in text)


if __name__ == "__main__":
    version = sys.argv[1] if len(sys.argv) > 1 else "72"
    lines = [
        f"{points(to)}: {' '.join(map(points, sources))}\n"
        for to, sources in prototypes(skeletons(version)).items()
    ]
    TABLE.write_text(HEAD.format(unicode=unicode_version(version), icu=version) + "".join(lines))
