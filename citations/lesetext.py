"""A reading as one text to search in, with the pages' borders."""

from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache

from .models import Extraktion
from .quelltext import Quelltext


@dataclass(frozen=True)
class Lesetext(Quelltext):
    """The flow text of a reading; `starts` holds each page's offset in it, for pages 1, 2, …"""

    starts: tuple[int, ...]

    def seite_at(self, offset: int) -> int:
        """The index (from 1) of the page on which the character at `offset` stands."""
        return bisect_right(self.starts, offset)


# A manifesto's text and forms take about 20 MB in memory.
@lru_cache(maxsize=24)
def _cached(extraktion_id: int) -> Lesetext:
    rows = Extraktion.objects.get(pk=extraktion_id).seiten.order_by("index")
    pages = list(rows.values_list("text", "start"))
    return Lesetext("".join(text for text, _ in pages), tuple(start for _, start in pages))


def lesetext(extraktion: Extraktion) -> Lesetext:
    """The reading's text; readings are immutable, so it is kept in memory for a while."""
    return _cached(extraktion.pk)
