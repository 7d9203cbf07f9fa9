"""What a passage stands under: headings, the sentence before a list, the head of a table (pure)."""

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence

import numpy as np

from citations.quelltext import Lesetext, Span

from .chunking import Passage

TRENNER = " › "
MAX_PATH = 500
# Longer lines are sentences or list items, not headings.
MAX_HEADING = 80
_NO_HEADING_END = (".", "!", "?", ":", ";", ",", "–", "-")
# Of the running text's size: headings that differ by less are set alike.
ALIKE = 0.04
# Signs whose size is looked at: at a line's beginning, and of the whole text.
SIZED, SAMPLED = 12, 4000
MAX_LEAD_IN = 300
# Rows of a table: half of their words are figures, and there are two of them at least.
MAX_ROW = 160
_FIGURE = re.compile(r"(?<!\w)[+-]?\d[\d.,]*(?!\w)")
_BULLET = re.compile(r"^(?:•|[–-]\s|\(?\d{1,2}[.)]\s|\(?[a-z]\)\s)")


def heading_paths(text: Lesetext, passages: Sequence[Passage]) -> list[str]:
    """Per passage the headings above its beginning, from the highest down, joined by TRENNER.

    What is set larger stands above; of headings in one size the last one counts.
    """
    body = _body_size(text)
    starts, paths = [0], [""]
    stack: list[tuple[float, str]] = []
    for span in text.saetze:
        if not _is_heading(text.text, span):
            continue
        size = max(_size(text, span) / body, 1.0)
        while stack and stack[-1][0] <= size + ALIKE:
            stack.pop()
        stack.append((size, text.text[slice(*span)]))
        starts.append(span[0])
        paths.append(_joined([words for _, words in stack]))
    return [paths[bisect_right(starts, passage.start) - 1] for passage in passages]


def _joined(headings: list[str]) -> str:
    """The lowest headings, as many as there is room for."""
    while len(path := TRENNER.join(headings)) > MAX_PATH:
        headings = headings[1:]
    return path


def _is_heading(text: str, span: Span) -> bool:
    line = text[slice(*span)]
    return (
        len(line) <= MAX_HEADING
        and line[0].isupper()
        and not line.endswith(_NO_HEADING_END)
        and text[span[1] : span[1] + 1] == "\n"
    )


def _size(text: Lesetext, span: Span) -> float:
    """The median height of the first signs, in points; 1 where none has a box."""
    seite = text.seiten[text.seite_at(span[0]) - 1]
    start = span[0] - seite.start
    return _median_height(seite.boxes, seite.hoehe, start, start + SIZED)


def _body_size(text: Lesetext) -> float:
    """The height of most signs, each page counted by its first signs."""
    share = max(SAMPLED // max(len(text.seiten), 1), SIZED)
    sizes = [_median_height(seite.boxes, seite.hoehe, 0, share) for seite in text.seiten]
    return float(np.median(sizes)) if sizes else 1.0


def _median_height(boxes: bytes, page: float, start: int, ende: int) -> float:
    edges = np.frombuffer(bytes(boxes[start * 8 : ende * 8]), "<u2").reshape(-1, 4).astype(float)
    heights = (edges[:, 3] - edges[:, 1])[edges[:, 2] > 0]
    return float(np.median(heights)) / 65535 * page if len(heights) else 1.0


def lead_ins(text: Lesetext, passages: Sequence[Passage]) -> list[str]:
    """Per passage that begins inside a list the sentence before it; inside a table its head."""
    starts = [start for start, _ in text.saetze]
    found = []
    for passage in passages:
        number = max(bisect_right(starts, passage.start) - 1, 0)
        lead = _lead_in(text.text, text.saetze, number, passage.start)
        found.append(text.text[slice(*lead)][:MAX_LEAD_IN].strip() if lead else "")
    return found


def _lead_in(text: str, saetze: Sequence[Span], number: int, start: int) -> Span | None:
    begin, ende = saetze[number]
    if start > begin:
        return _table_head(text, begin, start, ende)
    first = text[begin:ende]
    if _BULLET.match(first):
        before = _before_run(text, saetze, number, _BULLET.match)
        return before if before and text[slice(*before)].endswith(":") else None
    return _before_run(text, saetze, number, _is_row) if _is_row(first) else None


def _table_head(text: str, begin: int, start: int, ende: int) -> Span | None:
    """A table whose rows were read as one sentence: what stands before its first figure."""
    figure = _FIGURE.search(text, begin, start)
    if not (figure and _is_row(text[start : min(start + MAX_ROW, ende)])):
        return None
    return begin, figure.start()


def _before_run(
    text: str, saetze: Sequence[Span], number: int, goes_on: Callable[[str], object]
) -> Span | None:
    """The last sentence before the run of like ones that `number` belongs to."""
    for span in reversed(saetze[:number]):
        if not goes_on(text[slice(*span)]):
            return span
    return None


def _is_row(line: str) -> bool:
    figures = len(_FIGURE.findall(line))
    return len(line) <= MAX_ROW and figures >= 2 and 2 * figures >= len(line.split())
