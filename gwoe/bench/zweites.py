"""What other programs see in a file: the judges of reading and marking.

Only the benchmark imports this; the product opens no PDF outside a child process.
"""

import ctypes
from dataclasses import dataclass

import pymupdf
import pypdfium2
import pypdfium2.raw as pdfium

UNITS = 10_000_000
DPI = 144
# Grey levels below this are ink.
DARK = 140


def page_texts(data: bytes) -> list[str]:
    """The text of each page as the second engine gives it, without its line-break hyphens."""
    document = pypdfium2.PdfDocument(data)
    texts = [page.get_textpage().get_text_range() for page in document]
    document.close()
    return [text.replace("\ufffe", "").replace("\x02", "") for text in texts]


@dataclass(frozen=True, slots=True)
class Zeichen:
    """A sign with its box as fractions of the visible page, origin top left.

    `nr` is its number in the order of the page's text.
    """

    nr: int
    char: str
    x0: float
    y0: float
    x1: float
    y1: float


def page_signs(data: bytes, index: int) -> list[Zeichen]:
    """The signs of page `index` (from 1) with their loose boxes, by the second engine."""
    document = pypdfium2.PdfDocument(data)
    page = document[index - 1]
    textpage = page.get_textpage()
    signs = [_sign(page, textpage, number) for number in range(textpage.count_chars())]
    document.close()
    return signs


def _sign(page: pypdfium2.PdfPage, textpage: pypdfium2.PdfTextPage, number: int) -> Zeichen:
    left, bottom, right, top = textpage.get_charbox(number, loose=True)
    corners = [_displayed(page, x, y) for x, y in ((left, bottom), (right, top))]
    xs, ys = zip(*corners, strict=True)
    code = pdfium.FPDFText_GetUnicode(textpage, number)
    char = chr(code) if 0 < code < 0x110000 else "\ufffd"
    return Zeichen(number, char, min(xs), min(ys), max(xs), max(ys))


def _displayed(page: pypdfium2.PdfPage, x: float, y: float) -> tuple[float, float]:
    across, down = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDF_PageToDevice(page, 0, 0, UNITS, UNITS, 0, x, y, across, down)
    return across.value / UNITS, down.value / UNITS


@dataclass(frozen=True, slots=True)
class Bild:
    """A page in grey, one byte a pixel, rows from the top."""

    width: int
    height: int
    samples: bytes

    def is_dark(self, x: int, y: int) -> bool:
        return self.samples[y * self.width + x] < DARK


def page_picture(data: bytes, index: int) -> Bild:
    page = pymupdf.open(stream=data, filetype="pdf")[index - 1]
    pixmap = page.get_pixmap(dpi=DPI, colorspace=pymupdf.csGRAY, alpha=False)
    rows = [
        bytes(pixmap.samples_mv[y * pixmap.stride : y * pixmap.stride + pixmap.width])
        for y in range(pixmap.height)
    ]
    return Bild(pixmap.width, pixmap.height, b"".join(rows))
