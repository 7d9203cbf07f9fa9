"""Which glyphs a reader can see: hidden text never counts as quoted, and is reported."""

import re
from collections.abc import Sequence

import pymupdf

from .glyphs import Box, Line, Run, centre, union

# Below this size in points nobody reads on screen or paper.
MIN_SIZE = 1.5
# A glyph brighter than this could vanish on paper; it is looked at in the rendered page.
BRIGHT = 0.85
# Levels of a colour (0–255) that ink and ground must differ by inside the glyph's box.
MIN_CONTRAST = 24
RENDER_DPI = 100
# Of 255; below it the fill alone does not show.
MIN_ALPHA = 26
WORD = re.compile(r"\S+")
# What is drawn over a page and may cover text, in MuPDF's names.
COVERING = ("fill-path", "stroke-path", "fill-shade", "fill-image", "fill-imgmask")


def split_visible(page: pymupdf.Page, lines: list[Line]) -> tuple[list[Line], list[str]]:
    """Visible lines, and the texts of what is there but cannot be seen."""
    sight = _Sight(page)
    kept, hidden = [], []
    for line in lines:
        if sight.is_plain(line):
            kept.append(line)
            continue
        seen = [sight.seen(run) for run in line.runs]
        visible = line.with_runs([r.keep(s) for r, s in zip(line.runs, seen, strict=True)])
        if not visible.text.strip():
            hidden.append(line.text.strip())
            continue
        kept.append(visible)
        unseen = [r.keep([not x for x in s]) for r, s in zip(line.runs, seen, strict=True)]
        hidden.append("".join(run.text for run in unseen).strip())
    return kept, [text for text in hidden if text]


class _Sight:
    """Looks at one page; it is rendered only where a doubtful glyph makes it necessary."""

    def __init__(self, page: pymupdf.Page) -> None:
        self.page = page
        self.width, self.height = page.rect.width, page.rect.height
        self.grounds = _grounds(page)
        self.pixmap: pymupdf.Pixmap | None = None

    def is_plain(self, line: Line) -> bool:
        """Whether nothing about the line is doubtful."""
        x0, y0, x1, y1 = line.box
        on_page = x0 >= 0 and y0 >= 0 and x1 <= self.width and y1 <= self.height
        return on_page and not any(_is_doubtful(run) for run in line.runs) and not self._over(line)

    def _over(self, line: Line) -> bool:
        return any(_meet(line.box, ground) for ground in self.grounds)

    def seen(self, run: Run) -> list[bool]:
        """Which of the run's characters can be seen; blanks are, on the page."""
        verdicts = [self._on_page(box) for box in run.boxes]
        for match in WORD.finditer(run.text):
            start, ende = match.span()
            word = union(run.boxes[start], run.boxes[ende - 1])
            grounds = [ground for ground in self.grounds if _meet(word, ground)]
            if not (grounds or _is_doubtful(run)):
                continue
            # A word that lies wholly on its ground is seen or not; otherwise each sign counts.
            if all(_holds(ground, word) for ground in grounds):
                differs = self._differs(run, word)
                verdicts[start:ende] = [on_page and differs for on_page in verdicts[start:ende]]
            else:
                for number in range(start, ende):
                    verdicts[number] &= self._differs(run, run.boxes[number])
        return verdicts

    def _on_page(self, box: Box) -> bool:
        x, y = centre(box)
        return 0 <= x <= self.width and 0 <= y <= self.height

    def _differs(self, run: Run, box: Box) -> bool:
        return run.size >= MIN_SIZE and self._contrast(box) >= MIN_CONTRAST

    def _contrast(self, box: Box) -> int:
        """The greatest difference within the box in one of the three colours."""
        if self.pixmap is None:
            self.pixmap = self.page.get_pixmap(
                dpi=RENDER_DPI, colorspace=pymupdf.csRGB, alpha=False
            )
        scale = RENDER_DPI / 72
        x0, x1 = max(int(box[0] * scale), 0), min(int(box[2] * scale) + 1, self.pixmap.width)
        y0, y1 = max(int(box[1] * scale), 0), min(int(box[3] * scale) + 1, self.pixmap.height)
        if x0 >= x1 or y0 >= y1:
            return 0
        samples, stride = self.pixmap.samples_mv, self.pixmap.stride
        rows = [bytes(samples[y * stride + 3 * x0 : y * stride + 3 * x1]) for y in range(y0, y1)]
        colours = (b"".join(row[colour::3] for row in rows) for colour in range(3))
        return max(max(levels) - min(levels) for levels in colours)


