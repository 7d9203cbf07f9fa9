"""Finds the passages of the parties' programmes that speak to a motion."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery

from citations.lesetext import lesetext
from citations.models import Extraktion
from parlamente.models import Parlament, Partei

from .chunking import Span, split_long
from .embeddings import LOCAL_MODEL, embed, reading_model
from .models import WORTSCHATZ, Chunk, Programm
from .queries import Frage, Namen, is_named
from .wortverwandte import Indexstand, stems, wortschatz

# A party's programmes of one kind say nothing relevant where they never say what the subject is
# called: of the nouns that the index knows, each weighted by its rarity, so great a share. Nor
# where no passage comes near to any question, in vectors or in words. Chosen on the golden sets
# (docs/reference/retrieval.md); vectors of other models refuse nothing until somebody measures it.
MAX_UNSAID = 0.5
# Passages from which silence says something: a leaflet cannot name every subject.
ENOUGH = 100
MIN_COSINE = {LOCAL_MODEL: 0.25}
MIN_TEXT = 0.35
# A noun is known that stands in such a share of all passages.
KNOWN = 0.0006
# Passages per party and kind of programme of which every sentence is looked at, or as many as are
# asked for; more change nothing (docs/adr/0031).
CANDIDATES = 30


@dataclass(frozen=True)
class Gewichte:
    """How the measures are added: the first three in standard deviations over a party's passages,
    `genau` as it is: over the question's rare words, the share of each times its weight in the
    passage, which is about a tenth (programme/wortschatz.py).

    The grid and what cross-validation says of it: docs/reference/retrieval.md.
    """

    passage: float = 1.0
    satz: float = 0.25
    text: float = 0.2
    genau: float = 5.0


GEWICHTE = Gewichte()
# In the statement a kind of programme is its place here: numbers sort faster than words.
TYPEN = list(Programm.Typ)


@dataclass(frozen=True)
class Fundstelle:
    """A passage found for a party: where it stands, and why it was found.

    `satz` is the number of its sentence nearest to the questions, `forderung` the demand that it
    answers best, `cosinus` and `textwert` are its best values over the questions, the ranks count
    from 1 within those of the party that were looked at closely.
    """

    programm: Programm
    chunk_id: int
    extraktion_id: int
    start: int
    ende: int
    seite: int
    pfad: str
    text: str
    satz: int
    forderung: int | None
    score: float
    cosinus: float
    textwert: float
    rang_vektor: int
    rang_text: int


@dataclass(frozen=True)
class Bestand:
    """What was there to search: none is "not in the index", and differs from "nothing found"."""

    programme: tuple[Programm, ...] = ()
    passagen: int = 0

    @property
    def in_index(self) -> bool:
        return bool(self.programme)


# Each step is one relation. The text leg multiplies two vectors of words: the passage's
# (programme/wortschatz.py) and the question's, in which every word that is like its words
# (programme/wortverwandte.py) counts by likeness and rarity. PostgreSQL's own ts_rank knows
# neither, and found half as much. A second vector of the question has its rare words alone; it is
# multiplied only with the passages that are looked at closely, which changes no figure.
SEARCH = """
WITH frage AS MATERIALIZED (
    SELECT nr, gewicht, forderung, vektor::halfvec AS vektor, woerter::sparsevec AS woerter,
        seltene::sparsevec AS seltene
    FROM unnest(%(nrn)s::int[], %(gewichte)s::float8[], %(forderungen)s::int[],
        %(vektoren)s::text[], %(woerter)s::text[], %(seltene)s::text[]
    ) AS f(nr, gewicht, forderung, vektor, woerter, seltene)
),
bestand AS MATERIALIZED (
    SELECT coalesce(sum(anzahl), 0)::float8 AS passagen
    FROM programme_programm programm CROSS JOIN LATERAL (
        SELECT max(nr) AS anzahl FROM programme_chunk WHERE programm_id = programm.id
    ) AS letzte
),
bekannt AS MATERIALIZED (
    SELECT lexem, ln(1 + bestand.passagen / wort.passagen) AS gewicht
    FROM programme_wort wort CROSS JOIN bestand
    WHERE lexem = ANY(%(nomen)s::text[])
        AND wort.passagen >= greatest(%(known)s * bestand.passagen, 2)
),
werk AS MATERIALIZED (
    SELECT * FROM unnest(%(werk_parteien)s::bigint[], %(werk_typen)s::int[],
        %(werk_programme)s::bigint[]) AS w(partei_id, typ, programm_id)
),
wertung AS MATERIALIZED (
    SELECT partei_id, typ, passage.id AS chunk_id, frage.nr, frage.gewicht, frage.forderung,
        partei_id * %(fragen)s + frage.nr AS partei_und_frage,
        -(ganz.vektor <#> frage.vektor) AS cosinus,
        coalesce(-(passage.woerter <#> frage.woerter), 0) AS textwert
    FROM werk JOIN programme_chunk passage USING (programm_id)
        JOIN programme_einbettung ganz
            ON ganz.chunk_id = passage.id AND ganz.modell_id = %(modell)s AND ganz.satz IS NULL
        CROSS JOIN frage
),
norm AS MATERIALIZED (
    SELECT partei_und_frage, avg(cosinus) AS mitte, nullif(stddev_pop(cosinus), 0) AS streuung,
        avg(textwert) AS textmitte, nullif(stddev_pop(textwert), 0) AS textstreuung
    FROM wertung GROUP BY partei_und_frage
),
gewertet AS NOT MATERIALIZED (
    SELECT *, %(passage_gewicht)s * coalesce((cosinus - mitte) / streuung, 0)
        + %(text_gewicht)s * coalesce((textwert - textmitte) / textstreuung, 0) AS wert
    FROM wertung JOIN norm USING (partei_und_frage)
),
vorauswahl AS MATERIALIZED (
    SELECT partei_id, chunk_id FROM (
        SELECT partei_id, chunk_id, row_number() OVER (
                PARTITION BY partei_id, typ ORDER BY sum(gewicht * wert) DESC, chunk_id
            ) AS platz
        FROM gewertet GROUP BY partei_id, typ, chunk_id
    ) AS reihe
    WHERE platz <= %(candidates)s
),
auswahl AS MATERIALIZED (
    SELECT DISTINCT chunk_id FROM vorauswahl
),
naechster AS (
    SELECT satz.chunk_id, frage.nr, max(-(satz.vektor <#> frage.vektor)) AS satzcosinus
    FROM auswahl JOIN programme_einbettung satz USING (chunk_id) CROSS JOIN frage
    WHERE satz.modell_id = %(modell)s AND satz.satz IS NOT NULL
    GROUP BY satz.chunk_id, frage.nr
),
genau AS (
    SELECT chunk_id, frage.nr, -(passage.woerter <#> frage.seltene) AS anteil
    FROM auswahl JOIN programme_chunk passage ON passage.id = chunk_id CROSS JOIN frage
),
einzeln AS (
    SELECT partei_id, typ, chunk_id, nr, gewicht, forderung, cosinus, textwert, satzcosinus,
        wert + %(satz_gewicht)s * coalesce((satzcosinus - mitte) / streuung, 0)
            + %(genau_gewicht)s * coalesce(anteil, 0) AS wert
    FROM gewertet JOIN vorauswahl USING (partei_id, chunk_id)
        LEFT JOIN naechster USING (chunk_id, nr) LEFT JOIN genau USING (chunk_id, nr)
),
summe AS (
    SELECT partei_id, typ, chunk_id, max(greatest(cosinus, satzcosinus)) AS cosinus,
        max(textwert) AS textwert, sum(gewicht * wert) / sum(gewicht) AS score,
        (array_agg(forderung ORDER BY wert DESC) FILTER (WHERE forderung IS NOT NULL))[1]
            AS forderung
    FROM einzeln GROUP BY partei_id, typ, chunk_id
),
gereiht AS (
    SELECT *,
        rank() OVER (PARTITION BY partei_id ORDER BY cosinus DESC NULLS LAST) AS rang_vektor,
        rank() OVER (PARTITION BY partei_id ORDER BY textwert DESC) AS rang_text,
        max(cosinus) OVER art AS naechste, max(textwert) OVER art AS bester_text,
        row_number() OVER (PARTITION BY partei_id, typ ORDER BY score DESC, chunk_id) = 1
            AS beste_ihrer_art
    FROM summe WINDOW art AS (PARTITION BY partei_id, typ)
),
gesagt AS (
    SELECT * FROM unnest(%(gesagt_nomen)s::text[], %(gesagt_programme)s::bigint[])
        AS g(lexem, programm_id)
),
ungesagt AS MATERIALIZED (
    SELECT partei_id, typ, sum(gewicht) FILTER (WHERE NOT ist_gesagt) / sum(gewicht) AS anteil
    FROM (
        SELECT partei_id, typ, gewicht, bool_or(gesagt.lexem IS NOT NULL) AS ist_gesagt
        FROM werk CROSS JOIN bekannt LEFT JOIN gesagt USING (programm_id, lexem)
        GROUP BY partei_id, typ, lexem, gewicht
    ) AS je_nomen
    WHERE (partei_id, typ) IN (
        SELECT partei_id, typ FROM wertung WHERE nr = 0
        GROUP BY partei_id, typ HAVING count(*) >= %(enough)s
    )
    GROUP BY partei_id, typ
),
gewaehlt AS (
    SELECT gereiht.*, row_number() OVER (
        PARTITION BY partei_id ORDER BY beste_ihrer_art DESC, score DESC, chunk_id
    ) AS platz
    FROM gereiht LEFT JOIN ungesagt USING (partei_id, typ)
    WHERE (naechste >= %(min_cosinus)s OR bester_text >= %(min_text)s)
        AND coalesce(ungesagt.anteil, 0) < %(max_unsaid)s
)
SELECT gewaehlt.partei_id, passage.programm_id, passage.id, passage.extraktion_id, passage.start,
    passage.ende, passage.seite, passage.pfad, passage.text, coalesce(bester.satz, 0),
    gewaehlt.forderung, gewaehlt.score, coalesce(gewaehlt.cosinus, 0), gewaehlt.textwert,
    rang_vektor, rang_text
FROM gewaehlt JOIN programme_chunk passage ON passage.id = gewaehlt.chunk_id
    LEFT JOIN LATERAL (
        SELECT satz.satz FROM programme_einbettung satz CROSS JOIN frage
        WHERE satz.chunk_id = passage.id AND satz.modell_id = %(modell)s AND satz.satz IS NOT NULL
        GROUP BY satz.satz ORDER BY sum(frage.gewicht * (satz.vektor <#> frage.vektor)), satz.satz
        LIMIT 1
    ) AS bester ON true
WHERE platz <= %(top_k)s
ORDER BY gewaehlt.partei_id, gewaehlt.score DESC, passage.id
"""


def find_passages(
    parteien: Sequence[Partei],
    *,
    parlament: Parlament,
    datum: date,
    queries: Sequence[Frage],
    top_k: int | None = None,
    gewichte: Gewichte = GEWICHTE,
    gemeinsam: bool = False,
    refuse: bool = True,
) -> dict[int, list[Fundstelle]]:
    """Per party (by primary key) its best passages, the best first.

    One statement for all, behind the one that asks which programmes are searched.

    Searched are the election programmes of the parliament and the basic programmes that are valid
    on the date. The questions are views of one subject: a passage's score is their weighted mean.
    The best passage of each kind of programme that says anything relevant has its place; the
    others follow by score, `top_k` in all (RETRIEVAL_TOP_K). Every party has an entry; an empty one
    is to be read with `searched`. `gemeinsam` ranks all parties' passages together, under the key
    0; without `refuse` also what is not relevant is given.
    """
    keys = [partei.pk for partei in parteien]
    found: dict[int, list[Fundstelle]] = {key: [] for key in ([0] if gemeinsam else keys)}
    meant = [query for query in queries if query.text.strip()]
    programme = {p.pk: p for p in _in_scope(parteien, parlament, datum)} if meant else {}
    if programme:
        parameters = _parameters(meant, top_k, gewichte, programme.values())
        parameters |= _works(programme.values(), keys, gemeinsam=gemeinsam)
        if not refuse:
            parameters |= {"min_cosinus": -1.0, "nomen": []}
        for partei_id, fundstelle in _search(parameters, programme):
            found[partei_id].append(fundstelle)
    return found


def question(text: str) -> list[Frage]:
    """Somebody's question without the names of parties and Länder, which the search knows."""
    parteien = Partei.objects.values_list("kuerzel", "name", "aliase")
    names = [name for kuerzel, full, aliase in parteien for name in (kuerzel, full, *aliase)]
    laender = Parlament.objects.values_list("land", flat=True)
    return [Frage(Namen(names, laender).without(text), nennt_thema=True)]


def named(parteien: Sequence[Partei], text: str) -> list[Partei]:
    """The parties that the question names, or all of them where it names none."""
    said = [p for p in parteien if is_named((p.kuerzel, p.name, *p.aliase), text)]
    return said or list(parteien)


def _search(
    parameters: dict[str, Any], programme: Mapping[int, Programm]
) -> Iterator[tuple[int, Fundstelle]]:
    """Pairs of a party's primary key and a passage, the party's best one first."""
    with connection.cursor() as cursor:
        cursor.execute(SEARCH, parameters)
        for partei_id, programm_id, *values in cursor:
            yield partei_id, Fundstelle(programme[programm_id], *values)


def satz_span(stelle: Fundstelle) -> Span:
    """Where the passage's sentence nearest to the questions stands in the flow text; the whole
    passage where sentences are cut otherwise than when it was indexed."""
    text = lesetext(Extraktion(pk=stelle.extraktion_id))
    pieces = [
        piece
        for satz in text.saetze
        if satz[0] < stelle.ende and stelle.start < satz[1]
        for piece in split_long(text.text, satz)
        if stelle.start <= piece[0] and piece[1] <= stelle.ende
    ]
    return pieces[stelle.satz] if stelle.satz < len(pieces) else (stelle.start, stelle.ende)


def searched(
    parteien: Sequence[Partei], *, parlament: Parlament, datum: date
) -> dict[tuple[int, Programm.Typ], Bestand]:
    """What `find_passages` searches, per party and kind of programme; every pair has an entry."""
    groups: dict[tuple[int, str], list[Any]] = defaultdict(list)
    for programm in _programme_with_passages(parteien, parlament, datum):
        for partei in programm.parteien.all():
            groups[partei.pk, programm.typ].append(programm)
    return {
        (partei.pk, typ): Bestand(
            programme=tuple(groups[partei.pk, typ]),
            passagen=sum(programm.passagen for programm in groups[partei.pk, typ]),
        )
        for partei in parteien
        for typ in Programm.Typ
    }


def _in_scope(parteien: Sequence[Partei], parlament: Parlament, datum: date) -> QuerySet[Programm]:
    """With the key of their first passage as `erste_passage`."""
    programme = Programm.objects.for_parlament(parlament).valid_on(datum)
    # Joined, a programme of two parties came twice, and DISTINCT compares all columns.
    speaking = Programm.parteien.through.objects.filter(partei__in=parteien)
    passages = Chunk.objects.filter(programm=OuterRef("pk")).order_by("nr")
    return (
        programme.filter(pk__in=speaking.values("programm"))
        .annotate(erste_passage=Subquery(passages.values("pk")[:1]))
        .select_related("parlament", "dokument")
        .prefetch_related("parteien")
        .order_by("pk")
    )


def _programme_with_passages(
    parteien: Sequence[Partei], parlament: Parlament, datum: date
) -> Iterable[Any]:
    programme = _in_scope(parteien, parlament, datum)
    passages = Count("chunks", filter=~Q(chunks__woerter=None))
    return programme.annotate(passagen=passages).filter(passagen__gt=0)


def _works(
    programme: Iterable[Programm], parteien: Collection[int], *, gemeinsam: bool
) -> dict[str, list[Any]]:
    """Whose programme of which kind each is; all parties' as one's under the key 0."""
    rows = {
        (0 if gemeinsam else partei.pk, TYPEN.index(Programm.Typ(programm.typ)), programm.pk)
        for programm in programme
        for partei in programm.parteien.all()
        if partei.pk in parteien
    }
    return _columns(sorted(rows), "werk_parteien", "werk_typen", "werk_programme")


def _parameters(
    queries: Sequence[Frage],
    top_k: int | None,
    gewichte: Gewichte,
    programme: Iterable[Any],
) -> dict[str, Any]:
    modell = reading_model()
    texte = [query.text for query in queries]
    states = [(programm.pk, programm.erste_passage) for programm in programme]
    wanted = settings.RETRIEVAL_TOP_K if top_k is None else top_k
    return {
        "nrn": list(range(len(queries))),
        "fragen": len(queries),
        "gewichte": [query.gewicht for query in queries],
        "forderungen": [query.forderung for query in queries],
        "vektoren": [_literal(vector.tolist()) for vector in embed(texte, modell)],
        "modell": modell.pk,
        "top_k": wanted,
        "passage_gewicht": gewichte.passage,
        "satz_gewicht": gewichte.satz,
        "text_gewicht": gewichte.text,
        "genau_gewicht": gewichte.genau,
        "candidates": max(CANDIDATES, wanted),
        "known": KNOWN,
        "max_unsaid": MAX_UNSAID,
        "enough": ENOUGH,
        "min_cosinus": MIN_COSINE.get(modell.name, -1.0),
        "min_text": MIN_TEXT,
        **_words(texte, [noun for query in queries for noun in query.nomen], states),
    }


def _words(
    texte: Sequence[str], nouns: Sequence[str], programme: Collection[Indexstand]
) -> dict[str, list[Any]]:
    """Of each question the vectors of words that are like its own and that a programme says, and
    of its rare words; the nouns, and what says each."""
    own: list[set[str]] = [set() for _ in (*texte, *nouns)]
    for nr, stem in stems([*texte, *nouns]):
        own[nr].add(stem)
    names = set[str]().union(*own[len(texte) :])
    words = wortschatz()
    said = [(stem, programm) for stem in names for programm in words.who_says(stem, programme)]
    return {
        "woerter": [_sparse(words.like(asked, programme)) for asked in own[: len(texte)]],
        "seltene": [_sparse(words.rare(asked)) for asked in own[: len(texte)]],
        **_columns(said, "gesagt_nomen", "gesagt_programme"),
        "nomen": list(names),
    }


def _columns(rows: Sequence[tuple[Any, ...]], *names: str) -> dict[str, list[Any]]:
    return {name: [row[place] for row in rows] for place, name in enumerate(names)}


def _literal(vector: Iterable[float]) -> str:
    return f"[{','.join(map(str, vector))}]"


def _sparse(words: Iterable[tuple[int, float]]) -> str:
    return f"{{{','.join(f'{key}:{weight:.6g}' for key, weight in words)}}}/{WORTSCHATZ}"
