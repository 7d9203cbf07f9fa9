"""Sentences of a text that people cleaned by hand: are they placed where they stand?

The judge of where a sentence stands is the second engine's own text of the pages.
"""

import csv
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from citations.comparison import compare_form
from citations.placing import place
from citations.platz import Hindernis
from citations.quelltext import Lesetext
from citations.sentences import satz_spans
from citations.words import letters_in

from .quellen import Ordner, Quelle
from .zeile import Zeile, at_least
from .zweites import page_texts

PAIRS = Path("text") / "clean-md" / "PAARE.tsv"
MIN_LETTERS = 20
_MARKDOWN = re.compile(r"^[#>\s*•-]+|[*_`]", re.MULTILINE)


@dataclass
class Zaehlung:
    """`nirgends` are sentences that the second engine has on no page and on no pair of pages."""

    gesetzt: int = 0
    gesucht: int = 0
    nirgends: int = 0


def measure(ordner: Ordner, texts: Collection[str] = ()) -> Zaehlung:
    """Over these cleaned texts and their files, or all; what cannot be read counts nothing."""
    count = Zaehlung()
    with (ordner.folder / PAIRS).open(encoding="utf-8") as file:
        pairs = list(csv.DictReader(file, delimiter="\t"))
    for pair in pairs:
        if texts and pair["text"] not in texts:
            continue
        markdown = (ordner.folder / PAIRS.parent / pair["text"]).read_text(encoding="utf-8")
        for quelle in ordner.quellen([pair["pdf"]]):
            _count(quelle, markdown, count)
    return count


def zeilen(ordner: Ordner, texts: Collection[str] = ()) -> Iterator[Zeile]:
    count = measure(ordner, texts)
    yield at_least("Sätze der bereinigten Texte auf ihrer Seite", count.gesetzt, count.gesucht, 99)
    yield Zeile("  auf keiner Seite des zweiten Programms", str(count.nirgends))


def _count(quelle: Quelle, markdown: str, count: Zaehlung) -> None:
    forms = [compare_form(text) for text in page_texts(quelle.data)]
    for satz in _saetze(markdown):
        pages = _pages_with(compare_form(satz), forms)
        if not pages:
            count.nirgends += 1
            continue
        count.gesucht += 1
        count.gesetzt += bool(pages & _places(satz, quelle.text))


def _saetze(markdown: str) -> Iterator[str]:
    for paragraph in _MARKDOWN.sub("", markdown).splitlines():
        text = " ".join(paragraph.split())
        for start, ende in satz_spans(text):
            if letters_in(text[start:ende]) >= MIN_LETTERS:
                yield text[start:ende]


def _pages_with(form: str, forms: list[str]) -> set[int]:
    """The pages (from 1) that hold the form, else those where it begins and ends on the next."""
    whole = {number for number, page in enumerate(forms, 1) if form in page}
    if whole:
        return whole
    pairs = enumerate(pairwise(forms), 1)
    return {number for number, (page, following) in pairs if form in page + following}


def _places(satz: str, text: Lesetext) -> set[int]:
    """The pages where the sentence is placed verbatim; its neighbours' negations do not matter."""
    platz = place(satz, text, nearly=False)
    if platz.hindernis not in (None, Hindernis.ABGESCHNITTEN):
        return set()
    return {text.seite_at(spans[0][0]) for spans in (platz.spans, *platz.weitere)}
