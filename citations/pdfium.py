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
from operator import add
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from citations.ablehnung import Abgelehnt, Ablehnung
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

# What the engine calls a hyphen at the end of a line.
LINE_END_HYPHENS = (0x02, 0xFFFE)
# Letters that stand twice in one ligature; the engine gives both the ligature's box.
IN_LIGATURES = "ft"

# A sign with its centre, as fractions of the visible page, and its number on the page.
Char = tuple[str, float, float, int]
# Of a conversion: what a point's two coordinates are multiplied by, and what is added.
Row = tuple[float, float, float]


def main() -> None:
    request = json.loads(sys.stdin.buffer.readline())
    limit_this_process(memory_mb=request["memory_mb"], seconds=request["seconds"])
    data = sys.stdin.buffer.read()
    with answer_channel() as channel:
        try:
            answer = b"ok\n" + json.dumps(look_at(data, request["places"])).encode()
        except pypdfium2.PdfiumError as error:
            answer = _refusal(error).answer
        channel.write(answer)


def _refusal(error: pypdfium2.PdfiumError) -> Abgelehnt:
    locked = error.err_code == pdfium.FPDF_ERR_PASSWORD
    return Abgelehnt(Ablehnung.PASSWORT if locked else Ablehnung.BESCHAEDIGT)


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
        self.to_x = a, b, c = 0.0, 0.0, 0.0
        self.sums: tuple[list[float], list[float]] = [], []
        if 1 <= index <= len(document):
            page = document[index - 1]
            self.textpage = page.get_textpage()
            self.to_x, (a, b, c) = _to_display(page)
            self.sums = _sums_of_edges(self.textpage)
        self.ys = [a * s + b * t + c for s, t in zip(*self.sums, strict=True)]
        self.by_height = sorted(range(len(self.ys)), key=self.ys.__getitem__)
        self.heights = [self.ys[number] for number in self.by_height]

    def chars_in(self, rect: dict[str, Any]) -> list[Char]:
        """Those whose centres lie inside, from left to right, without what is printed twice."""
        top = bisect_left(self.heights, rect["y0"])
        foot = bisect_right(self.heights, rect["y1"])
        (a, b, c), (across, upward) = self.to_x, self.sums
        inside = [(a * across[n] + b * upward[n] + c, n) for n in self.by_height[top:foot]]
        x0, x1 = rect["x0"], rect["x1"]
        return _once([self.char(n, x) for x, n in sorted(inside) if x0 <= x <= x1])

    def char(self, number: int, x: float) -> Char:
        return self.sign(number), x, self.ys[number], number

    def sign(self, number: int) -> str:
        code = pdfium.FPDFText_GetUnicode(self.textpage, number)
        if code in LINE_END_HYPHENS:
            return "-"
        return chr(code) if 0 < code < 0x110000 else "\ufffd"

    @cached_property
    def edge_numbers(self) -> list[str] | None:
        """What stands alone at the upper or lower edge of the page; None where nothing does."""
        top = bisect_left(self.heights, EDGE)
        foot = bisect_right(self.heights, 1 - EDGE)
        edge = [self.sign(n) for n in sorted(self.by_height[:top] + self.by_height[foot:])]
        text = "".join(char if char.isalnum() else " " for char in edge)
        return re.findall(r"(?<!\d)\d+(?!\d)", text) if edge else None


def _missing_numbers(printed: list[str], page: _Page) -> list[str]:
    """Those of the numbers that do not stand alone at the upper or lower edge of the page."""
    if not printed or page.edge_numbers is None:
        return []
    return [number for number in printed if number not in page.edge_numbers]


def _sums_of_edges(textpage: pypdfium2.PdfTextPage) -> tuple[list[float], list[float]]:
    """Left and right edge of every glyph's box added, top and bottom added: twice its centre.

    The loose box is the font's, so that a dot lies on its line.
    """
    count = textpage.count_chars()
    boxes = (pdfium.FS_RECTF * count)()
    handle = ctypes.cast(textpage.raw, ctypes.c_void_p).value
    first = ctypes.addressof(boxes)
    places = range(first, first + count * BOX_BYTES, BOX_BYTES)
    if not all(map(LOOSE_BOX, repeat(handle), range(count), places)):
        raise pypdfium2.PdfiumError("a glyph without a box")
    edges = memoryview(boxes).cast("B").cast("f").tolist()
    left, top, right, bottom = (edges[n::4] for n in range(4))
    return list(map(add, left, right)), list(map(add, top, bottom))


def _to_display(page: pypdfium2.PdfPage) -> tuple[Row, Row]:
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
    signs = [char for part in parts for char, *_ in part if not char.isspace()]
    unmapped = sum(1 for char in signs if char == "\ufffd" or "\ue000" <= char <= "\uf8ff")
    if not signs or unmapped > MAX_UNMAPPED * len(signs):
        return None
    return "\n".join("".join(char for char, *_ in part) for part in parts)


def _once(chars: list[Char]) -> list[Char]:
    """Without those that stand at the place of an equal one before them; from left to right."""
    return [
        char
        for n, char in enumerate(chars)
        # What is further away than its neighbour needs no closer look.
        if not n
        or char[1] - chars[n - 1][1] >= DOUBLED
        or not _is_doubled(char, chars[max(n - 4, 0) : n])
    ]


def _is_doubled(char: Char, before: list[Char]) -> bool:
    return any(
        char[0] == other[0]
        and abs(char[1] - other[1]) < DOUBLED
        and abs(char[2] - other[2]) < DOUBLED
        and not _are_one_ligature(char, other)
        for other in before
    )


def _are_one_ligature(char: Char, other: Char) -> bool:
    """Two letters that are drawn as one sign, not one letter that is drawn twice."""
    return char[0] in IN_LIGATURES and char[1:3] == other[1:3] and abs(char[3] - other[3]) == 1


if __name__ == "__main__":
    main()
