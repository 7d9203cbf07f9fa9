"""A PDF page as lines of glyphs in display space."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import pymupdf

# Without ligature expansion: MuPDF gives the second letter of an expanded one no width.
# Text outside the visible page is clipped by us, after CropBox and rotation are applied.
FLAGS = pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_PRESERVE_LIGATURES

# Boxes as high as the font, not as its ascenders: neighbouring lines must not overlap.
pymupdf.TOOLS.set_small_glyph_heights(True)

SUPERSCRIPT = 1

Matrix = tuple[float, ...]


class Box(NamedTuple):
    """Points in display space (after CropBox and rotation), origin top left."""

    x0: float
    y0: float
    x1: float
    y1: float

    def union(self, other: "Box") -> "Box":
        return Box(
            min(self.x0, other.x0),
            min(self.y0, other.y0),
            max(self.x1, other.x1),
            max(self.y1, other.y1),
        )

    @property
    def centre(self) -> tuple[float, float]:
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2


@dataclass(frozen=True, slots=True)
class Glyph:
    c: str
    box: Box
    size: float
    flags: int
    color: int
    alpha: int

    @property
    def is_superscript(self) -> bool:
        return bool(self.flags & SUPERSCRIPT)


@dataclass(frozen=True)
class Line:
    """One line of one block, in the order of the PDF."""

    glyphs: tuple[Glyph, ...]
    block: int
    upright: bool

    @cached_property
    def text(self) -> str:
        return "".join(glyph.c for glyph in self.glyphs)

    @cached_property
    def box(self) -> Box:
        x0, y0, x1, y1 = zip(*(glyph.box for glyph in self.glyphs), strict=True)
        return Box(min(x0), min(y0), max(x1), max(y1))

    @property
    def size(self) -> float:
        return max(glyph.size for glyph in self.glyphs)

    def keep(self, glyphs: "list[Glyph]") -> "Line":
        return replace(self, glyphs=tuple(glyphs))


def page_lines(page: pymupdf.Page) -> list[Line]:
    """The page's lines in the PDF's own order, which reads columns right (sorting destroys it)."""
    m = page.rotation_matrix
    matrix: Matrix = (m.a, m.b, m.c, m.d, m.e, m.f)
    lines = []
    for number, block in enumerate(page.get_text("rawdict", flags=FLAGS)["blocks"]):
        for line in block.get("lines", []):
            glyphs = [
                _glyph(char, span, matrix) for span in line["spans"] for char in span["chars"]
            ]
            if glyphs:
                lines.append(Line(tuple(glyphs), number, _is_upright(line["dir"], matrix)))
    return lines


def _glyph(char: dict[str, Any], span: dict[str, Any], matrix: Matrix) -> Glyph:
    return Glyph(
        c=char["c"],
        box=_displayed(char["bbox"], matrix),
        size=span["size"],
        flags=span["flags"],
        color=span["color"],
        alpha=span.get("alpha", 255),
    )


def _displayed(bbox: tuple[float, float, float, float], matrix: Matrix) -> Box:
    """The box on the page as it is shown; `bbox` is in the unrotated page."""
    a, b, c, d, e, f = matrix
    x0, y0, x1, y1 = bbox
    if b == c == 0 and a == d == 1:  # not rotated, as nearly every page
        return Box(x0 + e, y0 + f, x1 + e, y1 + f)
    xs = (a * x0 + c * y0 + e, a * x1 + c * y1 + e)
    ys = (b * x0 + d * y0 + f, b * x1 + d * y1 + f)
    return Box(min(xs), min(ys), max(xs), max(ys))


def _is_upright(direction: tuple[float, float], matrix: Matrix) -> bool:
    """Whether the line runs from left to right on the displayed page."""
    a, b, c, d, _, _ = matrix
    x = direction[0] * a + direction[1] * c
    y = direction[0] * b + direction[1] * d
    return x > 0.9 and abs(y) < 0.1
