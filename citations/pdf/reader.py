"""Reads a PDF into pages of flow text. Runs in a child process, see child.py."""

import base64
import re
import struct
from dataclasses import dataclass
from typing import Any

import pymupdf

from .flow import Flow, page_flow
from .glyphs import Box, Line, page_lines
from .margins import PageLines, drop_margins
from .opening import load_page, open_for_reading
from .page_numbers import printed_numbers
from .visibility import drop_doubled, split_visible

# Raised whenever the same file would be read differently; readings of older versions stay.
VERSION = 1
# Fewer letters on a page than this: it counts as a page without text.
MIN_LETTERS = 20
# Control characters and lone surrogates: no letters, and PostgreSQL stores neither NUL nor these.
UNSTORABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
UTF16_PREFIX = re.compile(r"<(?:FEFF)?([0-9A-Fa-f]{4,})>")


@dataclass(frozen=True, slots=True)
class RawPage:
    index: int
    label: str
    width: float
    height: float
    lines: list[Line]
    hidden: list[str]


def read(data: bytes, *, max_pages: int) -> dict[str, Any]:
    """The reading as plain data: version, pages, findings (see citations/models.py for units)."""
    document = open_for_reading(data, max_pages=max_pages)
    raw = [_raw_page(document, number) for number in range(document.page_count)]
    plain = [PageLines(page.lines, page.width, page.height) for page in raw]
    numbers = printed_numbers(plain)
    flows = _flows(drop_margins(plain, numbers))
    return {
        "version": VERSION,
        "pages": [
            _page(page, flow, printed)
            for page, flow, printed in zip(raw, flows, numbers, strict=True)
        ],
        "findings": [
            {"art": "versteckter_text", "seite": page.index, "text": _storable(text)[:2000]}
            for page in raw
            for text in page.hidden
        ],
    }


def _raw_page(document: pymupdf.Document, number: int) -> RawPage:
    page = load_page(document, number)
    visible, hidden = split_visible(page, page_lines(page))
    return RawPage(
        index=number + 1,
        label=_label(page),
        width=page.rect.width,
        height=page.rect.height,
        lines=drop_doubled(visible),
        hidden=hidden,
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


def _flows(pages: list[list[Line]]) -> list[Flow]:
    """Flow page by page; each needs to know how the text goes on after its end."""
    flows: list[Flow] = []
    following = ""
    for lines in reversed(pages):
        flows.append(page_flow(lines, following))
        following = lines[0].text if lines else following
    return flows[::-1]


def _page(page: RawPage, flow: Flow, printed: list[str]) -> dict[str, Any]:
    has_text = sum(char.isalpha() for char in flow.chars) >= MIN_LETTERS
    return {
        "index": page.index,
        "label": page.label,
        "printed": printed,
        "width": page.width,
        "height": page.height,
        "text": flow.text,
        "boxes": base64.b64encode(_pack(flow.boxes, page)).decode(),
        "has_text": has_text,
    }


def _pack(boxes: list[Box | None], page: RawPage) -> bytes:
    """Four uint16 per character in 1/65535 of the visible page; zeros: no box of its own."""
    values: list[int] = []
    for box in boxes:
        if box is None:
            values += (0, 0, 0, 0)
        else:
            values += (
                _fraction(box.x0, page.width),
                _fraction(box.y0, page.height),
                _fraction(box.x1, page.width),
                _fraction(box.y1, page.height),
            )
    return struct.pack(f"<{len(values)}H", *values)


def _fraction(value: float, whole: float) -> int:
    return min(max(round(value / whole * 65535), 0), 65535)
