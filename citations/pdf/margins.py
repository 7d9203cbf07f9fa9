"""What stands beside the flow: running heads and feet, page numbers, vertical text."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from .glyphs import Line

# The bands at the top and bottom of the page in which heads, feet and page numbers stand.
BAND = 0.12
# A head recurs at the same height on so many pages; on two in a short paper.
RECURRING_PAGES = 3
SHORT_PAPER = 6
# Points that two lines of one head may differ in height.
SAME_HEIGHT = 3.0
# Of the text's size; notes are set smaller than this, captions and tables too, but without a mark.
SMALL = 0.92
FOOTNOTE = re.compile(r"\s*(?:\d{1,3}(?!\d)|[*†])")
PAGE_NUMBER = re.compile(
    r"^[\W_]*(?:Seite|S\.)?\s*(\d{1,4})(?:\s*(?:von|/)\s*\d{1,4})?[\W_]*$", re.IGNORECASE
)
# A page number beside the title in one line of the foot: "Schule im Ort | 4".
EDGE_NUMBER = re.compile(r"^(\d{1,4})\s*[|·–-]\s+\D|\D\s*[|·–-]\s*(\d{1,4})$")


@dataclass(frozen=True, slots=True)
class PageLines:
    lines: list[Line]
    width: float
    height: float

    @property
    def flow(self) -> list[Line]:
        return [line for line in self.lines if line.in_flow]

    def with_lines(self, lines: list[Line]) -> "PageLines":
        return replace(self, lines=lines)


def set_margins_aside(pages: list[PageLines], printed: list[list[str]]) -> list[PageLines]:
    """Head, foot, page number and vertical text of each page beside the flow.

    `printed` are the numbers of each page, see page_numbers.py.
    """
    recurring = _recurring_texts(pages)
    return [
        _without_margins(page, recurring, numbers)
        for page, numbers in zip(pages, printed, strict=True)
    ]


def recurring_enough(page_count: int) -> int:
    return RECURRING_PAGES if page_count > SHORT_PAPER else 2


def _without_margins(
    page: PageLines, recurring: set[tuple[str, int]], numbers: list[str]
) -> PageLines:
    beside = _heads(page, recurring)

    def is_margin(line: Line) -> bool:
        if not line.upright or id(line) in beside:
            return True
        if not in_band(line, page):
            return False
        number = page_number(line)
        return number is not None and (str(number) in numbers or _is_alone_outside(line, page))

    kept = [line.aside() if is_margin(line) else line for line in page.lines]
    notes = _footnotes([line for line in kept if line.in_flow])
    return page.with_lines([line.aside() if id(line) in notes else line for line in kept])


def _footnotes(flow: list[Line]) -> set[int]:
    """The notes at the foot of the text, as ids of their lines: small, and begun by a mark.

    A sentence that runs on to the next page runs on past them.
    """
    letters: Counter[float] = Counter()
    for line in flow:
        letters[round(line.size, 1)] += len(line.text)
    body = max(letters, key=letters.__getitem__, default=0.0)
    small: list[Line] = []
    for line in sorted(flow, key=_middle, reverse=True):
        if line.size > SMALL * body:
            break
        small.append(line)
    while small and not FOOTNOTE.match(small[-1].text):
        small.pop()
    return {id(line) for line in small} if len(small) < len(flow) else set()


def _heads(page: PageLines, recurring: set[tuple[str, int]]) -> set[int]:
    """The rows of heads and feet, as ids of their lines: from the page's edge to the first row
    that is none.

    A chapter's title changes from page to page, but stands in one row with the head. A row within
    the text, or one that goes on a sentence, is text, whatever recurs.
    """
    found: set[int] = set()
    upright = [line for line in page.flow if line.upright]
    for edge in (sorted(upright, key=_middle), sorted(upright, key=_middle, reverse=True)):
        for row in _rows(edge):
            text_of_row = "".join(line.text for line in row).strip()
            recurs = any(_pattern(line, page) in recurring for line in row)
            if not in_band(row[0], page) or not (recurs or _is_number(row)):
                break
            if recurs and not text_of_row[:1].islower():
                found.update(id(line) for line in row)
    return found


def _middle(line: Line) -> float:
    return line.middle


def _rows(lines: list[Line]) -> Iterator[list[Line]]:
    """Neighbours of the same height, in the order given."""
    row: list[Line] = []
    for line in lines:
        if row and abs(line.middle - row[0].middle) >= SAME_HEIGHT:
            yield row
            row = []
        row.append(line)
    if row:
        yield row


def _is_number(row: list[Line]) -> bool:
    return all(page_number(line) is not None or not line.text.strip() for line in row)


def page_number(line: Line) -> int | None:
    """The number of a line that could be a page's: alone, or at one end beside a title."""
    text = line.text.strip()
    if match := PAGE_NUMBER.match(text):
        return int(match[1])
    if match := EDGE_NUMBER.search(text):
        return int(match[1] or match[2])
    return None


def _is_alone_outside(line: Line, page: PageLines) -> bool:
    return bool(PAGE_NUMBER.match(line.text.strip())) and is_outermost(line, page)


def is_outermost(line: Line, page: PageLines) -> bool:
    """Whether no other line stands above it, or none below it."""
    heights = [other.middle for other in page.flow if other.upright]
    return line.middle in (min(heights, default=0), max(heights, default=0))


def has_letters(line: Line) -> bool:
    return any(char.isalpha() for char in line.text)


def in_band(line: Line, page: PageLines) -> bool:
    middle = line.middle / page.height
    return middle < BAND or middle > 1 - BAND


def _pattern(line: Line, page: PageLines) -> tuple[str, int]:
    """The line's text without its figures, and roughly how high it stands."""
    text = re.sub(r"\d+", "#", " ".join(line.text.split())).casefold()
    return text, round(line.middle / page.height * 50)


def _recurring_texts(pages: list[PageLines]) -> set[tuple[str, int]]:
    seen: Counter[tuple[str, int]] = Counter()
    for page in pages:
        # Numbers alone say nothing: line numbers stand at the same heights on every page.
        lines = [line for line in page.flow if in_band(line, page) and has_letters(line)]
        patterns = {_pattern(line, page) for line in lines}
        for text, height in patterns:
            seen.update({(text, height + shift) for shift in (-1, 0, 1)})
    return {key for key, count in seen.items() if count >= recurring_enough(len(pages))}
