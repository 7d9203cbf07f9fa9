"""Party programmes, their searchable passages, and the calls made to models."""

from datetime import date, timedelta
from hashlib import sha256
from typing import Any, Self

from django.contrib.postgres.fields import ArrayField, DateRangeField
from django.contrib.postgres.search import SearchVector, SearchVectorField
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from pgvector.django import HalfVectorField, SparseVectorField

from citations.models import Dokument, Extraktion
from parlamente.models import Parlament, Partei
from parlamente.zeichen import validate_plain

# What a year or a day of a programme may be: before it there was no parliament of ours, and of
# 31.12.9999, which tables use for "no end", no next day can be computed.
JAHRE = range(1900, 2101)


# Room for stems; the vectors of words have as many dimensions, nearly all of them zero.
WORTSCHATZ = 1_000_000


class ProgrammQuerySet(models.QuerySet["Programm"]):
    def usable(self) -> Self:
        """Those that are surely what their particulars say."""
        return self.filter(verwendbar=True)

    def valid_on(self, tag: date) -> Self:
        """The usable ones that count on that day: from election day until before the next one."""
        return self.usable().filter(gueltig__contains=tag)

    def to_confirm(self) -> Self:
        """Those that an editor has to look at before they are used."""
        return self.filter(verwendbar=False)

    def for_parlament(self, parlament: Parlament) -> Self:
        """The parliament's election programmes and every basic programme, never another Land's."""
        return self.filter(Q(parlament=parlament) | Q(parlament=None))

    def without_vectors_of(self, modell: "EinbettungsModell") -> Self:
        """Those with passages, but none that questions could be compared with under the model.

        A programme's vectors of one model are stored all at once, so one tells of all.
        """
        vectors = Einbettung.objects.filter(chunk__programm=OuterRef("pk"), modell=modell)
        return self.filter(Exists(Chunk.objects.filter(programm=OuterRef("pk"))), ~Exists(vectors))

    def for_file(self, data: bytes) -> "Programm | None":
        """The programme in exactly this file, if it was ever taken in."""
        return self.filter(dokument__sha256=sha256(data).hexdigest()).first()


