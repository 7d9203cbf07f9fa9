"""A text that quotes are placed in, with the forms of it that placing needs. Pure."""

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

from .comparison import Vergleichsform, vergleichsform
from .sentences import satz_spans

# Offsets of the first character and behind the last one.
Span = tuple[int, int]


@dataclass(frozen=True)
class Quelltext:
    text: str

    @cached_property
    def form(self) -> Vergleichsform:
        return vergleichsform(self.text)

    @cached_property
    def saetze(self) -> list[Span]:
        return satz_spans(self.text)

    def satz_um(self, start: int, ende: int) -> Span:
        """The whole sentences that the span touches, as one span."""
        first = max(bisect_right(self.saetze, (start, len(self.text))) - 1, 0)
        last = bisect_right(self.saetze, (ende - 1, len(self.text))) - 1
        if not self.saetze or last < first:
            return start, ende
        return min(self.saetze[first][0], start), max(self.saetze[last][1], ende)


def cut(text: str, spans: tuple[Span, ...]) -> str:
    """The words of the spans as they are shown: one line, omissions as […]."""
    return " […] ".join(" ".join(text[start:ende].split()) for start, ende in spans)
