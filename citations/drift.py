"""How far a model's wording is from the source's words it stands nearest to. Pure."""

import re
from enum import StrEnum

from rapidfuzz.distance import Levenshtein

from .comparison import compare_form
from .words import has_digit, is_harmless, is_negation, is_protected

# The letters that may differ: two, or this share of the longer text.
MIN_EDITS = 2
MAX_EDIT_SHARE = 0.08
# One changed word in so many.
WORDS_PER_CHANGE = 8
# Two forms of one word share this much of their beginning and differ in so few letters.
STEM_LETTERS = 4
STEM_SHARE = 0.6
STEM_EDITS = 2
# Endings of adjectives and articles. Others make another tense or mood of a verb.
ENDINGS = frozenset(("", "e", "em", "en", "er", "es", "m", "n", "r", "s"))
_SENTENCE_BEGINS = re.compile(r"(?:^|[.!?:…•–]|\n)[\s„“”\"'»«(\[]*$")
# A number with its sign and its unit is one word.
_WORD = re.compile(r"[-–−‐‑‒—+<>≤≥≠±~]?\d(?:[\d.,:/–-]*\d)?(?:\s?[%‰€$£])?|\w+|[%‰€$£]")


class Drift(StrEnum):
    TINY = "tiny"
    NEGATION = "negation"
    NUMBER = "number"
    WORDS = "words"


def drift_between(quote: str, source: str) -> Drift:
    """What kind of difference lies between two wordings that are nearly the same."""
    changes = list(_changes(_words(quote), _words(source)))
    touched = [word for before, after in changes for word in (*before, *after)]
    if any(is_negation(word) for word in touched):
        return Drift.NEGATION
    if any(has_digit(word) for word in touched):
        return Drift.NUMBER
    nouns = _nouns(source) if changes else set()
    allowed = all(_is_harmless(before, after, nouns) for before, after in changes)
    few = len(changes) * WORDS_PER_CHANGE <= max(len(_words(source)), WORDS_PER_CHANGE)
    return Drift.TINY if allowed and few and _is_close(quote, source) else Drift.WORDS


def words(text: str) -> list[tuple[str, int, int]]:
    """Each word folded, with its place in `text`."""
    return [(compare_form(match[0]), *match.span()) for match in _WORD.finditer(text)]


def _words(text: str) -> list[str]:
    return [word for word, _, _ in words(text)]


def _changes(quote: list[str], source: list[str]) -> list[tuple[list[str], list[str]]]:
    """Runs of words that differ, as (words of the quote, words of the source)."""
    changes: list[tuple[list[str], list[str]]] = []
    last_end = (-1, -1)
    for edit in Levenshtein.opcodes(quote, source):
        if edit.tag == "equal":
            continue
        before = quote[edit.src_start : edit.src_end]
        after = source[edit.dest_start : edit.dest_end]
        # Adjacent edits are one change: "Kranken haus", "Krankenhaus".
        if (edit.src_start, edit.dest_start) == last_end:
            earlier = changes.pop()
            before, after = earlier[0] + before, earlier[1] + after
        changes.append((before, after))
        last_end = (edit.src_end, edit.dest_end)
    return changes


def _nouns(text: str) -> set[str]:
    """The words that have a capital without beginning a sentence, and always; folded."""
    capital, small = set(), set()
    for word, start, _ in words(text):
        if not text[start].isupper():
            small.add(word)
        elif not _SENTENCE_BEGINS.search(text[max(start - 8, 0) : start]):
            capital.add(word)
    return capital - small


def _is_harmless(before: list[str], after: list[str], nouns: set[str]) -> bool:
    if "".join(before) == "".join(after):  # only a blank or a hyphen
        return True
    if any(is_protected(word) for word in before + after):
        return False
    if all(is_harmless(word) for word in before + after):
        return len(before) <= 1 and len(after) <= 1
    if not (len(before) == len(after) == 1 and _is_same_stem(before[0], after[0])):
        return False
    return after[0] in nouns or not _is_other_tense(before[0], after[0])


def _is_other_tense(one: str, other: str) -> bool:
    """Whether two forms may be tenses or moods of one verb: "stellen", "stellten"; "baut", "baute".

    "Bunt" and "bunte" look the same, and go to a person as well.
    """
    stem = _common_prefix(one, other)
    endings = {one[len(stem) :], other[len(stem) :]}
    return not endings <= ENDINGS or ("" in endings and stem.endswith("t"))


def _is_same_stem(one: str, other: str) -> bool:
    common = len(_common_prefix(one, other))
    longer = max(len(one), len(other))
    near = Levenshtein.distance(one, other) <= STEM_EDITS
    return common >= STEM_LETTERS and common >= STEM_SHARE * longer and near


def _common_prefix(one: str, other: str) -> str:
    for number, (a, b) in enumerate(zip(one, other, strict=False)):
        if a != b:
            return one[:number]
    return one[: len(other)]


def _is_close(quote: str, source: str) -> bool:
    one, other = compare_form(quote), compare_form(source)
    allowed = max(MIN_EDITS, MAX_EDIT_SHARE * max(len(one), len(other)))
    return Levenshtein.distance(one, other) <= allowed
