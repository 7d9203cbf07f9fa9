"""Measures retrieval on golden sets (docs/reference/retrieval.md)."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from datetime import date
from math import log2
from typing import Any

import numpy as np
from django.db import connection

from citations.comparison import compare_form
from citations.lesetext import lesetext
from citations.models import Extraktion
from citations.quelltext import Lesetext
from citations.words import letters_in
from parlamente.models import Parlament, Partei

from .aufrufe import ModellFehler
from .chunking import Span
from .embeddings import embed, reading_model
from .models import Chunk, Programm
from .pruefdatenbank import OHNE, Ausgang, parteien_of, per_database
from .pruefsatz import Aufgabe, Stelle
from .queries import Frage
from .retrieval import GEWICHTE, Fundstelle, find_passages, named, question
from .umformulieren import rewritings, with_rewritings
from .umsortieren import RERANKED, rerank

DEPTH = 10
# A passage is right when it holds at least half of the known place's letters: enough to quote from.
MIN_COVER = 0.5
# Draws of the bootstrap, and what lies between its edges.
DRAWS, WITHIN = 1000, 0.95

# Passages by primary key, the best first.
Ranking = list[Chunk]


@dataclass(frozen=True)
class Umfang:
    """Where an Aufgabe is answered: one party's programmes, or all of the parliament's."""

    parteien: tuple[Partei, ...]
    parlament: Parlament
    datum: date
    gemeinsam: bool = False


@dataclass
class Wert:
    """Of one Aufgabe under one leg: the rank from 0 at which each place was found, or None."""

    raenge: list[int | None]
    deckung: list[float]
    tags: list[tuple[str, ...]]
    ausfaelle: int = 0  # calls of a model that gave nothing usable, so that the fused order counts

    @property
    def kehrwert(self) -> float:
        found = [rank for rank in self.raenge if rank is not None and rank < DEPTH]
        return 1 / (min(found) + 1) if found else 0.0

    @property
    def ndcg(self) -> float:
        """Of the first five. A passage counts once, also where it holds several places."""
        found = {rank for rank in self.raenge if rank is not None}
        right = len(found) + self.raenge.count(None)
        gain = sum(1 / log2(rank + 2) for rank in found if rank < 5)
        return gain / sum(1 / log2(rank + 2) for rank in range(min(right, 5)))

    def found_within(self, depth: int) -> int:
        return sum(rank is not None and rank < depth for rank in self.raenge)


@dataclass
class Messung:
    """All Aufgaben under one leg."""

    werte: list[Wert] = field(default_factory=list)

    def kennzahlen(self) -> dict[str, float]:
        return kennzahlen(self.werte)

    def spanne(self, name: str) -> tuple[float, float]:
        """Between which values the figure lies in 95 of 100 draws of as many Aufgaben."""
        chance = np.random.default_rng(1)  # the same every time
        parts = np.array([FIGURES[name](wert) for wert in self.werte])
        drawn = chance.integers(len(parts), size=(DRAWS, len(parts)))
        sums, counts = parts[drawn].sum(axis=1).T
        low, high = np.quantile(sums / counts, [(1 - WITHIN) / 2, (1 + WITHIN) / 2])
        return round(float(low), 4), round(float(high), 4)

    @property
    def ausfaelle(self) -> int:
        return sum(wert.ausfaelle for wert in self.werte)

    def by_tag(self) -> dict[str, dict[str, float]]:
        """Per tag the figures over the places that have it."""
        groups: dict[str, list[Wert]] = defaultdict(list)
        for wert in self.werte:
            for tag in sorted({tag for tags in wert.tags for tag in tags}):
                own = [n for n, tags in enumerate(wert.tags) if tag in tags]
                groups[tag].append(
                    Wert(
                        [wert.raenge[n] for n in own],
                        [wert.deckung[n] for n in own],
                        [wert.tags[n] for n in own],
                    )
                )
        return {tag: {"n": len(ws), **kennzahlen(ws)} for tag, ws in sorted(groups.items())}


# Of one Aufgabe what it adds to the sum and how much it counts: recall and coverage are over
# places, the others over Aufgaben.
FIGURES: dict[str, Callable[[Wert], tuple[float, int]]] = {
    "recall@1": lambda wert: (wert.found_within(1), len(wert.raenge)),
    "recall@5": lambda wert: (wert.found_within(5), len(wert.raenge)),
    "recall@8": lambda wert: (wert.found_within(8), len(wert.raenge)),
    "mrr@10": lambda wert: (wert.kehrwert, 1),
    "ndcg@5": lambda wert: (wert.ndcg, 1),
    "deckung": lambda wert: (sum(wert.deckung), len(wert.deckung)),
}


def kennzahlen(werte: Sequence[Wert]) -> dict[str, float]:
    return {name: round(_mean(map(figure, werte)), 4) for name, figure in FIGURES.items()}


def _mean(parts: Iterable[tuple[float, int]]) -> float:
    sums, counts = zip(*parts, strict=True)
    return sum(sums) / sum(counts)


@dataclass
class Leere:
    """What was refused: rightly, of what has no answer; wrongly, of what has one."""

    ohne_antwort: int = 0
    richtig: int = 0
    mit_antwort: int = 0
    falsch: int = 0

    def add(self, *, has_answer: bool, is_empty: bool) -> None:
        if has_answer:
            self.mit_antwort += 1
            self.falsch += is_empty
        else:
            self.ohne_antwort += 1
            self.richtig += is_empty

    def kennzahlen(self) -> dict[str, float | None]:
        return {
            "right": round(self.richtig / self.ohne_antwort, 4) if self.ohne_antwort else None,
            "false": round(self.falsch / self.mit_antwort, 4) if self.mit_antwort else None,
        }


# --- The legs -----------------------------------------------------------------------------------

GEWICHTE_JE_LEG = {
    "lexical": replace(GEWICHTE, passage=0, satz=0),
    "dense": replace(GEWICHTE, text=0, genau=0),
    "hybrid": GEWICHTE,
}
TRUTHBASE = "truthbase"
LEGS = (*GEWICHTE_JE_LEG, TRUTHBASE)
REWRITE, RERANK = "rewrite", "rerank"
# With the help of a model, whatever the settings say of it.
HELPED_LEGS = (REWRITE, RERANK, f"{REWRITE}+{RERANK}")


def measure(
    aufgaben: Sequence[Aufgabe],
    *,
    legs: Sequence[str],
    with_party: bool,
    outside: Ausgang = nullcontext,
) -> Iterator[tuple[str, Aufgabe, Wert]]:
    """Leg, Aufgabe and what was found of its places; of Aufgaben that have places.

    Models are called inside `outside`.
    """
    for aufgabe in aufgaben:
        if aufgabe.stellen:
            umfang = scope_of(aufgabe, with_party=with_party)
            for leg in legs:
                if leg in HELPED_LEGS:
                    ranking, ausfaelle = _helped(leg, aufgabe, umfang, outside)
                else:
                    ranking, ausfaelle = _ranking(leg, aufgabe, umfang), 0
                yield leg, aufgabe, replace(_wert(aufgabe, ranking), ausfaelle=ausfaelle)


def measure_refusals(aufgaben: Iterable[Aufgabe]) -> Leere:
    """With the party known; paragraphs without a party are never refused."""
    leere = Leere()
    for aufgabe in aufgaben:
        if aufgabe.partei:
            umfang = scope_of(aufgabe, with_party=True)
            leere.add(has_answer=bool(aufgabe.stellen), is_empty=not _found(aufgabe, umfang))
    return leere


def scope_of(aufgabe: Aufgabe, *, with_party: bool) -> Umfang:
    """The programme's parliament on its first day, and the party that is asked."""
    programm = _by_name(aufgabe.datei or OHNE)
    parlament = programm.parlament
    if parlament is None:
        raise ValueError("golden programmes belong to a parliament")
    if with_party or not aufgabe.datei:
        parteien = _parteien_of(aufgabe.partei) if aufgabe.partei else programm.parteien.all()
        return Umfang(tuple(parteien)[:1], parlament, programm.gueltig.lower)
    everybody = list(Partei.objects.filter(programme__parlament=parlament).distinct())
    if aufgabe.ist_frage:
        everybody = named(everybody, aufgabe.fragen[0].text)
    return Umfang(tuple(everybody), parlament, programm.gueltig.lower, gemeinsam=True)


