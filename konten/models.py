"""Accounts: who tried to log in, who was invited by whom, and what was done to an account."""

from datetime import datetime
from typing import Any, Self

from django.conf import settings
from django.contrib.auth.models import User
from django.db import models
from django.db.models import F, Q
from django.utils import timezone


class Anmeldeversuch(models.Model):
    """One answered attempt to log in. Append-only (a trigger refuses UPDATE); old rows are deleted.

    The typed name is kept as a keyed hash only: people type their password there by mistake.
    """

    class Schritt(models.TextChoices):
        PASSWORT = "passwort", "Passwort"
        CODE = "code", "zweiter Faktor"
        LINK = "link", "Link"

    schritt = models.CharField(
        "Schritt", max_length=8, choices=Schritt.choices, default="passwort", db_default="passwort"
    )
    kennung = models.CharField("Prüfsumme des eingegebenen Namens", max_length=64)
    adresse = models.CharField("Adresse", max_length=45)
    konto = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        null=True,
        related_name="+",
        verbose_name="Konto",
    )
    erfolg = models.BooleanField("gelungen")
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


class Konto(User):
    """An account as the Leitung sees it: without its password, and never made a superuser."""

    class Meta:
        proxy = True
        verbose_name = "Konto"
        verbose_name_plural = "Konten"
        default_permissions = ("view", "change")
        permissions = [
            ("invite", "Kann einladen und Links für neue Passwörter ausstellen"),
            ("reset_zweiter_faktor", "Kann den zweiten Faktor anderer zurücksetzen"),
        ]


class EinladungQuerySet(models.QuerySet["Einladung"]):
    def unused(self) -> Self:
        """Neither redeemed nor revoked, whatever the time."""
        return self.filter(eingeloest_am=None, widerrufen_am=None)

    def open(self) -> Self:
        return self.unused().filter(gueltig_bis__gt=timezone.now())

    def in_zustand(self, zustand: str) -> Self:
        """The same as `Einladung.zustand`, for lists."""
        match zustand:
            case Einladung.Zustand.OFFEN:
                return self.open()
            case Einladung.Zustand.EINGELOEST:
                return self.exclude(eingeloest_am=None)
            case Einladung.Zustand.WIDERRUFEN:
                return self.filter(widerrufen_am__lt=F("gueltig_bis"))
        unused = Q(widerrufen_am=None, gueltig_bis__lte=timezone.now())
        put_away = Q(widerrufen_am__gte=F("gueltig_bis"))
        return self.filter(unused | put_away, eingeloest_am=None)

    def redeemable(self) -> Self:
        """Open, for an account and by an account that are still in use."""
        return self.open().filter(konto__is_active=True, ausgestellt_durch__is_active=True)


class Einladung(models.Model):
    """A link by which one person sets the password of one account, once and until a given time.

    Only a hash of its secret is stored. Written by konten/einladungen.py only; a trigger keeps what
    was issued and lets it end once.
    """

    class Zweck(models.TextChoices):
        EINLADUNG = "einladung", "Einladung"
        PASSWORT = "passwort", "neues Passwort"

    class Zustand(models.TextChoices):
        """Computed, not stored."""

        OFFEN = "offen", "offen"
        EINGELOEST = "eingeloest", "eingelöst"
        ABGELAUFEN = "abgelaufen", "abgelaufen"
        WIDERRUFEN = "widerrufen", "widerrufen"

    konto = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="einladungen", verbose_name="Konto"
    )
    zweck = models.CharField("Zweck", max_length=10, choices=Zweck.choices)
    pruefsumme = models.CharField("Prüfsumme", max_length=64, unique=True)
    ausgestellt_durch = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name="ausgestellt durch"
    )
    ausgestellt_am = models.DateTimeField("ausgestellt am")
    gueltig_bis = models.DateTimeField("gültig bis")
    eingeloest_am = models.DateTimeField("eingelöst am", null=True)
    widerrufen_am = models.DateTimeField("widerrufen am", null=True)

    objects = EinladungQuerySet.as_manager()

    class Meta:
        verbose_name = "Einladung"
        verbose_name_plural = "Einladungen"
        default_permissions = ("view",)
        constraints = [
            models.UniqueConstraint(
                fields=["konto"],
                condition=Q(eingeloest_am=None, widerrufen_am=None),
                name="ein_link_je_konto",
            ),
            models.CheckConstraint(
                condition=Q(eingeloest_am=None) | Q(widerrufen_am=None),
                name="einladung_endet_einmal",
            ),
            models.CheckConstraint(
                condition=Q(eingeloest_am=None) | Q(eingeloest_am__lt=F("gueltig_bis")),
                name="einladung_in_der_frist",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_zweck_display()} für {self.konto.get_username()}"

    @property
    def zustand(self) -> Zustand:
        """What ran out stays so, also where a new link has put it away since."""
        if self.eingeloest_am:
            return self.Zustand.EINGELOEST
        if min(self.widerrufen_am or timezone.now(), timezone.now()) >= self.gueltig_bis:
            return self.Zustand.ABGELAUFEN
        return self.Zustand.WIDERRUFEN if self.widerrufen_am else self.Zustand.OFFEN


class Kontoereignis(models.Model):
    """What was done to an account. Append-only (a trigger refuses UPDATE and DELETE)."""

    class Art(models.TextChoices):
        EINGELADEN = "eingeladen", "eingeladen"
        LINK = "link", "neuer Link ausgestellt"
        WIDERRUFEN = "widerrufen", "Link widerrufen"
        EINGELOEST = "eingeloest", "Passwort über den Link gesetzt"
        GEAENDERT = "geaendert", "Gruppen oder Zugang geändert"
        FAKTOR = "faktor", "zweiter Faktor eingerichtet"
        ZURUECKGESETZT = "zurueckgesetzt", "zweiter Faktor zurückgesetzt"
        NOTFALL = "notfall", "mit Wiederherstellungscode angemeldet"

    konto = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="ereignisse", verbose_name="Konto"
    )
    art = models.CharField("Ereignis", max_length=14, choices=Art.choices)
    # Nobody: somebody at the command line, or whoever has the link.
    durch = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+", verbose_name="durch"
    )
    vermerk = models.CharField("Vermerk", max_length=500, blank=True)
    zeitpunkt = models.DateTimeField("Zeitpunkt", default=timezone.now)

    class Meta:
        verbose_name = "Kontoereignis"
        verbose_name_plural = "Kontoereignisse"
        default_permissions = ("view",)
        indexes = [models.Index(fields=["konto", "zeitpunkt"], name="ereignis_je_konto")]

    def __str__(self) -> str:
        return f"{self.konto.get_username()}: {self.get_art_display()}"

    @classmethod
    def note(cls, konto: Any, art: Art, *, durch: Any = None, vermerk: str = "") -> None:
        # Of the account, the row and not the proxy is meant.
        cls.objects.create(konto_id=konto.pk, art=art, durch=durch, vermerk=vermerk[:500])

    @classmethod
    def happened(cls, konto: Any, *arten: Art, durch: Any, since: datetime) -> bool:
        return cls.objects.filter(
            konto_id=konto.pk, art__in=arten, durch=durch, zeitpunkt__gt=since
        ).exists()
