"""How long a search takes in a large index, and how fast programmes are indexed."""

import math
import random
import statistics
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

from django.db import connection
from django.db.backends.postgresql.psycopg_any import DateRange

from citations.lesetext import lesetext
from citations.models import Dokument, Extraktion
from citations.reading import store
from parlamente.models import Parlament, Partei
from programme.models import Chunk, Programm, Wort
from programme.prozesse import cores
from programme.queries import Frage, motion_queries
from programme.reembedding import reindex_all
from programme.retrieval import find_passages
from programme.wortschatz import count_words, weigh_words

from .bestand import read_files
from .datenbank import scratch
from .zeile import Zeile

TAG = date(2016, 10, 12)
# Passages in all, and per programme; two valid programmes of each party are in scope.
PASSAGEN, JE_PROGRAMM, PARTEIEN = 100_000, 500, 8
# Stems of a real collection of that size; real texts of a few programmes have a tenth of them.
WORTSCHATZ = 100_000
# Compounds that are put into each copied passage.
COMPOUNDS = 3
# Files whose texts and vectors are real; everything else are copies of them.
FILES = 4
SEARCHES, MOTIONS, DEMANDS = 60, 12, 5
# What is sought is as long as a demand.
LETTERS = range(60, 300)


@dataclass(frozen=True)
class Bereich:
    """What is searched: parties with two valid programmes each, in one parliament."""

    parteien: list[Partei]
    parlament: Parlament

    def find(self, queries: Sequence[Frage]) -> None:
        find_passages(self.parteien, parlament=self.parlament, datum=TAG, queries=queries)


def zeilen(paths: Sequence[Path], *, passagen: int = PASSAGEN) -> Iterator[Zeile]:
    """Times over so many passages, made of the first files of the paths."""
    chance = random.Random(1)  # noqa: S311  the same every time
    with scratch():
        yield _ingest(paths)
        bereich = _fill(passagen, chance)
        demands = _demands()
        chance.shuffle(demands)
        yield Zeile("Passagen, Wortstämme", f"{Chunk.objects.count():,}, {Wort.objects.count():,}")
        yield from _searches(bereich, demands)
        yield from _motions(bereich, demands)


def _ingest(paths: Sequence[Path]) -> Zeile:
    """Passages, vectors and rows of what has been read, on all cores, their start included."""
    parlament = Parlament.objects.create(code="ECHT", name="Echte Texte", land="Echt")
    programme = [
        _programm(dokument, parlament, Programm.Typ.WAHLPROGRAMM)
        for dokument in islice(_citable(paths), FILES)
    ]
    pages = sum(len(lesetext(programm.dokument.lesung).seiten) for programm in programme)
    seconds = _timed(lambda: deque(reindex_all(programme, processes=cores()), maxlen=0))
    was = f"Seiten je Sekunde einlesen nach dem Lesen ({pages} Seiten, {cores()} Prozesse)"
    return Zeile(was, f"{pages / seconds:.0f}", "≥ 40", pages / seconds >= 40)


def _citable(paths: Sequence[Path]) -> Iterator[Dokument]:
    for path in paths:
        for datei in read_files([path]):
            dokument = store(datei, name=path.name)
            if dokument.lesung.status == Extraktion.Status.ZITIERFAEHIG:
                yield dokument


def _searches(bereich: Bereich, demands: Sequence[str]) -> Iterator[Zeile]:
    times = _times(lambda text: bereich.find([Frage(text)]), demands[:SEARCHES])
    median, p95 = statistics.median(times), times[math.ceil(0.95 * len(times)) - 1]
    yield Zeile("Eine Forderung, Median", f"{median:.0f} ms", "≤ 60 ms", median <= 60)
    yield Zeile("Eine Forderung, 95 von 100", f"{p95:.0f} ms", "≤ 120 ms", p95 <= 120)


def _motions(bereich: Bereich, demands: Sequence[str]) -> Iterator[Zeile]:
    made = [_motion(demands[n : n + DEMANDS + 4]) for n in range(MOTIONS)]
    median = statistics.median(_times(bereich.find, made))
    was = f"Antrag mit {DEMANDS} Forderungen ({len(made[0])} Fragen), Median"
    yield Zeile(was, f"{median:.0f} ms", "≤ 300 ms", median <= 300)


def _motion(sentences: Sequence[str]) -> list[Frage]:
    """A title, demands, and reasons of three sentences."""
    title, *others = sentences
    demands = "; ".join(f"{n}. {text}" for n, text in enumerate(others[:DEMANDS], start=1))
    reasons = " ".join(others[DEMANDS:])
    text = f"Der Landtag wolle beschließen: {demands}.\n\nBegründung: {reasons}"
    return motion_queries(title[:80], text)