@per_database
def _parteien_of(label: str) -> tuple[Partei, ...]:
    return tuple(parteien_of(label))


@per_database
def _by_name(name: str) -> Programm:
    return Programm.objects.select_related("parlament").get(dokument__name=name)


def _ranking(leg: str, aufgabe: Aufgabe, umfang: Umfang) -> Ranking:
    if leg == TRUTHBASE:
        return _truthbase(aufgabe, umfang)
    return _chunks(_found(aufgabe, umfang, gewichte=GEWICHTE_JE_LEG[leg], refuse=False))


def _chunks(found: Sequence[Fundstelle]) -> Ranking:
    chunks = Chunk.objects.in_bulk([stelle.chunk_id for stelle in found])
    return [chunks[stelle.chunk_id] for stelle in found]


def _helped(leg: str, aufgabe: Aufgabe, umfang: Umfang, outside: Ausgang) -> tuple[Ranking, int]:
    """The ranking, and how many calls failed. Motions and paragraphs are not rewritten."""
    queries, ausfaelle = _queries(aufgabe), 0
    if REWRITE in leg and aufgabe.ist_frage:
        try:
            with outside():
                texts = rewritings(queries[0].text)
            queries = with_rewritings(queries, texts)
        except ModellFehler:
            ausfaelle += 1
    found = _found(aufgabe, umfang, queries=queries, top_k=RERANKED, refuse=False)
    if RERANK in leg:
        try:
            with outside():
                found = rerank(queries, found)
        except ModellFehler:
            ausfaelle += 1
    return _chunks(found[:DEPTH]), ausfaelle


