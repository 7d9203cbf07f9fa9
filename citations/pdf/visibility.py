"""Which glyphs a reader can see: hidden text never counts as quoted, and is reported."""

from collections.abc import Callable
from itertools import compress

import pymupdf

from .glyphs import Box, Glyph, Line

# Below this size in points nobody reads on screen or paper.
MIN_SIZE = 1.5
# A glyph brighter than this could vanish on paper; it is looked at in the rendered page.
BRIGHT = 0.85
# Grey levels (0–255) that ink and ground must differ by inside the glyph's box.
MIN_CONTRAST = 24
RENDER_DPI = 100
# Of 255; below it the fill alone does not show.
MIN_ALPHA = 26
NEIGHBOURS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]


def split_visible(page: pymupdf.Page, lines: list[Line]) -> tuple[list[Line], list[str]]:
    """Visible lines, and the texts of what is there but cannot be seen."""
    width, height = page.rect.width, page.rect.height
    can_be_seen = _judge(page, lines)
    kept, hidden = [], []
    for line in lines:
        verdicts = [_on_page(g.box, width, height) and can_be_seen(g) for g in line.glyphs]
        if all(verdicts):
            kept.append(line)
            continue
        seen = list(compress(line.glyphs, verdicts))
        if any(not glyph.c.isspace() for glyph in seen):
            kept.append(line.keep(seen))
            hidden.append("".join(g.c for g, v in zip(line.glyphs, verdicts, strict=True) if not v))
        else:
            hidden.append(line.text.strip())
    return kept, hidden


def drop_doubled(lines: list[Line]) -> list[Line]:
    """Fake bold prints a word several times over itself; one of them is the text."""
    taken: set[tuple[str, int, int]] = set()
    kept = []
    for line in lines:
        glyphs = [glyph for glyph in line.glyphs if not _is_taken(glyph, taken)]
        taken.update(_place(glyph) for glyph in glyphs)
        if glyphs:
            kept.append(line.keep(glyphs))
    return kept


def _place(glyph: Glyph) -> tuple[str, int, int]:
    return glyph.c, round(glyph.box.x0), round(glyph.box.y0)


def _is_taken(glyph: Glyph, taken: set[tuple[str, int, int]]) -> bool:
    """Whether the same sign stands within one point of this one."""
    if glyph.c.isspace():
        return False
    c, x, y = _place(glyph)
    return any((c, x + dx, y + dy) in taken for dx, dy in NEIGHBOURS)


def _on_page(box: Box, width: float, height: float) -> bool:
    x, y = box.centre
    return 0 <= x <= width and 0 <= y <= height


def _judge(page: pymupdf.Page, lines: list[Line]) -> Callable[[Glyph], bool]:
    """A test for one glyph; the page is rendered only where a doubtful glyph makes it necessary."""
    if not any(_is_doubtful(glyph) for line in lines for glyph in line.glyphs):
        return lambda glyph: True
    pixmap = page.get_pixmap(dpi=RENDER_DPI, colorspace=pymupdf.csGRAY, alpha=False)

    def can_be_seen(glyph: Glyph) -> bool:
        if not _is_doubtful(glyph):
            return True
        return glyph.size >= MIN_SIZE and _contrast(pixmap, glyph.box) >= MIN_CONTRAST

    return can_be_seen


def _is_doubtful(glyph: Glyph) -> bool:
    """Tiny, bright, or transparent, as is also text that clips a picture, or an OCR layer."""
    if glyph.c.isspace():
        return False
    return glyph.size < MIN_SIZE or glyph.alpha < MIN_ALPHA or _is_bright(glyph.color)


def _is_bright(color: int) -> bool:
    red, green, blue = color >> 16 & 255, color >> 8 & 255, color & 255
    return (0.299 * red + 0.587 * green + 0.114 * blue) / 255 > BRIGHT


def _contrast(pixmap: pymupdf.Pixmap, box: Box) -> int:
    """Darkest against brightest pixel in the box."""
    scale = RENDER_DPI / 72
    x0, x1 = max(int(box.x0 * scale), 0), min(int(box.x1 * scale) + 1, pixmap.width)
    y0, y1 = max(int(box.y0 * scale), 0), min(int(box.y1 * scale) + 1, pixmap.height)
    if x0 >= x1 or y0 >= y1:
        return 0
    samples, stride = pixmap.samples_mv, pixmap.stride
    rows = [samples[y * stride + x0 : y * stride + x1] for y in range(y0, y1)]
    return max(map(max, rows)) - min(map(min, rows))
