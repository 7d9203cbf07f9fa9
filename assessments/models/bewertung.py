"""What an assessment says: ratings of fields, comparisons with programmes, other wordings."""

from typing import TYPE_CHECKING, Self

from django.db import models
from django.db.models import Exists, OuterRef, Q

from assessments.scale import Wert
from parlamente.models import Partei
from programme.models import Programm

from .beleg import Beleg
from .einwaende import failed_checks

if TYPE_CHECKING:
    from assessments.schemas import FeldEntwurf, VerbesserungEntwurf, VergleichEntwurf

    from .assessment import Assessment


class Feldbewertung(models.Model):
    """The rating of one of the 25 fields: what the model said, and what the editors say."""

    assessment = models.ForeignKey("Assessment", models.CASCADE, related_name="feldbewertungen")
    feld = models.CharField("Feld", max_length=2)
    wert_modell = models.CharField("Wert des Modells", max_length=2, choices=Wert, blank=True)
    wert_redaktion = models.CharField("Wert der Redaktion", max_length=2, choices=Wert, blank=True)
    begruendung_modell = models.TextField("Begründung des Modells", blank=True)
    begruendung_redaktion = models.TextField("Begründung der Redaktion", blank=True)

    class Meta:
        verbose_name = "Feldbewertung"
        verbose_name_plural = "Feldbewertungen"
        constraints = [
            models.UniqueConstraint(fields=["assessment", "feld"], name="one_rating_per_field"),
            models.CheckConstraint(condition=Q(feld__regex="^[A-E][1-5]$"), name="feld_exists"),
        ]

    def __str__(self) -> str:
        return f"{self.feld}: {self.wert.wort if self.wert else 'noch nicht bewertet'}"

    @classmethod
    def record(cls, assessment: "Assessment", entwurf: "FeldEntwurf") -> None:
        bewertung = cls.objects.create(
            assessment=assessment,
            feld=entwurf.feld,
            wert_modell=entwurf.wert or "",
            begruendung_modell=entwurf.begruendung,
        )
        Beleg.record(assessment, entwurf.belege, feldbewertung=bewertung)

    @property
    def wert(self) -> Wert | None:
        """What counts; None where nobody has rated the field yet."""
        value = self.wert_redaktion or self.wert_modell
        return Wert(value) if value else None

    @property
    def begruendung(self) -> str:
        return self.begruendung_redaktion or self.begruendung_modell

    @property
    def is_changed(self) -> bool:
        return bool(self.wert_redaktion and self.wert_redaktion != self.wert_modell)


class VergleichQuerySet(models.QuerySet["Vergleich"]):
    def undecided(self) -> Self:
        """Those whose result nobody has said yet."""
        offen = Vergleich.Ergebnis.UNBEWERTET
        return self.filter(ergebnis_modell=offen, ergebnis_redaktion__in=["", offen])

    def without_source(self) -> Self:
        """Rated ones without accepted words of the programme: no source, no score."""
        bewertet = Vergleich.Ergebnis.BEWERTET
        words = Beleg.objects.angenommen().filter(
            vergleich=OuterRef("pk"), seite=Beleg.Seite.PROGRAMM
        )
        rated = Q(ergebnis_redaktion=bewertet) | Q(ergebnis_redaktion="", ergebnis_modell=bewertet)
        return self.filter(rated, ~Exists(words))


