"""Finds the passages of the parties' programmes that speak to a motion."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.models import Count

from citations.lesetext import lesetext
from citations.models import Extraktion
from parlamente.models import Parlament, Partei

from .chunking import Span, split_long
from .embeddings import LOCAL_MODEL, embed, reading_model
from .models import Programm

# How the two legs are added, each in standard deviations over a party's passages. From the grid in
# docs/reference/programme.md (manage.py eval_retrieval): recall@5 is flat between 0.5 and 1.0.
VECTOR_WEIGHT = 1.0
TEXT_WEIGHT = 0.7
# A party's programmes of one kind of which no passage comes this near to any question say nothing
# relevant: so with 78 % of 150 questions on other subjects, and with one of 52 answerable ones.
# Whether a programme that speaks of the subject answers the question, no threshold tells. Measured
# for the local model; another one refuses nothing until somebody measures it.
MIN_COSINE = {LOCAL_MODEL: 0.30}
MIN_TEXT_SHARE = 0.35
# "wohnung" also finds "wohnungsbau"; shorter stems would find half the dictionary. With it recall@5
# of the golden questions rises from .54 to .65.
MIN_PREFIX = 4


@dataclass(frozen=True)
class Fundstelle:
    """A passage found for a party: where it stands, and why it was found.

    `satz` is the number of its sentence nearest to the questions, `cosinus` and `textanteil` are
    its best values over the questions, the ranks count within the party from 1.
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
    score: float
    cosinus: float
    textanteil: float
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


# Each step is one relation. The text leg is the share of a question's words that a passage has,
# each weighted by its rarity in that party's passages: PostgreSQL's own ts_rank knows no rarity and
# found half as much. Words are OR-ed: one that is missing costs its weight, not the passage.
SEARCH = """
WITH frage AS (
    SELECT nr, gewicht, vektor::vector AS vektor, text
    FROM unnest(%(nrn)s::int[], %(gewichte)s::float8[], %(vektoren)s::text[], %(texte)s::text[])
        AS f(nr, gewicht, vektor, text)
),
bereich AS (
    SELECT zuordnung.partei_id, programm.typ, passage.id AS chunk_id, passage.suche
    FROM programme_programm programm
    JOIN programme_programm_parteien zuordnung ON zuordnung.programm_id = programm.id
    JOIN programme_chunk passage ON passage.programm_id = programm.id
    WHERE zuordnung.partei_id = ANY(%(parteien)s)
        AND programm.verwendbar
        AND programm.gueltig @> %(datum)s::date
        AND (programm.parlament_id = %(parlament)s OR programm.parlament_id IS NULL)
),
umfang AS (SELECT partei_id, count(*) AS passagen FROM bereich GROUP BY partei_id),
naehe AS (
    SELECT satz.chunk_id, frage.nr, max(-(satz.vektor <#> frage.vektor)) AS cosinus
    FROM programme_einbettung satz CROSS JOIN frage
    WHERE satz.modell_id = %(modell)s AND satz.chunk_id IN (SELECT chunk_id FROM bereich)
    GROUP BY satz.chunk_id, frage.nr
),
wort AS (
    SELECT DISTINCT frage.nr, lexem
    FROM frage, unnest(tsvector_to_array(to_tsvector('german', frage.text))) AS l(lexem)
),
suchwort AS (
    SELECT lexem, (
        '''' || replace(replace(lexem, '\\', '\\\\'), '''', '''''') || ''''
        || CASE WHEN length(lexem) >= %(min_prefix)s THEN ':*' ELSE '' END
    )::tsquery AS suche
    FROM (SELECT DISTINCT lexem FROM wort) AS l
),
treffer AS (
    SELECT bereich.partei_id, bereich.chunk_id, suchwort.lexem
    FROM bereich JOIN suchwort ON bereich.suche @@ suchwort.suche
),
seltenheit AS (
    SELECT umfang.partei_id, suchwort.lexem,
        ln(1 + (passagen - count(chunk_id) + 0.5) / (count(chunk_id) + 0.5)) AS gewicht
    FROM umfang CROSS JOIN suchwort LEFT JOIN treffer USING (partei_id, lexem)
    GROUP BY umfang.partei_id, suchwort.lexem, passagen
),
fragegewicht AS (
    SELECT partei_id, nr, sum(gewicht) AS gesamt
    FROM wort JOIN seltenheit USING (lexem) GROUP BY partei_id, nr
),
anteil AS (
    SELECT partei_id, chunk_id, nr, sum(seltenheit.gewicht) / gesamt AS textanteil
    FROM treffer JOIN seltenheit USING (partei_id, lexem) JOIN wort USING (lexem)
        JOIN fragegewicht USING (partei_id, nr)
    GROUP BY partei_id, chunk_id, nr, gesamt
),
wertung AS (
    SELECT bereich.partei_id, typ, bereich.chunk_id, frage.nr, frage.gewicht, cosinus,
        coalesce(textanteil, 0) AS textanteil
    FROM bereich CROSS JOIN frage
        LEFT JOIN naehe USING (chunk_id, nr)
        LEFT JOIN anteil USING (partei_id, chunk_id, nr)
),
genormt AS (
    SELECT *,
        (cosinus - avg(cosinus) OVER je) / nullif(stddev_pop(cosinus) OVER je, 0) AS z_vektor,
        (textanteil - avg(textanteil) OVER je)
            / nullif(stddev_pop(textanteil) OVER je, 0) AS z_text
    FROM wertung WINDOW je AS (PARTITION BY partei_id, nr)
),
summe AS (
    SELECT partei_id, typ, chunk_id, max(cosinus) AS cosinus, max(textanteil) AS textanteil,
        sum(gewicht * (%(vektor_gewicht)s * coalesce(z_vektor, 0)
            + %(text_gewicht)s * coalesce(z_text, 0))) / sum(gewicht) AS score
    FROM genormt GROUP BY partei_id, typ, chunk_id
),
gereiht AS (
    SELECT *,
        rank() OVER (PARTITION BY partei_id ORDER BY cosinus DESC NULLS LAST) AS rang_vektor,
        rank() OVER (PARTITION BY partei_id ORDER BY textanteil DESC) AS rang_text,
        max(cosinus) OVER art AS naechster, max(textanteil) OVER art AS bester_anteil,
        row_number() OVER (PARTITION BY partei_id, typ ORDER BY score DESC, chunk_id) = 1
            AS beste_ihrer_art
    FROM summe WINDOW art AS (PARTITION BY partei_id, typ)
),
gewaehlt AS (
    SELECT *, row_number() OVER (
        PARTITION BY partei_id ORDER BY beste_ihrer_art DESC, score DESC, chunk_id
    ) AS platz
    FROM gereiht WHERE naechster >= %(min_cosinus)s OR bester_anteil >= %(min_textanteil)s
)
SELECT gewaehlt.partei_id, passage.programm_id, passage.id, passage.extraktion_id, passage.start,
    passage.ende, passage.seite, passage.pfad, passage.text, coalesce(bester.satz, 0),
    gewaehlt.score, coalesce(gewaehlt.cosinus, 0), gewaehlt.textanteil, rang_vektor, rang_text
FROM gewaehlt JOIN programme_chunk passage ON passage.id = gewaehlt.chunk_id
LEFT JOIN LATERAL (
    SELECT satz.satz
    FROM programme_einbettung satz CROSS JOIN frage
    WHERE satz.chunk_id = passage.id AND satz.modell_id = %(modell)s
    GROUP BY satz.satz
    ORDER BY sum(frage.gewicht * (satz.vektor <#> frage.vektor)), satz.satz
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
    queries: Sequence[str],
    top_k: int | None = None,
) -> dict[int, list[Fundstelle]]:
    """Per party (by primary key) its best passages, the best first; one statement for all.

    Searched are the election programmes of the parliament and the basic programmes that are valid
    on the date. The questions are views of one subject: a passage's score is their mean, and one
    that is repeated counts as often. The best passage of each kind of programme that says anything
    relevant has its place; the others follow by score, `top_k` in all (RETRIEVAL_TOP_K). Every
    party has an entry; an empty one is to be read with `searched`.
    """
    found: dict[int, list[Fundstelle]] = {partei.pk: [] for partei in parteien}
    counted = Counter(query.strip() for query in queries if query.strip())
    if counted and found:
        parameters = _parameters(found, parlament, datum, counted, top_k)
        for partei_id, fundstelle in _search(parameters):
            found[partei_id].append(fundstelle)
    return found


def _search(parameters: dict[str, Any]) -> Iterator[tuple[int, Fundstelle]]:
    """Pairs of a party's primary key and a passage, the party's best one first."""
    with connection.cursor() as cursor:
        cursor.execute(SEARCH, parameters)
        rows = cursor.fetchall()
    programme = _programme(row[1] for row in rows)
    for partei_id, programm_id, *values in rows:
        yield partei_id, Fundstelle(programme[programm_id], *values)


def satz_span(stelle: Fundstelle) -> Span:
    """Where the passage's sentence nearest to the questions stands in the flow text."""
    text = lesetext(Extraktion(pk=stelle.extraktion_id))
    pieces = [
        piece
        for satz in text.saetze
        if satz[0] < stelle.ende and stelle.start < satz[1]
        for piece in split_long(text.text, satz)
        if stelle.start <= piece[0] and piece[1] <= stelle.ende
    ]
    return pieces[stelle.satz]


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


