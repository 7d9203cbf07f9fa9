"""The sheet on the desk: one page of a document with the place marked on it, as numbers for SVG.

Lengths are points of the visible page, as text with a decimal point for SVG attributes.
"""

from dataclasses import dataclass

from assessments.satz import rest_of_sentence
from citations.lesetext import lesetext
from citations.marks import Rect, char_boxes, rects_for
from citations.models import Extraktion, Seite, Zitat

# About four lines of a programme above and below the place: its context, still readable.
CONTEXT = 64.0
# The bracket stands so far left of the words.
BRACKET_GAP = 6.0
BRACKET_FOOT = 3.0
STROKE = 0.9
# Around the text in a cut-out; the bracket fits in.
MARGIN = 16.0


@dataclass(frozen=True)
class Kasten:
    x: str
    y: str
    breite: str
    hoehe: str
    fuss: str


@dataclass(frozen=True)
class Blatt:
    lesung: Extraktion
    seite: int
    zahl: str
    breite: str
    hoehe: str
    marken: list[Kasten]
    rest: list[Kasten]
    klammer: str
    ausschnitt: str
    hinweis: str

    @property
    def vorige(self) -> int | None:
        return self.seite - 1 if self.seite > 1 else None

    @property
    def naechste(self) -> int | None:
        return self.seite + 1 if self.seite < self.lesung.seitenzahl else None


def open_blatt(lesung: Extraktion, index: int, zitat: Zitat | None = None) -> Blatt:
    """Page `index` of the reading, with what of `zitat` stands on it. Raises Seite.DoesNotExist."""
    seite = lesung.seiten.get(index=index)
    rects = _on_page(zitat.rects if zitat else [], seite)
    rest = rest_of_sentence(zitat) if zitat and rects else ()
    dashed = rects_for(lesetext(lesung), rest) if rest else []
    return Blatt(
        lesung=lesung,
        seite=index,
        zahl=seite.zahl,
        breite=_points(seite.breite),
        hoehe=_points(seite.hoehe),
        marken=[_kasten(rect, seite) for rect in rects],
        rest=[_kasten(rect, seite) for rect in _on_page(dashed, seite)],
        klammer=_klammer(rects, seite),
        ausschnitt=_ausschnitt(rects, seite),
        hinweis=seite.grund if not seite.pruefbar else "",
    )


def _on_page(rects: list[Rect], seite: Seite) -> list[Rect]:
    return [rect for rect in rects if rect["seite"] == seite.index]


def _kasten(rect: Rect, seite: Seite) -> Kasten:
    return Kasten(
        x=_points(rect["x0"] * seite.breite),
        y=_points(rect["y0"] * seite.hoehe),
        breite=_points((rect["x1"] - rect["x0"]) * seite.breite),
        hoehe=_points((rect["y1"] - rect["y0"]) * seite.hoehe),
        fuss=_points(rect["y1"] * seite.hoehe - STROKE),
    )


def _klammer(rects: list[Rect], seite: Seite) -> str:
    """The bracket in the margin, as the data of a path."""
    if not rects:
        return ""
    left = min(rect["x0"] for rect in rects) * seite.breite - BRACKET_GAP
    top = min(rect["y0"] for rect in rects) * seite.hoehe
    foot = max(rect["y1"] for rect in rects) * seite.hoehe
    inner = _points(left + BRACKET_FOOT)
    return f"M{inner} {_points(top)}H{_points(left)}V{_points(foot)}H{inner}"


def _ausschnitt(rects: list[Rect], seite: Seite) -> str:
    """The viewBox around the place, as wide as the text beside it."""
    if not rects:
        return ""
    top = max(min(rect["y0"] for rect in rects) * seite.hoehe - CONTEXT, 0)
    foot = min(max(rect["y1"] for rect in rects) * seite.hoehe + CONTEXT, seite.hoehe)
    boxes = [
        box
        for box in char_boxes(seite, 0, len(seite.text))
        if box and top <= box[1] * seite.hoehe and box[3] * seite.hoehe <= foot
    ]
    left = max(min(box[0] for box in boxes) * seite.breite - MARGIN, 0)
    right = min(max(box[2] for box in boxes) * seite.breite + MARGIN, seite.breite)
    return f"{_points(left)} {_points(top)} {_points(right - left)} {_points(foot - top)}"


def _points(value: float) -> str:
    return f"{value:.2f}"
