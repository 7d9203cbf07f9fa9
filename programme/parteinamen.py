"""Which party a file's name says, by the data file of parties alone (no database)."""

import re
from collections.abc import Callable

from parlamente.facts import Fakten

from .naming import fold


def says_party(fakten: Fakten) -> Callable[[str, str], bool]:
    """A test whether a file's name without its ending names the party, in any spelling.

    A name that the data file does not know is compared as it is.
    """
    spellings: dict[str, list[str]] = {}
    for partei in fakten.parteien:
        names = [fold(name) for name in (partei.kuerzel, partei.name, *partei.aliase)]
        spellings.update(dict.fromkeys(names, names))

    def test(stem: str, partei: str) -> bool:
        words = [fold(word) for word in re.split(r"[\W_]+", stem)]
        asked = fold(partei)
        return any(_contains(words, name) for name in spellings.get(asked, [asked]))

    return test


def _contains(words: list[str], name: str) -> bool:
    """Whether neighbouring words make the name: "freie-waehler-by" says "freiewaehler"."""
    for start in range(len(words)):
        joined = ""
        for word in words[start:]:
            joined += word
            if joined == name:
                return True
            if len(joined) >= len(name):
                break
    return False