def _queries(aufgabe: Aufgabe) -> Sequence[Frage]:
    return question(aufgabe.fragen[0].text) if aufgabe.ist_frage else aufgabe.fragen


def _found(aufgabe: Aufgabe, umfang: Umfang, **options: Any) -> list[Fundstelle]:
    asked: dict[str, Any] = {"queries": _queries(aufgabe), "top_k": DEPTH} | options
    found = find_passages(
        umfang.parteien,
        parlament=umfang.parlament,
        datum=umfang.datum,
        gemeinsam=umfang.gemeinsam,
        **asked,
    )
    (passages,) = found.values()
    return sorted(passages, key=lambda stelle: -stelle.score)


# As the seed describes it: passages of 800 characters with 15 % overlap, words OR-ed, plain
# reciprocal rank fusion of the two orders. The passages and vectors are this project's own.
TRUTHBASE_SEARCH = """
WITH frage AS (
    SELECT nr, gewicht, vektor::halfvec AS vektor, (
        SELECT string_agg(quote_literal(lexem), '|')
        FROM unnest(tsvector_to_array(to_tsvector('german', text))) AS l(lexem)
    )::tsquery AS suche
    FROM unnest(%(nrn)s::int[], %(gewichte)s::float8[], %(vektoren)s::text[], %(texte)s::text[])
        AS f(nr, gewicht, vektor, text)
),
bereich AS (
    SELECT DISTINCT passage.id, ganz.vektor, to_tsvector('german', passage.text) AS worte
    FROM programme_programm programm
    JOIN programme_programm_parteien zuordnung ON zuordnung.programm_id = programm.id
    JOIN programme_chunk passage ON passage.programm_id = programm.id
    JOIN programme_einbettung ganz
        ON ganz.chunk_id = passage.id AND ganz.modell_id = %(modell)s AND ganz.satz IS NULL
    WHERE zuordnung.partei_id = ANY(%(parteien)s) AND programm.gueltig @> %(datum)s::date
        AND programm.parlament_id = %(parlament)s
),
gereiht AS (
    SELECT bereich.id, frage.nr, gewicht,
        row_number() OVER (PARTITION BY nr ORDER BY bereich.vektor <#> frage.vektor) AS nah,
        CASE WHEN worte @@ suche THEN row_number() OVER (
            PARTITION BY nr ORDER BY ts_rank(worte, suche) DESC, bereich.id
        ) END AS wort
    FROM bereich CROSS JOIN frage
)
SELECT id FROM gereiht GROUP BY id
ORDER BY sum(gewicht * (1.0 / (60 + nah) + coalesce(1.0 / (60 + wort), 0))) DESC, id
LIMIT %(depth)s
"""


