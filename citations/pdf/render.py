"""Pictures of pages, and one page as a file of its own. Runs in a child process, see bilder.py."""

import io

import pymupdf
from PIL import Image

from .opening import load_page
from .stripping import strip

MAX_PIXELS = 40_000_000
# WebP has no room for longer sides.
MAX_SIDE = 16_383
# Lossless keeps letters sharp. A page of text has some 70 bytes per pixel of its width, 98 at the
# 95th percentile; what needs more than this has photographs or was scanned.
LOSSLESS_BYTES_PER_PIXEL = 115
# Shades of a colour: the eye sees no more at the edge of a letter, and an eighth of the bytes is
# saved. On a fine screen the edge is half as wide, and fewer do.
SHADES = 32
FINE_WIDTH, FINE_SHADES = 1000, 6
# What covers this share of a page is an area, not the edge of a letter, and stays as it is.
AREA = 0.002
# Letters' edges cover up to an eighth of a page of text; where more is neither paper nor ink,
# there are photographs, which few shades would spoil.
MOST_EDGES = 0.16
# Letters beside photographs stay clean at this quality.
LOSSY_QUALITY = 72


def page_image(document: pymupdf.Document, *, index: int, width: int) -> bytes:
    """Page `index` (from 1) as WebP, `width` pixels wide, as it is shown on screen."""
    page = load_page(document, index - 1)
    scale = _scale(page.rect, width)
    pixmap = page.get_pixmap(matrix=pymupdf.Matrix(scale, scale), alpha=False)
    image = Image.frombytes("RGB", (pixmap.width, pixmap.height), pixmap.samples)
    rounded = _rounded(image, FINE_SHADES if width >= FINE_WIDTH else SHADES)
    lossless = _webp(rounded, lossless=True, method=3)
    if len(lossless) <= LOSSLESS_BYTES_PER_PIXEL * image.width:
        return lossless
    return min(lossless, _webp(image, quality=LOSSY_QUALITY, method=3), key=len)


def _rounded(image: Image.Image, shades: int) -> Image.Image:
    """The colours of areas as they are, those of edges in so many shades."""
    counts, pixels = image.histogram(), image.width * image.height
    is_area = [count > AREA * pixels for count in counts]
    edges = sum(count for count, area in zip(counts, is_area, strict=True) if not area)
    if edges > MOST_EDGES * sum(counts):
        shades = SHADES
    steps = shades - 1
    nearest = [round(round(value * steps / 255) * 255 / steps) for value in range(256)] * 3
    kept = [*range(256)] * 3
    return image.point(
        [own if area else near for own, near, area in zip(kept, nearest, is_area, strict=True)]
    )


def _webp(image: Image.Image, **options: float) -> bytes:
    output = io.BytesIO()
    image.save(output, "WEBP", **options)
    return output.getvalue()


def _scale(rect: pymupdf.Rect, width: int) -> float:
    """Pixels per point: `width` across where the picture does not get too large."""
    by_area = (MAX_PIXELS / (rect.width * rect.height)) ** 0.5
    by_side = (MAX_SIDE - 1) / max(rect.width, rect.height)
    return float(min(width / rect.width, by_area, by_side))


def marked_page(source: pymupdf.Document, *, index: int, rects: list[list[float]]) -> bytes:
    """Page `index` alone with the marks drawn on it, as a PDF without scripts, links or files.

    `rects` are [x0, y0, x1, y1] as fractions of the visible page, origin top left.
    """
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
