"""A PDF page as lines of glyphs in display space."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

import pymupdf

# Without ligature expansion: MuPDF gives the second letter of an expanded one no width.
# Text outside the visible page is clipped by us, after CropBox and rotation are applied.
FLAGS = pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_PRESERVE_LIGATURES

# Boxes as high as the font, not as its ascenders: neighbouring lines must not overlap.
pymupdf.TOOLS.set_small_glyph_heights(True)

# MuPDF's flags of a font, and of what is done with its signs.
SUPERSCRIPT = 1
CLIPS = 64

# Points in display space (after CropBox and rotation), origin top left: x0, y0, x1, y1.
Box = tuple[float, float, float, float]


def union(one: Box, other: Box) -> Box:
    return (
        min(one[0], other[0]),
        min(one[1], other[1]),
        max(one[2], other[2]),
        max(one[3], other[3]),
    )


def centre(box: Box) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


class Run(NamedTuple):
    """Glyphs of one line in one font: a box for each character of `text`.

    `color` is sRGB as 0xRRGGBB, `alpha` 0–255, `size` in points. What `clips` is the outline of
    something else that is drawn through it.
    """

    text: str
    boxes: Sequence[Box]
    size: float
    flags: int
    color: int
    alpha: int
    font: str
    clips: bool = False

    @property
    def is_superscript(self) -> bool:
        return bool(self.flags & SUPERSCRIPT)

    def part(self, start: int, ende: int | None = None) -> "Run":
        return self._replace(text=self.text[start:ende], boxes=self.boxes[start:ende])

    def keep(self, wanted: Sequence[bool]) -> "Run":
        kept = [number for number, is_wanted in enumerate(wanted) if is_wanted]
        return self._replace(
            text="".join(self.text[number] for number in kept),
            boxes=[self.boxes[number] for number in kept],
        )


@dataclass(frozen=True)
class Line:
    """One line of one block, in the order of the PDF.

    What stands beside the flow (`in_flow` is false) is kept for who copies it along.
    """

    runs: tuple[Run, ...]
    block: int
    upright: bool
    in_flow: bool = True

    @cached_property
    def text(self) -> str:
        return "".join(run.text for run in self.runs)

    @cached_property
    def boxes(self) -> list[Box]:
        return list(chain.from_iterable(run.boxes for run in self.runs))

    @cached_property
    def box(self) -> Box:
        x0, y0, x1, y1 = zip(*self.boxes, strict=True)
        return min(x0), min(y0), max(x1), max(y1)

    @property
    def middle(self) -> float:
        """The height of its middle."""
        return (self.box[1] + self.box[3]) / 2

    @cached_property
    def size(self) -> float:
        return max(run.size for run in self.runs)

    def with_runs(self, runs: Sequence[Run]) -> "Line":
        return replace(self, runs=tuple(run for run in runs if run.text))

    def aside(self) -> "Line":
        return replace(self, in_flow=False)

    def part(self, start: int, ende: int | None = None) -> "Line":
        """The glyphs from `start` to `ende`, counted over all runs."""
        stop = len(self.text) if ende is None else ende
        runs, offset = [], 0
        for run in self.runs:
            runs.append(run.part(max(start - offset, 0), max(stop - offset, 0)))
            offset += len(run.text)
        return self.with_runs(runs)


def lines_in(text: pymupdf.TextPage, matrix: pymupdf.Matrix) -> list[Line]:
    """The lines in the PDF's own order, which reads columns right (sorting destroys it).

    `matrix` leads from the unrotated page to the displayed one.
    """
    lines = []
    for number, block in enumerate(text.extractRAWDICT()["blocks"]):
        for line in block.get("lines", ()):
            upside_down = line["dir"][0] < -0.9
            runs = tuple(
                _run(span, matrix, upside_down=upside_down)
                for span in line["spans"]
                if span["chars"]
            )
            if runs:
                lines.append(Line(runs, number, _is_upright(line["dir"], matrix)))
    return lines


def _run(span: dict[str, Any], matrix: pymupdf.Matrix, *, upside_down: bool) -> Run:
    chars = span["chars"]
    boxes = [char["bbox"] for char in chars]
    if upside_down:
        boxes = [_hanging(char["bbox"], char["origin"][1]) for char in chars]
    if matrix != IDENTITY:  # nearly every page is upright and uncropped
        boxes = [_displayed(box, matrix) for box in boxes]
    return Run(
        text="".join([char["c"] for char in chars]),
        boxes=boxes,
        size=span["size"],
        flags=span["flags"],
        color=span["color"],
        alpha=span.get("alpha", 255),
        font=span["font"],
        clips=bool(span["char_flags"] & CLIPS),
    )


def _hanging(box: Box, baseline: float) -> Box:
    """MuPDF makes a low box stand on the baseline, also where the text hangs down from it."""
    return box[0], 2 * baseline - box[3], box[2], 2 * baseline - box[1]


IDENTITY = pymupdf.Matrix(1, 0, 0, 1, 0, 0)


def _displayed(box: Box, m: pymupdf.Matrix) -> Box:
    """The box on the page as it is shown; `box` is in the unrotated page."""
    x0, y0, x1, y1 = box
    xs = (m.a * x0 + m.c * y0 + m.e, m.a * x1 + m.c * y1 + m.e)
    ys = (m.b * x0 + m.d * y0 + m.f, m.b * x1 + m.d * y1 + m.f)
    return min(xs), min(ys), max(xs), max(ys)


def _is_upright(direction: tuple[float, float], m: pymupdf.Matrix) -> bool:
    """Whether the line runs from left to right on the displayed page."""
    x = direction[0] * m.a + direction[1] * m.c
    y = direction[0] * m.b + direction[1] * m.d
    return x > 0.9 and abs(y) < 0.1
