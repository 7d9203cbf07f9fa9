"""A page, interpreted once: its lines of text, and its look with and without that text."""

from collections.abc import Callable
from functools import cached_property, partial

import pymupdf
from PIL import Image
from pymupdf import mupdf

from .glyphs import FLAGS, Box, Line, lines_in

MAX_PIXELS = 16_000_000
# In MuPDF's names.
PICTURES = ("fill-image", "fill-imgmask")
EVERYWHERE = mupdf.FzRect(mupdf.FzRect.Fixed_INFINITE)
# What draws a page's contents, its annotations or its form fields on a device.
Painter = Callable[..., None]


class Sheet:
    """The text of annotations and form fields is not the page's own, but may cover it."""

    def __init__(self, page: pymupdf.Page) -> None:
        self.page = page
        self.width, self.height = page.rect.width, page.rect.height
        self._matrix = page.rotation_matrix
        self._contents = self._record(mupdf.fz_run_page_contents)
        self._upon = self._record(mupdf.fz_run_page_annots, mupdf.fz_run_page_widgets)

    def _record(self, *painters: Painter) -> pymupdf.DisplayList:
        listed = pymupdf.DisplayList(mupdf.fz_bound_page(self.page.this))
        device = mupdf.fz_new_list_device(listed.this)
        for painter in painters:
            self._paint(painter, device)
        mupdf.fz_close_device(device)
        return listed

    def _paint(self, painter: Painter, device: mupdf.FzDevice) -> None:
        """Unrotated, since signs have upright boxes in the unrotated page only."""
        rotation = self.page.rotation
        if rotation:
            self.page.set_rotation(0)
        try:
            painter(self.page.this, device, mupdf.FzMatrix(), mupdf.FzCookie())
        finally:
            if rotation:
                self.page.set_rotation(rotation)

    def text(self, *, flags: int = 0) -> pymupdf.TextPage:
        """The page's own text, read with `flags` besides ours, whatever clips or covers it."""
        return _text(partial(self._paint, mupdf.fz_run_page_contents), FLAGS | flags)

    def recorded_text(self, *, flags: int = 0) -> pymupdf.TextPage:
        """The same without what is clipped away; costs a quarter."""
        return _text(partial(_run, self._contents), FLAGS | flags)

    def lines_in(self, text: pymupdf.TextPage) -> list[Line]:
        return lines_in(text, self._matrix)

    def foreign_lines(self) -> list[Line]:
        """What annotations and form fields say."""
        return self.lines_in(_text(partial(_run, self._upon), FLAGS))

    @cached_property
    def picture_boxes(self) -> list[Box]:
        """Where the page has pictures."""
        rects = [
            pymupdf.Rect(box) * self._matrix
            for kind, box in self.page.get_bboxlog()
            if kind in PICTURES
        ]
        return [(rect.x0, rect.y0, rect.x1, rect.y1) for rect in rects]

    def scale(self, wanted: float) -> float:
        """Pixels per point: as many as wanted where the picture does not get too large."""
        return float(min(wanted, (MAX_PIXELS / (self.width * self.height)) ** 0.5))

    def picture(self, scale: float, *, text: bool, colour: bool) -> Image.Image:
        """As it is shown, in grey or in colour; with or without the `text` of the page itself."""
        matrix = mupdf.FzMatrix(*(self._matrix * pymupdf.Matrix(scale, scale)))
        size = (max(int(side * scale + 0.5), 1) for side in (self.width, self.height))
        space = pymupdf.csRGB if colour else pymupdf.csGRAY
        pixmap = pymupdf.Pixmap(space, pymupdf.IRect(0, 0, *size), False)
        pixmap.clear_with(255)
        for listed, with_text in ((self._contents, text), (self._upon, True)):
            device = mupdf.fz_new_draw_device(matrix, pixmap.this)
            if not with_text:  # the engine skips what a device cannot do
                device.m_internal.fill_text = device.m_internal.stroke_text = None
            _run(listed, device)
            mupdf.fz_close_device(device)
        mode = "RGB" if colour else "L"
        return Image.frombytes(mode, (pixmap.width, pixmap.height), pixmap.samples)


def _text(paint: Callable[[mupdf.FzDevice], None], flags: int) -> pymupdf.TextPage:
    # Not clipped to the page, so that text beside it is seen and reported.
    text = mupdf.FzStextPage(EVERYWHERE)
    device = mupdf.fz_new_stext_device(text, mupdf.FzStextOptions(flags))
    paint(device)
    mupdf.fz_close_device(device)
    return pymupdf.TextPage(text)


def _run(listed: pymupdf.DisplayList, device: mupdf.FzDevice) -> None:
    mupdf.fz_run_display_list(listed.this, device, mupdf.FzMatrix(), EVERYWHERE, mupdf.FzCookie())
