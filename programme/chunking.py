"""Cutting a flow text into passages of whole sentences (pure)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

MAX_CHARACTERS = 800
# 15 %: the smallest overlap at which a span over a boundary still lies in one passage nearly
# always (TruthBase); whole sentences, so the real one varies around it.
OVERLAP_CHARACTERS = 120

Span = tuple[int, int]

# Where a sentence that is longer than a passage may be cut: behind punctuation, else at a space.
_CLAUSE_END = re.compile(r"[,;:–—]\s+")
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True)
class Passage:
    """A half-open span of the text, and the spans of its sentences."""

    start: int
    ende: int
    saetze: tuple[Span, ...]


def chunk(text: str, satz_spans: Sequence[Span]) -> list[Passage]:
    """Passages of at most MAX_CHARACTERS, in order, each overlapping the one before.

    Every sentence lies whole in at least one passage; only one that is itself longer is cut.
    """
    pieces = [piece for span in satz_spans for piece in split_long(text, span)]
    passages: list[Passage] = []
    first = last = 0
    while last < len(pieces):
        last = _fill(pieces, first)
        passages.append(Passage(pieces[first][0], pieces[last - 1][1], tuple(pieces[first:last])))
        if last < len(pieces):
            first = _next_first(pieces, first, last)
    return passages


def _fill(pieces: Sequence[Span], first: int) -> int:
    """The index behind the last piece that still fits."""
    last = first + 1
    while last < len(pieces) and pieces[last][1] - pieces[first][0] <= MAX_CHARACTERS:
        last += 1
    return last


def _next_first(pieces: Sequence[Span], first: int, last: int) -> int:
    """Where the next passage begins: its overlap is nearest to the wanted one, and it goes on."""
    fitting = [
        index
        for index in range(first + 1, last + 1)
        if pieces[last][1] - pieces[index][0] <= MAX_CHARACTERS
    ]
    return min(fitting, key=lambda index: abs(_overlap(pieces, index, last) - OVERLAP_CHARACTERS))


def _overlap(pieces: Sequence[Span], index: int, last: int) -> int:
    return pieces[last - 1][1] - pieces[index][0] if index < last else 0


def split_long(text: str, span: Span) -> Iterator[Span]:
    """The sentence itself, or parts of at most MAX_CHARACTERS with the spaces between left out."""
    start, ende = span
    while ende - start > MAX_CHARACTERS:
        cut = _cut(text, start)
        yield start, _before_spaces(text, cut)
        start = _behind_spaces(text, cut, ende)
    if start < ende:
        yield start, ende


def _cut(text: str, start: int) -> int:
    """Behind the last clause in the second half of what fits, else at the last space, else hard."""
    limit = start + MAX_CHARACTERS
    for pattern, earliest in ((_CLAUSE_END, start + MAX_CHARACTERS // 2), (_SPACE, start + 1)):
        ends = [match.end() for match in pattern.finditer(text, earliest, limit)]
        if ends:
            return ends[-1]
    return limit


def _before_spaces(text: str, cut: int) -> int:
    while text[cut - 1].isspace():
        cut -= 1
    return cut


def _behind_spaces(text: str, cut: int, ende: int) -> int:
    while cut < ende and text[cut].isspace():
        cut += 1
    return cut
