"""A reading as one text to search in: flow text, comparison form, and the pages' borders."""

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property, lru_cache

from .comparison import Vergleichsform, vergleichsform
from .models import Extraktion
from .sentences import satz_spans


@dataclass(frozen=True)
class Lesetext:
    """The flow text of a reading; `starts` holds each page's offset in it, for pages 1, 2, …"""

    extraktion_id: int
    text: str
    starts: tuple[int, ...]

    @cached_property
    def form(self) -> Vergleichsform:
        return vergleichsform(self.text)

    @cached_property
    def saetze(self) -> list[tuple[int, int]]:
        return satz_spans(self.text)

    def seite_at(self, offset: int) -> int:
        """The index (from 1) of the page on which the character at `offset` stands."""
        return bisect_right(self.starts, offset)

    def satz_um(self, start: int, ende: int) -> tuple[int, int]:
        """The whole sentences that the span touches, as one span."""
        first = max(bisect_right(self.saetze, (start, len(self.text))) - 1, 0)
        last = bisect_right(self.saetze, (ende - 1, len(self.text))) - 1
        if not self.saetze or last < first:
            return start, ende
        return min(self.saetze[first][0], start), max(self.saetze[last][1], ende)


# A manifesto's text and forms take about 20 MB in memory.
@lru_cache(maxsize=24)
def _cached(extraktion_id: int) -> Lesetext:
    rows = Extraktion.objects.get(pk=extraktion_id).seiten.order_by("index")
    pages = list(rows.values_list("text", "start"))
    return Lesetext(
        extraktion_id, "".join(text for text, _ in pages), tuple(start for _, start in pages)
    )


def lesetext(extraktion: Extraktion) -> Lesetext:
    """The reading's text; readings are immutable, so it is kept in memory for a while."""
    return _cached(extraktion.pk)
