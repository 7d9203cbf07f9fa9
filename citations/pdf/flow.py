"""From lines to flow text: one character, one box; hyphenation at line ends is resolved."""

import unicodedata
from dataclasses import dataclass, field
from itertools import zip_longest

from .glyphs import Box, Glyph, Line

SOFT_HYPHEN = "\u00ad"
HYPHENS = {"-", "\u2010", SOFT_HYPHEN}
# "Kranken- und Pflegekassen": the hyphen before these words stands for a word, not for a break.
COMPLETING = {"und", "oder", "sowie", "bzw", "bis", "noch", "als", "wie", "statt"}
# A line that reaches this share of its column's width is full.
FULL_LINE = 0.9
# Points that the beginnings of a column's lines may scatter, and sizes of one font.
LEFT_SCATTER = 6.0
SAME_SIZE = 0.6
SENTENCE_END = tuple('.!?:;“"«»)…')


@dataclass
class Flow:
    """The flow text of one page, and a box (or None) for each of its characters."""

    chars: list[str] = field(default_factory=list)
    boxes: list[Box | None] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.chars)

    def add(self, char: str, box: Box | None) -> None:
        self.chars.append(char)
        self.boxes.append(box)

    def blank(self, char: str = " ") -> None:
        if self.chars and self.chars[-1] not in " \n":
            self.add(char, None)
        elif char == "\n" and self.chars and self.boxes[-1] is None:
            self.chars[-1] = char

    def widen_last(self, box: Box) -> None:
        """The mark covers the hyphen at a line end, which is not part of the text."""
        if self.boxes and self.boxes[-1] is not None:
            self.boxes[-1] = self.boxes[-1].union(box)


def page_flow(lines: list[Line], following: str) -> Flow:
    """The flow of one page; `following` is the text that begins the next page.

    The page's text ends with what separates it from the next: nothing inside a word, else a blank
    or a line feed. The pages' texts put together are the flow of the document.
    """
    flow = Flow()
    edges = _right_edges(lines)
    for line, upcoming in zip_longest(lines, lines[1:]):
        text = (upcoming.text if upcoming else following).strip()
        if not _add_line(flow, line, text) and text:
            is_full = line.box.x1 >= FULL_LINE * edges[_left(line)]
            ends = _is_paragraph_end(flow, line, upcoming, is_full=is_full, text=text)
            flow.blank("\n" if ends else " ")
    return flow


def _right_edges(lines: list[Line]) -> dict[int, float]:
    """How far to the right the longest line goes that begins at the same place."""
    edges: dict[int, float] = {}
    for line in lines:
        edges[_left(line)] = max(line.box.x1, edges.get(_left(line), 0.0))
    return edges


def _left(line: Line) -> int:
    return round(line.box.x0 / LEFT_SCATTER)


def _add_line(flow: Flow, line: Line, upcoming: str) -> bool:
    """Adds the line; True where its last word goes on in the next line."""
    glyphs = _without_trailing_blanks(list(line.glyphs))
    hyphens: list[Glyph] = []
    while glyphs and glyphs[-1].c in HYPHENS:
        hyphens.insert(0, glyphs.pop())
    for glyph in glyphs:
        _add_glyph(flow, glyph)
    return _resolve_hyphens(flow, hyphens, upcoming)


def _resolve_hyphens(flow: Flow, hyphens: list[Glyph], upcoming: str) -> bool:
    """A hyphen at the line end is a break, a real one, or stands for a word that follows."""
    if not hyphens or not upcoming:
        _keep(flow, hyphens)
        return False
    if not flow.chars or not flow.chars[-1].isalnum():  # a dash, or a bullet
        _keep(flow, hyphens)
        return False
    if _is_break(flow, hyphens, upcoming):
        for hyphen in hyphens:
            flow.widen_last(hyphen.box)
        return True
    _keep(flow, hyphens)
    return not _completes(upcoming)


def _is_break(flow: Flow, hyphens: list[Glyph], upcoming: str) -> bool:
    """Whether the hyphen vanishes when the line is joined with the next."""
    if any(hyphen.c == SOFT_HYPHEN for hyphen in hyphens):
        return True
    # "EU-" and "2020-" keep theirs: capitals and figures are not broken inside.
    before = "".join(flow.chars[-2:])
    return upcoming[0].islower() and not _completes(upcoming) and not before.isupper()


def _completes(upcoming: str) -> bool:
    return upcoming.split(maxsplit=1)[0].strip(".,;:()").casefold() in COMPLETING


def _keep(flow: Flow, hyphens: list[Glyph]) -> None:
    shown = [hyphen for hyphen in hyphens if hyphen.c != SOFT_HYPHEN]
    for hyphen in shown[:1]:
        flow.add(hyphen.c, hyphen.box)


def _is_paragraph_end(
    flow: Flow, line: Line, upcoming: Line | None, *, is_full: bool, text: str
) -> bool:
    """A new block begins a paragraph, unless a sentence plainly runs on into it."""
    if upcoming is not None and upcoming.block == line.block:
        return False
    if flow.chars and flow.chars[-1] in SENTENCE_END:
        return True
    runs_on = text[0].islower() or text[0].isdigit()
    # A full line of running text goes on; a heading is short, or set in another size.
    same_size = upcoming is None or abs(upcoming.size - line.size) < SAME_SIZE
    return not (runs_on or (is_full and same_size))


def _without_trailing_blanks(glyphs: list[Glyph]) -> list[Glyph]:
    while glyphs and (glyphs[-1].c.isspace() or _is_dropped(glyphs[-1].c)):
        glyphs.pop()
    return glyphs


def _is_dropped(char: str) -> bool:
    return char != SOFT_HYPHEN and not _shown(char)


def _add_glyph(flow: Flow, glyph: Glyph) -> None:
    if glyph.c == SOFT_HYPHEN or (glyph.is_superscript and glyph.c.isdigit()):
        return
    if glyph.c.isspace():
        if flow.chars and flow.chars[-1] not in " \n":
            flow.add(" ", glyph.box)
        return
    if unicodedata.combining(glyph.c) and flow.chars:
        flow.chars[-1] = unicodedata.normalize("NFC", flow.chars[-1] + glyph.c)[:1]
        flow.widen_last(glyph.box)
        return
    shown = _shown(glyph.c)
    for number, char in enumerate(shown):
        flow.add(char, _slice(glyph.box, number, len(shown)))


def _shown(char: str) -> str:
    """What a glyph contributes: ligatures as letters, nothing for control characters."""
    if "\ufb00" <= char <= "\ufb06":
        return unicodedata.normalize("NFKC", char)
    if char == "\ufffd" or unicodedata.category(char) in {"Cc", "Cn", "Cs", "Cf"}:
        return ""
    return unicodedata.normalize("NFC", char)


def _slice(box: Box, number: int, parts: int) -> Box:
    step = (box.x1 - box.x0) / parts
    return Box(box.x0 + number * step, box.y0, box.x0 + (number + 1) * step, box.y1)