class Programm(models.Model):
    class Typ(models.TextChoices):
        WAHLPROGRAMM = "wahlprogramm", "Wahlprogramm"
        GRUNDSATZPROGRAMM = "grundsatzprogramm", "Grundsatzprogramm"

    dokument = models.OneToOneField(Dokument, models.PROTECT, related_name="programm")
    parteien = models.ManyToManyField(Partei, verbose_name="Parteien", related_name="programme")
    parlament = models.ForeignKey(
        Parlament,
        models.PROTECT,
        verbose_name="Parlament",
        related_name="programme",
        null=True,
        blank=True,
        help_text="Leer: gilt überall (Grundsatzprogramm).",
    )
    typ = models.CharField("Art", max_length=20, choices=Typ)
    titel = models.CharField("Titel", max_length=300, blank=True, validators=[validate_plain])
    jahr = models.PositiveSmallIntegerField("Jahr")
    gueltig = DateRangeField("gültig", help_text="Ab dem Wahltag bis vor den nächsten Wahltag.")
    quelle_url = models.URLField("Quelle", max_length=500, blank=True)
    lizenzhinweis = models.CharField(
        "Hinweis zur Lizenz", max_length=300, blank=True, validators=[validate_plain]
    )
    # What the first pages do not name of the particulars, in German (programme/zweifel.py).
    zweifel = ArrayField(models.TextField(), verbose_name="Zweifel", default=list, editable=False)
    bestaetigt_am = models.DateTimeField("bestätigt am", null=True, editable=False)
    bestaetigt_durch = models.CharField(
        "bestätigt durch", max_length=150, blank=True, editable=False
    )
    # The one rule of what may be used; every query asks for the column.
    verwendbar = models.GeneratedField(
        verbose_name="verwendbar",
        expression=models.ExpressionWrapper(
            Q(zweifel=[]) | Q(bestaetigt_am__isnull=False), models.BooleanField()
        ),
        output_field=models.BooleanField(),
        db_persist=True,
    )

    ZUSTAND = ["zweifel", "bestaetigt_am", "bestaetigt_durch", "verwendbar"]

    objects = ProgrammQuerySet.as_manager()

    class Meta:
        verbose_name = "Programm"
        verbose_name_plural = "Programme"
        permissions = [("confirm_programm", "Zweifelhafte Programme bestätigen")]
        constraints = [
            models.CheckConstraint(
                condition=Q(bestaetigt_am=None, bestaetigt_durch="")
                | (Q(bestaetigt_am__isnull=False) & ~Q(bestaetigt_durch="")),
                name="programm_is_confirmed_by_somebody",
                violation_error_message="Wer bestätigt, wird genannt.",
            ),
            models.CheckConstraint(
                condition=~Q(typ="wahlprogramm") | Q(parlament__isnull=False),
                name="wahlprogramm_has_parlament",
                violation_error_message="Ein Wahlprogramm gehört zu einem Parlament.",
            ),
            models.CheckConstraint(
                condition=Q(jahr__range=(JAHRE.start, JAHRE.stop - 1)),
                name="programm_year_is_plausible",
                violation_error_message="Das Jahr liegt zwischen 1900 und 2100.",
            ),
            models.CheckConstraint(
                condition=Q(gueltig__isempty=False, gueltig__lower_inf=False),
                name="programm_begins_to_count",
                violation_error_message="Die Geltung braucht einen ersten Tag.",
            ),
        ]

    def __str__(self) -> str:
        return self.label

    @property
    def kuerzel(self) -> str:
        return "/".join(sorted(partei.kuerzel for partei in self.parteien.all()))

    @property
    def label(self) -> str:
        """The full label, as a prompt and a source line show it: `GRÜNE NW Wahlprogramm 2022`."""
        parts = [
            self.kuerzel,
            self.parlament.code if self.parlament else "",
            self.typ_wort,
        ]
        return " ".join(filter(None, [*parts, str(self.jahr)]))

    @property
    def typ_wort(self) -> str:
        return Programm.Typ(self.typ).label

    @property
    def geltung(self) -> str:
        """The validity in words, its last day included: `13.03.2016 bis 13.03.2021`."""
        ab = f"{self.gueltig.lower:%d.%m.%Y}"
        if self.gueltig.upper is None:
            return f"seit {ab}"
        return f"{ab} bis {self.gueltig.upper - timedelta(days=1):%d.%m.%Y}"

    def confirm(self, *, durch: str, gesehen: list[str]) -> bool:
        """It is what its particulars say, although these doubts were seen: so says `durch`.

        False where its doubts are others by now, or somebody has confirmed it already.
        """
        confirmed = (
            Programm.objects.to_confirm()
            .filter(pk=self.pk, zweifel=gesehen)
            .update(bestaetigt_am=timezone.now(), bestaetigt_durch=durch)
        )
        self.refresh_from_db(fields=self.ZUSTAND)
        return bool(confirmed)

    def unconfirm(self) -> None:
        """What was confirmed were other particulars."""
        Programm.objects.filter(pk=self.pk).update(bestaetigt_am=None, bestaetigt_durch="")
        self.refresh_from_db(fields=self.ZUSTAND)

    def doubt(self, zweifel: list[str]) -> None:
        """Its first pages do not name this; a doubt that nobody has seen ends a confirmation."""
        changed: dict[str, Any] = {"zweifel": zweifel}
        if not set(zweifel) <= set(self.zweifel):
            changed |= {"bestaetigt_am": None, "bestaetigt_durch": ""}
        Programm.objects.filter(pk=self.pk).update(**changed)
        self.refresh_from_db(fields=self.ZUSTAND)


class Chunk(models.Model):
    """A passage of whole sentences, rebuilt at will: nothing published refers to it."""

    # The constraint's index begins with it.
    programm = models.ForeignKey(Programm, models.CASCADE, related_name="chunks", db_index=False)
    extraktion = models.ForeignKey(Extraktion, models.CASCADE, related_name="chunks")
    nr = models.PositiveIntegerField("Nummer")
    start = models.PositiveIntegerField("Beginn im Fließtext")
    ende = models.PositiveIntegerField("Ende im Fließtext")
    seite = models.PositiveIntegerField("Seite der Datei")
    pfad = models.CharField(
        "Überschriften",
        max_length=500,
        blank=True,
        help_text="Von oben nach unten, mit › getrennt.",
    )
    vorspann = models.TextField(
        "Vorspann",
        blank=True,
        help_text="Der Satz, der die Liste einleitet, in der die Passage beginnt; die Kopfzeile "
        "einer Tabelle.",
    )
    text = models.TextField("Text")
    suche = models.GeneratedField(
        verbose_name="Suchform",
        expression=SearchVector("pfad", "vorspann", "text", config="german"),
        output_field=SearchVectorField(),
        db_persist=True,
    )
    woerter = SparseVectorField(
        "Wörter",
        dimensions=WORTSCHATZ,
        null=True,
        help_text="Je Wort der Suchform sein Gewicht, unter dem Schlüssel des Wortes.",
    )

    class Meta:
        verbose_name = "Passage"
        verbose_name_plural = "Passagen"
        constraints = [
            models.UniqueConstraint(fields=["programm", "nr"], name="one_chunk_per_number")
        ]

    def __str__(self) -> str:
        return f"{self.programm}, Passage {self.nr}"


class Wort(models.Model):
    """A stem that stands in some passage, or once did; a question finds those like its own."""

    lexem = models.CharField("Wortstamm", max_length=2048, unique=True)
    passagen = models.PositiveIntegerField("Passagen mit dem Wort", default=0)

    class Meta:
        verbose_name = "Wort"
        verbose_name_plural = "Wortschatz"

    def __str__(self) -> str:
        return self.lexem


