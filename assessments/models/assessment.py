"""An assessment of a motion, and its way from draft to publication.

The rules that must hold even for raw SQL are constraints here and triggers in the migration
`assessments/0002_triggers` (docs/adr/0007).
"""

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxLengthValidator
from django.db import IntegrityError, models, transaction
from django.db.models import F, Func, Q, Value
from django.db.models.functions import Coalesce, Now

from assessments.scale import FORMEL_VERSION, Wert, gesamtwert
from parlamente.models import Antrag, Fassung

from . import status as states
from .abfragen import AssessmentQuerySet
from .bewertung import Feldbewertung, Verbesserung, Vergleich
from .einwaende import require_reason
from .kopie import copy_parts
from .lauf import Lauf
from .nennung import Nennung
from .reservierung import Reservierung
from .transition import InvalidTransition

if TYPE_CHECKING:
    from assessments.schemas import AssessmentEntwurf

# Longer than any correction that readers could follow.
MAX_BERICHTIGUNG = 2000


class EigenurteilFehlt(InvalidTransition):
    """This person is asked for ratings of their own first."""


class Assessment(models.Model):
    Status = states.AssessmentStatus
    WAITING = states.WAITING
    EDITABLE = states.EDITABLE
    OPEN = states.OPEN
    RERUNNABLE = states.RERUNNABLE
    READABLE = states.READABLE

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
    eigenurteil_felder = ArrayField(
        models.CharField(max_length=2),
        verbose_name="Felder für das eigene Urteil",
        null=True,
        blank=True,
        editable=False,
        help_text="Vor dem ersten Einreichen nichts; danach ausgelost: zwei Felder oder keines.",
    )
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
    berichtigung = models.TextField(
        "was diese Fassung ändert und warum",
        blank=True,
        validators=[MaxLengthValidator(MAX_BERICHTIGUNG)],
    )
    erstellt_am = models.DateTimeField("entworfen am", auto_now_add=True)

    objects = AssessmentQuerySet.as_manager()

    class Meta:
        verbose_name = "Bewertung"
        verbose_name_plural = "Bewertungen"
        permissions = [
            ("review_assessment", "Darf Belege prüfen und Texte ändern"),
            ("submit_assessment", "Darf Entwürfe zur Prüfung geben"),
            ("correct_assessment", "Darf Veröffentlichtes berichtigen"),
            ("approve_assessment", "Darf Bewertungen freigeben"),
            ("reject_assessment", "Darf Bewertungen ablehnen"),
            ("return_assessment", "Darf Bewertungen an den Entwurf zurückgeben"),
            ("publish_assessment", "Darf Bewertungen veröffentlichen"),
            ("withdraw_assessment", "Darf Veröffentlichtes zurückziehen"),
        ]
        indexes = [
            models.Index(
                fields=["erstellt_am", "id"],
                condition=Q(status__in=["in_review", "approved"]),
                name="assessment_queue",
            )
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["antrag"],
                condition=Q(status="published"),
                name="one_published_per_antrag",
            ),
            models.UniqueConstraint(fields=["antrag", "version"], name="one_version_number"),
            models.UniqueConstraint(
                fields=["antrag"],
                condition=Q(corrects__isnull=False, status__in=["draft", "in_review", "approved"]),
                name="one_open_correction_per_antrag",
            ),
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
            models.CheckConstraint(
                condition=Q(eigenurteil_felder__isnull=True)
                | Q(eigenurteil_felder__len__in=[0, 2]),
                name="two_own_ratings_or_none",
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

    def correct(self, *, by: Any, note: str) -> "Assessment":
        """A copy of this published version in the queue, to be corrected; `note` is the public
        reason, which editors can reword until approval. Only one at a time for a motion.
        """
        reason = note.strip()
        _require_grund(reason)
        try:
            with transaction.atomic():
                return self._correct(reason, by)
        except IntegrityError as error:
            raise InvalidTransition.from_database(error) from error

    def _correct(self, reason: str, by: Any) -> "Assessment":
        source = self._require_status([self.Status.PUBLISHED])
        correction = Assessment.objects.create(
            antrag_id=self.antrag_id,
            fassung_id=self.fassung_id,
            zusammenfassung_modell=self.zusammenfassung_modell,
            zusammenfassung_redaktion=self.zusammenfassung_redaktion,
            themen=self.themen,
            matrix_version=self.matrix_version,
            formel_version=self.formel_version,
            corrects=self,
            berichtigung=reason,
        )
        copy_parts(self, correction)
        self.events.create(verb="correct", von=source, nach=source, by=by, note=reason)
        draft = self.Status.DRAFT
        correction.events.create(verb="correct", von=draft, nach=draft, by=by, note=reason)
        correction.submit(by=by)
        return correction

    # --- Queries -------------------------------------------------------------------------------

    def vorgaenger(self) -> "Assessment | None":
        """What readers have or had before it: the version it corrects, else the newest one."""
        if self.corrects is not None:
            return self.corrects
        versions = Assessment.objects.reachable().filter(antrag=self.antrag_id)
        if self.version is not None:
            versions = versions.filter(version__lt=self.version)
        return versions.order_by("-version").first()

    def beteiligte(self) -> set[int]:
        """The keys of all of the editors who had a hand in it until it was published."""
        events = self.events.filter(by__isnull=False)
        if self.published_at is not None:
            events = events.filter(am__lte=self.published_at)
        people: list[int | None] = [*events.order_by().values_list("by", flat=True)]
        people += [self.approved_by_id, self.published_by_id]
        return {person for person in people if person is not None}

    @property
    def zusammenfassung(self) -> str:
        return self.zusammenfassung_redaktion or self.zusammenfassung_modell

    @property
    def is_editable(self) -> bool:
        return self.status in self.EDITABLE

    @property
    def letztes_ereignis(self) -> int:
        """The key of the newest event, 0 without one: it grows with everything that editors do."""
        return self.events.aggregate(newest=models.Max("pk"))["newest"] or 0

    def werte(self) -> dict[str, Wert | None]:
        """The rating that counts for each field, `{"A1": Wert.NICHT_BETROFFEN, …}`."""
        return {bewertung.feld: bewertung.wert for bewertung in self.feldbewertungen.all()}

    def gesamtwert(self) -> Decimal | None:
        """0–10 in steps of 0.1, or None where no field is affected."""
        return gesamtwert(self.werte().values())

    @property
    def eigenurteil_gefragt(self) -> list[str]:
        """The fields that editors rate themselves before they see the model's rating."""
        return self.eigenurteil_felder or []

    def eigenurteil_offen(self, person: Any) -> list[str]:
        """What this person has still to rate before anything of the model's is shown to them."""
        if not self.is_editable or not self.eigenurteil_gefragt:
            return []
        given = set(self.eigenurteile.filter(by=person).values_list("feld", flat=True))
        return [feld for feld in self.eigenurteil_gefragt if feld not in given]

    # --- Verbs ---------------------------------------------------------------------------------

    def submit(self, *, by: Any = None, note: str = "") -> None:
        self._move([self.Status.DRAFT], self.Status.IN_REVIEW, verb="submit", by=by, note=note,
                   vier_augen=settings.VIER_AUGEN,
                   eigenurteil_felder=self._lot())  # fmt: skip

    def _lot(self) -> Coalesce:
        """Drawn by the database at the first submission; a draft that comes back keeps its lot."""
        share = Value(settings.EIGENURTEIL_ANTEIL, output_field=models.FloatField())
        return Coalesce("eigenurteil_felder", Func("pk", share, function="eigenurteil_auswahl"))

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
        # No stronger: `correct` holds a version, and a copy of it only needs its motion to exist.
        Antrag.objects.select_for_update(no_key=True).get(pk=self.antrag_id)
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
        Nennung.record(self)

    def withdraw(self, *, by: Any, note: str) -> None:
        """Takes a version from its readers, also one that a newer version has replaced."""
        if not note.strip():
            raise InvalidTransition("Zum Zurückziehen gehört ein Grund, der öffentlich ist.")
        self._move(
            [self.Status.PUBLISHED, self.Status.SUPERSEDED],
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
        """A conditional UPDATE is the lock: of two at once, one wins and one hears why not.

        Raises BegruendungNoetig where a check of this verb said no and there is no note.
        """
        try:
            with transaction.atomic():
                source = self._require_status(sources)
                Reservierung.require(self, by=by)
                if source == self.Status.IN_REVIEW:
                    self._require_eigenurteil(by=by)
                require_reason(verb, self, note)
                Assessment.objects.filter(pk=self.pk, status=source).update(status=target, **fields)
                self.events.create(verb=verb, von=source, nach=target, by=by, note=note)
                Reservierung.objects.filter(assessment=self.pk).delete()
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

    def require_as_seen(self, ereignis: int) -> None:
        """A step counts for what was seen: `ereignis` was the newest one then. Locks the row.

        Raises InvalidTransition where something has happened since. To be called within the
        transaction of the step.
        """
        Assessment.objects.select_for_update().get(pk=self.pk)
        if ereignis != self.letztes_ereignis:
            raise InvalidTransition(
                "Inzwischen hat jemand etwas geändert; der Verlauf sagt, was. Der Schritt ist "
                "nicht getan. Bitte sehen Sie die Änderung an."
            )

    def require_editable(self, *, by: Any) -> None:
        """Locks the assessment for whoever changes one of its parts. Raises InvalidTransition."""
        self._require_status(list(self.EDITABLE))
        Reservierung.require(self, by=by)
        self._require_eigenurteil(by=by)

    def require_rerunnable(self) -> None:
        """Locks the assessment if a new draft beside it makes sense. Raises InvalidTransition."""
        self._require_status(list(self.RERUNNABLE))

    def require_waiting(self) -> None:
        """Locks the assessment if it lies in the queue. Raises InvalidTransition."""
        self._require_status(list(self.WAITING))

    def require_in_review(self) -> None:
        """Locks the assessment while it is in review. Raises InvalidTransition."""
        self._require_status([self.Status.IN_REVIEW])

    def _require_eigenurteil(self, *, by: Any) -> None:
        """Nobody (`by=None`, a command) is not asked. Raises EigenurteilFehlt."""
        offen = self.eigenurteil_offen(by) if by is not None else []
        if offen:
            raise EigenurteilFehlt(
                f"Bitte bewerten Sie zuerst selbst: {', '.join(offen)}. Entschieden oder "
                "gespeichert ist nichts."
            )


def _require_grund(text: str) -> None:
    if not text:
        raise InvalidTransition("Zum Berichtigen gehört ein Grund, der öffentlich ist.")
    if len(text) > MAX_BERICHTIGUNG:
        raise InvalidTransition(
            f"Der Grund ist zu lang: {len(text)} Zeichen, möglich sind {MAX_BERICHTIGUNG}."
        )


class Pruefauftrag(Assessment):
    """An assessment that waits for the editors: the queue of the admin."""

    class Meta:
        proxy = True
        # Whoever may work in it is said by the permissions of Assessment.
        default_permissions = ()
        verbose_name = "Prüfauftrag"
        verbose_name_plural = "Warteschlange"