def _times(search: Callable[[Any], None], inputs: Sequence[Any]) -> list[float]:
    """Milliseconds of each, sorted; the model embeds within the time, as it does for an editor."""
    for one in inputs[:5]:
        search(one)
    return sorted(1000 * _timed(partial(search, one)) for one in inputs)


def _timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


# --- The large index ----------------------------------------------------------------------------


def _fill(passagen: int, chance: random.Random) -> Bereich:
    """Copies of the real passages with their vectors, each with compounds of its own."""
    originals = list(Chunk.objects.order_by("pk"))
    compounds = _compounds(originals, chance)
    parlament = Parlament.objects.create(code="MESS", name="Messland", land="Messland")
    parteien = [Partei.objects.create(kuerzel=f"M{n}", name=f"M{n}") for n in range(PARTEIEN)]
    others = [Partei.objects.create(kuerzel="ANDERE", name="Andere")]
    foreign = Parlament.objects.create(code="FERN", name="Fernland", land="Fernland")
    size = max(min(JE_PROGRAMM, passagen // (2 * PARTEIEN)), 1)
    for number in range(max(passagen // size, 2 * PARTEIEN)):
        in_scope = number < 2 * PARTEIEN
        programm = _programm(
            _dokument(number),
            (None if number % 2 else parlament) if in_scope else foreign,
            list(Programm.Typ)[number % 2] if in_scope else Programm.Typ.WAHLPROGRAMM,
            parteien[number // 2 : number // 2 + 1] if in_scope else others,
        )
        _copy(programm, originals, compounds, chance, size)
    count_words()
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    return Bereich(parteien, parlament)


def _programm(
    dokument: Dokument,
    parlament: Parlament | None,
    typ: Programm.Typ,
    parteien: Sequence[Partei] = (),
) -> Programm:
    programm = Programm.objects.create(
        dokument=dokument,
        parlament=parlament,
        typ=typ,
        jahr=TAG.year,
        gueltig=DateRange(date(TAG.year, 1, 1), None),
    )
    programm.parteien.set(parteien)
    return programm


def _dokument(number: int) -> Dokument:
    digest = sha256(f"copy {number}".encode()).hexdigest()
    return Dokument.objects.create(sha256=digest, bytes=0, name=f"kopie-{number}.pdf")


def _copy(
    programm: Programm,
    originals: Sequence[Chunk],
    compounds: Sequence[str],
    chance: random.Random,
    size: int,
) -> None:
    start = chance.randrange(len(originals))
    taken = [originals[(start + n) % len(originals)] for n in range(size)]
    rows = Chunk.objects.bulk_create(
        Chunk(
            programm=programm,
            extraktion_id=original.extraktion_id,
            nr=number,
            start=original.start,
            ende=original.ende,
            seite=original.seite,
            pfad=original.pfad,
            text=f"{original.text} {' '.join(chance.sample(compounds, COMPOUNDS))}",
        )
        for number, original in enumerate(taken, start=1)
    )
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO programme_einbettung (chunk_id, modell_id, satz, vektor) "
            "SELECT neu, modell_id, satz, vektor FROM unnest(%s::bigint[], %s::bigint[]) "
            "AS paar(neu, alt) JOIN programme_einbettung ON chunk_id = alt "
            "ORDER BY satz IS NOT NULL, neu, satz",
            [[row.pk for row in rows], [original.pk for original in taken]],
        )
    weigh_words(programm)


def _compounds(originals: Sequence[Chunk], chance: random.Random) -> list[str]:
    """As many as a large collection has stems: German nouns make new ones of two."""
    words = {word for chunk in originals for word in chunk.text.split()}
    nouns = sorted(w for w in words if w.isalpha() and w[0].isupper() and 4 < len(w) < 12)
    return [chance.choice(nouns) + chance.choice(nouns).lower() for _ in range(WORTSCHATZ)]


def _demands() -> list[str]:
    """Sentences of the real texts."""
    programme = Programm.objects.filter(parlament__code="ECHT").select_related("dokument")
    texts = (lesetext(programm.dokument.lesung) for programm in programme)
    sentences = (" ".join(t.text[slice(*span)].split()) for t in texts for span in t.saetze)
    fitting = (s for s in sentences if len(s) in LETTERS and ". ." not in s)
    return list(islice(fitting, 2000))
