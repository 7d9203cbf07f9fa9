"""Which glyphs a reader can see: hidden text never counts as quoted, and is reported.

The page is drawn with its text and without. What changes where a word stands, and towards the
word's colour, is the word: whatever else covers, clips, pales or shrinks it, then nothing does.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cached_property, partial, reduce
from typing import NamedTuple

from PIL import Image, ImageChops

from .glyphs import Box, Line, Run, union
from .sheet import Sheet
from .spoken import true_lines

# Below this size in points nobody reads on screen or paper; words are no narrower or lower.
MIN_SIZE = 1.5
MIN_SIDE = 1.0
# Levels of a colour (0–255) by which ink must differ from the ground.
MIN_CONTRAST = 24
# What is printed over in the ground's colour leaves a brim: up to a quarter of the way from the
# ground to the ink. Ink covers more: of that way so much is left at most, and so many levels
# are changed at least where the colour is not known.
REST, PALE = 0.74, 1.0
MIN_CHANGE = 72
# Pixels per point: at first, in grey; and, in colour, where that leaves a doubt.
GLANCE, CLOSE = 1.0, 2.0
# Of 255; what is fainter, or not drawn at all, is a layer over a picture, or hidden.
MIN_ALPHA = 26
WORD = re.compile(r"\S+")
# A sign is looked at in the middle half of its box, where no neighbour and no tip reaches. In
# points: what is narrower belongs to the sign before it, as the second letter of a ligature.
INSET = 0.25
MIN_WIDTH = 0.4
# One drawn sign for two letters can leave the box of the second one empty.
LIGATURES = frozenset(("ff", "fi", "fj", "fl", "ft", "ti", "tt", "tz"))


def split_visible(sheet: Sheet) -> tuple[list[Line], list[str]]:
    """Visible lines, and the texts of what is there but cannot be seen."""
    lines, hidden = true_lines(sheet)
    sight = _Sight(sheet, lines)
    verdicts = [[sight.seen(run) for run in line.runs] for line in lines]
    _unsee_printed_over(lines, verdicts)
    kept = []
    for line, seen in zip(lines, verdicts, strict=True):
        if not line.text.strip():  # nothing to see, and no line to go on with
            continue
        if all(map(all, seen)):
            kept.append(line)
            continue
        visible = line.with_runs([r.keep(s) for r, s in zip(line.runs, seen, strict=True)])
        if not visible.text.strip():
            hidden.append(line.text.strip())
            continue
        kept.append(visible)
        unseen = [r.keep([not x for x in s]) for r, s in zip(line.runs, seen, strict=True)]
        hidden.append("".join(run.text for run in unseen).strip())
    return kept, [text for text in hidden if text]


class _Sight:
    """Looks at one page."""

    def __init__(self, sheet: Sheet, lines: Sequence[Line]) -> None:
        self.sheet = sheet
        self.runs = [run for line in lines for run in line.runs]
        self.inks: dict[tuple[int | None, float], _Ink] = {}
        self.looks: dict[float, tuple[Image.Image, Image.Image]] = {}

    def seen(self, run: Run) -> list[bool]:
        """Which of the run's characters can be seen; a blank is what the word before it is."""
        has_letters = any(map(str.isalnum, run.text))
        verdicts: list[bool | None] = [None] * len(run.text)
        for match in WORD.finditer(run.text):
            word, (start, ende) = match[0], match.span()
            if has_letters and not any(map(str.isalnum, word)):
                continue  # marks go with the words before them
            seen = self._word(run, word, run.boxes[start:ende])
            verdicts[start:ende] = seen
            if ende < len(verdicts):
                verdicts[ende] = any(seen)
        if not has_letters and any(verdicts):
            return [True] * len(verdicts)
        return _carried_on(verdicts)

    def _word(self, run: Run, word: str, boxes: Sequence[Box]) -> list[bool]:
        box = union(boxes[0], boxes[-1])
        if run.size < MIN_SIZE or _is_sliver(word, box):
            return [False] * len(word)
        if run.alpha < MIN_ALPHA:
            return [self._shows_through(run, box)] * len(word)
        seen = self._ink(run.color, GLANCE).signs(word, boxes)
        if not all(seen):  # small, pale, or of another colour but the same brightness
            seen = self._ink(run.color, CLOSE).signs(word, boxes)
        if not any(seen) and self._is_alone(box):
            # Patterns, outlines and drawn signs have other colours than the text says.
            seen = self._ink(None, CLOSE).signs(word, boxes)
        return seen

    def _ink(self, color: int | None, scale: float) -> "_Ink":
        """Where the text of one colour shows, or all text."""
        if (color, scale) not in self.inks:
            self.inks[color, scale] = _Ink(*self._look(scale), color, self.sheet.scale(scale))
        return self.inks[color, scale]

    def _look(self, scale: float) -> tuple[Image.Image, Image.Image]:
        """The page with its text, and without."""
        if scale not in self.looks:
            picture = partial(self.sheet.picture, self.sheet.scale(scale), colour=scale == CLOSE)
            self.looks[scale] = picture(text=True), picture(text=False)
        return self.looks[scale]

    def _shows_through(self, run: Run, box: Box) -> bool:
        """Whether the word that is not drawn stands in a picture, or is the outline of one."""
        if not (run.clips or (self._is_layer and self._in_picture(box))):
            return False
        return (
            _contrast(self._look(CLOSE)[0], _pixels(box, self.sheet.scale(CLOSE))) >= MIN_CONTRAST
        )

    @cached_property
    def _is_layer(self) -> bool:
        """Whether most of the page's text is not drawn: recognised in the picture of a page."""
        undrawn = sum(len(r.text) for r in self.runs if r.alpha < MIN_ALPHA and not r.clips)
        return 2 * undrawn > sum(len(run.text) for run in self.runs)

    def _in_picture(self, box: Box) -> bool:
        return any(_meet(box, picture) for picture in self.sheet.picture_boxes)

    def _is_alone(self, box: Box) -> bool:
        """Whether no other word stands in the same place."""
        core = _core(box)
        return sum(_meet(core, other) for other in self._word_boxes) <= 1

    @cached_property
    def _word_boxes(self) -> list[Box]:
        return [
            reduce(union, run.boxes[slice(*match.span())])
            for run in self.runs
            for match in WORD.finditer(run.text)
        ]


