from django.conf import settings
from django.db import models


class Anmeldeversuch(models.Model):
    """One answered attempt to log in. Append-only (a trigger refuses UPDATE); old rows are deleted.

    The typed name is kept as a keyed hash only: people type their password there by mistake.
    """

    kennung = models.CharField("Prüfsumme des eingegebenen Namens", max_length=64)
    adresse = models.CharField("Adresse", max_length=45)
    konto = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        null=True,
        related_name="+",
        verbose_name="Konto",
    )
    erfolg = models.BooleanField("angemeldet")
    zeitpunkt = models.DateTimeField("Zeitpunkt")

    class Meta:
        verbose_name = "Anmeldeversuch"
        verbose_name_plural = "Anmeldeversuche"
        indexes = [
            models.Index(fields=["adresse", "zeitpunkt"], name="versuch_je_adresse"),
            models.Index(fields=["zeitpunkt"], name="versuch_zeitpunkt"),
        ]

    def __str__(self) -> str:
        return f"Anmeldeversuch {self.pk}"
