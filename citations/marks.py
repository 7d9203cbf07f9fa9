"""The boxes that are marked on a page: exactly the quoted characters, one box per run of a line."""

import struct
from typing import TypedDict

from .models import Extraktion, Seite
from .quelltext import Span

# A box begins anew after a gap of more than this share of the line's height: a footnote mark that
# is not part of the text stands there. Word spaces have boxes of their own.
MAX_GAP = 0.2
# Two characters stand in one line if they overlap vertically by at least this share.
SAME_LINE_OVERLAP = 0.5
# Digits kept; 0.00001 of a page is less than a hundredth of a point.
PRECISION = 5


class Rect(TypedDict):
    """Fractions of the visible page, origin top left; `seite` is the page's index from 1."""

    seite: int
    x0: float
    y0: float
    x1: float
    y1: float


CharBox = tuple[float, float, float, float]


def rects_for(extraktion: Extraktion, spans: tuple[Span, ...]) -> list[Rect]:
    """The boxes of the spans' characters, in reading order."""
    first, last = spans[0][0], spans[-1][1]
    seiten = extraktion.seiten.filter(start__lt=last).order_by("index")
    touched = [seite for seite in seiten if seite.ende > first]
    rects: list[Rect] = []
    for start, ende in spans:
        for seite in touched:
            boxes = char_boxes(seite, start - seite.start, ende - seite.start)
            ratio = seite.hoehe / seite.breite
            rects += [_rect(seite.index, run) for run in _runs(boxes, ratio)]
    return rects


def char_boxes(seite: Seite, start: int, ende: int) -> list[CharBox | None]:
    """The boxes of the page's characters from `start` to `ende`; None for one without a box."""
    start, ende = max(start, 0), min(ende, len(seite.text))
    if start >= ende:
        return []
    values = struct.iter_unpack("<4H", bytes(seite.boxes)[start * 8 : ende * 8])
    return [
        (x0 / 65535, y0 / 65535, x1 / 65535, y1 / 65535) if x1 or y1 else None
        for x0, y0, x1, y1 in values
    ]


def _runs(boxes: list[CharBox | None], ratio: float) -> list[list[CharBox]]:
    """Neighbouring boxes of one line; `ratio` is the page's height over its width."""
    runs: list[list[CharBox]] = []
    for box in boxes:
        if box is None:
            continue
        if runs and _continues(runs[-1][-1], box, ratio):
            runs[-1].append(box)
        else:
            runs.append([box])
    return runs


def _continues(before: CharBox, box: CharBox, ratio: float) -> bool:
    height = min(before[3] - before[1], box[3] - box[1])
    overlap = min(before[3], box[3]) - max(before[1], box[1])
    if overlap < SAME_LINE_OVERLAP * height:
        return False
    gap = box[0] - before[2]
    allowed = MAX_GAP * height * ratio
    return -height * ratio <= gap <= allowed


def _rect(index: int, run: list[CharBox]) -> Rect:
    x0, y0, x1, y1 = zip(*run, strict=True)
    return {
        "seite": index,
        "x0": round(min(x0), PRECISION),
        "y0": round(min(y0), PRECISION),
        "x1": round(max(x1), PRECISION),
        "y1": round(max(y1), PRECISION),
    }
