"""A text that quotes are placed in, with the forms of it that placing needs. Pure."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter

from .comparison import Vergleichsform, compare_form, vergleichsform
from .sentences import satz_spans

# Offsets of the first character and behind the last one.
Span = tuple[int, int]
# x0, y0, x1, y1 as fractions of the visible page, origin top left.
CharBox = tuple[float, float, float, float]
# A footnote begins with its mark.
NOTE = re.compile(r"\s*(?:\d{1,3}(?!\d)|[*†])\s*[^\W\d]")
# Letters that tell the beginnings of quotes apart.
ANFANG = 12


@dataclass(frozen=True)
class Quelltext:
    text: str

    @cached_property
    def form(self) -> Vergleichsform:
        return vergleichsform(self.text)

    @cached_property
    def wortanfaenge(self) -> dict[str, list[int]]:
        """Where words begin in `form`, by the ANFANG letters from there on.

        A quote begins with a word, so that this finds all its places without reading the text.
        """
        text, offsets = self.form.text, self.form.offsets
        index: dict[str, list[int]] = {}
        before = -2
        for place, offset in enumerate(offsets):
            if offset - before > 1:
                index.setdefault(text[place : place + ANFANG], []).append(place)
            before = offset
        return index

    @property
    def beiwerk(self) -> Sequence[tuple[int, str]]:
        """What stands beside the text, each with the offset where it stands: heads, numbers."""
        return ()

    def daneben_in(self, span: Span) -> Iterator[str]:
        """What was set apart between two characters of the span, and may belong to them."""
        first = bisect_right(self.beiwerk, span[0], key=itemgetter(0))
        for number in range(first, len(self.beiwerk)):
            offset, words = self.beiwerk[number]
            if offset >= span[1]:
                return
            if not self.is_apart(number):
                yield words

    def is_apart(self, number: int) -> bool:
        """Whether that piece of `beiwerk` surely says nothing that the text does not say."""
        return False

    @cached_property
    def beiformen(self) -> list[tuple[int, str]]:
        """The comparison forms of what stands beside the text, in order, and where in `form`."""
        forms = ((offset, compare_form(words)) for offset, words in self.beiwerk)
        offsets = self.form.offsets
        return [(bisect_left(offsets, offset), form) for offset, form in forms if form]

    @cached_property
    def beiform_nummern(self) -> dict[str, dict[str, list[int]]]:
        """The places in `beiformen` of each form, by the form's first sign."""
        numbers: dict[str, dict[str, list[int]]] = {}
        for number, (_, form) in enumerate(self.beiformen):
            numbers.setdefault(form[0], {}).setdefault(form, []).append(number)
        return numbers

    @cached_property
    def saetze(self) -> list[Span]:
        return satz_spans(self.text)

    def satz_nummer(self, offset: int) -> int:
        """Which sentence of `saetze` holds the offset, or is the last one before it."""
        return max(bisect_right(self.saetze, (offset, len(self.text))) - 1, 0)

    def satz_um(self, start: int, ende: int) -> Span:
        """The whole sentences that the span touches, as one span."""
        first, last = self.satz_nummer(start), self.satz_nummer(ende - 1)
        if not self.saetze or last < first:
            return start, ende
        return min(self.saetze[first][0], start), max(self.saetze[last][1], ende)


@dataclass(frozen=True, slots=True)
class Textseite:
    """One page of a Lesetext; the fields mean what they mean on `Seite` (citations/models.py)."""

    index: int
    label: str
    gedruckt: list[str]
    breite: float
    hoehe: float
    text: str
    start: int
    boxes: bytes
    beiwerk: list[tuple[int, str, CharBox]]
    pruefbar: bool
    grund: str

    @property
    def ende(self) -> int:
        return self.start + len(self.text)

    @property
    def zahl(self) -> str:
        """The number a reader sees: the printed one, else that of the file."""
        return "/".join(self.gedruckt) if self.gedruckt else str(self.index)


@dataclass(frozen=True)
class Lesetext(Quelltext):
    """The flow text of a reading with its pages 1, 2, …"""

    seiten: tuple[Textseite, ...]

    @classmethod
    def of(cls, seiten: Iterable[Textseite]) -> "Lesetext":
        """From its pages, in order."""
        pages = tuple(seiten)
        return cls("".join(page.text for page in pages), pages)

    @cached_property
    def beiwerk(self) -> list[tuple[int, str]]:
        return [
            (seite.start + offset, words)
            for seite in self.seiten
            for offset, words, _ in seite.beiwerk
        ]

    @cached_property
    def _recurring(self) -> Counter[str]:
        """On how many pages the same words stand beside the text."""
        return Counter(words for seite in self.seiten for words in {w for _, w, _ in seite.beiwerk})

    def is_apart(self, number: int) -> bool:
        """Printed twice, a head or foot that recurs, or a note at the end of a page's text."""
        offset, words = self.beiwerk[number]
        reach = 2 * len(words)
        near = self.text[max(offset - reach, 0) : offset + reach]
        if words in (near if len(words) >= ANFANG else near.split()):
            return True
        seite = self.seiten[self.seite_at(max(offset - 1, 0)) - 1]
        ends = not self.text[offset : seite.ende].strip()
        begins = offset in self.starts
        if self._recurring[words] > 1:
            return begins or ends
        first = bisect_left(self.beiwerk, offset, key=itemgetter(0))
        pieces = (piece for _, piece in self.beiwerk[first : number + 1])
        return ends and any(NOTE.match(piece) for piece in pieces)

    @cached_property
    def starts(self) -> list[int]:
        return [seite.start for seite in self.seiten]

    def seite_at(self, offset: int) -> int:
        """The index (from 1) of the page on which the character at `offset` stands."""
        return bisect_right(self.starts, offset)

    def unpruefbar(self, spans: Iterable[Span]) -> Textseite | None:
        """The first page under the spans whose text cannot be trusted."""
        pages = (seite for span in spans for seite in self.touched(span))
        return next((seite for seite in pages if not seite.pruefbar), None)

    def touched(self, span: Span) -> tuple[Textseite, ...]:
        """The pages that hold characters of the span."""
        start, ende = span
        around = self.seiten[max(self.seite_at(start) - 1, 0) : self.seite_at(max(ende - 1, 0))]
        return tuple(s for s in around if s.text and s.start < ende and start < s.ende)


def cut(text: str, spans: tuple[Span, ...]) -> str:
    """The words of the spans as they are shown: one line, omissions as […]."""
    return " […] ".join(" ".join(text[start:ende].split()) for start, ende in spans)
