"""Pictures of pages, and one page as a file of its own. Runs in a child process, see child.py."""

import io

import pymupdf
from PIL import Image

from .opening import load_page, open_pdf
from .stripping import strip

# Twice the usual screen resolution, so that text stays sharp when zoomed (measured: median 81 kB).
DEFAULT_WIDTH = 1240
MAX_PIXELS = 40_000_000
# WebP has no room for longer sides.
MAX_SIDE = 16_383


def page_image(data: bytes, *, index: int, width: int = DEFAULT_WIDTH) -> bytes:
    """Page `index` (from 1) as lossless WebP, `width` pixels wide, as it is shown on screen."""
    page = load_page(open_pdf(data), index - 1)
    scale = _scale(page.rect, width)
    pixmap = page.get_pixmap(matrix=pymupdf.Matrix(scale, scale), alpha=False)
    image = Image.frombytes("RGB", (pixmap.width, pixmap.height), pixmap.samples)
    output = io.BytesIO()
    image.save(output, "WEBP", lossless=True, method=3)
    return output.getvalue()


def _scale(rect: pymupdf.Rect, width: int) -> float:
    """Pixels per point: `width` across where the picture does not get too large."""
    by_area = (MAX_PIXELS / (rect.width * rect.height)) ** 0.5
    by_side = (MAX_SIDE - 1) / max(rect.width, rect.height)
    return float(min(width / rect.width, by_area, by_side))


def marked_page(data: bytes, *, index: int, rects: list[list[float]]) -> bytes:
    """Page `index` alone with the marks drawn on it, as a PDF without scripts, links or files.

    `rects` are [x0, y0, x1, y1] as fractions of the visible page, origin top left.
    """
    source = open_pdf(data)
    page = load_page(source, index - 1)
    target = pymupdf.open()
    sheet = target.new_page(width=page.rect.width, height=page.rect.height)
    # Drawing the page into a new one takes its appearance along and leaves its actions behind.
    sheet.show_pdf_page(sheet.rect, source, index - 1)
    strip(target, sheet.xref)
    for x0, y0, x1, y1 in rects:
        width, height = sheet.rect.width, sheet.rect.height
        mark = sheet.add_highlight_annot(
            pymupdf.Rect(x0 * width, y0 * height, x1 * width, y1 * height)
        )
        mark.set_colors(stroke=(1, 0.886, 0.49))  # the marker's yellow, #ffe27d
        mark.update()
    return bytes(target.tobytes(garbage=4, deflate=True))
