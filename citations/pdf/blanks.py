"""Blanks that are not between words: in letter-spaced words, and behind ligatures."""

import re
import unicodedata
from collections.abc import Collection, Iterator

from .glyphs import Line

# "u n v e r ä n d e r t": single small letters, one blank apart; a capital may come first.
SPACED = re.compile(r"(?<![^\W_])[^\W\d_](?: [a-zäöüß]){3,}(?![^\W_])")
# "Pﬂ ege": a ligature, a blank, and how the word may go on.
LIGATURE = re.compile(r"([^\W\d_]*[\ufb00-\ufb06])( )([a-zäöüß]+)")


def without_stray_blanks(line: Line, words: Collection[str]) -> Line:
    """`words` are those of the document, folded; they tell whether a word goes on."""
    stray = set(_stray_blanks(line.text, words))
    if not stray:
        return line
    runs, offset = [], 0
    for run in line.runs:
        runs.append(run.keep([offset + at not in stray for at in range(len(run.text))]))
        offset += len(run.text)
    return line.with_runs(runs)


def _stray_blanks(text: str, words: Collection[str]) -> Iterator[int]:
    for match in SPACED.finditer(text):
        yield from (at for at in range(*match.span()) if text[at] == " ")
    for match in LIGATURE.finditer(text):
        whole = unicodedata.normalize("NFKC", match[1] + match[3]).casefold()
        if whole in words or match[3] not in words:
            yield match.start(2)
