"""A cited page as a drawing: the page in points, marks on it, and the part to show on phones."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import NamedTuple

from citations.marks import Rect, char_boxes
from citations.models import Seite, Zitat
from citations.quelltext import CharBox

# Points. The stroke at the foot of a mark, and the bracket beside the marked lines.
STROKE = 0.9
BRACKET_GAP, BRACKET_WIDTH = 4.0, 3.0
# Shares of a page's height: what a small screen shows of it beside the words, and how much of it
# stands above a place that a link leads to.
SEEN_AT_ONCE, CONTEXT_ABOVE = 0.4, 0.2
# The cut-out shows whole lines above and below, room for the bracket, and a little air.
LINES_AROUND = 2
CUTOUT_MARGIN, CUTOUT_EDGE = 12.0, 4.0
# Characters before and behind the quote whose boxes tell where its column is; six full lines.
COLUMN_CONTEXT = 600
# CSS pixels. Below 11 text is unreadable, so the cut-out is drawn larger and scrolls sideways.
MIN_TEXT_PX = 11.0
# The narrowest column of a page image that we design for (390 px phone without margins).
PHONE_PX = 356.0
# Size of the letters over the height of their line's box.
TEXT_PER_BOX = 0.8


class Kasten(NamedTuple):
    """A box in points, origin top left."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def breite(self) -> float:
        return self.x1 - self.x0

    @property
    def hoehe(self) -> float:
        return self.y1 - self.y0

    @property
    def viewbox(self) -> str:
        return " ".join(map(points, (self.x0, self.y0, self.breite, self.hoehe)))

    @property
    def attribute(self) -> dict[str, str]:
        """For an SVG rectangle; `fuss` is where the stroke at a mark's foot begins."""
        return {
            "x": points(self.x0),
            "y": points(self.y0),
            "breite": points(self.breite),
            "hoehe": points(self.hoehe),
            "fuss": points(self.y1 - STROKE),
        }


@dataclass(frozen=True)
class Blatt:
    """Everything that is drawn over the picture of one page."""

    seite: Seite
    kaesten: list[Kasten]
    ausschnitt: Kasten | None
    ist_sicher: bool = True

    @property
    def breite(self) -> str:
        return points(self.seite.breite)

    @property
    def hoehe(self) -> str:
        return points(self.seite.hoehe)

    @property
    def ganz(self) -> Kasten:
        """The window through which the whole page is seen."""
        return Kasten(0, 0, self.seite.breite, self.seite.hoehe)

    @property
    def marken(self) -> list[dict[str, str]]:
        """None while the quote is in review: yellow is a promise, the bracket is not."""
        return [box.attribute for box in self.kaesten] if self.ist_sicher else []

    @property
    def klammern(self) -> list[str]:
        """A bracket in the margin of each column that has marks, as SVG path data."""
        return [_bracket(column) for column in _columns(self.kaesten)]

    @property
    def ziel(self) -> str:
        """Where a link to the place scrolls to, some way above it; "" where it is seen without."""
        top = min((box.y0 for box in self.kaesten), default=0)
        is_far_down = top > SEEN_AT_ONCE * self.seite.hoehe
        return points(top - CONTEXT_ABOVE * self.seite.hoehe) if is_far_down else ""

    @property
    def ausschnitt_breite(self) -> str:
        """The width in CSS pixels where the cut-out must scroll to stay readable, else ""."""
        if self.ausschnitt is None:
            return ""
        text = TEXT_PER_BOX * _line_height(self.kaesten)
        needed = self.ausschnitt.breite * MIN_TEXT_PX / text
        return str(round(needed)) if needed > PHONE_PX else ""


def blatt(
    zitat: Zitat, seite: Seite, *, is_certain: bool = True, lines: int = LINES_AROUND
) -> Blatt:
    """The page with the part of the quote that stands on it; without marks where none does."""
    kaesten = [_kasten(rect, seite) for rect in zitat.rects if rect["seite"] == seite.index]
    ausschnitt = _cutout(zitat, seite, kaesten, lines) if kaesten else None
    return Blatt(seite, kaesten, ausschnitt, is_certain)


