"""Reports of errors by readers, what became of them, and how many came from where.

The rules that must hold even for raw SQL are constraints here and triggers in the migration
`meldungen/0002_triggers` (docs/adr/0026).
"""

from typing import Any, Self

from django.conf import settings
from django.db import IntegrityError, models, transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.formats import date_format

from assessments.models import Assessment, AssessmentQuerySet, InvalidTransition
from citations.models import Zitat
from parlamente.zeichen import require_plain, validate_plain

MAX_TEXT = 2000
MAX_BEGRUENDUNG = 1000


class MeldungQuerySet(models.QuerySet["Meldung"]):
    def offen(self) -> Self:
        """What waits for the editors, the oldest first."""
        return self.filter(status=Meldung.Status.OFFEN).order_by("eingegangen_am", "pk")

    def with_public_outcome(self) -> Self:
        """Closed ones that readers get to see, the newest decision first."""
        return self.filter(status__in=Meldung.OEFFENTLICH).order_by("-entschieden_am", "-pk")

    def with_target(self) -> Self:
        """Loads what words and addresses of the target need."""
        return self.select_related(
            "assessment__antrag__parlament", "assessment__antrag__wahlperiode", "zitat__extraktion"
        )


class Meldung(models.Model):
    """A report. Its text is for editors only; what is public is the outcome and its reason."""

    class Art(models.TextChoices):
        ZITAT = "zitat", "Zitat stimmt nicht"
        STELLE = "stelle", "Stelle falsch markiert"
        BEGRUENDUNG = "begruendung", "Bewertung falsch begründet"
        ANGABE = "angabe", "Angabe zum Antrag falsch"
        ANDERES = "anderes", "Anderes"

    class Status(models.TextChoices):
        OFFEN = "offen", "offen"
        ABGEWIESEN = "abgewiesen", "unbegründet"
        BERICHTIGT = "berichtigt", "berichtigt"
        ZURUECKGEZOGEN = "zurueckgezogen", "Bewertung zurückgezogen"
        UNBRAUCHBAR = "unbrauchbar", "unbrauchbar"

    OEFFENTLICH = (Status.ABGEWIESEN, Status.BERICHTIGT, Status.ZURUECKGEZOGEN)
    # A withdrawal cannot be taken back, so neither can what follows from it.
    UMKEHRBAR = (Status.ABGEWIESEN, Status.BERICHTIGT, Status.UNBRAUCHBAR)

    assessment = models.ForeignKey(Assessment, models.PROTECT, related_name="meldungen")
    zitat = models.ForeignKey(Zitat, models.PROTECT, related_name="+", null=True, blank=True)
    art = models.CharField("Art", max_length=12, choices=Art)
    text = models.TextField("Text", blank=True, validators=[validate_plain])
    fingerabdruck = models.CharField("Prüfsumme des Textes", max_length=64)
    eingegangen_am = models.DateTimeField("eingegangen am", default=timezone.now)
    status = models.CharField("Status", max_length=14, choices=Status, default=Status.OFFEN)
    begruendung = models.TextField("Begründung", blank=True)
    berichtigt_durch = models.ForeignKey(
        Assessment,
        models.PROTECT,
        verbose_name="berichtigt durch",
        related_name="+",
        null=True,
        blank=True,
    )
    entschieden_am = models.DateTimeField("entschieden am", null=True, blank=True)

    objects = MeldungQuerySet.as_manager()

    class Meta:
        verbose_name = "Hinweis"
        verbose_name_plural = "Hinweise"
        default_permissions = ("view",)
        permissions = [("decide_meldung", "Darf Hinweise entscheiden")]
        constraints = [
            models.UniqueConstraint(
                fields=["assessment", "fingerabdruck"], name="one_meldung_per_text"
            ),
            models.CheckConstraint(
                condition=Q(status="berichtigt", berichtigt_durch__isnull=False)
                | (~Q(status="berichtigt") & Q(berichtigt_durch=None)),
                name="corrected_meldung_names_version",
            ),
            models.CheckConstraint(
                condition=Q(status="offen", entschieden_am=None, begruendung="")
                | Q(status="zurueckgezogen", entschieden_am__isnull=False)
                | (
                    Q(status__in=["abgewiesen", "berichtigt", "unbrauchbar"])
                    & Q(entschieden_am__isnull=False)
                    & ~Q(begruendung="")
                ),
                name="decided_meldung_has_reason",
            ),
        ]
        indexes = [
            models.Index(
                fields=["eingegangen_am"], condition=Q(status="offen"), name="offene_meldungen"
            )
        ]

    def __str__(self) -> str:
        am = date_format(timezone.localtime(self.eingegangen_am), "j. F Y, H:i")
        return f"Hinweis {self.pk} vom {am} Uhr"

    # --- Queries -------------------------------------------------------------------------------

    @property
    def is_open(self) -> bool:
        return self.status == self.Status.OFFEN

    @property
    def is_reversible(self) -> bool:
        return self.status in self.UMKEHRBAR and self.assessment.status in Assessment.READABLE

    def neuere_fassungen(self) -> AssessmentQuerySet:
        """The readable versions that can have corrected what was reported, the newest first."""
        same = Assessment.objects.readable().filter(antrag=self.assessment.antrag_id)
        return same.filter(version__gt=self.assessment.version).order_by("-version")

    # --- Verbs ---------------------------------------------------------------------------------

    def dismiss(self, *, by: Any, note: str) -> None:
        """Unfounded; the note is public."""
        self._decide(self.Status.ABGEWIESEN, verb="dismiss", by=by, note=note)

    def correct(self, *, by: Any, note: str, durch: Assessment | None) -> None:
        """A newer version has corrected it; the note and the version are public."""
        if durch is None or not self.neuere_fassungen().filter(pk=durch.pk).exists():
            raise InvalidTransition(
                "Berichtigt ist erst, was in einer neueren veröffentlichten Fassung richtig steht."
            )
        self._decide(
            self.Status.BERICHTIGT, verb="correct", by=by, note=note, berichtigt_durch=durch
        )

    def discard(self, *, by: Any, note: str) -> None:
        """Spam or nothing that could be checked; only counted in public."""
        self._decide(self.Status.UNBRAUCHBAR, verb="discard", by=by, note=note)

    def reopen(self, *, by: Any, note: str) -> None:
        """Takes the decision back that this object shows."""
        if not self.is_reversible:
            raise InvalidTransition("Diese Entscheidung lässt sich nicht zurücknehmen.")
        _require_note(note)
        self._move(
            self.Status.OFFEN,
            verb="reopen",
            by=by,
            note=note,
            begruendung="",
            berichtigt_durch=None,
            entschieden_am=None,
        )

    def _decide(self, target: str, *, verb: str, by: Any, note: str, **fields: Any) -> None:
        if not self.is_open:
            raise self._already_decided()
        _require_note(note)
        self._move(
            target, verb=verb, by=by, note=note, begruendung=note, entschieden_am=Now(), **fields
        )

    def _move(self, target: str, *, verb: str, by: Any, note: str, **fields: Any) -> None:
        """A conditional UPDATE on what was seen: of two at once, one wins and one hears so."""
        source = self.status
        try:
            with transaction.atomic():
                # As everything that concerns an assessment: its row first, so nothing deadlocks.
                Assessment.objects.select_for_update().get(pk=self.assessment_id)
                rows = Meldung.objects.filter(pk=self.pk, status=source)
                if not rows.update(status=target, **fields):
                    raise self._already_decided()
                self.ereignisse.create(verb=verb, von=source, nach=target, by=by, note=note)
        except IntegrityError as error:
            raise InvalidTransition.from_database(error) from error
        self.refresh_from_db()

    def _already_decided(self) -> InvalidTransition:
        """What it is by now, whatever this object showed."""
        label = Meldung.objects.get(pk=self.pk).get_status_display()
        return InvalidTransition(f"Das ist schon geschehen: Der Hinweis ist {label}.")


