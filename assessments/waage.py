"""The balance: every affected field over its step, the value as their balance point (pure)."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from .scale import Wert, gesamtwert

# The steps stand in the middles of five equal columns, so the axis runs from 10 to 90 per cent.
LEFT, WIDTH = Decimal(10), Decimal(80)
# A label of the axis that is closer to the value's own label than this would touch it.
MIN_DISTANCE = Decimal(6)
STEPS = (
    Wert.STARK_HEMMEND,
    Wert.HEMMEND,
    Wert.OHNE_WIRKUNG,
    Wert.FOERDERND,
    Wert.STARK_FOERDERND,
)


@dataclass(frozen=True, slots=True)
class Stufe:
    """One step: where it stands, its label on the axis ("" if hidden), and the fields on it."""

    wert: Wert
    x: str
    zahl: str
    felder: list[str]


@dataclass(frozen=True)
class Waage:
    wert: Decimal
    x: str
    stufen: list[Stufe]

    @property
    def anzahl(self) -> int:
        return sum(len(stufe.felder) for stufe in self.stufen)

    @property
    def belegte(self) -> list[Stufe]:
        return [stufe for stufe in self.stufen if stufe.felder]

    @property
    def niedrigste(self) -> Stufe:
        return self.belegte[0]

    @property
    def hoechste(self) -> Stufe:
        return self.belegte[-1]

    @property
    def spanne(self) -> str:
        """`−− bis ++`, or `alle +`."""
        low, high = self.niedrigste.wert, self.hoechste.wert
        return f"alle {low.zeichen}" if low == high else f"{low.zeichen} bis {high.zeichen}"

    @property
    def summe(self) -> int:
        return sum((stufe.wert.zahl or 0) * len(stufe.felder) for stufe in self.stufen)

    @property
    def summe_text(self) -> str:
        return str(self.summe).replace("-", "−")

    @property
    def rechnung(self) -> str:
        """`5 + 2,5 × 5 ÷ 9 = 6,4`"""
        summe = f"({self.summe_text})" if self.summe < 0 else self.summe_text
        wert = f"{self.wert}".replace(".", ",")
        return f"5 + 2,5 × {summe} ÷ {max(self.anzahl, 3)} = {wert}"

    @property
    def zwischen(self) -> str:
        """Between which steps the value lies, for those who do not see the drawing."""
        position = min(int(self.wert / Decimal("2.5")), 3)
        if self.wert == position * Decimal("2.5"):
            return f"bei {STEPS[position].wort}"
        if self.wert == 10:
            return f"bei {STEPS[4].wort}"
        return f"zwischen {STEPS[position].wort} und {STEPS[position + 1].wort}"


def waage(werte: Mapping[str, Wert | None]) -> Waage | None:
    """None where no field is affected: no balance, no number."""
    value = gesamtwert(werte.values())
    if value is None:
        return None
    at = _position(value)
    return Waage(
        wert=value,
        x=percent(at),
        stufen=[_stufe(number, step, at, werte) for number, step in enumerate(STEPS)],
    )


def _stufe(number: int, wert: Wert, at: Decimal, werte: Mapping[str, Wert | None]) -> Stufe:
    value = Decimal(number) * 10 / 4
    x = _position(value)
    return Stufe(
        wert=wert,
        x=percent(x),
        zahl="" if abs(x - at) < MIN_DISTANCE else f"{value.normalize():f}".replace(".", ","),
        felder=[feld for feld, rated in sorted(werte.items()) if rated == wert],
    )


def _position(value: Decimal) -> Decimal:
    return LEFT + WIDTH * value / 10


def percent(value: Decimal) -> str:
    """For an SVG attribute: always with a point, whatever the language of the page."""
    return f"{value.normalize():f}%"