def _programme_with_passages(
    parteien: Sequence[Partei], parlament: Parlament, datum: date
) -> Iterable[Any]:
    return (
        Programm.objects.for_parlament(parlament)
        .valid_on(datum)
        .filter(parteien__in=parteien)
        .distinct()
        .annotate(passagen=Count("chunks", distinct=True))
        .select_related("parlament", "dokument")
        .prefetch_related("parteien")
        .order_by("pk")
    )


def _parameters(
    parteien: Iterable[int],
    parlament: Parlament,
    datum: date,
    queries: Counter[str],
    top_k: int | None,
) -> dict[str, Any]:
    texte, modell = list(queries), reading_model()
    return {
        "parteien": list(parteien),
        "parlament": parlament.pk,
        "datum": datum,
        "nrn": list(range(len(texte))),
        "texte": texte,
        "gewichte": [float(queries[text]) for text in texte],
        "vektoren": [_literal(vector.tolist()) for vector in embed(texte, modell)],
        "modell": modell.pk,
        "top_k": settings.RETRIEVAL_TOP_K if top_k is None else top_k,
        "vektor_gewicht": VECTOR_WEIGHT,
        "text_gewicht": TEXT_WEIGHT,
        "min_cosinus": MIN_COSINE.get(modell.name, -1.0),
        "min_textanteil": MIN_TEXT_SHARE,
        "min_prefix": MIN_PREFIX,
    }


def _literal(vector: Iterable[float]) -> str:
    return f"[{','.join(map(str, vector))}]"


def _programme(ids: Iterable[int]) -> dict[int, Programm]:
    rows = Programm.objects.filter(pk__in=set(ids)).select_related("parlament", "dokument")
    return {programm.pk: programm for programm in rows.prefetch_related("parteien")}
