"""Real files as programmes of invented parties, and quotes in them, for measuring.

Made for a database and a media folder that are thrown away afterwards.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

from django.db import connection
from django.db.backends.postgresql.psycopg_any import DateRange

from assessments.models import Assessment, Beleg, Vergleich
from citations.binding import make_zitat
from citations.comparison import Grad
from citations.lesetext import lesetext
from citations.models import Zitat
from citations.quelltext import Lesetext, Span
from citations.reading import GeleseneDatei, UnbrauchbaresDokument, read_pdf, store
from citations.words import letters_in
from parlamente.models import Antrag, Fassung, Parlament, Partei, Wahlperiode
from programme.models import Programm

TAG = date(2016, 10, 12)
# As quotes are: a sentence or two, none that the placing would call too short.
LETTERS = range(20, 400)


def read_files(paths: Iterable[Path], *, at_once: int = 2) -> list[GeleseneDatei]:
    """What can be read of the files; the others are left out."""
    with ThreadPoolExecutor(at_once) as readers:
        return [datei for datei in readers.map(_read, paths) if datei is not None]


def _read(path: Path) -> GeleseneDatei | None:
    data = path.read_bytes()
    try:
        return GeleseneDatei(data, sha256(data).hexdigest(), read_pdf(data))
    except UnbrauchbaresDokument:
        return None


def store_assessment(dateien: Sequence[GeleseneDatei], *, zitate: int, seed: int = 1) -> Assessment:
    """A draft that compares with one party per file, with `zitate` quotes spread over the files."""
    parlament, _ = Parlament.objects.get_or_create(code="MESS", defaults={"name": "Messland"})
    periode, _ = Wahlperiode.objects.get_or_create(
        parlament=parlament, nummer=1, defaults={"wahltag": TAG}
    )
    antrag = Antrag.objects.create(
        parlament=parlament, wahlperiode=periode, nummer="1", titel="Messen", datum=TAG
    )
    dokument = store(dateien[0], name="antrag.pdf")
    fassung = Fassung.objects.create(antrag=antrag, dokument=dokument, nr=1)
    assessment = Assessment.objects.create(antrag=antrag, fassung=fassung, matrix_version="x")
    chosen = random.Random(seed)  # noqa: S311  the same quotes at every measurement
    for nr, datei in enumerate(dateien):
        vergleich = _vergleich(assessment, _programm(datei, nr, parlament))
        count = zitate // len(dateien) + (nr < zitate % len(dateien))
        _store_quotes(vergleich, count, chosen)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # as the database does by itself for rows that stay
    return assessment


def _programm(datei: GeleseneDatei, nr: int, parlament: Parlament) -> Programm:
    partei, _ = Partei.objects.get_or_create(kuerzel=f"MESS{nr}", defaults={"name": f"Partei {nr}"})
    programm = Programm.objects.create(
        dokument=store(datei, name=f"programm-{nr}.pdf"),
        parlament=parlament,
        typ=Programm.Typ.WAHLPROGRAMM,
        jahr=TAG.year,
        gueltig=DateRange(TAG, None),
    )
    programm.parteien.set([partei])
    return programm


def _vergleich(assessment: Assessment, programm: Programm) -> Vergleich:
    return Vergleich.objects.create(
        assessment=assessment,
        partei=programm.parteien.get(),
        rolle=Vergleich.Rolle.EINBRINGEND,
        programmtyp=programm.typ,
        programm=programm,
        ergebnis_modell=Vergleich.Ergebnis.OHNE_BELEG,
    )


def _store_quotes(vergleich: Vergleich, count: int, chosen: random.Random) -> None:
    assert vergleich.programm is not None  # noqa: S101  made with one just now
    lesung = vergleich.programm.dokument.lesung
    text = lesetext(lesung)
    spans = list(quotable(text))
    rows = [
        make_zitat(lesung, (span,), Grad.WOERTLICH)
        for span in chosen.sample(spans, min(count, len(spans)))
    ]
    Beleg.objects.bulk_create(
        Beleg(
            assessment=vergleich.assessment,
            vergleich=vergleich,
            seite=Beleg.Seite.PROGRAMM,
            zustand=Beleg.Zustand.ANGENOMMEN,
            herkunft=Beleg.Herkunft.MODELL,
            zitat=zitat,
            wortlaut_modell=zitat.text,
        )
        for zitat in Zitat.objects.bulk_create(rows)
    )


def quotable(text: Lesetext) -> Iterator[Span]:
    """Sentences, and each with the next one; no tables of contents, which nobody quotes."""
    singles = [(start, start + len(text.text[start:end].rstrip())) for start, end in text.saetze]
    pairs = [(a, b) for (a, _), (_, b) in pairwise(singles)]
    for span in singles + pairs:
        words = text.text[slice(*span)]
        if letters_in(words) in LETTERS and ". ." not in words and not text.unpruefbar([span]):
            yield span