class Vergleich(models.Model):
    """How a motion fits one party's programme of one kind, or why that cannot be said."""

    class Ergebnis(models.TextChoices):
        BEWERTET = "bewertet", "bewertet"
        KEIN_PROGRAMM = "kein_programm", "Das Programm liegt uns nicht vor."
        NICHTS_GEFUNDEN = "nichts_gefunden", "Gesucht, nichts Einschlägiges gefunden."
        OHNE_BELEG = "ohne_beleg", "Einschlägig, aber ohne wörtlichen Beleg."
        UNBEWERTET = "unbewertet", "noch nicht bewertet"

    class Rolle(models.TextChoices):
        EINBRINGEND = "einbringend", "bringt ein"
        REGIEREND = "regierend", "regiert"
        BEIDES = "beides", "bringt ein und regiert"

    assessment = models.ForeignKey("Assessment", models.CASCADE, related_name="vergleiche")
    partei = models.ForeignKey(Partei, models.PROTECT, related_name="+")
    rolle = models.CharField("Rolle", max_length=12, choices=Rolle)
    programmtyp = models.CharField("Programm", max_length=20, choices=Programm.Typ)
    programm = models.ForeignKey(
        Programm, models.PROTECT, related_name="vergleiche", null=True, blank=True
    )
    ergebnis_modell = models.CharField("Ergebnis", max_length=20, choices=Ergebnis)
    ergebnis_redaktion = models.CharField(
        "Ergebnis der Redaktion", max_length=20, choices=Ergebnis, blank=True
    )
    score_modell = models.PositiveSmallIntegerField("Wert des Modells", null=True, blank=True)
    score_redaktion = models.PositiveSmallIntegerField("Wert der Redaktion", null=True, blank=True)
    begruendung_modell = models.TextField("Begründung des Modells", blank=True)
    begruendung_redaktion = models.TextField("Begründung der Redaktion", blank=True)
    durchsucht = models.CharField(
        "durchsucht",
        max_length=200,
        blank=True,
        help_text="Womit und wie viel gesucht wurde.",
    )

    objects = VergleichQuerySet.as_manager()

    class Meta:
        verbose_name = "Vergleich"
        verbose_name_plural = "Vergleiche"
        constraints = [
            models.UniqueConstraint(
                fields=["assessment", "partei", "programmtyp"],
                name="one_comparison_per_programme",
            ),
            models.CheckConstraint(
                condition=(Q(score_modell=None) | Q(score_modell__lte=10))
                & (Q(score_redaktion=None) | Q(score_redaktion__lte=10)),
                name="score_up_to_ten",
            ),
            models.CheckConstraint(
                condition=(Q(score_modell=None) & Q(score_redaktion=None))
                | Q(programm__isnull=False),
                name="no_source_no_score",
                violation_error_message="Ohne Programm gibt es keinen Wert.",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.partei}, {self.get_programmtyp_display()}"

    @classmethod
    def record(cls, assessment: "Assessment", entwurf: "VergleichEntwurf") -> None:
        vergleich = cls.objects.create(
            assessment=assessment,
            partei=entwurf.partei,
            rolle=entwurf.rolle,
            programmtyp=entwurf.programmtyp,
            programm=entwurf.programm,
            ergebnis_modell=entwurf.ergebnis,
            score_modell=entwurf.score,
            begruendung_modell=entwurf.begruendung,
            durchsucht=entwurf.durchsucht[:200],
        )
        Beleg.record(assessment, entwurf.belege, vergleich=vergleich)

    @property
    def ergebnis(self) -> str:
        return self.ergebnis_redaktion or self.ergebnis_modell

    @property
    def einwaende(self) -> list[str]:
        """What checks say against giving it a value; nothing once it has one."""
        if self.ergebnis == self.Ergebnis.BEWERTET:
            return []
        return failed_checks("rate", self)

    @property
    def score(self) -> int | None:
        """0–10, or None where the result is one of the absences."""
        if self.ergebnis != self.Ergebnis.BEWERTET:
            return None
        return self.score_modell if self.score_redaktion is None else self.score_redaktion

    @property
    def begruendung(self) -> str:
        return self.begruendung_redaktion or self.begruendung_modell


class Verbesserung(models.Model):
    """A passage of the motion and another wording for it; the diff is computed when shown."""

    assessment = models.ForeignKey("Assessment", models.CASCADE, related_name="verbesserungen")
    nr = models.PositiveSmallIntegerField("Nummer")
    feld = models.CharField("Feld", max_length=2, blank=True)
    titel_modell = models.CharField("Titel des Modells", max_length=200, blank=True)
    titel_redaktion = models.CharField("Titel der Redaktion", max_length=200, blank=True)
    wortlaut_modell = models.TextField("neuer Wortlaut des Modells", blank=True)
    wortlaut_redaktion = models.TextField("neuer Wortlaut der Redaktion", blank=True)
    begruendung_modell = models.TextField("Begründung des Modells", blank=True)
    begruendung_redaktion = models.TextField("Begründung der Redaktion", blank=True)

    class Meta:
        verbose_name = "Vorschlag zum Wortlaut"
        verbose_name_plural = "Vorschläge zum Wortlaut"
        constraints = [
            models.UniqueConstraint(fields=["assessment", "nr"], name="one_improvement_per_number"),
            models.CheckConstraint(condition=Q(nr__gte=1, nr__lte=3), name="three_improvements"),
        ]

    def __str__(self) -> str:
        return f"Vorschlag {self.nr}"

    @classmethod
    def record(cls, assessment: "Assessment", nr: int, entwurf: "VerbesserungEntwurf") -> None:
        verbesserung = cls.objects.create(
            assessment=assessment,
            nr=nr,
            feld=entwurf.feld,
            titel_modell=entwurf.titel,
            wortlaut_modell=entwurf.wortlaut,
            begruendung_modell=entwurf.begruendung,
        )
        Beleg.record(assessment, (entwurf.beleg,), verbesserung=verbesserung)

    @property
    def titel(self) -> str:
        return self.titel_redaktion or self.titel_modell

    @property
    def wortlaut(self) -> str:
        return self.wortlaut_redaktion or self.wortlaut_modell

    @property
    def begruendung(self) -> str:
        return self.begruendung_redaktion or self.begruendung_modell