def _unsee_printed_over(lines: Sequence[Line], verdicts: list[list[list[bool]]]) -> None:
    """Of two words in one place only the later can be read, unless it is the same once more."""
    words = [
        _Printed(match[0], _stripe(union(run.boxes[start], run.boxes[ende - 1])), seen, start, ende)
        for number in sorted(_overlapping(lines))
        for run, seen in zip(lines[number].runs, verdicts[number], strict=True)
        if run.alpha >= MIN_ALPHA
        for match in WORD.finditer(run.text)
        for start, ende in [match.span()]
        if any(seen[start:ende])
    ]
    for number, word in enumerate(words):
        for other in words[number + 1 :]:
            same = word.text in other.text or other.text in word.text
            if _meet(word.box, other.box) and not same:
                word.seen[word.start : word.ende] = [False] * len(word.text)
                break


class _Printed(NamedTuple):
    """A word, and its line's verdicts."""

    text: str
    box: Box
    seen: list[bool]
    start: int
    ende: int


class _Ink:
    """Where a page changes by its text, towards one colour if there is one."""

    def __init__(
        self, shown: Image.Image, bare: Image.Image, color: int | None, scale: float
    ) -> None:
        self.pictures, self.color, self.scale = (shown, bare), color, scale
        self.width, self.height = shown.size
        self.marks: dict[float, bytes] = {}
        self.bands: dict[tuple[int, int, float], bytes] = {}

    def signs(self, word: str, boxes: Sequence[Box]) -> list[bool]:
        """Which signs of the word show; marks do where the letter before them does."""
        letters = [
            (number, box)
            for number, (sign, box) in enumerate(zip(word, boxes, strict=True))
            if sign.isalnum() and box[2] - box[0] >= MIN_WIDTH
        ]
        if not letters:
            return [self._is_in(union(boxes[0], boxes[-1]), REST)] * len(word)
        seen = self._in_cores([box for _, box in letters])
        if all(seen):  # as of nearly every word
            return [True] * len(word)
        if sum(seen) * 2 < len(seen):
            return [False] * len(word)
        # The word shows; a letter of it may be crooked, or as pale as its brim.
        seen = [x or self._is_in(_slim(b), PALE) for x, (_, b) in zip(seen, letters, strict=True)]
        verdicts: list[bool | None] = [None] * len(word)
        for is_seen, (number, _) in zip(seen, letters, strict=True):
            in_ligature = number > 0 and word[number - 1 : number + 1] in LIGATURES
            verdicts[number] = is_seen or (in_ligature and bool(verdicts[number - 1]))
        return _carried_on(verdicts)

    def _in_cores(self, boxes: Iterable[Box]) -> list[bool]:
        """Which boxes have a mark in their core: `_is_in` of each, written out for many signs."""
        scale, seen = self.scale, []
        rows, band = (-1, -1), b""
        for x0, y0, x1, y1 in boxes:
            dx, dy = INSET * (x1 - x0), INSET * (y1 - y0)
            of_box = int((y0 + dy) * scale), int((y1 - dy) * scale) + 1
            if of_box != rows:
                rows, band = of_box, self._band(*of_box, REST)
            left, right = int((x0 + dx) * scale), int((x1 - dx) * scale) + 1
            seen.append(band.find(1, left if left > 0 else 0, right if right > 0 else 0) >= 0)
        return seen

    def _is_in(self, box: Box, rest: float) -> bool:
        x0, y0, x1, y1 = _pixels(box, self.scale)
        return self._band(y0, y1, rest).find(1, max(x0, 0), max(x1, 0)) >= 0

    def _band(self, y0: int, y1: int, rest: float) -> bytes:
        """One row with all marks of the rows from `y0` to before `y1`."""
        if (y0, y1, rest) not in self.bands:
            self.bands[y0, y1, rest] = self._merged(y0, y1, rest)
        return self.bands[y0, y1, rest]

    def _merged(self, y0: int, y1: int, rest: float) -> bytes:
        if rest not in self.marks:
            marked = _marks(*self.pictures, self.color, rest)
            self.marks[rest] = marked.point([0] + [1] * 255).tobytes()
        marks, width, merged = self.marks[rest], self.width, 0
        for y in range(max(y0, 0), min(y1, self.height)):
            merged |= int.from_bytes(marks[y * width : (y + 1) * width])
        return merged.to_bytes(width)


