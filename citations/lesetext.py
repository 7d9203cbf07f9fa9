"""A stored reading as one text to search in, with its pages."""

from dataclasses import fields
from functools import lru_cache

from .models import Extraktion, Seite
from .quelltext import Lesetext, Textseite

FIELDS = [field.name for field in fields(Textseite)]


def lesetext(extraktion: Extraktion) -> Lesetext:
    """The reading's text; readings are immutable, so it is kept in memory for a while."""
    return _cached(extraktion.pk)


def forget() -> None:
    """For who goes on in another database, where the same keys are other readings."""
    _cached.cache_clear()


# A manifesto's text, forms and boxes take about 10 MB in memory.
@lru_cache(maxsize=24)
def _cached(extraktion_id: int) -> Lesetext:
    return load_lesetext(extraktion_id)


def load_lesetext(extraktion_id: int) -> Lesetext:
    """The reading as it is stored now, for who must not rely on memory."""
    rows = Seite.objects.filter(extraktion=extraktion_id).order_by("index").values(*FIELDS)
    return Lesetext.of(Textseite(**{**row, "boxes": bytes(row["boxes"])}) for row in rows)
