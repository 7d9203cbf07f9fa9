"""An assessment of a motion, its evidence, and its way from draft to publication.

The rules that must hold even for raw SQL are constraints here and triggers in the migration
`assessments/0002_triggers` (docs/adr/0007).
"""

from datetime import timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Self

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import IntegrityError, models, transaction
from django.db.models import Exists, F, OuterRef, Q
from django.db.models.functions import Now
from django.utils import timezone

from citations.binding import keep
from citations.models import Pruefung, Zitat
from parlamente.models import Antrag, Fassung, Partei
from programme.models import ModellAufruf, Programm

from .herkunft import wrong_origin_of_antrag_quote, wrong_origin_of_programme_quote
from .scale import FORMEL_VERSION, Wert, gesamtwert

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .schemas import (
        AssessmentEntwurf,
        BelegEntwurf,
        FeldEntwurf,
        VerbesserungEntwurf,
        VergleichEntwurf,
    )


# A run without a sign of life for so long belongs to a killed worker: longer than a model call with
# all its attempts.
SILENCE = timedelta(minutes=10)


class Lauf(models.Model):
    """One attempt of the pipeline on one text of a motion; progress and failure are here."""

    class Status(models.TextChoices):
        WARTET = "wartet", "wartet"
        LAEUFT = "laeuft", "läuft"
        FERTIG = "fertig", "fertig"
        GESCHEITERT = "gescheitert", "gescheitert"

    fassung = models.ForeignKey(Fassung, models.PROTECT, related_name="laeufe")
    status = models.CharField("Status", max_length=12, choices=Status, default=Status.WARTET)
    schritt = models.CharField("Schritt", max_length=120, blank=True)
    versuche = models.PositiveSmallIntegerField("Versuche", default=0)
    herzschlag = models.DateTimeField("letztes Lebenszeichen", null=True, blank=True)
    fehler = models.TextField("Fehler", blank=True)
    modell = models.CharField("Modell", max_length=120, blank=True, help_text="Leer: ohne Modell.")
    prompt_version = models.CharField("Fassung der Anweisungen", max_length=40, blank=True)
    aufrufe = models.ManyToManyField(
        ModellAufruf, verbose_name="Modellaufrufe", blank=True, related_name="laeufe"
    )
    angelegt_am = models.DateTimeField("angelegt am", auto_now_add=True)
    beendet_am = models.DateTimeField("beendet am", null=True, blank=True)

    class Meta:
        verbose_name = "Lauf"
        verbose_name_plural = "Läufe"

    def __str__(self) -> str:
        return f"Lauf {self.pk} zu {self.fassung.antrag}"

    # --- Verbs ---------------------------------------------------------------------------------

    def begin(self, *, modell: str, prompt_version: str) -> None:
        """Starts one more attempt. Raises InvalidTransition where there must be none.

        The conditional UPDATE lets one worker win. A run whose worker was killed shows no sign of
        life for a while and may be begun again; django-q2 redelivers its task for ever, therefore
        the attempts are counted here.
        """
        silent = Q(status=self.Status.LAEUFT, herzschlag__lt=timezone.now() - SILENCE)
        startable = Lauf.objects.filter(
            Q(status=self.Status.WARTET) | silent,
            pk=self.pk,
            versuche__lt=settings.LAUF_MAX_VERSUCHE,
        )
        begun = startable.update(
            status=self.Status.LAEUFT,
            versuche=F("versuche") + 1,
            herzschlag=Now(),
            schritt="",
            fehler="",
            modell=modell,
            prompt_version=prompt_version,
        )
        self.refresh_from_db()
        if not begun:
            self._give_up_if_exhausted()
            raise InvalidTransition(f"Der Lauf ist {self.get_status_display()}.")

    def progress(self, schritt: str) -> None:
        """Says what is being done now, and that the worker is alive."""
        Lauf.objects.filter(pk=self.pk, status=self.Status.LAEUFT).update(
            schritt=schritt, herzschlag=Now()
        )

    def fail(self, reason: str) -> None:
        Lauf.objects.filter(pk=self.pk, status=self.Status.LAEUFT).update(
            status=self.Status.GESCHEITERT, fehler=reason[:2000], beendet_am=Now()
        )
        self.refresh_from_db()

    def retry(self) -> None:
        """Lets a failed run be begun again, with all its attempts."""
        moved = Lauf.objects.filter(pk=self.pk, status=self.Status.GESCHEITERT).update(
            status=self.Status.WARTET, versuche=0, beendet_am=None
        )
        if not moved:
            raise InvalidTransition("Noch einmal starten lässt sich nur ein gescheiterter Lauf.")
        self.refresh_from_db()

    def _give_up_if_exhausted(self) -> None:
        exhausted = Q(versuche__gte=settings.LAUF_MAX_VERSUCHE)
        silent = Q(herzschlag__lt=timezone.now() - SILENCE)
        Lauf.objects.filter(exhausted & silent, pk=self.pk, status=self.Status.LAEUFT).update(
            status=self.Status.GESCHEITERT,
            fehler=f"Nach {self.versuche} Versuchen aufgegeben, jedes Mal endete der Prozess.",
            beendet_am=Now(),
        )
        self.refresh_from_db()


