"""The place in a text that a wording comes nearest to. Pure."""

from dataclasses import dataclass

from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from .comparison import compare_form
from .drift import words
from .quelltext import Quelltext, Span

# rapidfuzz's similarity 0–100 of the best equally long window; invented quotes reach 58 at most
# over 200 pages, a misspelt one 95 (measured, docs/adr/0006).
NEAR_ENOUGH = 70.0
# Words looked at on both sides of that window to find where the wording really begins and ends.
MARGIN_WORDS = 4


@dataclass(frozen=True, slots=True)
class Nearest:
    """`naehe` is rapidfuzz's similarity, 0–100."""

    span: Span
    naehe: float


def nearest_span(quote: str, text: Quelltext) -> Nearest | None:
    """The span of whole words that is most like `quote`, or None where nothing is near."""
    needle = compare_form(quote)
    best = fuzz.partial_ratio_alignment(needle, text.form.text, score_cutoff=NEAR_ENOUGH)
    if best is None or best.dest_start >= best.dest_end:
        return None
    start, ende = text.form.span(best.dest_start, best.dest_end)
    return Nearest(_trimmed_to_words(quote, text.text, start, ende), best.score)


def _trimmed_to_words(quote: str, flow: str, start: int, ende: int) -> Span:
    """Extends the window by a few words, then drops those at its ends that the quote lacks."""
    begin = _words_back(flow, start, MARGIN_WORDS)
    candidates = words(flow[begin : _words_on(flow, ende, MARGIN_WORDS)])
    quoted = [word for word, _, _ in words(quote)]
    matched = [
        number
        for edit in Levenshtein.opcodes(quoted, [word for word, _, _ in candidates])
        if edit.tag != "insert"
        for number in range(edit.dest_start, edit.dest_end)
    ]
    if not matched:
        return start, ende
    return begin + candidates[matched[0]][1], begin + candidates[matched[-1]][2]


def _words_back(flow: str, position: int, count: int) -> int:
    for _ in range(count + 1):
        position = max(flow.rfind(" ", 0, position), 0)
    return position


def _words_on(flow: str, position: int, count: int) -> int:
    for _ in range(count + 1):
        found = flow.find(" ", position + 1)
        position = found if found >= 0 else len(flow)
    return position
