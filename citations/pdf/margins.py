"""What stands beside the flow: running heads and feet, printed page numbers, line numbers."""

import re
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

from .glyphs import Line

# The bands at the top and bottom of the page in which heads, feet and page numbers stand.
BAND = 0.12
# A head recurs on at least this share of the pages, and on three at least.
RECURRING_SHARE = 0.2
RECURRING_PAGES = 3
# A column of line numbers has at least this many rising numbers on one page.
LINE_NUMBERS = 5
# Points that a column of right- or left-aligned numbers may scatter.
COLUMN_SCATTER = 3.0
PAGE_NUMBER = re.compile(
    r"^[\W_]*(?:Seite|S\.)?\s*(\d{1,4})(?:\s*(?:von|/)\s*\d{1,4})?[\W_]*$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class PageLines:
    lines: list[Line]
    width: float
    height: float


def printed_numbers(pages: list[PageLines]) -> list[list[str]]:
    """The numbers printed on each page, in reading order; two on a two-up spread.

    Only numbers that run along with the pages are believed: a house number in the foot, a paper's
    own number or a single figure does not.
    """
    candidates = [_number_candidates(page) for page in pages]
    offsets = Counter(
        (factor, number - factor * index)
        for index, numbers in enumerate(candidates)
        for factor in (1, 2)
        for number in set(numbers)
    )
    believed = {key for key, count in offsets.items() if count >= _enough(len(pages))}
    factor = _common_factor(offsets, believed)
    return [
        [
            str(number)
            for number in dict.fromkeys(numbers)
            if (factor, number - factor * index) in believed
        ]
        for index, numbers in enumerate(candidates)
    ]


def drop_margins(pages: list[PageLines]) -> list[list[Line]]:
    """The lines of each page without head, foot, page number, line numbers and vertical text."""
    recurring = _recurring_texts(pages)
    return [
        [
            line
            for line in _without_line_numbers(page)
            if line.upright and not _is_margin(line, page, recurring)
        ]
        for page in pages
    ]


def _enough(page_count: int) -> int:
    return max(min(RECURRING_PAGES, page_count), int(page_count * RECURRING_SHARE))


def _common_factor(offsets: Counter[tuple[int, int]], believed: set[tuple[int, int]]) -> int:
    """1 where printed numbers rise by one per page, 2 on two-up spreads."""
    weight = {f: sum(offsets[key] for key in believed if key[0] == f) for f in (1, 2)}
    return 2 if weight[2] > weight[1] else 1


def _number_candidates(page: PageLines) -> list[int]:
    found = []
    for line in page.lines:
        match = PAGE_NUMBER.match(line.text.strip())
        if match and line.upright and _in_band(line, page):
            found.append((line.box.x0, int(match[1])))
    return [number for _, number in sorted(found)]


def _in_band(line: Line, page: PageLines) -> bool:
    middle = line.box.centre[1] / page.height
    return middle < BAND or middle > 1 - BAND


def _pattern(line: Line, page: PageLines) -> tuple[str, int]:
    """The line's text without its figures, and roughly how high it stands."""
    text = re.sub(r"\d+", "#", " ".join(line.text.split())).casefold()
    return text, round(line.box.centre[1] / page.height * 50)


def _recurring_texts(pages: list[PageLines]) -> set[tuple[str, int]]:
    seen: Counter[tuple[str, int]] = Counter()
    for page in pages:
        patterns = {_pattern(line, page) for line in page.lines if _in_band(line, page)}
        for text, height in patterns:
            seen.update({(text, height + shift) for shift in (-1, 0, 1)})
    return {key for key, count in seen.items() if count >= _enough(len(pages)) and count >= 2}


def _is_margin(line: Line, page: PageLines, recurring: set[tuple[str, int]]) -> bool:
    if not _in_band(line, page):
        return False
    return _pattern(line, page) in recurring or bool(PAGE_NUMBER.match(line.text.strip()))


def _without_line_numbers(page: PageLines) -> list[Line]:
    """Drops columns of rising numbers that stand alone at one edge."""
    numbers = [line for line in page.lines if line.text.strip().isdigit()]
    dropped: set[int] = set()
    for edge in ("x0", "x1"):
        for column in _columns(numbers, edge):
            values = [int(line.text) for line in sorted(column, key=lambda li: li.box.y0)]
            steps = {later - earlier for earlier, later in pairwise(values)}
            if len(values) >= LINE_NUMBERS and min(steps) > 0 and len(steps) <= 2:
                dropped.update(id(line) for line in column)
    return [line for line in page.lines if id(line) not in dropped]


def _columns(lines: list[Line], edge: str) -> list[list[Line]]:
    """Groups of lines whose left or right edge is the same, give or take the scatter."""
    columns: list[list[Line]] = []
    for line in sorted(lines, key=lambda li: getattr(li.box, edge)):
        position = getattr(line.box, edge)
        if columns and position - getattr(columns[-1][-1].box, edge) <= COLUMN_SCATTER:
            columns[-1].append(line)
        else:
            columns.append([line])
    return columns
