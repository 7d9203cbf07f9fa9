"""The record of what was done."""

from django.conf import settings
from django.db import models


class ReviewEvent(models.Model):
    """What happened, who did it and why; append-only by trigger."""

    assessment = models.ForeignKey("Assessment", models.PROTECT, related_name="events")
    beleg = models.ForeignKey("Beleg", models.PROTECT, related_name="events", null=True, blank=True)
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
