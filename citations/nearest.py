"""The place in a text that a wording comes nearest to. Pure."""

from collections import Counter
from dataclasses import dataclass

from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from .comparison import compare_form, vergleichsform
from .drift import words
from .quelltext import ANFANG, Quelltext, Span

# rapidfuzz's similarity 0–100 of the best equally long window; invented quotes reach 58 at most
# over 200 pages, a misspelt one 95 (measured, docs/adr/0006).
NEAR_ENOUGH = 70.0
# Words looked at on both sides of that window to find where the wording really begins and ends.
MARGIN_WORDS = 4
# Similarity from which on a place that shares words with the quote is the nearest one.
VERY_LIKE = 88.0
# Places that share words with the quote and are compared letter by letter; letters around them.
WINDOWS = 4
SLACK = 24


@dataclass(frozen=True, slots=True)
class Nearest:
    """`naehe` is rapidfuzz's similarity, 0–100."""

    span: Span
    naehe: float


def nearest_span(quote: str, text: Quelltext) -> Nearest | None:
    """The span of whole words that is most like `quote`, or None where nothing is near."""
    needle = compare_form(quote)
    found = _near_common_words(quote, needle, text) or _anywhere(needle, text.form.text)
    if found is None:
        return None
    start, ende = text.form.span(*found.span)
    return Nearest(_trimmed_to_words(quote, text.text, start, ende), found.naehe)


def _near_common_words(quote: str, needle: str, text: Quelltext) -> Nearest | None:
    """The most like place among those that share the beginning of a word, if it is very like.

    Anything less like is looked for in the whole text, which takes ten times as long.
    """
    form = text.form.text
    diagonals: Counter[int] = Counter()
    for begin in _word_beginnings(quote):
        for place in text.wortanfaenge.get(needle[begin : begin + ANFANG], ()):
            diagonals[(place - begin) // SLACK] += 1
    windows = (
        _window(form, diagonal * SLACK, len(needle))
        for diagonal, _ in diagonals.most_common(WINDOWS)
    )
    near = [found for start, ende in windows if (found := _anywhere(needle, form, start, ende))]
    best = max(near, key=lambda found: found.naehe, default=None)
    return best if best and best.naehe >= VERY_LIKE else None


def _word_beginnings(quote: str) -> list[int]:
    """Where the words of the quote begin in its comparison form."""
    offsets = vergleichsform(quote).offsets
    return [
        place
        for place, offset in enumerate(offsets)
        if place == 0 or offset - offsets[place - 1] > 1
    ]


def _window(form: str, start: int, length: int) -> Span:
    return max(start - SLACK, 0), min(start + length + 2 * SLACK, len(form))


def _anywhere(needle: str, form: str, start: int = 0, ende: int | None = None) -> Nearest | None:
    """The equally long window of the form that is most like the needle; spans count in the form."""
    window = form[start:ende]
    best = fuzz.partial_ratio_alignment(needle, window, score_cutoff=NEAR_ENOUGH)
    if best is None or best.dest_start >= best.dest_end:
        return None
    return Nearest((start + best.dest_start, start + best.dest_end), best.score)


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
