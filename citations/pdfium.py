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

Char = tuple[str, float, float]


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
    document = pypdfium2.PdfDocument(data)
    pages: dict[int, list[Char]] = {}
    found = []
    for place in places:
        for index in {place["seite"], *(rect["seite"] for rect in place["rects"])} - pages.keys():
            pages[index] = _page_chars(document, index)
        missing = _missing_numbers(place["gedruckt"], pages[place["seite"]])
        found.append({"text": _text_in(place["rects"], pages), "fehlende_zahlen": missing})
    return found


def _missing_numbers(printed: list[str], chars: list[Char]) -> list[str]:
    """Those of the numbers that do not stand alone at the upper or lower edge of the page."""
    edge = [char for char in chars if char[2] < EDGE or char[2] > 1 - EDGE]
    text = "".join(char if char.isalnum() else " " for char, _, _ in edge)
    numbers = re.findall(r"(?<!\d)\d+(?!\d)", text)
    return [number for number in printed if number not in numbers] if edge else []


def _page_chars(document: pypdfium2.PdfDocument, index: int) -> list[Char]:
    """Every sign of the page with its centre, as fractions of the visible page."""
    if not 1 <= index <= len(document):
        return []
    page = document[index - 1]
    textpage = page.get_textpage()
    chars = []
    for number in range(textpage.count_chars()):
        code = pdfium.FPDFText_GetUnicode(textpage, number)
        x, y = _centre(page, textpage, number)
        chars.append((chr(code) if 0 < code < 0x110000 else "\ufffd", x, y))
    return chars


def _centre(
    page: pypdfium2.PdfPage, textpage: pypdfium2.PdfTextPage, number: int
) -> tuple[float, float]:
    """The glyph's centre; the loose box is the font's, so that a dot lies on its line."""
    left, bottom, right, top = textpage.get_charbox(number, loose=True)
    x, y = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDF_PageToDevice(
        page, 0, 0, UNITS, UNITS, 0, (left + right) / 2, (bottom + top) / 2, x, y
    )
    return x.value / UNITS, y.value / UNITS


def _text_in(rects: list[dict[str, Any]], pages: dict[int, list[Char]]) -> str | None:
    parts = [_chars_in(rect, pages[rect["seite"]]) for rect in rects]
    signs = [char for part in parts for char, _, _ in part if not char.isspace()]
    unmapped = sum(1 for char in signs if char == "\ufffd" or "\ue000" <= char <= "\uf8ff")
    if not signs or unmapped > MAX_UNMAPPED * len(signs):
        return None
    return "\n".join("".join(char for char, _, _ in part) for part in parts)


def _chars_in(rect: dict[str, Any], chars: list[Char]) -> list[Char]:
    inside = [
        char
        for char in chars
        if rect["x0"] <= char[1] <= rect["x1"] and rect["y0"] <= char[2] <= rect["y1"]
    ]
    inside.sort(key=lambda char: char[1])
    return [
        char for n, char in enumerate(inside) if not _is_doubled(char, inside[max(n - 4, 0) : n])
    ]


def _is_doubled(char: Char, before: list[Char]) -> bool:
    return any(
        char[0] == other[0]
        and abs(char[1] - other[1]) < DOUBLED
        and abs(char[2] - other[2]) < DOUBLED
        for other in before
    )


if __name__ == "__main__":
    main()
