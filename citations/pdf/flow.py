"""From lines to flow text: one character, one box; hyphenation at line ends is resolved."""

import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import reduce

from citations.comparison import PRIVATE_DIGITS

from .blanks import without_stray_blanks
from .bullets import BULLET, without_bullet
from .glyphs import Box, Line, Run, union

SOFT_HYPHEN = "\u00ad"
HYPHENS = {"-", "\u2010", SOFT_HYPHEN}
# "Kranken- und Pflegekassen": the hyphen before these words stands for a word, not for a break.
COMPLETING = {"und", "oder", "sowie", "bzw", "bis", "noch", "als", "wie", "statt"}
# A line that reaches this share of its column's width is full.
FULL_LINE = 0.9
# Points that the beginnings of a column's lines may scatter, and sizes of one font.
LEFT_SCATTER = 6.0
SAME_SIZE = 0.6
# Shares of a line's height: how far two pieces of one line overlap, and how near they touch.
SAME_LINE = 0.8
TOUCHING = 0.15
SENTENCE_END = tuple('.!?:;“"«»)…')
# Signs that stand for themselves; of these and single blanks all is taken at once.
PLAIN = re.compile(r"(?! )(?:[!-~¡-¬®-ɏ‐-―‘-„†•…€]| (?! ))+")
# "60 m²", "CO₂/km²", "10⁶": what stands before a raised figure that is no footnote.
_UNIT_BEFORE = re.compile(r"(?:(?<!\w)[kcmd]?m|\d)$")
SUPERSCRIPTS = dict(zip("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹", strict=True))
# No paragraph ends with one of these words.
_WORD_AT_END = re.compile(
    r"(?<!\w)(?:d(?:ie|er|as|en|em|es|ass)|(?:k?eine?|ihre|seine|unsere)[nmrs]?|und|oder|sowie|für|mit"
    r"|von|vom|zu|zur|zum|in|im|an|am|auf|bei|nach|vor|über|unter|durch|gegen|ohne|um|als|wie"
    r"|nicht|dass|alle|neue[nmrs]?)$"
)
_WORD_BEFORE = re.compile(r"[^\W\d_]+$")
_WORD_AT_START = re.compile(r"[^\W\d_]+")


@dataclass
class Flow:
    """The flow text of one page, and a box (or None) for each of its characters.

    `aside` is what stands beside the flow, with the offset in the flow where it stands in the PDF,
    and its box.
    """

    chars: list[str] = field(default_factory=list)
    boxes: list[Box | None] = field(default_factory=list)
    aside: list[tuple[int, str, Box]] = field(default_factory=list)

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
        last = self.boxes[-1] if self.boxes else None
        if last is not None:
            self.boxes[-1] = union(last, box)

    def set_aside(self, text: str, boxes: Sequence[Box]) -> None:
        """Marks end at the word before: what stands between it and the piece is no part of them."""
        words = " ".join(text.split())
        if words:
            self.aside.append((len(self.chars), words, reduce(union, boxes)))
            if self.chars and self.chars[-1] == " ":
                self.boxes[-1] = None


@dataclass(frozen=True)
class Kontext:
    """What one page cannot know of its document.

    `following` is the text that begins the next page. `words` are the words that stand inside the
    document's lines. `ends_in_blank` where lines end with a blank unless a word goes on.
    """

    following: str = ""
    words: Collection[str] = frozenset()
    ends_in_blank: bool = False


def page_flow(lines: list[Line], kontext: Kontext) -> Flow:
    """The flow of one page.

    The page's text ends with what separates it from the next: nothing inside a word, else a blank
    or a line feed. The pages' texts put together are the flow of the document.
    """
    flow = Flow()
    flowing = [line for line in lines if line.in_flow]
    edges = _right_edges(flowing)
    following = iter([*flowing[1:], None])
    for line in lines:
        if not line.in_flow:
            flow.set_aside(line.text, line.boxes)
            continue
        upcoming = next(following)
        text = (upcoming.text if upcoming else kontext.following).strip()
        if not _add_line(flow, line, text, kontext) and text and not _touches(line, upcoming):
            is_full = line.box[2] >= FULL_LINE * edges[_left(line)]
            ends = _is_paragraph_end(flow, line, upcoming, is_full=is_full, text=text)
            flow.blank("\n" if ends else " ")
    return flow


def _touches(line: Line, upcoming: Line | None) -> bool:
    """Whether the next line goes on in the same word: fake bold comes in pieces."""
    if upcoming is None or line.text[-1:].isspace() or upcoming.text[:1].isspace():
        return False
    one, other = line.boxes[-1], upcoming.boxes[0]
    height = one[3] - one[1]
    overlap = min(one[3], other[3]) - max(one[1], other[1])
    return overlap > SAME_LINE * height and abs(other[0] - one[2]) < TOUCHING * height


def _right_edges(lines: list[Line]) -> dict[int, float]:
    """How far to the right the longest line goes that begins at the same place."""
    edges: dict[int, float] = {}
    for line in lines:
        edges[_left(line)] = max(line.box[2], edges.get(_left(line), 0.0))
    return edges


def _left(line: Line) -> int:
    return round(line.box[0] / LEFT_SCATTER)