def _grounds(page: pymupdf.Page) -> list[Box]:
    """What is painted on the page besides text: words on it, or under it, may not be seen."""
    m = page.rotation_matrix
    boxes = []
    for kind, bbox in page.get_bboxlog():
        if kind in COVERING:
            rect = pymupdf.Rect(bbox) * m
            boxes.append((rect.x0, rect.y0, rect.x1, rect.y1))
    return boxes


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _holds(outer: Box, inner: Box) -> bool:
    return (
        outer[0] <= inner[0]
        and outer[1] <= inner[1]
        and inner[2] <= outer[2]
        and inner[3] <= outer[3]
    )


def _is_doubtful(run: Run) -> bool:
    """Tiny, bright, or transparent, as is also text that clips a picture, or an OCR layer."""
    return run.size < MIN_SIZE or run.alpha < MIN_ALPHA or _is_bright(run.color)


def _is_bright(color: int) -> bool:
    red, green, blue = color >> 16 & 255, color >> 8 & 255, color & 255
    return (0.299 * red + 0.587 * green + 0.114 * blue) / 255 > BRIGHT


# --- Printed several times over ------------------------------------------------------------------

# Of a sign's width; two equal letters beside each other are a whole width apart.
NEAR_SHARE = 0.5
# Signs of a line that may lie between a sign and its double.
LOOK_BACK = 8
NEIGHBOURS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]


def set_doubled_aside(lines: Sequence[Line]) -> list[Line]:
    """Fake bold prints a word several times over itself; one of them is the text."""
    suspicious = _overlapping(lines)
    if not suspicious:
        return list(lines)
    taken: set[tuple[str, int, int]] = set()
    result: list[Line] = []
    for number, line in enumerate(lines):
        result += _without_taken(line, taken) if number in suspicious else [line]
    return result


def _overlapping(lines: Sequence[Line]) -> set[int]:
    """Lines that lie on each other; only these can be doubled."""
    found: set[int] = set()
    ordered = sorted(range(len(lines)), key=lambda number: lines[number].box[1])
    for place, number in enumerate(ordered):
        box = lines[number].box
        for other in ordered[place + 1 :]:
            if lines[other].box[1] >= (box[1] + box[3]) / 2:
                break
            if _meet(box, lines[other].box):
                found |= {number, other}
    return found


def _without_taken(line: Line, taken: set[tuple[str, int, int]]) -> list[Line]:
    """The line in pieces: what is new in the flow, what was printed before beside it."""
    places = [
        (char, round(box[0]), round(box[1]))
        for char, box in zip(line.text, line.boxes, strict=True)
    ]
    blanks = len(line.text) - len(line.text.lstrip())
    seen: list[bool] = []
    for number, place in enumerate(places):
        if number > blanks and place[0].isspace():  # belongs to the word before it
            seen.append(seen[-1])
        else:
            seen.append(_is_taken(place, taken) or _is_repeated(line, number))
    seen[:blanks] = [seen[blanks]] * blanks if blanks < len(seen) else seen[:blanks]
    taken.update(places)
    if not any(seen):
        return [line]
    new = [not is_seen for is_seen in seen]
    first = new.index(True) if True in new else len(new)
    pieces = [line.part(0, first).aside()] if first else []
    rest = line.part(first)
    if rest.text.strip():
        pieces.append(_keep(rest, new[first:]))
        doubled = _keep(rest, seen[first:])
        pieces += [doubled.aside()] if doubled.text.strip() else []
    return [piece for piece in pieces if piece.text]


def _is_repeated(line: Line, number: int) -> bool:
    """Whether the same sign stands in the same place shortly before, in this very line."""
    char, box = line.text[number], line.boxes[number]
    near = NEAR_SHARE * (box[2] - box[0])
    return any(
        line.text[other] == char and abs(line.boxes[other][0] - box[0]) < near
        for other in range(max(number - LOOK_BACK, 0), number)
    )


def _keep(line: Line, wanted: Sequence[bool]) -> Line:
    runs, offset = [], 0
    for run in line.runs:
        runs.append(run.keep(wanted[offset : offset + len(run.text)]))
        offset += len(run.text)
    return line.with_runs(runs)


def _is_taken(place: tuple[str, int, int], taken: set[tuple[str, int, int]]) -> bool:
    """Whether the same sign stands within one point of this one."""
    c, x, y = place
    return any((c, x + dx, y + dy) in taken for dx, dy in NEIGHBOURS)