class InvalidTransition(Exception):
    """The verb is not possible now; the message says why, in German."""

    @classmethod
    def from_database(cls, error: IntegrityError) -> "InvalidTransition":
        """What a constraint or trigger refused, as a sentence for whoever tried."""
        name = getattr(getattr(error.__cause__, "diag", None), "constraint_name", None)
        return cls(_REFUSALS.get(name or "", f"Die Datenbank lehnt das ab ({name})."))


_REFUSALS = {
    "no_open_evidence": "Das geht noch nicht: Es sind noch Belege offen.",
    "all_fields_rated": "Das geht noch nicht: Nicht alle 25 Felder sind bewertet.",
    "all_comparisons_decided": "Das geht noch nicht: Nicht alle Vergleiche sind entschieden.",
    "assessment_frozen": "Das geht nicht mehr: Die Bewertung ist abgeschlossen.",
    "four_eyes": "Veröffentlichen kann nur eine zweite Person.",
    "summary_written": "Das geht noch nicht: Die Zusammenfassung fehlt.",
    "no_source_no_score": "Ein Vergleich hat einen Wert, aber keinen Beleg aus dem Programm.",
    "score_up_to_ten": "Der Wert liegt zwischen 0 und 10.",
}


class AssessmentQuerySet(models.QuerySet["Assessment"]):
    def public(self) -> Self:
        """What readers may see: the only door to the outside."""
        return self.filter(status=Assessment.Status.PUBLISHED)

    def reachable(self) -> Self:
        """What has a public address: also superseded and withdrawn versions."""
        return self.filter(version__isnull=False)

    def to_review(self) -> Self:
        """The queue, oldest first."""
        waiting = (Assessment.Status.IN_REVIEW, Assessment.Status.APPROVED)
        return self.filter(status__in=waiting).order_by("erstellt_am", "pk")

    def with_evidence(self, **conditions: Any) -> Self:
        """Those that have evidence of the given state or reason."""
        return self.filter(Exists(Beleg.objects.filter(assessment=OuterRef("pk"), **conditions)))

    def with_open_evidence(self) -> Self:
        return self.with_evidence(zustand=Beleg.Zustand.OFFEN)

    def ready_to_approve(self) -> Self:
        """In review, and nothing of what approval asks for is missing."""
        part = {"assessment": OuterRef("pk")}
        unrated = Feldbewertung.objects.filter(**part, wert_modell="", wert_redaktion="")
        comparisons = Vergleich.objects.filter(**part)
        return self.filter(
            ~Exists(Beleg.objects.filter(**part).offen()),
            ~Exists(unrated),
            ~Exists(comparisons.undecided()),
            ~Exists(comparisons.without_source()),
            ~Q(zusammenfassung_modell="", zusammenfassung_redaktion=""),
            status=Assessment.Status.IN_REVIEW,
        )

    def ready_to_publish(self) -> Self:
        return self.filter(status=Assessment.Status.APPROVED)

    def with_counts(self) -> Self:
        """Adds `offene`, `angenommene` and `verworfene`: numbers of evidence."""

        def belege(zustand: str) -> models.Count:
            return models.Count("belege", filter=Q(belege__zustand=zustand), distinct=True)

        return self.annotate(
            offene=belege(Beleg.Zustand.OFFEN),
            angenommene=belege(Beleg.Zustand.ANGENOMMEN),
            verworfene=belege(Beleg.Zustand.VERWORFEN),
        )


