"""Parliaments, parties, and the motions they publish."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from citations.models import Dokument

from .urheber import Tafel, UrheberArt, build_tafel
from .zeichen import validate_plain

VON_REDAKTION_HILFE = (
    "Von Hand geändert: load_parlamente lässt die Zeile stehen. Häkchen entfernen, damit wieder "
    "die Datei gilt."
)


class Sicherheit(models.TextChoices):
    """How sure a fact is; from parlamente/data and shown to whoever relies on it."""

    BELEGT = "belegt", "belegt"
    WISSEN = "wissen", "allgemeines Wissen"
    UNSICHER = "unsicher", "unsicher"
    UNBEKANNT = "unbekannt", "unbekannt"


class Regierungsstand(models.TextChoices):
    """What is known about who governed on a day; each is shown as what it is."""

    BEKANNT = "bekannt", "bekannt"
    UNSICHER = "unsicher", "nach unsicherer Quelle"
    UNBEKANNT = "unbekannt", "unbekannt"
    KEIN_EINTRAG = "kein_eintrag", "nicht eingetragen"


def validate_schreibweisen(value: Any) -> None:
    ok = isinstance(value, Mapping) and all(
        isinstance(kuerzel, list) and kuerzel and all(isinstance(k, str) for k in kuerzel)
        for kuerzel in value.values()
    )
    if not ok:
        raise ValidationError('Erwartet wird {"Schreibweise": ["KÜRZEL", …], …}.')


class Partei(models.Model):
    kuerzel = models.CharField("Kürzel", max_length=30, unique=True, validators=[validate_plain])
    name = models.CharField("Name", max_length=120, validators=[validate_plain])
    aliase = ArrayField(
        models.CharField(max_length=80, validators=[validate_plain]),
        verbose_name="Schreibweisen",
        default=list,
        blank=True,
        help_text="Durch Kommas getrennt; überall gültig.",
    )
    muster = models.BooleanField("erfunden", default=False, help_text="Nur zur Vorführung.")
    von_redaktion = models.BooleanField(
        "von der Redaktion", default=False, help_text=VON_REDAKTION_HILFE
    )

    class Meta:
        verbose_name = "Partei"
        verbose_name_plural = "Parteien"

    def __str__(self) -> str:
        return self.kuerzel


class Parlament(models.Model):
    code = models.CharField("Code", max_length=8, unique=True)
    name = models.CharField("Name", max_length=120, validators=[validate_plain])
    land = models.CharField(
        "Land", max_length=60, help_text="Oder Bund.", validators=[validate_plain]
    )
    muster = models.BooleanField(
        "erfunden",
        default=False,
        help_text="Nur zur Vorführung; auf jeder Seite gekennzeichnet.",
    )
    schreibweisen = models.JSONField(
        "eigene Schreibweisen",
        default=dict,
        blank=True,
        validators=[validate_schreibweisen],
        help_text='Nur in diesem Parlament gültig: {"FREIE WÄHLER": ["BVB-FW"]}.',
    )
    von_redaktion = models.BooleanField(
        "von der Redaktion", default=False, help_text=VON_REDAKTION_HILFE
    )

    class Meta:
        verbose_name = "Parlament"
        verbose_name_plural = "Parlamente"

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        genannt = {kuerzel for parteien in self.schreibweisen.values() for kuerzel in parteien}
        bekannt = set(Partei.objects.values_list("kuerzel", flat=True))
        if fremd := sorted(genannt - bekannt):
            raise ValidationError({"schreibweisen": f"Unbekannte Partei: {', '.join(fremd)}."})

    def wahlperiode_am(self, tag: date) -> "Wahlperiode | None":
        return self.wahlperioden.filter(Q(ende=None) | Q(ende__gte=tag), beginn__lte=tag).first()

    def regierung_am(self, tag: date) -> "Regierung | None":
        """The government on that day, or None where it is not known."""
        return self.regierungen.filter(Q(bis=None) | Q(bis__gte=tag), von__lte=tag).first()

    def regierungsstand_am(self, tag: date) -> Regierungsstand:
        regierung = self.regierung_am(tag)
        return regierung.stand if regierung else Regierungsstand.KEIN_EINTRAG

    def tafel(self) -> Tafel:
        """Every spelling of a party that is valid in this parliament."""
        parteien = Partei.objects.filter(muster=self.muster)
        return build_tafel([(p.kuerzel, [p.name, *p.aliase]) for p in parteien], self.schreibweisen)


class Wahlperiode(models.Model):
    parlament = models.ForeignKey(Parlament, models.CASCADE, related_name="wahlperioden")
    nummer = models.PositiveSmallIntegerField("Nummer")
    wahltag = models.DateField("Wahltag")
    beginn = models.DateField("erste Sitzung", null=True, blank=True)
    ende = models.DateField("letzter Tag", null=True, blank=True, help_text="Leer: läuft.")
    fraktionen = models.JSONField(
        "Fraktionen",
        default=list,
        blank=True,
        help_text="[{partei, sitze oder null}, …]",
    )
    sicherheit = models.CharField("Sicherheit", max_length=12, choices=Sicherheit)
    quelle = models.CharField("Quelle", max_length=500, blank=True)
    von_redaktion = models.BooleanField(
        "von der Redaktion", default=False, help_text=VON_REDAKTION_HILFE
    )

    class Meta:
        verbose_name = "Wahlperiode"
        verbose_name_plural = "Wahlperioden"
        constraints = [
            models.UniqueConstraint(fields=["parlament", "nummer"], name="one_wahlperiode_number"),
            models.CheckConstraint(
                condition=Q(ende=None) | Q(beginn=None) | Q(ende__gte=F("beginn")),
                name="wahlperiode_ends_after_start",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.parlament}, {self.nummer}. Wahlperiode"


class Regierung(models.Model):
    parlament = models.ForeignKey(Parlament, models.CASCADE, related_name="regierungen")
    von = models.DateField("von")
    bis = models.DateField("bis", null=True, blank=True, help_text="Einschließlich. Leer: im Amt.")
    parteien = models.ManyToManyField(Partei, verbose_name="Parteien", blank=True)
    kopf = models.CharField("geführt von", max_length=80, blank=True, validators=[validate_plain])
    sicherheit = models.CharField("Sicherheit", max_length=12, choices=Sicherheit)
    quelle = models.CharField("Quelle", max_length=500, blank=True)
    von_redaktion = models.BooleanField(
        "von der Redaktion", default=False, help_text=VON_REDAKTION_HILFE
    )

    class Meta:
        verbose_name = "Regierung"
        verbose_name_plural = "Regierungen"
        constraints = [
            models.UniqueConstraint(fields=["parlament", "von"], name="one_regierung_per_start"),
            models.CheckConstraint(
                condition=Q(bis=None) | Q(bis__gte=F("von")),
                name="regierung_ends_after_start",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.parlament}, ab {self.von:%d.%m.%Y}"

    @property
    def stand(self) -> Regierungsstand:
        if self.sicherheit == Sicherheit.UNBEKANNT:
            return Regierungsstand.UNBEKANNT
        if self.sicherheit == Sicherheit.UNSICHER:
            return Regierungsstand.UNSICHER
        return Regierungsstand.BEKANNT

    def bekannte_parteien(self) -> "list[Partei]":
        """The governing parties by Kürzel; none where the editors say that it is not known."""
        if self.stand == Regierungsstand.UNBEKANNT:
            return []
        return list(self.parteien.order_by("kuerzel"))


class AntragQuerySet(models.QuerySet["Antrag"]):
    def with_urheber(self) -> "AntragQuerySet":
        """What `einbringende` and a list of motions need, in a fixed number of queries."""
        return self.select_related("parlament", "wahlperiode").prefetch_related("urheber__parteien")


class Antrag(models.Model):
    """A motion; its identity is parliament, Wahlperiode, number and series (`zusatz`)."""

    class Typ(models.TextChoices):
        ANTRAG = "antrag", "Antrag"
        GESETZENTWURF = "gesetzentwurf", "Gesetzentwurf"
        ENTSCHLIESSUNGSANTRAG = "entschliessungsantrag", "Entschließungsantrag"
        AENDERUNGSANTRAG = "aenderungsantrag", "Änderungsantrag"
        ALTERNATIVANTRAG = "alternativantrag", "Alternativantrag"

    parlament = models.ForeignKey(Parlament, models.PROTECT, related_name="antraege")
    wahlperiode = models.ForeignKey(Wahlperiode, models.PROTECT, related_name="antraege")
    nummer = models.CharField("Nummer", max_length=12, help_text="Ohne führende Nullen.")
    zusatz = models.CharField(
        "Zusatz",
        max_length=8,
        blank=True,
        help_text="Eigene Zählreihe, etwa S in Bremen.",
    )
    typ = models.CharField("Art", max_length=24, choices=Typ, default=Typ.ANTRAG)
    titel = models.CharField("Titel", max_length=500, validators=[validate_plain])
    datum = models.DateField("Datum")
    quelle_url = models.URLField(
        "Original", max_length=500, blank=True, validators=[validate_plain]
    )
    fremd_id = models.CharField(
        "Kennung der Quelle", max_length=80, blank=True, validators=[validate_plain]
    )
    angelegt_am = models.DateTimeField("angelegt am", auto_now_add=True)

    objects = AntragQuerySet.as_manager()

    class Meta:
        verbose_name = "Antrag"
        verbose_name_plural = "Anträge"
        constraints = [
            models.UniqueConstraint(
                fields=["parlament", "wahlperiode", "nummer", "zusatz"],
                name="antrag_identity",
            )
        ]

    def __str__(self) -> str:
        return f"{self.parlament.code} {self.drucksache}"

    @property
    def drucksache(self) -> str:
        """The number as it is written: `7/2318`, `21/905 S`."""
        return " ".join(filter(None, [f"{self.wahlperiode.nummer}/{self.nummer}", self.zusatz]))

    @property
    def fassung(self) -> "Fassung":
        """The newest version of the text. Raises Fassung.DoesNotExist where there is none."""
        return self.fassungen.latest("nr")

    def einbringende(self) -> "list[Partei]":
        """The submitting parties in the order of the paper; CDU/CSU are two."""
        parteien = [
            partei
            for urheber in sorted(self.urheber.all(), key=lambda urheber: urheber.pk)
            for partei in sorted(urheber.parteien.all(), key=lambda partei: partei.kuerzel)
        ]
        return list(dict.fromkeys(parteien))

    def regierende(self) -> "list[Partei]":
        """The governing parties on the motion's date; empty where they are not known."""
        regierung = self.parlament.regierung_am(self.datum)
        return regierung.bekannte_parteien() if regierung else []

    def regierungsstand(self) -> Regierungsstand:
        """Whether `regierende` is empty because nobody knows or because nothing is entered."""
        return self.parlament.regierungsstand_am(self.datum)


