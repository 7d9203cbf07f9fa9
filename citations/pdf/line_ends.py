"""How a document's lines end: what tells a lost hyphen from the end of a word."""

import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise

from .glyphs import Line
from .margins import PageLines

# Of the lines that go on in their block this share ends with a blank where a document sets one.
MIN_SHARE = 0.7
# Fewer lines say nothing.
MIN_LINES = 30
# What stands behind a ligature and a blank may be half a word.
_BEHIND_LIGATURE = re.compile(r"[^\W\d_]*[\ufb00-\ufb06] [a-zäöüß]+")
_WORD = re.compile(r"[^\W\d_]+")


def lines_end_in_blank(pages: list[PageLines]) -> bool:
    """Whether lines end with a blank unless their last word goes on in the next line."""
    inner = [line for page in pages for line in _lines_that_go_on(page)]
    blank = sum(1 for line in inner if line.text[-1:].isspace())
    return len(inner) >= MIN_LINES and blank >= MIN_SHARE * len(inner)


def inner_words(pages: list[PageLines]) -> set[str]:
    """The words that stand inside lines, folded: none of them is half of a broken word."""
    words: set[str] = set()
    for page in pages:
        for line in page.flow:
            text = unicodedata.normalize("NFKC", _BEHIND_LIGATURE.sub("", line.text))
            words.update(word.casefold() for word in _WORD.findall(text)[1:-1])
    return words


def _lines_that_go_on(page: PageLines) -> Iterator[Line]:
    lines = page.flow
    for line, following in pairwise(lines):
        if line.block == following.block:
            yield line
