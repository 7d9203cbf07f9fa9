"""The boxes that are marked on a page: exactly the quoted characters, one box per run of a line."""

import struct
from typing import Protocol, TypedDict

import numpy as np
from numpy.typing import NDArray

from .quelltext import CharBox, Lesetext, Span, Textseite

# A box begins anew after a gap of more than this share of the line's height: a footnote mark that
# is not part of the text stands there. Behind a blank a gap may be wider, as justified lines have.
MAX_GAP = 0.2
MAX_GAP_AFTER_BLANK = 2.5
# Two characters stand in one line if they overlap vertically by at least this share.
SAME_LINE_OVERLAP = 0.5
BLANKS = np.array([code for code in range(0x3001) if chr(code).isspace()])
# Digits kept; 0.00001 of a page is less than a hundredth of a point.
PRECISION = 5


class Rect(TypedDict):
    """Fractions of the visible page, origin top left; `seite` is the page's index from 1."""

    seite: int
    x0: float
    y0: float
    x1: float
    y1: float


Boxes = NDArray[np.float64]


class Zeichenlage(Protocol):
    """A page's characters and where each stands; `boxes` as on `Seite` (citations/models.py)."""

    @property
    def text(self) -> str: ...

    @property
    def boxes(self) -> bytes | memoryview: ...


def rects_for(text: Lesetext, spans: tuple[Span, ...]) -> list[Rect]:
    """The boxes of the spans' characters, in reading order."""
    rects: list[Rect] = []
    for start, ende in spans:
        for seite in text.touched((start, ende)):
            rects += _rects_on(seite, max(start - seite.start, 0), ende - seite.start)
    return rects


def char_boxes(seite: Zeichenlage, start: int, ende: int) -> list[CharBox | None]:
    """The boxes of the page's characters from `start` to `ende`; None for one without a box."""
    start, ende = max(start, 0), min(ende, len(seite.text))
    if start >= ende:
        return []
    values = struct.iter_unpack("<4H", bytes(seite.boxes)[start * 8 : ende * 8])
    return [
        (x0 / 65535, y0 / 65535, x1 / 65535, y1 / 65535) if x1 or y1 else None
        for x0, y0, x1, y1 in values
    ]


def _rects_on(seite: Textseite, start: int, ende: int) -> list[Rect]:
    """One for each run of the page's characters. Raises ValueError where boxes are missing."""
    chars = seite.text[start:ende]
    values = np.frombuffer(seite.boxes, "<u2").reshape(-1, 4)[start : start + len(chars)]
    if len(values) != len(chars):
        raise ValueError("the page's boxes and its text do not belong together")
    has_box = np.asarray((values[:, 2:] > 0).any(axis=1))
    boxes = values[has_box] / 65535
    if not len(boxes):
        return []
    codes = np.frombuffer(chars.encode("utf-32-le", "surrogatepass"), "<u4")
    behind_blank = np.concatenate(([False], np.isin(codes[:-1], BLANKS)))[has_box]
    begins = _begins(boxes, behind_blank, ratio=seite.hoehe / seite.breite)
    if beside := _places_beside(seite, start, ende, has_box, boxes):
        begins = np.union1d(begins, beside)
    low = np.minimum.reduceat(boxes[:, :2], begins).tolist()
    high = np.maximum.reduceat(boxes[:, 2:], begins).tolist()
    return [_rect(seite.index, *edges) for edges in zip(low, high, strict=True)]


def _places_beside(
    seite: Textseite, start: int, ende: int, has_box: NDArray[np.bool_], boxes: Boxes
) -> list[int]:
    """Before which boxes something stands in the line that is not text: a footnote's mark."""
    places = []
    for offset, _, (x0, y0, x1, y1) in seite.beiwerk:
        place = int(has_box[: max(offset - start, 0)].sum()) if start < offset < ende else 0
        if 0 < place < len(boxes):
            before, behind = boxes[place - 1], boxes[place]
            is_between = before[0] <= (x0 + x1) / 2 <= behind[2] and before[0] <= behind[0]
            if is_between and y0 < behind[3] and behind[1] < y1:
                places.append(place)
    return places


def _begins(boxes: Boxes, behind_blank: NDArray[np.bool_], *, ratio: float) -> NDArray[np.intp]:
    """Where a run of neighbours in one line begins; `ratio` is the page's height over its width."""
    (_, y0, x1, y1), (next_x0, next_y0, _, next_y1) = boxes[:-1].T, boxes[1:].T
    height = np.minimum(y1 - y0, next_y1 - next_y0)
    overlap = np.minimum(y1, next_y1) - np.maximum(y0, next_y0)
    gap = next_x0 - x1
    allowed = np.where(behind_blank[1:], MAX_GAP_AFTER_BLANK, MAX_GAP)
    continues = (
        (overlap >= SAME_LINE_OVERLAP * height)
        & (-height * ratio <= gap)
        & (gap <= allowed * height * ratio)
    )
    return np.concatenate(([0], np.flatnonzero(~continues) + 1))


def _rect(index: int, low: list[float], high: list[float]) -> Rect:
    return {
        "seite": index,
        "x0": round(low[0], PRECISION),
        "y0": round(low[1], PRECISION),
        "x1": round(high[0], PRECISION),
        "y1": round(high[1], PRECISION),
    }
