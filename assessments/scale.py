"""The scale of the field ratings, and the overall value computed from them (docs/adr/0009)."""

from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal

from django.db import models

FORMEL_VERSION = 1


class Wert(models.TextChoices):
    """A field rating; the stored letters are the names of its CSS classes."""

    STARK_HEMMEND = "mm", "stark hemmend"
    HEMMEND = "m", "hemmend"
    OHNE_WIRKUNG = "o", "ohne Wirkung"
    FOERDERND = "p", "fördernd"
    STARK_FOERDERND = "pp", "stark fördernd"
    NICHT_BETROFFEN = "n", "nicht betroffen"

    @property
    def wort(self) -> str:
        return str(self.label)

    @property
    def zahl(self) -> int | None:
        """−2…+2, or None for a field that is not affected."""
        return _ZAHLEN.get(self.value)

    @property
    def zeichen(self) -> str:
        """The sign with real minus signs (U+2212); empty for a field that is not affected."""
        return _ZEICHEN.get(self.value, "")

    @classmethod
    def from_zahl(cls, zahl: int) -> "Wert":
        """Raises KeyError outside −2…+2."""
        return cls({value: key for key, value in _ZAHLEN.items()}[zahl])


_ZAHLEN = {"mm": -2, "m": -1, "o": 0, "p": 1, "pp": 2}
_ZEICHEN = {"mm": "−−", "m": "−", "o": "○", "p": "+", "pp": "++"}


def gesamtwert(werte: Iterable[Wert | None]) -> Decimal | None:
    """`5 + 2.5 · Σ / max(n, 3)` over the affected fields, half up to 0.1; None without any.

    With fewer than three affected fields the value is pulled towards the middle.
    """
    zahlen = [wert.zahl for wert in werte if wert is not None and wert.zahl is not None]
    if not zahlen:
        return None
    value = 5 + Decimal("2.5") * sum(zahlen) / max(len(zahlen), 3)
    return value.quantize(Decimal("0.1"), rounding=ROUND_HALF_UP)