def _marks(shown: Image.Image, bare: Image.Image, color: int | None, rest: float) -> Image.Image:
    """The pixels that change by much, or come much nearer to the colour; in one band."""
    if color is None:
        change = reduce(ImageChops.lighter, ImageChops.difference(bare, shown).split())
        changed = change.point([0] * MIN_CHANGE + [1] * (256 - MIN_CHANGE))
    else:
        levels: tuple[int, ...] = (color >> 16 & 255, color >> 8 & 255, color & 255)
        if shown.mode == "L":
            levels = (_brightness(*levels),)
        away = [abs(value - level) for level in levels for value in range(256)]
        near = [max(min(int(rest * far), far - MIN_CONTRAST), 0) for far in away]
        changed = ImageChops.subtract(bare.point(near), shown.point(away))
    return reduce(ImageChops.lighter, changed.split())


def _brightness(red: int, green: int, blue: int) -> int:
    return round(0.299 * red + 0.587 * green + 0.114 * blue)


def _carried_on(verdicts: Sequence[bool | None]) -> list[bool]:
    """Each gap has the verdict before it; at the beginning, the first one."""
    last = next((verdict for verdict in verdicts if verdict is not None), True)
    return [last := last if verdict is None else verdict for verdict in verdicts]


def _is_sliver(word: str, box: Box) -> bool:
    return len(word) > 1 and min(box[2] - box[0], box[3] - box[1]) < MIN_SIDE


def _core(box: Box) -> Box:
    x0, y0, x1, y1 = box
    dx, dy = INSET * (x1 - x0), INSET * (y1 - y0)
    return x0 + dx, y0 + dy, x1 - dx, y1 - dy


def _slim(box: Box) -> Box:
    """As high as the sign, and clear of its neighbours."""
    x0, y0, x1, y1 = box
    dx = (x1 - x0) * INSET / 2
    return x0 + dx, y0, x1 - dx, y1


def _stripe(box: Box) -> Box:
    """What no word above, below or beside reaches."""
    x0, y0, x1, y1 = box
    inset = INSET * min(x1 - x0, y1 - y0)
    return x0 + inset, y0 + inset, x1 - inset, y1 - inset


def _pixels(box: Box, scale: float) -> tuple[int, int, int, int]:
    """The pixels that the box touches; the last ones are the first beyond it."""
    x0, y0, x1, y1 = box
    return int(x0 * scale), int(y0 * scale), int(x1 * scale) + 1, int(y1 * scale) + 1


def _contrast(picture: Image.Image, pixels: tuple[int, int, int, int]) -> int:
    """The greatest difference within the box in one of the colours."""
    x0, y0, x1, y1 = pixels
    x0, y0, x1, y1 = max(x0, 0), max(y0, 0), min(x1, picture.width), min(y1, picture.height)
    if x0 >= x1 or y0 >= y1:
        return 0
    bands = [band.tobytes() for band in picture.crop((x0, y0, x1, y1)).split()]
    return max(max(levels) - min(levels) for levels in bands)


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


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
