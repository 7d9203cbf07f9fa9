"""The comparison form: what "the same words" means, for placing and for the check alike."""

import unicodedata
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache


class Grad(StrEnum):
    """How a quote relates to the source it was placed in (docs/adr/0006)."""

    WOERTLICH = "woertlich"
    AUSLASSUNG = "auslassung"
    ANGEGLICHEN = "angeglichen"
    UNGEPRUEFT = "ungeprueft"

    @property
    def label(self) -> str:
        return _LABELS[self]

    @classmethod
    def choices(cls) -> list[tuple[str, str]]:
        return [(grad.value, grad.label) for grad in cls]


_LABELS = {
    Grad.WOERTLICH: "wörtlich",
    Grad.AUSLASSUNG: "wörtlich, mit Auslassung",
    Grad.ANGEGLICHEN: "angeglichen",
    Grad.UNGEPRUEFT: "ungeprüft",
}

# Between two figures these carry meaning: 1,5 is not 15, and 2.000 is not 2,000.
DIGIT_SEPARATORS = frozenset(".,:/")


@dataclass(frozen=True, slots=True)
class Vergleichsform:
    """Letters and digits of a text, and for each of them its offset in that text."""

    text: str
    offsets: Sequence[int]

    def span(self, start: int, ende: int) -> tuple[int, int]:
        """The part of the original text that `text[start:ende]` comes from, end exclusive."""
        return self.offsets[start], self.offsets[ende - 1] + 1


def compare_form(text: str) -> str:
    """NFKC, case-folded, only letters and digits, with the separators between two digits."""
    return vergleichsform(text).text


def vergleichsform(text: str) -> Vergleichsform:
    """The comparison form of `text` with the way back to it."""
    chars: list[str] = []
    offsets: list[int] = []
    for offset, char in enumerate(text):
        if chars and unicodedata.combining(char):
            chars[-1] = _composed(chars[-1], char)
            continue
        for part in _folded(char):
            chars.append(part)
            offsets.append(offset)
    return _without_loose_separators(chars, offsets)


def _composed(letter: str, mark: str) -> str:
    """The letter with its mark (`u` and a diaeresis make `ü`); alone where there is no such one."""
    composed = unicodedata.normalize("NFC", letter + mark)
    return composed if len(composed) == 1 else letter


@lru_cache(maxsize=4096)
def _folded(char: str) -> str:
    """What one character contributes: its folded letters and digits, or a digit separator."""
    if char in DIGIT_SEPARATORS:
        return char
    folded = unicodedata.normalize("NFKC", char).casefold()
    # Composed again: casefolding "İ" leaves a combining dot that is no letter.
    return "".join(part for part in folded if part.isalnum())


def _without_loose_separators(chars: list[str], offsets: list[int]) -> Vergleichsform:
    """Keeps a separator only directly between two digits of the text."""
    kept_chars: list[str] = []
    kept_offsets: list[int] = []
    for number, char in enumerate(chars):
        if char in DIGIT_SEPARATORS and not _between_digits(chars, offsets, number):
            continue
        kept_chars.append(char)
        kept_offsets.append(offsets[number])
    return Vergleichsform("".join(kept_chars), array("I", kept_offsets))


def _between_digits(chars: list[str], offsets: list[int], number: int) -> bool:
    if not 0 < number < len(chars) - 1:
        return False
    before, after = chars[number - 1], chars[number + 1]
    adjacent = offsets[number + 1] - offsets[number - 1] == 2
    return adjacent and before.isdigit() and after.isdigit()
