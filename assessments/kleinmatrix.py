"""The small matrix of the list: 5 × 5 squares of 15 units with a gap of one (pure)."""

from collections.abc import Mapping
from dataclasses import dataclass

from .scale import Wert

STEP = 16


@dataclass(frozen=True, slots=True)
class Kaestchen:
    feld: str
    wert: Wert
    x: int
    y: int


@dataclass(frozen=True)
class Kleinmatrix:
    kaestchen: list[Kaestchen]

    @property
    def beschreibung(self) -> str:
        """The label in words: `Betroffene Felder: A4 stark hemmend, B5 fördernd`."""
        if not self.kaestchen:
            return "Kein Feld betroffen"
        words = ", ".join(f"{square.feld} {square.wert.wort}" for square in self.kaestchen)
        return f"Betroffene Felder: {words}"


def kleinmatrix(werte: Mapping[str, Wert | None]) -> Kleinmatrix:
    """Only the affected fields; the page draws the empty grid below them."""
    return Kleinmatrix(
        [
            Kaestchen(feld, wert, STEP * (int(feld[1]) - 1), STEP * "ABCDE".index(feld[0]))
            for feld, wert in sorted(werte.items())
            if wert is not None and wert.zahl is not None
        ]
    )
