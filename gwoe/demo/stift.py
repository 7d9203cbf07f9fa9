"""A document's look and its pen: fonts, measuring and drawing of single lines."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from gwoe.demo.umbruch import HOCH, STRICHE, WEICH, Umbruch

_ORDNER = Path("/usr/share/fonts/truetype")
#: Each family: file names for the regular and the bold face, and where Debian keeps them.
_SCHNITTE = {
    "serif": ("LiberationSerif-{}.ttf", ("liberation2", "liberation")),
    "grotesk": ("LiberationSans-{}.ttf", ("liberation2", "liberation")),
    "charis": ("CharisSIL-{}.ttf", ("charis",)),
}
_LIGATUREN = (("fi", "\ufb01"), ("fl", "\ufb02"))
_GESCHUETZT = "\u00a0"
_ERSATZ = "\uf8ff"
WEISS = "#ffffff"
SCHWARZ = "#16140f"


class SchriftFehlt(RuntimeError):
    """A font that the sample documents are set in is not installed."""


@dataclass(frozen=True)
class Gestalt:
    """The look of a document. Lengths are points, ``strich`` is a key of ``STRICHE``."""

    breite: float = 595.0
    hoehe: float = 842.0
    links: float = 78.0
    rechts: float = 78.0
    oben: float = 76.0
    unten: float = 70.0
    spalten: int = 1
    zwischenraum: float = 16.0
    schrift: str = "vera"
    grad: float = 11.0
    durchschuss: float = 1.36
    einzug: float = 0.0
    strich: str = "hart"
    blocksatz: bool = True
    ligaturen: bool = False
    im_wort_am_seitenende: bool = False
    zeilennummern: bool = False
    farbe: str = "#1c4a8f"

    @property
    def zeilenhoehe(self) -> float:
        """Distance of two base lines."""
        return round(self.grad * self.durchschuss, 2)

    @property
    def spaltenbreite(self) -> float:
        """Width of one column."""
        frei = self.breite - self.links - self.rechts
        return (frei - (self.spalten - 1) * self.zwischenraum) / self.spalten


@dataclass
class Stift:
    """Measures and draws single lines in the document's fonts."""

    leinwand: Canvas
    gestalt: Gestalt
    normal: str = field(init=False)
    fett: str = field(init=False)

    def __post_init__(self) -> None:
        self.normal, self.fett = _schriften(self.gestalt.schrift)

    def umbruch(self, *, grad: float = 0.0, fett: bool = False) -> Umbruch:
        """Line breaking in one size; bold lines are headings and are not hyphenated."""
        schrift = self.fett if fett else self.normal
        grad = grad or self.gestalt.grad
        strich = STRICHE["keiner" if fett else self.gestalt.strich]
        return Umbruch(lambda text: self.laenge(text, schrift, grad), strich)

    def laenge(self, text: str, schrift: str, grad: float) -> float:
        """Width of a text; a soft hyphen before a visible one takes no room."""
        breite = 0.0
        for teil, hoch in self._teile(text.replace(WEICH + "-", "-")):
            breite += pdfmetrics.stringWidth(teil, schrift, grad * (0.6 if hoch else 1))
        return breite

    def text(
        self, x: float, y: float, text: str, *, schrift: str = "", grad: float = 0.0,
        farbe: str = SCHWARZ, sperrung: float = 0.0, ort: str = "links",
    ) -> None:  # fmt: skip
        """Draw one line of text; ``sperrung`` widens the blanks of a justified line."""
        schrift, grad = schrift or self.normal, grad or self.gestalt.grad
        laenge = self.laenge(text, schrift, grad)
        x -= {"links": 0.0, "mitte": laenge / 2, "rechts": laenge}[ort]
        objekt = self.leinwand.beginText(x, y)
        objekt.setFillColor(farbe)
        objekt.setWordSpace(sperrung)
        for teil, hoch in self._teile(text):
            objekt.setFont(schrift, grad * (0.6 if hoch else 1))
            objekt.setRise(grad * 0.36 if hoch else 0)
            doppelt = teil.endswith(WEICH + "-")
            objekt.textOut(teil[:-1] if doppelt else teil)
            if doppelt:  # both hyphens lie on each other, a blank follows: as in real files
                vorn = self.laenge(text[:-2], schrift, grad) + sperrung * text.count(" ")
                objekt.setTextOrigin(x + vorn, y)
                objekt.textOut("- ")
        self.leinwand.drawText(objekt)

    def _teile(self, text: str) -> list[tuple[str, bool]]:
        """Split into normal and raised pieces, with ligatures if the document has them."""
        text = text.replace(_GESCHUETZT, _ERSATZ)
        if self.gestalt.ligaturen:
            for paar, ligatur in _LIGATUREN:
                text = text.replace(paar, ligatur)
        stuecke = HOCH.split(text)
        return [(stueck, i % 2 == 1) for i, stueck in enumerate(stuecke) if stueck]


def _schriften(familie: str) -> tuple[str, str]:
    namen = (f"{familie}-normal", f"{familie}-fett")
    if namen[0] not in pdfmetrics.getRegisteredFontNames():
        for name, datei in zip(namen, _dateien(familie), strict=True):
            pdfmetrics.registerFont(_load(name, datei))
    return namen


def _load(name: str, datei: str) -> TTFont:
    """Load a font and give its no-break space a second code point that reportlab leaves alone."""
    font = TTFont(name, datei)
    for tafel in (font.face.charToGlyph, font.face.charWidths):
        tafel[ord(_ERSATZ)] = tafel[ord(_GESCHUETZT)]
    return font


def restore_blanks(stift: Stift, leinwand: Canvas) -> None:
    """Call the stand-in by its real name: reportlab alone would write a plain blank."""
    for name in (stift.normal, stift.fett):
        stand = pdfmetrics.getFont(name).state.get(leinwand._doc)
        for teilmenge in stand.subsets if stand else []:
            teilmenge[:] = [ord(_GESCHUETZT) if c == ord(_ERSATZ) else c for c in teilmenge]


def _dateien(familie: str) -> tuple[str, str]:
    """Font files; the default family comes with reportlab, so that tests need no system fonts."""
    if familie == "vera":
        return "Vera.ttf", "VeraBd.ttf"
    muster, ordner = _SCHNITTE[familie]
    for name in ordner:
        pfade = [_ORDNER / name / muster.format(schnitt) for schnitt in ("Regular", "Bold")]
        if all(pfad.exists() for pfad in pfade):
            return str(pfade[0]), str(pfade[1])
    raise SchriftFehlt(
        f"{muster.format('Regular')}: apt install fonts-liberation2 fonts-sil-charis"
    )
