"""Which assessments: the questions that pages, the desk and commands ask the database."""

from typing import TYPE_CHECKING, Any, Self

from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Coalesce

from .beleg import Beleg
from .bewertung import Feldbewertung, Vergleich
from .reservierung import Reservierung
from .status import OPEN, READABLE, WAITING, AssessmentStatus

if TYPE_CHECKING:
    from .assessment import Assessment  # noqa: F401 - named in a string below


class AssessmentQuerySet(models.QuerySet["Assessment"]):
    def public(self) -> Self:
        """What readers may see: the only door to the outside."""
        return self.filter(status=AssessmentStatus.PUBLISHED)

    def readable(self) -> Self:
        """What can be read under its own address: the public versions and those before them."""
        return self.filter(status__in=READABLE)

    def reachable(self) -> Self:
        """What has a public address: also superseded and withdrawn versions."""
        return self.filter(version__isnull=False)

    def to_review(self) -> Self:
        """The queue, oldest first."""
        return self.filter(status__in=WAITING).order_by("erstellt_am", "pk")

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
        before = self.model.objects.reachable().filter(antrag=OuterRef("antrag"))
        return self.filter(
            ~Q(berichtigung="") | ~Exists(before),
            ~Exists(Beleg.objects.filter(**part).offen()),
            ~Exists(unrated),
            ~Exists(comparisons.undecided()),
            ~Exists(comparisons.without_source()),
            ~Q(zusammenfassung_modell="", zusammenfassung_redaktion=""),
            status=AssessmentStatus.IN_REVIEW,
        )

    def ready_to_publish(self) -> Self:
        return self.filter(status=AssessmentStatus.APPROVED)

    def open_corrections(self, version: int | None) -> Self:
        """Those of this published version that are not done."""
        return self.filter(corrects=version, status__in=OPEN, corrects__isnull=False)

    def free_for(self, person: Any) -> Self:
        """Those that nobody else has leased."""
        taken = Reservierung.objects.of_others(person)
        return self.exclude(pk__in=taken.values("assessment"))

    def with_counts(self) -> Self:
        """Adds `offene`, `angenommene` and `verworfene`: numbers of evidence."""

        def belege(zustand: str) -> Coalesce:
            # A subquery is asked for the rows of a page only; a join counts the whole queue first.
            rows = Beleg.objects.filter(assessment=OuterRef("pk"), zustand=zustand).order_by()
            counts = rows.values("assessment").annotate(anzahl=models.Count("pk"))
            return Coalesce(models.Subquery(counts.values("anzahl")), 0)

        return self.annotate(
            offene=belege(Beleg.Zustand.OFFEN),
            angenommene=belege(Beleg.Zustand.ANGENOMMEN),
            verworfene=belege(Beleg.Zustand.VERWORFEN),
        )