class Assessment(models.Model):
    class Status(models.TextChoices):
        DRAFT = "draft", "Entwurf"
        IN_REVIEW = "in_review", "in Prüfung"
        APPROVED = "approved", "freigegeben"
        PUBLISHED = "published", "veröffentlicht"
        SUPERSEDED = "superseded", "durch neue Fassung ersetzt"
        WITHDRAWN = "withdrawn", "zurückgezogen"
        REJECTED = "rejected", "abgelehnt"

    EDITABLE = (Status.DRAFT, Status.IN_REVIEW)

    antrag = models.ForeignKey(Antrag, models.PROTECT, related_name="assessments")
    fassung = models.ForeignKey(Fassung, models.PROTECT, related_name="assessments")
    lauf = models.OneToOneField(
        Lauf, models.PROTECT, related_name="assessment", null=True, blank=True
    )
    status = models.CharField("Status", max_length=12, choices=Status, default=Status.DRAFT)
    version = models.PositiveSmallIntegerField(
        "Fassung", null=True, blank=True, help_text="Bei der Veröffentlichung vergeben."
    )
    zusammenfassung_modell = models.TextField("Zusammenfassung des Modells", blank=True)
    zusammenfassung_redaktion = models.TextField("Zusammenfassung der Redaktion", blank=True)
    themen = ArrayField(
        models.CharField(max_length=60), verbose_name="Themen", default=list, blank=True
    )
    matrix_version = models.CharField("Matrix", max_length=40)
    formel_version = models.PositiveSmallIntegerField("Rechenweg", default=1)
    vier_augen = models.BooleanField("vier Augen", default=True)
    approved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        verbose_name="freigegeben von",
        related_name="+",
        null=True,
        blank=True,
    )
    approved_at = models.DateTimeField("freigegeben am", null=True, blank=True)
    published_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        verbose_name="veröffentlicht von",
        related_name="+",
        null=True,
        blank=True,
    )
    published_at = models.DateTimeField("veröffentlicht am", null=True, blank=True)
    corrects = models.ForeignKey(
        "self", models.PROTECT, verbose_name="berichtigt", null=True, blank=True
    )
    berichtigung = models.TextField("was berichtigt wurde", blank=True)
    erstellt_am = models.DateTimeField("entworfen am", auto_now_add=True)

    objects = AssessmentQuerySet.as_manager()

    class Meta:
        verbose_name = "Bewertung"
        verbose_name_plural = "Bewertungen"
        permissions = [
            ("review_assessment", "Darf Belege prüfen und Texte ändern"),
            ("approve_assessment", "Darf Bewertungen freigeben oder ablehnen"),
            ("publish_assessment", "Darf Bewertungen veröffentlichen und zurückziehen"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["antrag"],
                condition=Q(status="published"),
                name="one_published_per_antrag",
            ),
            models.UniqueConstraint(fields=["antrag", "version"], name="one_version_number"),
            models.CheckConstraint(
                condition=~Q(status__in=["approved", "published", "superseded", "withdrawn"])
                | Q(approved_by__isnull=False, approved_at__isnull=False),
                name="approved_has_approver",
            ),
            models.CheckConstraint(
                condition=~Q(status__in=["published", "superseded", "withdrawn"])
                | Q(
                    published_by__isnull=False,
                    published_at__isnull=False,
                    version__isnull=False,
                ),
                name="published_has_publisher_and_version",
            ),
            models.CheckConstraint(
                condition=Q(published_by=None)
                | Q(vier_augen=False)
                | ~Q(published_by=F("approved_by")),
                name="four_eyes",
                violation_error_message="Veröffentlichen kann nur eine zweite Person.",
            ),
        ]

    def __str__(self) -> str:
        return f"Bewertung zu {self.antrag}"

    # --- Factories -----------------------------------------------------------------------------

    @classmethod
    @transaction.atomic
    def record(
        cls, lauf: Lauf, entwurf: "AssessmentEntwurf", *, matrix_version: str
    ) -> "Assessment":
        """Stores a draft with all its parts, and ends the run; a run records once."""
        finished = Lauf.objects.filter(pk=lauf.pk, status=Lauf.Status.LAEUFT).update(
            status=Lauf.Status.FERTIG, schritt="", beendet_am=Now()
        )
        if not finished:
            raise InvalidTransition("Der Lauf ist schon beendet.")
        assessment = cls.objects.create(
            antrag=lauf.fassung.antrag,
            fassung=lauf.fassung,
            lauf=lauf,
            zusammenfassung_modell=entwurf.zusammenfassung,
            themen=list(entwurf.themen),
            matrix_version=matrix_version,
            formel_version=FORMEL_VERSION,
        )
        for feld in entwurf.felder:
            Feldbewertung.record(assessment, feld)
        for vergleich in entwurf.vergleiche:
            Vergleich.record(assessment, vergleich)
        for nr, verbesserung in enumerate(entwurf.verbesserungen, 1):
            Verbesserung.record(assessment, nr, verbesserung)
        return assessment

    # --- Queries -------------------------------------------------------------------------------

    @property
    def zusammenfassung(self) -> str:
        return self.zusammenfassung_redaktion or self.zusammenfassung_modell

    @property
    def is_editable(self) -> bool:
        return self.status in self.EDITABLE

    def werte(self) -> dict[str, Wert | None]:
        """The rating that counts for each field, `{"A1": Wert.NICHT_BETROFFEN, …}`."""
        return {bewertung.feld: bewertung.wert for bewertung in self.feldbewertungen.all()}

    def gesamtwert(self) -> Decimal | None:
        """0–10 in steps of 0.1, or None where no field is affected."""
        return gesamtwert(self.werte().values())

    # --- Verbs ---------------------------------------------------------------------------------

    def submit(self, *, by: Any = None, note: str = "") -> None:
        self._move([self.Status.DRAFT], self.Status.IN_REVIEW, verb="submit", by=by, note=note,
                   vier_augen=settings.VIER_AUGEN)  # fmt: skip

    def return_to_draft(self, *, by: Any, note: str) -> None:
        if not note.strip():
            raise InvalidTransition("Bitte sagen Sie, was am Entwurf zu ändern ist.")
        self._move(
            [self.Status.IN_REVIEW, self.Status.APPROVED],
            self.Status.DRAFT,
            verb="return",
            by=by,
            note=note,
            approved_by=None,
            approved_at=None,
        )

    def reject(self, *, by: Any, note: str) -> None:
        if not note.strip():
            raise InvalidTransition("Zum Ablehnen gehört ein Grund.")
        self._move(
            [self.Status.IN_REVIEW],
            self.Status.REJECTED,
            verb="reject",
            by=by,
            note=note,
        )

    def approve(self, *, by: Any, note: str = "") -> None:
        self._move(
            [self.Status.IN_REVIEW],
            self.Status.APPROVED,
            verb="approve",
            by=by,
            note=note,
            approved_by=by,
            approved_at=Now(),
        )

    @transaction.atomic
    def publish(self, *, by: Any, note: str = "") -> None:
        """Makes it public; a version that it corrects becomes superseded in the same moment."""
        if self.vier_augen and self.approved_by_id == by.pk:
            raise InvalidTransition(
                "Freigegeben haben Sie selbst. Veröffentlichen kann nur eine zweite Person."
            )
        Antrag.objects.select_for_update().get(pk=self.antrag_id)
        for older in Assessment.objects.public().filter(antrag=self.antrag_id):
            older._move([self.Status.PUBLISHED], self.Status.SUPERSEDED, verb="supersede", by=by)
        self._move(
            [self.Status.APPROVED],
            self.Status.PUBLISHED,
            verb="publish",
            by=by,
            note=note,
            published_by=by,
            published_at=Now(),
            version=self._next_version(),
        )

    def withdraw(self, *, by: Any, note: str) -> None:
        if not note.strip():
            raise InvalidTransition("Zum Zurückziehen gehört ein Grund, der öffentlich ist.")
        self._move(
            [self.Status.PUBLISHED],
            self.Status.WITHDRAWN,
            verb="withdraw",
            by=by,
            note=note,
        )

    def _next_version(self) -> int:
        versions = Assessment.objects.filter(antrag=self.antrag_id)
        return (versions.aggregate(latest=models.Max("version"))["latest"] or 0) + 1

    def _move(
        self,
        sources: list[str],
        target: str,
        *,
        verb: str,
        by: Any,
        note: str = "",
        **fields: Any,
    ) -> None:
        """A conditional UPDATE is the lock: of two at once, one wins and one hears why not."""
        try:
            with transaction.atomic():
                source = self._require_status(sources)
                Assessment.objects.filter(pk=self.pk, status=source).update(status=target, **fields)
                self.events.create(verb=verb, von=source, nach=target, by=by, note=note)
        except IntegrityError as error:
            raise InvalidTransition.from_database(error) from error
        self.refresh_from_db()

    def _require_status(self, sources: list[str]) -> str:
        """The state in the database, its row locked."""
        rows = Assessment.objects.select_for_update().filter(pk=self.pk)
        source = rows.values_list("status", flat=True).get()
        if source not in sources:
            label = Assessment.Status(source).label
            raise InvalidTransition(f"Das geht nicht mehr: Die Bewertung ist {label}.")
        return source

    def require_editable(self) -> None:
        """Locks the assessment for whoever changes one of its parts. Raises InvalidTransition."""
        self._require_status(list(self.EDITABLE))


