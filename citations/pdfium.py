"""The second PDF engine: which letters stand in the marked boxes of a file.

A child process of its own: `python -m citations.pdfium`. Protocol as in citations/pdf/child.py;
the request holds `places` ({rects, seite, gedruckt}), the answer a list of what was found in each:
`text` (null where the engine cannot tell) and `fehlende_zahlen`, those of the printed numbers that
do not stand at the edge of the page.
"""

import ctypes
import json
import re
import sys
from bisect import bisect_left, bisect_right
from functools import cached_property, lru_cache, partial
from itertools import repeat
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from citations.limits import answer_channel, limit_this_process

# Device units per page side for the conversion from page to display space.
UNITS = 10_000_000
# The engine cannot tell what a glyph means if more than this share of them has no letter.
MAX_UNMAPPED = 0.2
# Two equal signs whose centres are nearer than this share of the page are one, printed twice.
DOUBLED = 0.0015
# Page numbers stand in these bands at the top and bottom (as in citations/pdf/margins.py).
EDGE = 0.13
# Places are looked at in the order of their pages; one may run over a page break.
PAGES_OPEN = 8

# A manifesto asks for its glyphs' boxes a quarter of a million times: addresses instead of objects.
LOOSE_BOX = ctypes.cast(
    pdfium.FPDFText_GetLooseCharBox,
    ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p),
)
BOX_BYTES = ctypes.sizeof(pdfium.FS_RECTF)

# A sign with its centre, as fractions of the visible page.
Char = tuple[str, float, float]


def main() -> None:
    request = json.loads(sys.stdin.buffer.readline())
    limit_this_process(memory_mb=request["memory_mb"], seconds=request["seconds"])
    with answer_channel() as channel:
        answer = look_at(sys.stdin.buffer.read(), request["places"])
        channel.write(b"ok\n" + json.dumps(answer).encode())


def look_at(data: bytes, places: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """For each place the text whose glyph centres lie in its boxes, and missing page numbers."""
    page_at = lru_cache(PAGES_OPEN)(partial(_Page, pypdfium2.PdfDocument(data)))
    found: list[dict[str, Any]] = [{}] * len(places)
    for number, place in sorted(enumerate(places), key=lambda pair: pair[1]["seite"]):
        missing = _missing_numbers(place["gedruckt"], page_at(place["seite"]))
        text = _text_in([(page_at(rect["seite"]), rect) for rect in place["rects"]])
        found[number] = {"text": text, "fehlende_zahlen": missing}
    return found


class _Page:
    """The signs of one page, to be asked for by their place; none where there is no such page."""

    def __init__(self, document: pypdfium2.PdfDocument, index: int) -> None:
        self.textpage, self.centres = None, []
        if 1 <= index <= len(document):
            page = document[index - 1]
            self.textpage = page.get_textpage()
            self.centres = _centres(page, self.textpage)
        self.by_height = sorted(range(len(self.centres)), key=lambda n: self.centres[n][1])
        self.heights = [self.centres[n][1] for n in self.by_height]

    def between(self, top: float, foot: float) -> list[int]:
        """The numbers of the signs whose centres are not above `top` nor below `foot`."""
        return self.by_height[bisect_left(self.heights, top) : bisect_right(self.heights, foot)]

    def char(self, number: int) -> Char:
        code = pdfium.FPDFText_GetUnicode(self.textpage, number)
        return (chr(code) if 0 < code < 0x110000 else "\ufffd", *self.centres[number])

    def chars_in(self, rect: dict[str, Any]) -> list[Char]:
        """From left to right, without those that are printed twice."""
        x0, x1, centres = rect["x0"], rect["x1"], self.centres
        inside = [n for n in self.between(rect["y0"], rect["y1"]) if x0 <= centres[n][0] <= x1]
        inside.sort(key=lambda n: (centres[n][0], n))
        chars = [self.char(n) for n in inside]
        return [c for n, c in enumerate(chars) if not _is_doubled(c, chars[max(n - 4, 0) : n])]

    @cached_property
    def edge_numbers(self) -> list[str] | None:
        """What stands alone at the upper or lower edge of the page; None where nothing does."""
        top = bisect_left(self.heights, EDGE)
        foot = bisect_right(self.heights, 1 - EDGE)
        edge = [self.char(n)[0] for n in sorted(self.by_height[:top] + self.by_height[foot:])]
        text = "".join(char if char.isalnum() else " " for char in edge)
        return re.findall(r"(?<!\d)\d+(?!\d)", text) if edge else None


def _missing_numbers(printed: list[str], page: _Page) -> list[str]:
    """Those of the numbers that do not stand alone at the upper or lower edge of the page."""
    if not printed or page.edge_numbers is None:
        return []
    return [number for number in printed if number not in page.edge_numbers]


def _centres(page: pypdfium2.PdfPage, textpage: pypdfium2.PdfTextPage) -> list[tuple[float, float]]:
    """Every glyph's centre; the loose box is the font's, so that a dot lies on its line."""
    count = textpage.count_chars()
    boxes = (pdfium.FS_RECTF * count)()
    handle = ctypes.cast(textpage.raw, ctypes.c_void_p).value
    first = ctypes.addressof(boxes)
    places = range(first, first + count * BOX_BYTES, BOX_BYTES)
    if not all(map(LOOSE_BOX, repeat(handle), range(count), places)):
        raise pypdfium2.PdfiumError("a glyph without a box")
    (ax, bx, cx), (ay, by, cy) = _to_display(page)
    values = memoryview(boxes).cast("B").cast("f").tolist()
    sums = [
        (left + right, top + bottom)
        for left, top, right, bottom in zip(*(values[n::4] for n in range(4)), strict=True)
    ]
    return [(ax * s + bx * t + cx, ay * s + by * t + cy) for s, t in sums]


def _to_display(page: pypdfium2.PdfPage) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """(a, b, c) for x and for y: the sums s, t of a box's opposite edges lie at a·s + b·t + c.

    The engine's own conversion at three corners of the page says it for all points between.
    """
    left, bottom, right, top = page.get_bbox()
    origin = _display_point(page, left, bottom)
    along, up = _display_point(page, right, bottom), _display_point(page, left, top)
    rows = []
    for start, end_along, end_up in zip(origin, along, up, strict=True):
        a, b = (end_along - start) / (right - left), (end_up - start) / (top - bottom)
        rows.append((a / 2, b / 2, start - a * left - b * bottom))
    return rows[0], rows[1]


def _display_point(page: pypdfium2.PdfPage, x: float, y: float) -> tuple[float, float]:
    at_x, at_y = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDF_PageToDevice(page, 0, 0, UNITS, UNITS, 0, x, y, at_x, at_y)
    return at_x.value / UNITS, at_y.value / UNITS


def _text_in(rects: list[tuple[_Page, dict[str, Any]]]) -> str | None:
    parts = [page.chars_in(rect) for page, rect in rects]
    signs = [char for part in parts for char, _, _ in part if not char.isspace()]
    unmapped = sum(1 for char in signs if char == "\ufffd" or "\ue000" <= char <= "\uf8ff")
    if not signs or unmapped > MAX_UNMAPPED * len(signs):
        return None
    return "\n".join("".join(char for char, _, _ in part) for part in parts)


def _is_doubled(char: Char, before: list[Char]) -> bool:
    return any(
        char[0] == other[0]
        and abs(char[1] - other[1]) < DOUBLED
        and abs(char[2] - other[2]) < DOUBLED
        for other in before
    )


if __name__ == "__main__":
    main()
