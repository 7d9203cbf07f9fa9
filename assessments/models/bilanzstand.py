"""What the drafts of the models came to when they were last counted."""

from django.db import models
from django.db.models import Q


class Bilanzstand(models.Model):
    """One row: the sums of `assessments.statistik`, which look at every quote and rating."""

    am = models.DateTimeField("gezählt am")
    zeilen = models.JSONField("Summen")

    class Meta:
        verbose_name = "Stand der Bilanzen"
        verbose_name_plural = "Stand der Bilanzen"
        default_permissions = ()
        constraints = [models.CheckConstraint(condition=Q(pk=1), name="one_state_of_figures")]

    def __str__(self) -> str:
        return f"{self.am:%d.%m.%Y, %H:%M}"