class Pruefauftrag(Assessment):
    """An assessment that waits for the editors: the queue of the admin."""

    class Meta:
        proxy = True
        # Whoever may work in it is said by the permissions of Assessment.
        default_permissions = ()
        verbose_name = "Prüfauftrag"
        verbose_name_plural = "Warteschlange"


class Feldbewertung(models.Model):
    """The rating of one of the 25 fields: what the model said, and what the editors say."""

    assessment = models.ForeignKey(Assessment, models.CASCADE, related_name="feldbewertungen")
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
    def record(cls, assessment: Assessment, entwurf: "FeldEntwurf") -> None:
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

    assessment = models.ForeignKey(Assessment, models.CASCADE, related_name="vergleiche")
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
    def record(cls, assessment: Assessment, entwurf: "VergleichEntwurf") -> None:
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

    assessment = models.ForeignKey(Assessment, models.CASCADE, related_name="verbesserungen")
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
    def record(cls, assessment: Assessment, nr: int, entwurf: "VerbesserungEntwurf") -> None:
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


class BelegQuerySet(models.QuerySet["Beleg"]):
    def offen(self) -> Self:
        return self.filter(zustand=Beleg.Zustand.OFFEN)

    def angenommen(self) -> Self:
        return self.filter(zustand=Beleg.Zustand.ANGENOMMEN)


