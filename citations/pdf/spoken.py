"""Replacement text (/ActualText), which a PDF can lay over its signs: believed where it is true.

It says where words are hyphenated and blanks belong, which is worth having. Letters, figures and
units that no sign on the page stands for are not on the page.
"""

import unicodedata

import pymupdf

from citations.comparison import UNITS

from .glyphs import Line
from .sheet import Sheet

SHOWN = pymupdf.TEXT_IGNORE_ACTUALTEXT


def true_lines(sheet: Sheet) -> tuple[list[Line], list[str]]:
    """The page's lines as they are shown, and what is only said in their stead."""
    said = sheet.recorded_text().extractText()
    shown = sheet.recorded_text(flags=SHOWN).extractText()
    if said == shown or _letters(said) == _letters(shown):
        return sheet.lines_in(sheet.text()), []
    return sheet.lines_in(sheet.text(flags=SHOWN)), rows_beyond(said, shown)


def rows_beyond(text: str, shown: str) -> list[str]:
    """The rows of `text` that `shown` does not have, by letters, figures and units."""
    if text == shown:
        return []
    letters = _letters(shown)
    return [row.strip() for row in text.splitlines() if _letters(row) not in letters]


def _letters(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(sign for sign in folded if sign.isalnum() or sign in UNITS)
