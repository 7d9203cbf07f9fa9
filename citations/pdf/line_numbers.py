"""Line numbers at the margin of a paper, as drafts have them: beside the flow."""

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from .glyphs import Line
from .margins import PageLines

# A column of line numbers has at least this many rising numbers on one page.
MIN_NUMBERS = 5
# Of the numbers in the column this share may break the row, such as the page's own.
MAX_OUTLIERS = 0.2
# Points that a column of right- or left-aligned numbers may scatter.
SCATTER = 3.0
# Points: where one of two neighbouring columns of text begins there is more than a number.
MAX_WIDTH = 40.0
_LEADING = re.compile(r"\s*\d{1,5}(?=\s)\s*")


class Column(NamedTuple):
    """Where numbers stand: the horizontal room they take."""

    x0: float
    x1: float

    def holds(self, line: Line) -> bool:
        return self.x0 - SCATTER <= line.box[0] and line.box[2] <= self.x1 + SCATTER


def set_line_numbers_aside(pages: list[PageLines]) -> list[PageLines]:
    """The pages with every column of rising numbers beside the flow.

    A column that one page proves holds for the others too, whose last page may have two numbers.
    """
    proved = {column for page in pages for column in _columns(page.flow)}
    return [_without_columns(page, proved) for page in pages]


def _without_columns(page: PageLines, proved: set[Column]) -> PageLines:
    """Only those columns beside which no text stands: a number where the text begins is text."""
    here = [column for column in proved if any(_numbers_in(column, page))]
    free = {column for column in here if _is_free(column, page)}
    return page.with_lines(list(_set_aside(page.lines, free))) if free else page


def _is_free(column: Column, page: PageLines) -> bool:
    """Between its first and last number; a head or foot may well reach over the margin."""
    numbers = [number.box for number in _numbers_in(column, page)]
    top, bottom = min(box[1] for box in numbers), max(box[3] for box in numbers)
    texts = [line for line in page.flow if line.upright and any(map(str.isalpha, line.text))]
    boxes = [_behind_number(line, column).box for line in texts]
    beside = [(x0, x1) for x0, y0, x1, y1 in boxes if y0 < bottom and top < y1]
    return not any(x0 < column.x1 and column.x0 < x1 for x0, x1 in beside)


def _numbers_in(column: Column, page: PageLines) -> Iterable[Line]:
    """Numbers that stand in it, alone or at the beginning of a line."""
    for line in page.flow:
        match = _LEADING.match(line.text) if line.upright else None
        number = _digits(line, match) if match else line
        if _is_number(number) and column.holds(number):
            yield number


def _behind_number(line: Line, column: Column) -> Line:
    """The line without the number it begins with, if that stands in the column."""
    match = _LEADING.match(line.text)
    if match and column.holds(line.part(0, match.end())) and line.text[match.end() :]:
        return line.part(match.end())
    return line


def _set_aside(lines: Iterable[Line], columns: set[Column]) -> Iterable[Line]:
    for line in lines:
        if line.in_flow and _is_number(line) and any(c.holds(line) for c in columns):
            yield line.aside()
        else:
            yield from _split(line, columns)


def _split(line: Line, columns: set[Column]) -> Iterable[Line]:
    """A number that shares its line with the text: "1948 Außerdem fordern wir"."""
    match = _LEADING.match(line.text) if line.in_flow and line.upright else None
    if match and any(column.holds(_digits(line, match)) for column in columns):
        yield line.part(0, match.end()).aside()
        line = line.part(match.end())
    if line.text:
        yield line


def _digits(line: Line, leading: re.Match[str]) -> Line:
    """The number without the blanks around it."""
    blanks = len(leading[0]) - len(leading[0].lstrip())
    return line.part(blanks, len(leading[0].rstrip()))


def _columns(lines: list[Line]) -> Iterable[Column]:
    numbers = [line for line in lines if _is_number(line)]
    if len(numbers) < MIN_NUMBERS:
        return
    for edge in (0, 2):
        for group in _aligned(numbers, edge):
            if _rises(group):
                boxes = [line.box for line in group]
                yield Column(min(box[0] for box in boxes), max(box[2] for box in boxes))


def _is_number(line: Line) -> bool:
    text = line.text.strip()
    return text.isdecimal() and len(text) <= 5 and line.upright and _width(line) <= MAX_WIDTH


def _width(line: Line) -> float:
    return line.box[2] - line.box[0]


def _aligned(lines: list[Line], edge: int) -> list[list[Line]]:
    """Groups of lines whose left (0) or right (2) edge is the same, give or take the scatter."""
    groups: list[list[Line]] = []
    for line in sorted(lines, key=lambda li: li.box[edge]):
        if groups and line.box[edge] - groups[-1][-1].box[edge] <= SCATTER:
            groups[-1].append(line)
        else:
            groups.append([line])
    return groups


def _rises(group: list[Line]) -> bool:
    """Whether the numbers count lines: each greater than the one above, nearly all by one step."""
    values = [int(line.text) for line in sorted(group, key=lambda li: li.box[1])]
    steps = [later - earlier for earlier, later in pairwise(values)]
    usual = max(set(steps), key=steps.count) if steps else 0
    regular = sum(1 for step in steps if step == usual)
    return (
        len(values) >= MIN_NUMBERS
        and 0 < usual <= 10
        and len(steps) - regular <= max(1, MAX_OUTLIERS * len(steps))
    )