class Beleg(models.Model):
    """Evidence for one statement: a placed Zitat, or a candidate with the reason why not."""

    class Zustand(models.TextChoices):
        ANGENOMMEN = "angenommen", "angenommen"
        OFFEN = "offen", "offen"
        VERWORFEN = "verworfen", "verworfen"

    class Herkunft(models.TextChoices):
        MODELL = "modell", "vom Modell zitiert"
        SUCHE = "suche", "von der Suche gefunden"
        REDAKTION = "redaktion", "von der Redaktion gewählt"

    class Seite(models.TextChoices):
        """The side of a comparison that it stands on."""

        ANTRAG = "antrag", "Der Antrag will"
        PROGRAMM = "programm", "Das Programm sagt"

    class Grund(models.TextChoices):
        """Why a candidate is open or was dropped; shown to editors as a heading."""

        NICHT_GEFUNDEN = "nicht_gefunden", "Steht nicht im Dokument"
        WEICHT_AB = "weicht_ab", "Nicht wörtlich"
        VERNEINUNG = "verneinung", "Verneinung fehlt oder kommt hinzu"
        ZAHL = "zahl", "Andere Zahl"
        ABGESCHNITTEN = "abgeschnitten", "Verneinung im selben Satz weggelassen"
        AUSLASSUNG = "auslassung", "Auslassung zu groß oder sinnändernd"
        WORTGRENZE = "wortgrenze", "Beginnt oder endet im Wort"
        ZU_KURZ = "zu_kurz", "Zu kurz"
        MEHRDEUTIG = "mehrdeutig", "Steht an mehreren Stellen"
        ANDERES_PROGRAMM = "anderes_programm", "Steht im falschen Programm"
        NICHT_PRUEFBAR = "nicht_pruefbar", "Nicht maschinell prüfbar"
        NICHT_BEWIESEN = "nicht_bewiesen", "Zweites Leseprogramm widerspricht"
        VORSCHLAG = "vorschlag", "Vorschlag der Suche"
        KEIN_ZITAT = "kein_zitat", "Kein Zitat"

    assessment = models.ForeignKey(Assessment, models.CASCADE, related_name="belege")
    feldbewertung = models.ForeignKey(
        Feldbewertung, models.CASCADE, related_name="belege", null=True, blank=True
    )
    vergleich = models.ForeignKey(
        Vergleich, models.CASCADE, related_name="belege", null=True, blank=True
    )
    verbesserung = models.ForeignKey(
        Verbesserung, models.CASCADE, related_name="belege", null=True, blank=True
    )
    nr = models.PositiveSmallIntegerField("Nummer", default=1)
    seite = models.CharField("Seite", max_length=10, choices=Seite)
    zustand = models.CharField("Zustand", max_length=12, choices=Zustand)
    herkunft = models.CharField("Herkunft", max_length=12, choices=Herkunft)
    zitat = models.ForeignKey(Zitat, models.PROTECT, related_name="belege", null=True, blank=True)
    vorschlag = models.ForeignKey(
        Zitat,
        models.PROTECT,
        verbose_name="nächste Stelle",
        related_name="+",
        null=True,
        blank=True,
    )
    grund = models.CharField("Grund", max_length=20, choices=Grund, blank=True)
    erklaerung = models.TextField("Erklärung", blank=True)
    wortlaut_modell = models.TextField("Wortlaut des Modells", blank=True)
    quelle_modell = models.CharField("Quelle nach dem Modell", max_length=300, blank=True)
    url_modell = models.CharField("Adresse nach dem Modell", max_length=300, blank=True)
    quelle_programm = models.ForeignKey(
        Programm,
        models.PROTECT,
        verbose_name="Programm nach dem Modell",
        related_name="+",
        null=True,
        blank=True,
    )
    quelle_stimmt = models.BooleanField(
        "Quelle stimmt", null=True, blank=True, help_text="Leer: nicht vergleichbar."
    )

    objects = BelegQuerySet.as_manager()

    class Meta:
        verbose_name = "Beleg"
        verbose_name_plural = "Belege"
        constraints = [
            models.CheckConstraint(
                condition=(
                    Q(feldbewertung__isnull=False, vergleich=None, verbesserung=None)
                    | Q(feldbewertung=None, vergleich__isnull=False, verbesserung=None)
                    | Q(feldbewertung=None, vergleich=None, verbesserung__isnull=False)
                ),
                name="beleg_has_exactly_one_owner",
            ),
            models.CheckConstraint(
                condition=Q(zustand="angenommen", zitat__isnull=False)
                | (~Q(zustand="angenommen") & Q(zitat=None)),
                name="accepted_beleg_has_zitat",
            ),
            models.CheckConstraint(
                condition=Q(seite="antrag") | Q(vergleich__isnull=False),
                name="only_comparisons_quote_programmes",
            ),
        ]

    def __str__(self) -> str:
        return f"Beleg {self.pk} ({self.get_zustand_display()})"

    @classmethod
    def record(
        cls, assessment: Assessment, entwuerfe: "Iterable[BelegEntwurf]", **owner: models.Model
    ) -> None:
        """Stores evidence with its places; `owner` is one of the three foreign keys."""
        for nr, entwurf in enumerate(entwuerfe, 1):
            zitat = keep(entwurf.zitat) if entwurf.zitat else None
            if zitat:  # accepted by the machine alone, so the binder had it proved just now
                zitat.pruefungen.create(ergebnis=Pruefung.Ergebnis.BEWIESEN)
            cls.objects.create(
                assessment=assessment,
                nr=nr,
                seite=entwurf.seite,
                zustand=entwurf.zustand,
                herkunft=entwurf.herkunft,
                zitat=zitat,
                vorschlag=keep(entwurf.vorschlag) if entwurf.vorschlag else None,
                grund=entwurf.grund or "",
                erklaerung=entwurf.erklaerung,
                wortlaut_modell=entwurf.wortlaut_modell,
                quelle_modell=entwurf.quelle_modell,
                url_modell=entwurf.url_modell,
                quelle_programm=entwurf.quelle_programm,
                quelle_stimmt=entwurf.quelle_stimmt,
                **owner,
            )

    @property
    def owner(self) -> "Feldbewertung | Vergleich | Verbesserung":
        owner = self.feldbewertung or self.vergleich or self.verbesserung
        assert owner is not None  # noqa: S101  beleg_has_exactly_one_owner
        return owner

    def wrong_origin(self, zitat: Zitat) -> str:
        """Why `zitat` must not stand here (another party, Land or text); empty if it may."""
        if self.vergleich is None or self.seite == self.Seite.ANTRAG:
            return wrong_origin_of_antrag_quote(zitat, self.assessment.fassung)
        partei, typ = self.vergleich.partei, self.vergleich.programmtyp
        return wrong_origin_of_programme_quote(zitat, partei, typ, self.assessment.antrag)

    # --- Verbs of the desk ---------------------------------------------------------------------

    def propose(self, zitat: Zitat, *, by: Any, note: str = "") -> None:
        """Puts another place up for the decision; accepting it is a step of its own."""
        self._decide(
            [self.Zustand.OFFEN],
            self.Zustand.OFFEN,
            verb="propose",
            by=by,
            note=note,
            vorschlag=zitat,
            herkunft=self.Herkunft.REDAKTION,
        )

    def accept(self, *, by: Any, zitat: Zitat | None = None, note: str = "") -> None:
        """Takes the words of `zitat`, by default of the nearest place, as the evidence."""
        chosen = zitat or self.vorschlag
        if chosen is None:
            raise InvalidTransition("Zu diesem Beleg gibt es keine Stelle, die man annehmen kann.")
        wrong = self.wrong_origin(chosen)
        if wrong:
            raise InvalidTransition(f"{wrong} Als Beleg lässt sich das nicht annehmen.")
        self._decide(
            [self.Zustand.OFFEN],
            self.Zustand.ANGENOMMEN,
            verb="accept",
            by=by,
            note=note,
            zitat=chosen,
        )

    def drop(self, *, by: Any, note: str = "") -> None:
        """Not a quote; it stays in the list of decisions."""
        self._decide(
            [self.Zustand.OFFEN], self.Zustand.VERWORFEN, verb="drop", by=by, note=note, zitat=None
        )

    def reopen(self, *, by: Any, note: str = "") -> None:
        """Takes a decision back; a quote that had been placed becomes the proposal again."""
        decided: list[str] = [self.Zustand.ANGENOMMEN, self.Zustand.VERWORFEN]
        fields: dict[str, Any] = {"zitat": None}
        if self.zitat_id:
            fields["vorschlag"] = self.zitat
        self._decide(decided, self.Zustand.OFFEN, verb="reopen", by=by, note=note, **fields)

    @transaction.atomic
    def _decide(
        self, sources: list[str], target: str, *, verb: str, by: Any, note: str, **fields: Any
    ) -> None:
        """Of two decisions at once, one wins and one hears what became of the evidence."""
        self.assessment.require_editable()
        before = Beleg.objects.values_list("zustand", flat=True).get(pk=self.pk)
        if before not in sources:
            label = Beleg.Zustand(before).label
            raise InvalidTransition(f"Das ist schon geschehen: Der Beleg ist {label}.")
        Beleg.objects.filter(pk=self.pk).update(zustand=target, **fields)
        self.refresh_from_db()
        self.assessment.events.create(
            verb=verb, von=before, nach=target, by=by, note=note, beleg=self
        )


class ReviewEvent(models.Model):
    """What happened, who did it and why; append-only by trigger."""

    assessment = models.ForeignKey(Assessment, models.PROTECT, related_name="events")
    beleg = models.ForeignKey(Beleg, models.PROTECT, related_name="events", null=True, blank=True)
    verb = models.CharField("Tätigkeit", max_length=20)
    von = models.CharField("von", max_length=60, blank=True)
    nach = models.CharField("nach", max_length=60, blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        verbose_name="durch",
        null=True,
        blank=True,
    )
    note = models.TextField("Anmerkung", blank=True)
    am = models.DateTimeField("am", auto_now_add=True)

    class Meta:
        verbose_name = "Ereignis"
        verbose_name_plural = "Ereignisse"

    def __str__(self) -> str:
        return f"{self.verb} am {self.am:%d.%m.%Y %H:%M}"
