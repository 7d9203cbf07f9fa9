"""The order in which the lines of a page are read.

The PDF's own order is right nearly always; where it runs backwards, as on posters and in files that
were written from the end, the lines are put in order by where they stand.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from .glyphs import Line

# So many steps back, and of all steps this share, make an order that nobody reads in.
MIN_BACKWARD = 4
MAX_BACKWARD_SHARE = 0.3
# Columns are apart by at least this share of the letters' size, parts of a page by that.
GUTTER = 1.0
BAND = 1.2


def in_reading_order(lines: list[Line]) -> list[Line]:
    """The lines as they are, or from the top left to the foot where the PDF's order is none."""
    upright = [line for line in lines if line.upright and line.in_flow]
    backward = sum(1 for before, after in pairwise(upright) if _is_backward(before, after))
    if backward < MIN_BACKWARD or backward < MAX_BACKWARD_SHARE * (len(upright) - 1):
        return lines
    parts = enumerate(_parts(upright, median(line.size for line in upright)))
    ordered = [replace(line, block=number) for number, part in parts for line in part]
    return [*ordered, *(line for line in lines if not (line.upright and line.in_flow))]


def _is_backward(before: Line, after: Line) -> bool:
    """A step up that leads to no column on the right, or a step to the left in the same line."""
    one, other = before.box, after.box
    if other[0] >= one[2]:
        return False
    height = min(one[3] - one[1], other[3] - other[1])
    if after.middle < before.middle - height / 2:
        return True
    return abs(after.middle - before.middle) < height / 2 and other[2] <= one[0] + height / 2


def _parts(lines: Sequence[Line], size: float) -> Iterator[list[Line]]:
    """Columns, in them parts one above the other, in them rows; each part is read in one go."""
    columns = _split(lines, 0, GUTTER * size)
    bands = columns if len(columns) > 1 else _split(lines, 1, BAND * size)
    if len(bands) == 1:
        yield _by_rows(lines)
        return
    for band in bands:
        yield from _parts(band, size)


def _split(lines: Sequence[Line], axis: int, gap: float) -> list[list[Line]]:
    """Groups of lines with an empty stripe between them; `axis` is 0 for x, 1 for y."""
    groups: list[list[Line]] = []
    reach = 0.0
    for line in sorted(lines, key=lambda li: li.box[axis]):
        start, end = line.box[axis], line.box[axis + 2]
        if groups and start - reach < gap:
            groups[-1].append(line)
            reach = max(reach, end)
        else:
            groups.append([line])
            reach = end
    return groups


def _by_rows(lines: Sequence[Line]) -> list[Line]:
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda li: li.middle):
        if rows and line.box[1] < rows[-1][0].middle < line.box[3]:
            rows[-1].append(line)
        else:
            rows.append([line])
    return [line for row in rows for line in sorted(row, key=lambda li: li.box[0])]