def _require_note(note: str) -> None:
    if not note.strip():
        raise InvalidTransition("Bitte schreiben Sie eine Begründung.")
    if len(note) > MAX_BEGRUENDUNG:
        raise InvalidTransition(f"Die Begründung ist länger als {MAX_BEGRUENDUNG} Zeichen.")
    try:
        require_plain(note)
    except ValueError as error:
        raise InvalidTransition(f"Die Begründung geht so nicht. {error}") from error


class Meldungsereignis(models.Model):
    """What was done with a report, by whom and why; append-only by trigger."""

    meldung = models.ForeignKey(Meldung, models.PROTECT, related_name="ereignisse")
    verb = models.CharField("Tätigkeit", max_length=20)
    von = models.CharField("von", max_length=14, blank=True)
    nach = models.CharField("nach", max_length=14)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, verbose_name="durch", null=True, related_name="+"
    )
    note = models.TextField("Anmerkung", blank=True)
    am = models.DateTimeField("am", auto_now_add=True)

    class Meta:
        verbose_name = "Ereignis eines Hinweises"
        verbose_name_plural = "Ereignisse der Hinweise"
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.verb} am {self.am:%d.%m.%Y %H:%M}"


class Einsendung(models.Model):
    """That a report came from an address, for the limits; says neither which nor from where."""

    adresse = models.CharField("Prüfsumme der Adresse", max_length=64)
    am = models.DateTimeField("am")

    class Meta:
        verbose_name = "Einsendung"
        verbose_name_plural = "Einsendungen"
        default_permissions = ()
        indexes = [models.Index(fields=["am"], name="einsendung_am")]

    def __str__(self) -> str:
        return f"Einsendung {self.pk}"