def _add_line(flow: Flow, line: Line, upcoming: str, kontext: Kontext) -> bool:
    """Adds the line; True where its last word goes on in the next line."""
    line, bullet = without_bullet(without_stray_blanks(line, kontext.words))
    if bullet:
        flow.blank("\n")
        flow.set_aside(bullet.text, bullet.boxes)
        flow.add(BULLET, None)  # no box: the mark covers words, not what stands before them
        flow.blank()
    text = line.text
    end = len(_without_trailing_blanks(text))
    begin = end
    while begin and text[begin - 1] in HYPHENS:
        begin -= 1
    for run in line.part(0, begin).runs:
        _add_run(flow, run)
    if begin < end:
        return _resolve_hyphens(flow, line.part(begin, end), upcoming)
    return end == len(text) and kontext.ends_in_blank and _is_lost(flow, upcoming, kontext.words)


def _is_lost(flow: Flow, upcoming: str, words: Collection[str]) -> bool:
    """Whether a hyphen was lost at the line end, where all other lines end with a blank."""
    before = _WORD_BEFORE.search("".join(flow.chars[-40:]))
    after = _WORD_AT_START.match(upcoming)
    if not (before and after and upcoming[0].islower()):
        return False
    both = (before[0] + after[0]).casefold()
    return both in words or not (before[0].casefold() in words and after[0].casefold() in words)


def _resolve_hyphens(flow: Flow, hyphens: Line, upcoming: str) -> bool:
    """A hyphen at the line end is a break, a real one, or stands for a word that follows."""
    if not upcoming or not flow.chars or not flow.chars[-1].isalnum():  # a dash, or a bullet
        _keep(flow, hyphens)
        return False
    if _is_break(flow, hyphens.text, upcoming):
        for box in hyphens.boxes:
            flow.widen_last(box)
        return True
    _keep(flow, hyphens)
    return not _completes(upcoming)


def _is_break(flow: Flow, hyphens: str, upcoming: str) -> bool:
    """Whether the hyphen vanishes when the line is joined with the next."""
    if SOFT_HYPHEN in hyphens:
        return True
    # "EU-" and "2020-" keep theirs: capitals and figures are not broken inside.
    before = "".join(flow.chars[-2:])
    return upcoming[0].islower() and not _completes(upcoming) and not before.isupper()


def _completes(upcoming: str) -> bool:
    return upcoming.split(maxsplit=1)[0].strip(".,;:()").casefold() in COMPLETING


def _keep(flow: Flow, hyphens: Line) -> None:
    for char, box in zip(hyphens.text, hyphens.boxes, strict=True):
        if char != SOFT_HYPHEN:
            flow.add(char, box)
            return


def _is_paragraph_end(
    flow: Flow, line: Line, upcoming: Line | None, *, is_full: bool, text: str
) -> bool:
    """A new block begins a paragraph, unless a sentence plainly runs on into it."""
    if upcoming is not None and upcoming.block == line.block:
        return False
    if flow.chars and flow.chars[-1] in SENTENCE_END:
        return True
    if _WORD_AT_END.search("".join(flow.chars[-20:])):
        return False
    runs_on = text[0].islower() or text[0].isdigit()
    # A full line of running text goes on; a heading is short, or set in another size.
    same_size = upcoming is None or abs(upcoming.size - line.size) < SAME_SIZE
    return not (runs_on or (is_full and same_size))


def _without_trailing_blanks(text: str) -> str:
    while text and (text[-1].isspace() or (text[-1] != SOFT_HYPHEN and not _shown(text[-1]))):
        text = text[:-1]
    return text


# --- Signs --------------------------------------------------------------------------------------


def _add_run(flow: Flow, run: Run) -> None:
    if run.is_superscript:
        _add_superscript(flow, run)
        return
    text, boxes, position = run.text, run.boxes, 0
    for match in PLAIN.finditer(text):
        start, ende = match.span()
        for number in range(position, start):
            _add_glyph(flow, text[number], boxes[number])
        flow.chars.extend(match[0])
        flow.boxes.extend(boxes[start:ende])
        position = ende
    for number in range(position, len(text)):
        _add_glyph(flow, text[number], boxes[number])


def _add_superscript(flow: Flow, run: Run) -> None:
    """A raised figure is a footnote's mark, not part of the sentence; or it belongs to a unit."""
    if _UNIT_BEFORE.search("".join(flow.chars[-8:])):
        for char, box in zip(run.text, run.boxes, strict=True):
            _add_glyph(flow, SUPERSCRIPTS.get(char, char), box)
        return
    digits = run.keep([char.isdigit() for char in run.text])
    for char, box in zip(run.text, run.boxes, strict=True):
        if not char.isdigit():
            _add_glyph(flow, char, box)
    flow.set_aside(digits.text, digits.boxes)


def _add_glyph(flow: Flow, char: str, box: Box) -> None:
    if char == SOFT_HYPHEN:
        return
    if char.isspace():
        if flow.chars and flow.chars[-1] not in " \n":
            flow.add(" ", box)
        return
    if unicodedata.combining(char) and flow.chars:
        flow.chars[-1] = unicodedata.normalize("NFC", flow.chars[-1] + char)[:1]
        flow.widen_last(box)
        return
    shown = _shown(char)
    for number, sign in enumerate(shown):
        flow.add(sign, _slice(box, number, len(shown)))


def _shown(char: str) -> str:
    """What a glyph contributes: ligatures as letters, nothing for control characters."""
    if "\ufb00" <= char <= "\ufb06":
        return unicodedata.normalize("NFKC", char)
    if char in PRIVATE_DIGITS:
        return PRIVATE_DIGITS[char]
    if char == "\ufffd" or unicodedata.category(char) in {"Cc", "Cn", "Cs", "Cf"}:
        return ""
    return unicodedata.normalize("NFC", char)


def _slice(box: Box, number: int, parts: int) -> Box:
    step = (box[2] - box[0]) / parts
    return box[0] + number * step, box[1], box[0] + (number + 1) * step, box[3]
