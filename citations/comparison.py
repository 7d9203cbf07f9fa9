"""The comparison form: what "the same words" means, for placing and for the check alike."""

import re
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

# Between two figures every sign carries meaning: 1,5 is not 15, 2.000 not 2,000, 10–15 not 1015.
# These are the same sign.
SAME_SIGN = dict.fromkeys("–‐‑‒—−", "-")
# Right before a figure these say what it is worth.
SIGNS = frozenset("-–−‐‑‒—+<>≤≥≠±~")
UNITS = frozenset("%‰€$£")
FRACTION_SLASH = "\u2044"


# Figures that fonts of Adobe put into Unicode's private area: fitted and old-style ones.
PRIVATE_DIGITS = {
    "\uf639": "0",
    "\uf6dc": "1",
    **{chr(0xF638 + digit): str(digit) for digit in range(2, 10)},
    **{chr(0xF730 + digit): str(digit) for digit in range(10)},
}
# Letters and figures that fold to themselves or to their small letter, and nothing else.
_PLAIN = re.compile(r"[0-9A-Za-zÄÖÜäöü]+")
# What may stand right before a minus.
OPENING = frozenset("(„\"'»«[/")
# A text without figures, of signs that are plain, blank or nothing; and what is nothing in it.
_SIMPLE = re.compile(r"[A-Za-zÄÖÜäöüß \n„“”‚‘’»«\"'!?;()\[\]…*§.,:/–—-]*")
_LOOSE = re.compile(r"[ \n„“”‚‘’»«\"'!?;()\[\]…*§.,:/–—-]+")


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
    if _SIMPLE.fullmatch(text):  # nearly every quote, at a fifth of the cost
        return _LOOSE.sub("", text).casefold()
    return vergleichsform(text).text


def vergleichsform(text: str) -> Vergleichsform:
    """The comparison form of `text` with the way back to it."""
    builder = _Builder(text)
    position = 0
    for match in _PLAIN.finditer(text):
        start, ende = match.span()
        for offset in range(position, start):
            builder.add(offset)
        builder.add_plain(match[0], start, ende)
        position = ende
    for offset in range(position, len(text)):
        builder.add(offset)
    return Vergleichsform("".join(builder.parts), builder.offsets)


class _Builder:
    def __init__(self, text: str) -> None:
        self.source = text
        self.parts: list[str] = []
        self.offsets = array("I")

    def add_plain(self, run: str, start: int, ende: int) -> None:
        self.parts.append(run.lower())
        self.offsets.extend(range(start, ende))

    def add(self, offset: int) -> None:
        char = self.source[offset]
        if not char.isalnum() and self._is_between_digits(offset):
            folded = "" if char.isspace() else SAME_SIGN.get(char, char)
        elif char in SIGNS and self._is_sign(offset):
            folded = SAME_SIGN.get(char, char)
        elif self.parts and unicodedata.combining(char):
            last = self.parts[-1]
            self.parts[-1] = last[:-1] + _composed(last[-1], char)
            return
        else:
            folded = _folded(char)
        if folded:
            self.parts.append(folded)
            self.offsets.extend([offset] * len(folded))

    def _is_sign(self, offset: int) -> bool:
        """Behind a blank, an opening mark or nothing, and right before a figure."""
        before, after = self.source[max(offset - 1, 0) : offset], self.source[offset + 1 :][:1]
        opens = not before or before.isspace() or before in OPENING
        return opens and bool(after) and _is_digit(after)

    def _is_between_digits(self, offset: int) -> bool:
        """Whether figures stand on both sides, blanks left out."""
        before, after = offset - 1, offset + 1
        while before >= 0 and self.source[before].isspace():
            before -= 1
        while after < len(self.source) and self.source[after].isspace():
            after += 1
        if before < 0 or after >= len(self.source):
            return False
        return _is_digit(self.source[before]) and _is_digit(self.source[after])


def _is_digit(char: str) -> bool:
    return _folded(char).isdigit()


def _composed(letter: str, mark: str) -> str:
    """The letter with its mark (`u` and a diaeresis make `ü`); alone where there is no such one."""
    composed = unicodedata.normalize("NFC", letter + mark)
    return composed if len(composed) == 1 else letter


@lru_cache(maxsize=4096)
def _folded(char: str) -> str:
    """What one character contributes: its folded letters and digits."""
    if char in PRIVATE_DIGITS:
        return PRIVATE_DIGITS[char]
    if char in UNITS:
        return char
    folded = unicodedata.normalize("NFKC", char).casefold()
    # Composed again: casefolding "İ" leaves a combining dot that is no letter.
    # "½" is 1/2, with a slash that makes it no twelve.
    folded = folded.replace(FRACTION_SLASH, "/")
    return "".join(part for part in folded if part.isalnum() or (part == "/" and len(folded) > 2))
