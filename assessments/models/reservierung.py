"""Who works on an assessment of the queue now, so that two do not do the same.

A lease is a courtesy with teeth: it ends by itself, anybody may take it over, but while it lasts
the verbs of the desk refuse everybody else (docs/adr/0024). Every method runs below the lock of
the assessment's row, like everything that happens to an assessment.
"""

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Self

from django.conf import settings
from django.db import models, transaction
from django.utils import timezone
from django.utils.formats import date_format

from .transition import InvalidTransition

if TYPE_CHECKING:
    from .assessment import Assessment


class Reserviert(InvalidTransition):
    """Somebody else has the lease."""


class ReservierungQuerySet(models.QuerySet["Reservierung"]):
    def active(self) -> Self:
        return self.filter(bis__gt=timezone.now())

    def of_others(self, person: Any) -> Self:
        return self.active().exclude(person=person)


class Reservierung(models.Model):
    assessment = models.OneToOneField(
        "Assessment", models.CASCADE, primary_key=True, related_name="reservierung"
    )
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, verbose_name="für", related_name="+"
    )
    bis = models.DateTimeField("bis")

    objects = ReservierungQuerySet.as_manager()

    class Meta:
        verbose_name = "Reservierung"
        verbose_name_plural = "Reservierungen"

    def __str__(self) -> str:
        return f"reserviert von {self.person} bis {self.uhrzeit} Uhr"

    @property
    def uhrzeit(self) -> str:
        return date_format(timezone.localtime(self.bis), "H:i")

    # --- Mutators ------------------------------------------------------------------------------

    @classmethod
    @transaction.atomic
    def take(cls, assessment: "Assessment", *, by: Any) -> None:
        """Takes the lease or prolongs one's own. Raises Reserviert while somebody else has it."""
        assessment.require_waiting()
        cls.require(assessment, by=by)
        cls.objects.update_or_create(
            assessment_id=assessment.pk, defaults={"person": by, "bis": _end()}
        )

    @classmethod
    @transaction.atomic
    def take_over(cls, assessment: "Assessment", *, by: Any) -> None:
        """Takes the lease from whoever has it; the record says so, and so does a notice."""
        assessment.require_waiting()
        other = cls._of_another(assessment, by)
        if other:
            cls.objects.filter(pk=other.pk).delete()
            Uebernahme.objects.create(assessment_id=assessment.pk, von=other.person, durch=by)
            assessment.events.create(
                verb="take_over", von=str(other.person)[:60], nach=str(by)[:60], by=by
            )
        cls.take(assessment, by=by)

    @classmethod
    def require(cls, assessment: "Assessment", *, by: Any) -> None:
        """Raises Reserviert where somebody else has it; prolongs one's own, as work goes on.

        To be called within the transaction of a step, with the assessment's row locked. Nobody
        (`by=None`, a command) is not asked.
        """
        if by is None:
            return
        other = cls._of_another(assessment, by)
        if other:
            raise Reserviert(
                f"Diese Bewertung ist {other}. Entschieden oder gespeichert ist nichts. Sie "
                "können die Reservierung übernehmen."
            )
        cls.objects.filter(assessment=assessment.pk, person=by).update(bis=_end())

    @classmethod
    def _of_another(cls, assessment: "Assessment", by: Any) -> "Reservierung | None":
        rows = cls.objects.of_others(by).filter(assessment=assessment.pk)
        return rows.select_related("person").first()


class Uebernahme(models.Model):
    """A notice to whoever lost a lease; gone once it was shown."""

    assessment = models.ForeignKey("Assessment", models.CASCADE, related_name="+")
    von = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, verbose_name="von", related_name="+"
    )
    durch = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, verbose_name="durch", related_name="+"
    )
    am = models.DateTimeField("am", auto_now_add=True)

    class Meta:
        verbose_name = "Übernahme"
        verbose_name_plural = "Übernahmen"

    def __str__(self) -> str:
        return f"{self.durch} hat „{self.assessment}“ übernommen"

    @classmethod
    def collect(cls, person: Any) -> list[Self]:
        """The notices for somebody, each one time; two pages at once may both show it."""
        rows = cls.objects.select_related("assessment__antrag", "durch").filter(von=person)
        notices = list(rows.order_by("pk"))
        if notices:
            cls.objects.filter(pk__in=[notice.pk for notice in notices]).delete()
        return notices


def _end() -> Any:
    return timezone.now() + timedelta(minutes=settings.RESERVIERUNG_MINUTEN)