def _truthbase(aufgabe: Aufgabe, umfang: Umfang) -> Ranking:
    modell = reading_model()
    texte = [frage.text for frage in aufgabe.fragen]
    parameters: dict[str, Any] = {
        "nrn": list(range(len(texte))),
        "gewichte": [frage.gewicht for frage in aufgabe.fragen],
        "texte": texte,
        "vektoren": [str(vector.tolist()) for vector in embed(texte, modell)],
        "modell": modell.pk,
        "parteien": [partei.pk for partei in umfang.parteien],
        "datum": umfang.datum,
        "parlament": umfang.parlament.pk,
        "depth": DEPTH,
    }
    with connection.cursor() as cursor:
        cursor.execute(TRUTHBASE_SEARCH, parameters)
        ids = [pk for (pk,) in cursor.fetchall()]
    chunks = Chunk.objects.in_bulk(ids)
    return [chunks[pk] for pk in ids]


# --- Whether a passage is right -----------------------------------------------------------------


def _wert(aufgabe: Aufgabe, ranking: Ranking) -> Wert:
    programm = _by_name(aufgabe.datei or OHNE)
    covers = [[_cover(chunk, programm, stelle) for chunk in ranking] for stelle in aufgabe.stellen]
    return Wert(
        raenge=[
            next((rank for rank, share in enumerate(shares) if share >= MIN_COVER), None)
            for shares in covers
        ],
        deckung=[max(shares[:5], default=0.0) for shares in covers],
        tags=[stelle.tags for stelle in aufgabe.stellen],
    )


def _cover(chunk: Chunk, programm: Programm, stelle: Stelle) -> float:
    """The greatest share of one of the equally good quotes' letters that the passage holds."""
    if chunk.programm_id != programm.pk:
        return 0.0
    if not stelle.orte[0][1]:
        return float(chunk.text == stelle.orte[0][0])
    text = lesetext(Extraktion(pk=chunk.extraktion_id)).text
    places = _places(chunk.extraktion_id, stelle)
    return max((_share(text, chunk, place) for place in places), default=0.0)


def _share(text: str, chunk: Chunk, place: Span) -> float:
    start, ende = place
    held = text[max(start, chunk.start) : max(min(ende, chunk.ende), start)]
    return letters_in(held) / letters_in(text[start:ende])


@per_database
def _places(extraktion_id: int, stelle: Stelle) -> tuple[Span, ...]:
    """Every place at which one of the quotes stands on one of its pages."""
    text = lesetext(Extraktion(pk=extraktion_id))
    return tuple(
        span
        for zitat, seiten in stelle.orte
        for span in _occurrences(text, compare_form(zitat))
        if {seite.index for seite in text.touched(span)} & set(seiten)
    )


def _occurrences(text: Lesetext, needle: str) -> Iterator[Span]:
    at = text.form.text.find(needle)
    while at >= 0:
        yield text.form.span(at, at + len(needle))
        at = text.form.text.find(needle, at + 1)


def unplaced(aufgaben: Iterable[Aufgabe]) -> list[str]:
    """The ids of Aufgaben with a place that the reading does not have."""
    return [
        aufgabe.id
        for aufgabe in aufgaben
        if aufgabe.datei
        and any(not _places(_lesung(aufgabe.datei), stelle) for stelle in aufgabe.stellen)
    ]


@per_database
def _lesung(name: str) -> int:
    return _by_name(name).dokument.lesung.pk