def points(value: float) -> str:
    """For an SVG attribute: exact to a hundredth of a pixel at every zoom."""
    return f"{value:.3f}".rstrip("0").removesuffix(".")


def _kasten(rect: Rect, seite: Seite) -> Kasten:
    return _in_points((rect["x0"], rect["y0"], rect["x1"], rect["y1"]), seite)


def _columns(kaesten: Sequence[Kasten]) -> list[list[Kasten]]:
    """Boxes in reading order; a box above the one before it begins another column."""
    columns: list[list[Kasten]] = []
    for box in kaesten:
        if columns and box.y1 > columns[-1][-1].y0:
            columns[-1].append(box)
        else:
            columns.append([box])
    return columns


def _bracket(column: Sequence[Kasten]) -> str:
    right = min(box.x0 for box in column) - BRACKET_GAP
    left = max(right - BRACKET_WIDTH, 1.0)
    top, foot = min(box.y0 for box in column), max(box.y1 for box in column)
    return f"M{points(right)} {points(top)}H{points(left)}V{points(foot)}H{points(right)}"


def _cutout(zitat: Zitat, seite: Seite, kaesten: Sequence[Kasten], lines: int) -> Kasten:
    """The marked lines with some more above and below, as wide as their column."""
    top, foot = min(box.y0 for box in kaesten), max(box.y1 for box in kaesten)
    before, behind = _neighbours(zitat, seite)
    middle = _line_height(kaesten) / 2
    above = [line for line in _lines(before, seite) if line.y1 <= top + middle]
    below = [line for line in _lines(behind, seite) if line.y0 >= foot - middle]
    shown = [*kaesten, *above[-lines:], *below[:lines], *_beside(before + behind, top, foot, seite)]
    return Kasten(
        max(min(box.x0 for box in shown) - CUTOUT_MARGIN, 0),
        max(min(box.y0 for box in shown) - CUTOUT_EDGE, 0),
        min(max(box.x1 for box in shown) + CUTOUT_MARGIN, seite.breite),
        min(max(box.y1 for box in shown) + CUTOUT_EDGE, seite.hoehe),
    )


def _neighbours(zitat: Zitat, seite: Seite) -> tuple[list[CharBox], list[CharBox]]:
    """The boxes of the characters before and behind the quote: they fill its column."""
    start, ende = zitat.spans[0][0] - seite.start, zitat.spans[-1][1] - seite.start
    before = char_boxes(seite, start - COLUMN_CONTEXT, start)
    behind = char_boxes(seite, ende, ende + COLUMN_CONTEXT)
    return list(filter(None, before)), list(filter(None, behind))


def _lines(boxes: Sequence[CharBox], seite: Seite) -> list[Kasten]:
    """Characters in reading order as lines from top to foot; other columns are left out."""
    lines: list[list[CharBox]] = []
    top = foot = 0.0
    for box in boxes:
        if lines and box[1] < foot and box[3] > top:
            lines[-1].append(box)
            top, foot = min(top, box[1]), max(foot, box[3])
        else:
            lines.append([box])
            top, foot = box[1], box[3]
    return sorted((_around(line, seite) for line in lines), key=lambda line: line.y0)


def _around(boxes: Sequence[CharBox], seite: Seite) -> Kasten:
    left, top, right, foot = zip(*boxes, strict=True)
    return _in_points((min(left), min(top), max(right), max(foot)), seite)


def _beside(boxes: Sequence[CharBox], top: float, foot: float, seite: Seite) -> list[Kasten]:
    """What stands in the marked lines themselves, before and behind the quote."""
    highest, lowest = (top - 1) / seite.hoehe, (foot + 1) / seite.hoehe
    return [_in_points(box, seite) for box in boxes if box[1] >= highest and box[3] <= lowest]


def _in_points(box: CharBox, seite: Seite) -> Kasten:
    x0, y0, x1, y1 = box
    width, height = seite.breite, seite.hoehe
    return Kasten(x0 * width, y0 * height, x1 * width, y1 * height)


def _line_height(kaesten: Sequence[Kasten]) -> float:
    return median(box.hoehe for box in kaesten)