class Fassung(models.Model):
    """One text of a motion; "-neu" makes a new one, not a new motion."""

    antrag = models.ForeignKey(Antrag, models.CASCADE, related_name="fassungen")
    nr = models.PositiveSmallIntegerField("Nummer")
    dokument = models.ForeignKey(Dokument, models.PROTECT, related_name="fassungen")
    bezeichnung = models.CharField("Bezeichnung", max_length=40, blank=True, help_text="Etwa neu.")
    abgerufen_am = models.DateTimeField("abgerufen am", db_default=Now())

    class Meta:
        verbose_name = "Fassung"
        verbose_name_plural = "Fassungen"
        constraints = [
            models.UniqueConstraint(fields=["antrag", "nr"], name="one_fassung_per_number"),
            models.UniqueConstraint(fields=["antrag", "dokument"], name="one_fassung_per_dokument"),
        ]

    def __str__(self) -> str:
        return f"{self.antrag}, Fassung {self.nr}"


class Urheber(models.Model):
    """An originator as the source wrote it, and the parties it stands for."""

    Art = UrheberArt

    antrag = models.ForeignKey(Antrag, models.CASCADE, related_name="urheber")
    roh = models.CharField("wie in der Quelle", max_length=300, validators=[validate_plain])
    art = models.CharField("Art", max_length=12, choices=Art)
    parteien = models.ManyToManyField(Partei, verbose_name="Parteien", blank=True)

    class Meta:
        verbose_name = "Urheber"
        verbose_name_plural = "Urheber"

    def __str__(self) -> str:
        return self.roh
