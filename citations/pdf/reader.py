"""Reads a PDF into pages of flow text. Runs in a child process, see child.py."""

import base64
import re
import sys
from array import array
from dataclasses import dataclass
from typing import Any

import pymupdf

from citations.unlesbar import RECOGNISED

from .flow import Flow, Kontext, page_flow
from .glyphs import Box
from .layers import Layers
from .line_ends import inner_words, lines_end_in_blank
from .line_numbers import set_line_numbers_aside
from .margins import PageLines, set_margins_aside
from .opening import load_page, open_for_reading
from .order import in_reading_order
from .page_numbers import printed_numbers
from .sheet import Sheet
from .trust import lacks_umlauts, why_unreadable
from .visibility import set_doubled_aside, split_visible

# Raised whenever the same file would be read differently; readings of older versions stay.
VERSION = 4
# Control characters and lone surrogates: no letters, and PostgreSQL stores neither NUL nor these.
UNSTORABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
UTF16_PREFIX = re.compile(r"<(?:FEFF)?([0-9A-Fa-f]{4,})>")
NO_BOX: Box = (0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class RawPage:
    index: int
    label: str
    lines: PageLines
    hidden: list[str]


def read(data: bytes, *, max_pages: int) -> dict[str, Any]:
    """The reading as plain data: version, pages, findings (see citations/models.py for units)."""
    document = open_for_reading(data, max_pages=max_pages)
    layers = Layers(document, data)
    raw = [_raw_page(document, number, layers) for number in range(document.page_count)]
    numbered = set_line_numbers_aside([page.lines for page in raw])
    plain = [page.with_lines(in_reading_order(page.lines)) for page in numbered]
    numbers = printed_numbers(plain)
    pages = set_margins_aside(plain, numbers)
    flows = _flows(pages)
    recognised = lacks_umlauts(flow.text for flow in flows)
    return {
        "version": VERSION,
        "pages": [
            _page(page, flow, printed, recognised=recognised)
            for page, flow, printed in zip(raw, flows, numbers, strict=True)
        ],
        "findings": [
            {"art": "versteckter_text", "seite": page.index, "text": _storable(text)[:2000]}
            for page in raw
            for text in page.hidden
        ],
    }


def _raw_page(document: pymupdf.Document, number: int, layers: Layers) -> RawPage:
    page = load_page(document, number)
    sheet = Sheet(page)
    visible, hidden = split_visible(sheet)
    upon = [line.aside() for line in sheet.foreign_lines()]
    return RawPage(
        index=number + 1,
        label=_label(page),
        lines=PageLines([*set_doubled_aside(visible), *upon], sheet.width, sheet.height),
        hidden=[*hidden, *layers.hidden(number, sheet)],
    )


def _label(page: pymupdf.Page) -> str:
    """The page's label; MuPDF leaves UTF-16 prefixes undecoded (`<FEFF0055>1` for `U1`)."""

    def decode(match: re.Match[str]) -> str:
        try:
            return bytes.fromhex(match[1]).decode("utf-16-be")
        except ValueError:
            return ""

    return _storable(UTF16_PREFIX.sub(decode, page.get_label()))[:40]


def _storable(text: str) -> str:
    return UNSTORABLE.sub("", text)


def _flows(pages: list[PageLines]) -> list[Flow]:
    """Flow page by page; each needs to know how the text goes on after its end."""
    words = inner_words(pages)
    ends_in_blank = lines_end_in_blank(pages)
    flows: list[Flow] = []
    following = ""
    for page in reversed(pages):
        flows.append(page_flow(page.lines, Kontext(following, words, ends_in_blank)))
        following = page.flow[0].text if page.flow else following
    return flows[::-1]


def _page(page: RawPage, flow: Flow, printed: list[str], *, recognised: bool) -> dict[str, Any]:
    unreadable = why_unreadable(page.lines.lines, flow.text) or (RECOGNISED if recognised else "")
    return {
        "index": page.index,
        "label": page.label,
        "printed": printed,
        "width": page.lines.width,
        "height": page.lines.height,
        "text": flow.text,
        "boxes": base64.b64encode(_pack(flow.boxes, page.lines)).decode(),
        "aside": [[at, _storable(text), _shares(box, page.lines)] for at, text, box in flow.aside],
        "unreadable": unreadable,
    }


def _shares(box: Box, page: PageLines) -> list[float]:
    """The box as fractions of the visible page."""
    x0, y0, x1, y1 = box
    edges = (x0 / page.width, y0 / page.height, x1 / page.width, y1 / page.height)
    return [round(min(max(edge, 0.0), 1.0), 5) for edge in edges]


def _pack(boxes: list[Box | None], page: PageLines) -> bytes:
    """Four uint16 per character in 1/65535 of the visible page; zeros: no box of its own."""
    sx, sy = 65535 / page.width, 65535 / page.height
    edges = [
        int(edge)
        for x0, y0, x1, y1 in (box or NO_BOX for box in boxes)
        for edge in (x0 * sx + 0.5, y0 * sy + 0.5, x1 * sx + 0.5, y1 * sy + 0.5)
    ]
    if edges and not 0 <= min(edges) <= max(edges) <= 65535:  # a glyph reaches beyond the page
        edges = [min(max(edge, 0), 65535) for edge in edges]
    values = array("H", edges)
    if sys.byteorder == "big":
        values.byteswap()
    return values.tobytes()
