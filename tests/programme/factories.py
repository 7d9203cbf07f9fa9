"""Programmes of invented parties, valid since the election of 13 March 2016 by default.

`ProgrammFactory(seiten=["text", …])` has a real PDF and its index; without pages it is a row alone,
and `ChunkFactory(programm=…, text=…)` gives it passages that are found.
"""

import hashlib
import itertools
from datetime import date

import factory
from django.db.backends.postgresql.psycopg_any import DateRange

from citations.models import Dokument, Extraktion
from citations.sentences import satz_spans
from programme.embeddings import embed, reading_model
from programme.ingesting import reindex, whole
from programme.models import Chunk, Einbettung, ModellAufruf, Programm
from programme.wortschatz import count_words, weigh_words
from tests.citations.factories import DokumentFactory
from tests.parlamente.factories import ParlamentFactory, ParteiFactory

_numbers = itertools.count()


def read_dokument() -> Dokument:
    """A document and its reading as rows alone: no file, no text."""
    number = next(_numbers)
    dokument = Dokument.objects.create(
        sha256=hashlib.sha256(str(number).encode()).hexdigest(), name=f"{number}.pdf", bytes=1
    )
    Extraktion.objects.create(
        dokument=dokument, version=1, status=Extraktion.Status.ZITIERFAEHIG, seitenzahl=1
    )
    return dokument


def newer_reading(dokument: Dokument, text: str) -> Extraktion:
    """As a better reader would make it, with one page of that text."""
    newer = Extraktion.objects.create(
        dokument=dokument,
        version=dokument.lesung.version + 1,
        status=Extraktion.Status.ZITIERFAEHIG,
        seitenzahl=1,
    )
    newer.seiten.create(
        index=1, breite=420, hoehe=595, text=text, start=0, boxes=bytes(8 * len(text))
    )
    return newer


class ProgrammFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Programm
        exclude = ["seiten"]
        skip_postgeneration_save = True

    seiten: list[str] = []
    parlament = factory.SubFactory(ParlamentFactory)
    typ = Programm.Typ.WAHLPROGRAMM
    jahr = 2016
    gueltig = DateRange(date(2016, 3, 13), date(2021, 3, 14))

    class Params:
        grundsatz = factory.Trait(
            typ=Programm.Typ.GRUNDSATZPROGRAMM,
            parlament=None,
            jahr=2007,
            gueltig=factory.LazyAttribute(lambda p: DateRange(date(p.jahr, 1, 1), None)),
        )
        abgelaufen = factory.Trait(
            jahr=2011, gueltig=DateRange(date(2011, 3, 27), date(2016, 3, 13))
        )

    @factory.lazy_attribute
    def dokument(self):
        return DokumentFactory(*self.seiten) if self.seiten else read_dokument()

    @factory.post_generation
    def parteien(self, create, extracted, **kwargs):
        """Without any given, a party of its own."""
        self.parteien.set([ParteiFactory()] if extracted is None else extracted)

    @factory.post_generation
    def index(self, create, extracted, **kwargs):
        if self.dokument.file:
            reindex(self)
            self.confirm(durch="Prüfung", gesehen=self.zweifel)


class ChunkFactory(factory.django.DjangoModelFactory):
    """A passage with its own vector, those of its sentences, and its words."""

    class Meta:
        model = Chunk
        skip_postgeneration_save = True

    programm = factory.SubFactory(ProgrammFactory)
    extraktion = factory.LazyAttribute(lambda chunk: chunk.programm.dokument.lesung)
    nr = factory.LazyAttribute(lambda chunk: chunk.programm.chunks.count() + 1)
    start = factory.LazyAttribute(lambda chunk: chunk.nr * 1000)
    ende = factory.LazyAttribute(lambda chunk: chunk.start + len(chunk.text))
    seite = 1
    text = factory.Sequence(lambda n: f"Wir wollen das Vorhaben Nummer {n} umsetzen.")

    @factory.post_generation
    def vektoren(self, create, extracted, **kwargs):
        modell = reading_model()
        saetze = [self.text[slice(*span)] for span in satz_spans(self.text)]
        texts = [whole(self.pfad, self.vorspann, self.text), *saetze]
        Einbettung.objects.bulk_create(
            Einbettung(chunk=self, modell=modell, satz=number, vektor=vector)
            for number, vector in zip(
                [None, *range(len(saetze))], embed(texts, modell), strict=True
            )
        )
        weigh_words(self.programm)
        count_words()


class ModellAufrufFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = ModellAufruf

    zweck = "matrix"
    modell = "beispielmodell"
    prompt_version = "1"
    tokens_ein = 1000
    tokens_aus = 200
    kosten = 0
    dauer = 1.5

    class Params:
        gescheitert = factory.Trait(tokens_ein=0, tokens_aus=0, fehler="Voruebergehend")
