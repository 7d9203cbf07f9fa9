"""That the desk has shown somebody a piece of evidence."""

from typing import Any

from django.conf import settings
from django.db import models
from django.utils import timezone

from .beleg import Beleg


class Sichtung(models.Model):
    """Approval asks for it (trigger `assessment_shown_guard`); one row per evidence and person.

    It counts until somebody else does something with the evidence.
    """

    beleg = models.ForeignKey(Beleg, models.CASCADE, related_name="sichtungen")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, verbose_name="durch", related_name="+"
    )
    am = models.DateTimeField("zuletzt gezeigt am")

    class Meta:
        verbose_name = "Sichtung"
        verbose_name_plural = "Sichtungen"
        constraints = [
            models.UniqueConstraint(fields=["beleg", "by"], name="one_sichtung_per_person")
        ]

    def __str__(self) -> str:
        return f"{self.beleg}, gezeigt am {self.am:%d.%m.%Y %H:%M}"

    @classmethod
    def record(cls, beleg: Beleg, *, by: Any) -> None:
        """The place of the evidence was on the page that this person gets."""
        Sichtung.objects.bulk_create(
            [Sichtung(beleg=beleg, by=by, am=timezone.now())],
            update_conflicts=True,
            unique_fields=["beleg", "by"],
            update_fields=["am"],
        )
