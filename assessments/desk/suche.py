"""Where an editor looks for another passage: in the motion, or in that party's programmes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from assessments.models import Beleg
from citations.binding import Bereich, Bindung, Scope, bind
from citations.comparison import compare_form
from citations.lesetext import lesetext
from citations.models import Extraktion, Seite
from citations.quelltext import Lesetext, Span, cut
from programme.retrieval import satz_span
from programme.umformulieren import find_for_question

from .stellen import erlaubte_lesungen
from .tisch import werke

# Each shows up to eight sentences; more are no help at nine in the evening. Others come up by other
# words.
MAX_TREFFER = 6
# Shorter words ("der", "und") stand in every sentence.
MIN_WORD = 4


@dataclass(frozen=True)
class Satz:
    """`worte`: how many of the question's words it has; `ist_nah`: the nearest one by meaning."""

    span: Span
    text: str
    worte: int = 0
    ist_nah: bool = False

    @property
    def gefunden(self) -> bool:
        return self.worte > 0

    @property
    def schluessel(self) -> str:
        return f"{self.span[0]}-{self.span[1]}"


@dataclass(frozen=True)
class Treffer:
    """Neighbouring sentences, of which some answer the question."""

    lesung: Extraktion
    werk: str
    seite: int
    zahl: str
    saetze: list[Satz]

    @property
    def erster(self) -> str:
        """The key of the sentence to begin with: one with most of the question's words, the nearest
        if it is among them."""
        return max(self.saetze, key=lambda satz: (satz.worte, satz.ist_nah)).schluessel


# Reading, page, and the sentences shown.
Gefunden = tuple[Extraktion, int, list[Satz]]


def search(beleg: Beleg, query: str) -> list[Treffer]:
    """The passages for `query` in what this evidence may be quoted from, the best first.

    Programmes are searched by meaning, and by the words alone where that finds nothing relevant.
    """
    lesungen = erlaubte_lesungen(beleg)
    found: list[Gefunden] = []
    if beleg.seite == Beleg.Seite.PROGRAMM:
        found = list(_in_programme(beleg, query, lesungen))
    if not found:
        found = [hit for lesung in lesungen for hit in _in_text(lesung, query)]
    zahlen, names = _zahlen(found), werke(lesungen)
    return [
        Treffer(lesung, names[lesung.dokument_id], seite, zahlen[lesung.pk, seite], saetze)
        for lesung, seite, saetze in found
    ]


def place_words(beleg: Beleg, words: str) -> Bindung:
    """Where the words that an editor typed stand, or come nearest to."""
    bereiche = tuple(Bereich(lesung) for lesung in erlaubte_lesungen(beleg))
    return bind([words], [Scope("erlaubt", bereiche)])[0]


def _in_programme(beleg: Beleg, query: str, lesungen: list[Extraktion]) -> Iterator[Gefunden]:
    assert beleg.vergleich  # noqa: S101  by the constraint only_comparisons_quote_programmes
    partei, antrag = beleg.vergleich.partei, beleg.assessment.antrag
    passages = find_for_question(
        query, [partei], parlament=antrag.parlament, datum=antrag.datum, top_k=MAX_TREFFER
    )[partei.pk]
    erlaubt = {lesung.pk: lesung for lesung in lesungen}
    for passage in passages:
        lesung = erlaubt.get(passage.extraktion_id)
        if lesung:
            spans = _spans_within(lesetext(lesung), (passage.start, passage.ende))
            nearest = satz_span(passage)[0]
            saetze = _saetze(lesetext(lesung), spans, _words(query), nearest)
            yield lesung, passage.seite, saetze


def _in_text(lesung: Extraktion, query: str) -> list[Gefunden]:
    """The sentences with the words of the query, those with most of them first."""
    text, wanted = lesetext(lesung), _words(query)
    counts = {span: _count(text.text[slice(*span)], wanted) for span in text.saetze}
    best = sorted((span for span in counts if counts[span]), key=lambda span: -counts[span])
    return [
        (lesung, text.seite_at(span[0]), _saetze(text, _with_neighbours(text, span), wanted))
        for span in best[:MAX_TREFFER]
    ]


def _spans_within(text: Lesetext, area: Span) -> list[Span]:
    return [span for span in text.saetze if span[0] < area[1] and span[1] > area[0]]


def _with_neighbours(text: Lesetext, span: Span) -> list[Span]:
    position = text.saetze.index(span)
    return text.saetze[max(position - 1, 0) : position + 2]


def _saetze(text: Lesetext, spans: list[Span], wanted: list[str], nearest: int = -1) -> list[Satz]:
    """`nearest` is a place in the flow text within the sentence that is nearest by meaning."""
    return [
        Satz(
            span,
            cut(text.text, (span,)),
            worte=_count(text.text[slice(*span)], wanted),
            ist_nah=span[0] <= nearest < span[1],
        )
        for span in spans
    ]


def _words(query: str) -> list[str]:
    words = [compare_form(word) for word in re.findall(r"\w+", query)]
    return [word for word in words if len(word) >= MIN_WORD or word.isdigit()]


def _count(sentence: str, wanted: list[str]) -> int:
    form = compare_form(sentence)
    return sum(word in form for word in wanted)


def _zahlen(found: list[Gefunden]) -> dict[tuple[int, int], str]:
    """The printed number of each page that something was found on."""
    rows = Seite.objects.filter(
        extraktion__in={lesung for lesung, _, _ in found},
        index__in={seite for _, seite, _ in found},
    ).defer("text", "boxes")
    return {(row.extraktion_id, row.index): row.zahl for row in rows}
