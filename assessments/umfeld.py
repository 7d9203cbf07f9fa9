"""The words around a quote, and a page's text with the quote in it (pure)."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from citations.quelltext import Span
from citations.sentences import satz_spans

# Characters; longer context is cut at a word, because the quote is what readers came for.
MAX_CONTEXT = 220
# A longer omission stays […]: it would drown the quote.
MAX_OMISSION = 300
# Quotes end with a letter or digit: what ends their sentence stands behind them.
_END_MARK = re.compile(r"[.!?…]+[“”\"»«)\]]*")


@dataclass(frozen=True, slots=True)
class Stueck:
    """A piece of text; `ist_zitat` where it is quoted."""

    text: str
    ist_zitat: bool = False


def mit_umfeld(text: str, spans: Sequence[Span]) -> list[Stueck]:
    """The quote with the sentence before and behind, and what it omits, in reading order."""
    pieces = [Stueck(_before(text, spans[0][0]))]
    for position, (start, ende) in enumerate(spans):
        if position:
            pieces.append(Stueck(_omitted(text[spans[position - 1][1] : start])))
        pieces.append(Stueck(_line(text[start:ende]), ist_zitat=True))
    pieces.append(Stueck(_after(text, spans[-1][1])))
    return [piece for piece in pieces if piece.text]


def absaetze(text: str, spans: Iterable[Span]) -> list[list[Stueck]]:
    """The text as paragraphs, with the quoted pieces marked; joined it is the text again."""
    quoted = list(spans)
    edges = sorted(edge for span in quoted for edge in span)
    paragraphs: list[list[Stueck]] = []
    start = 0
    for line in text.split("\n"):
        ende = start + len(line)
        cuts = [start, *(edge for edge in edges if start < edge < ende), ende]
        paragraphs.append(
            [
                Stueck(text[a:b], any(first <= a and b <= last for first, last in quoted))
                for a, b in pairwise(cuts)
                if a < b
            ]
        )
        start = ende + 1
    return [paragraph for paragraph in paragraphs if paragraph]


def _before(text: str, start: int) -> str:
    """The rest of the quote's own sentence, or the whole sentence before it."""
    sentences = satz_spans(text[:start])
    if not sentences:
        return ""
    context = _line(text[sentences[-1][0] : start])
    return f"… {_last_words(context)}{_blank(text[start - 1])}"


def _after(text: str, ende: int) -> str:
    """The rest of the quote's own sentence; or its end mark and the whole sentence behind."""
    mark = _END_MARK.match(text, ende)
    begin = mark.end() if mark else ende
    sentences = satz_spans(text[begin:])
    if not sentences:
        return text[ende:begin]
    context = _line(text[begin : begin + sentences[0][1]])
    return f"{text[ende:begin]}{_blank(text[begin])}{_first_words(context)} …"


def _omitted(text: str) -> str:
    """The omitted words, or […] where there are too many."""
    line = _line(text)
    if not line or len(line) > MAX_OMISSION:
        return " […] " if line else _blank(text[:1])
    return f"{_blank(text[0])}{line}{_blank(text[-1])}"


def _blank(character: str) -> str:
    """The blank that stands there in the text; a comma follows its word without one."""
    return " " if character.isspace() else ""


def _line(text: str) -> str:
    return " ".join(text.split())


def _last_words(text: str) -> str:
    return text if len(text) <= MAX_CONTEXT else text[-MAX_CONTEXT:].partition(" ")[2]


def _first_words(text: str) -> str:
    return text if len(text) <= MAX_CONTEXT else text[:MAX_CONTEXT].rpartition(" ")[0]
