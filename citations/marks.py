"""The boxes that are marked on a page: exactly the quoted characters, one box per run of a line."""

import struct
from collections.abc import Iterable, Iterator
from typing import Protocol, TypedDict

from .quelltext import CharBox, Lesetext, Span

# A box begins anew after a gap of more than this share of the line's height: a footnote mark that
# is not part of the text stands there. Behind a blank a gap may be wider, as justified lines have.
MAX_GAP = 0.2
MAX_GAP_AFTER_BLANK = 2.5
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
            begin, end = max(start - seite.start, 0), min(ende - seite.start, len(seite.text))
            chars = zip(seite.text[begin:end], char_boxes(seite, begin, end), strict=True)
            runs = _runs(chars, ratio=seite.hoehe / seite.breite)
            rects += [_rect(seite.index, run) for run in runs]
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


def _runs(chars: Iterable[tuple[str, CharBox | None]], *, ratio: float) -> Iterator[list[CharBox]]:
    """Neighbouring boxes of one line; `ratio` is the page's height over its width."""
    run: list[CharBox] = []
    after_blank = False
    for char, box in chars:
        if box is not None:
            allowed = MAX_GAP_AFTER_BLANK if after_blank else MAX_GAP
            if run and not _continues(run[-1], box, allowed=allowed, ratio=ratio):
                yield run
                run = []
            run.append(box)
        after_blank = char.isspace()
    if run:
        yield run


def _continues(before: CharBox, box: CharBox, *, allowed: float, ratio: float) -> bool:
    height = min(before[3] - before[1], box[3] - box[1])
    overlap = min(before[3], box[3]) - max(before[1], box[1])
    gap = box[0] - before[2]
    one_line = overlap >= SAME_LINE_OVERLAP * height
    return one_line and -height * ratio <= gap <= allowed * height * ratio


def _rect(index: int, run: list[CharBox]) -> Rect:
    x0, y0, x1, y1 = zip(*run, strict=True)
    return {
        "seite": index,
        "x0": round(min(x0), PRECISION),
        "y0": round(min(y0), PRECISION),
        "x1": round(max(x1), PRECISION),
        "y1": round(max(y1), PRECISION),
    }