class Wortschatzstand(models.Model):
    """One row, another value after every count: whoever keeps the vocabulary in memory looks.

    `passagen` are all that there were then: the words' numbers are shares of it.
    """

    stand = models.UUIDField("Stand")
    passagen = models.PositiveIntegerField("Passagen im Ganzen", default=0)

    class Meta:
        verbose_name = "Stand des Wortschatzes"
        verbose_name_plural = "Stand des Wortschatzes"
        constraints = [models.CheckConstraint(condition=Q(pk=1), name="one_state_of_words")]

    def __str__(self) -> str:
        return str(self.stand)


class Wortgebrauch(models.Model):
    """In how many of a programme's passages a stem stands; no row where in none."""

    pk = models.CompositePrimaryKey("wort", "programm")
    # The primary key begins with it.
    wort = models.ForeignKey(Wort, models.CASCADE, db_index=False)
    programm = models.ForeignKey(Programm, models.CASCADE)
    passagen = models.PositiveIntegerField("Passagen mit dem Wort")

    class Meta:
        verbose_name = "Wortgebrauch"
        verbose_name_plural = "Wortgebrauch"

    def __str__(self) -> str:
        return f"{self.wort} in {self.programm}"


class EinbettungsModell(models.Model):
    class Rolle(models.TextChoices):
        LESEN = "lesen", "wird gelesen"
        SCHREIBEN = "schreiben", "wird geschrieben"
        RUHT = "ruht", "ruht"

    name = models.CharField("Name", max_length=120, unique=True)
    dims = models.PositiveSmallIntegerField("Dimensionen")
    rolle = models.CharField("Rolle", max_length=12, choices=Rolle)
    adresse = models.CharField(
        "Adresse", max_length=300, blank=True, help_text="Leer: das mitgelieferte Modell."
    )

    class Meta:
        verbose_name = "Einbettungsmodell"
        verbose_name_plural = "Einbettungsmodelle"
        constraints = [
            models.UniqueConstraint(
                fields=["rolle"], condition=Q(rolle="lesen"), name="one_model_is_read"
            ),
            models.UniqueConstraint(
                fields=["rolle"], condition=Q(rolle="schreiben"), name="one_model_is_written"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Einbettung(models.Model):
    """The unit vector of a passage, or of one of its sentences, under one model."""

    # The constraint's index begins with it.
    chunk = models.ForeignKey(Chunk, models.CASCADE, related_name="einbettungen", db_index=False)
    modell = models.ForeignKey(EinbettungsModell, models.CASCADE, related_name="einbettungen")
    satz = models.PositiveSmallIntegerField(
        "Satz der Passage", null=True, blank=True, help_text="Leer: die ganze Passage."
    )
    # Half precision: 512 numbers then lie within the row, and nothing measured changes.
    vektor = HalfVectorField("Vektor")

    class Meta:
        verbose_name = "Einbettung"
        verbose_name_plural = "Einbettungen"
        constraints = [
            models.UniqueConstraint(
                fields=["chunk", "modell", "satz"],
                nulls_distinct=False,
                name="one_vector_per_sentence_and_model",
            )
        ]
        # A search reads the vector of every whole passage in scope (docs/adr/0032).
        indexes = [
            models.Index(fields=["chunk", "modell"], condition=Q(satz=None), name="whole_passages")
        ]

    def __str__(self) -> str:
        teil = "ganz" if self.satz is None else f"Satz {self.satz}"
        return f"{self.chunk}, {teil} ({self.modell})"


class ModellAufruf(models.Model):
    """One call of a language model: what it cost, never what it said."""

    zweck = models.CharField("Zweck", max_length=60)
    modell = models.CharField("Modell", max_length=120)
    prompt_version = models.CharField("Fassung der Anweisungen", max_length=40, blank=True)
    tokens_ein = models.PositiveIntegerField("Tokens hinein")
    tokens_aus = models.PositiveIntegerField("Tokens heraus")
    geschaetzt = models.BooleanField(
        "geschätzt",
        default=False,
        help_text="Der Anbieter nannte keine Zahl: ein Token je drei Zeichen.",
    )
    kosten = models.DecimalField("Kosten in Euro", max_digits=10, decimal_places=6)
    dauer = models.FloatField("Dauer in Sekunden")
    fingerabdruck = models.CharField("Fingerabdruck der Antwort", max_length=16, blank=True)
    fehler = models.CharField("Fehler", max_length=200, blank=True)
    am = models.DateTimeField("am", auto_now_add=True, db_index=True)

    class Meta:
        verbose_name = "Modellaufruf"
        verbose_name_plural = "Modellaufrufe"

    def __str__(self) -> str:
        return f"{self.zweck} ({self.modell})" + (f": {self.fehler}" if self.fehler else "")
