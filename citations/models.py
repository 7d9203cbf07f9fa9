"""A document, its readings, and places in them. This layer knows no politics (docs/adr/0001)."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from .comparison import Grad
from .stelle import teile_of


def dokument_path(dokument: "Dokument", filename: str) -> str:
    """Stored under its checksum: a name from outside never becomes a path."""
    return f"dokumente/{dokument.sha256[:2]}/{dokument.sha256}.pdf"


class Dokument(models.Model):
    """A PDF file as it came in; never changed."""

    class Anzeige(models.TextChoices):
        """What the public may see of the file (copyright)."""

        SEITE = "seite", "ganze Seite"
        AUSSCHNITT = "ausschnitt", "nur Ausschnitt"
        VERWEIS = "verweis", "nur Verweis"

    sha256 = models.CharField("SHA-256", max_length=64, unique=True, editable=False)
    file = models.FileField("Datei", upload_to=dokument_path, max_length=200)
    name = models.CharField("ursprünglicher Name", max_length=200, blank=True)
    bytes = models.PositiveBigIntegerField("Größe in Byte", editable=False)
    anzeige = models.CharField("Anzeige", max_length=20, choices=Anzeige, default=Anzeige.SEITE)
    quelle_url = models.URLField("Quelle", max_length=500, blank=True)
    eingelesen_am = models.DateTimeField("eingelesen am", auto_now_add=True)

    class Meta:
        verbose_name = "Dokument"
        verbose_name_plural = "Dokumente"

    def __str__(self) -> str:
        return self.name or self.sha256[:12]

    @property
    def lesung(self) -> "Extraktion":
        """The newest reading. Raises Extraktion.DoesNotExist where there is none."""
        return self.extraktionen.latest("version")


class Extraktion(models.Model):
    """One reading of a document by one version of the reader; immutable (docs/adr/0005).

    The flow text is the pages' text in order without separator; offsets count its characters
    (Unicode code points) from 0.
    """

    class Status(models.TextChoices):
        ZITIERFAEHIG = "zitierfaehig", "zitierfähig"
        NICHT_ZITIERFAEHIG = "nicht_zitierfaehig", "nicht zitierfähig"

    dokument = models.ForeignKey(Dokument, models.PROTECT, related_name="extraktionen")
    version = models.PositiveSmallIntegerField("Version der Lesung")
    status = models.CharField("Status", max_length=20, choices=Status)
    grund = models.CharField("Grund", max_length=300, blank=True)
    seitenzahl = models.PositiveIntegerField("Seiten")
    befunde = models.JSONField(
        "Befunde",
        default=list,
        help_text="Versteckter Text und andere Auffälligkeiten: [{art, seite, text}].",
    )
    am = models.DateTimeField("gelesen am", auto_now_add=True)

    class Meta:
        verbose_name = "Lesung"
        verbose_name_plural = "Lesungen"
        constraints = [
            models.UniqueConstraint(fields=["dokument", "version"], name="one_reading_per_version")
        ]

    def __str__(self) -> str:
        return f"{self.dokument}, Lesung {self.version}"


class Suchtext(models.Model):
    """The comparison form of a whole reading, to find words in all readings.

    Half a megabyte for a manifesto, therefore a row of its own: a reading comes along with every
    quote that is shown, its search text only where somebody searches.
    """

    extraktion = models.OneToOneField(
        Extraktion, models.CASCADE, primary_key=True, related_name="suchtext"
    )
    form = models.TextField("Vergleichsform", help_text="Buchstaben und Ziffern des ganzen Textes.")

    class Meta:
        verbose_name = "Suchtext"
        verbose_name_plural = "Suchtexte"

    def __str__(self) -> str:
        return f"Suchtext zu {self.extraktion}"


class Seite(models.Model):
    """One page of a reading: its part of the flow text, and where each character stands."""

    extraktion = models.ForeignKey(Extraktion, models.CASCADE, related_name="seiten")
    index = models.PositiveIntegerField("Seite der Datei", help_text="Zählung ab 1.")
    label = models.CharField("Label im PDF", max_length=40, blank=True)
    gedruckt = ArrayField(
        models.CharField(max_length=12),
        verbose_name="gedruckte Zahl",
        default=list,
        blank=True,
    )
    breite = models.FloatField("Breite in Punkt", help_text="Sichtbare Seite nach Drehung.")
    hoehe = models.FloatField("Höhe in Punkt")
    text = models.TextField("Text", blank=True)
    start = models.PositiveIntegerField("Beginn im Fließtext")
    boxes = models.BinaryField(
        "Zeichenkästen",
        help_text="Je Zeichen vier uint16 (x0, y0, x1, y1) in 1/65535 der sichtbaren Seite, "
        "Ursprung oben links; vier Nullen: Zeichen ohne Fläche.",
    )
    beiwerk = models.JSONField(
        "Beiwerk",
        default=list,
        blank=True,
        help_text="Was neben dem Text steht (Kopf, Fuß, Zeilennummern, doppelt Gedrucktes): "
        "[[Stelle im Text der Seite, Wortlaut, Kasten], …].",
    )
    pruefbar = models.BooleanField("maschinell prüfbar", default=True)
    grund = models.CharField("Grund", max_length=300, blank=True)

    class Meta:
        verbose_name = "Seite"
        verbose_name_plural = "Seiten"
        constraints = [
            models.UniqueConstraint(fields=["extraktion", "index"], name="one_row_per_page")
        ]

    def __str__(self) -> str:
        return f"{self.extraktion}, S. {self.zahl}"

    @property
    def zahl(self) -> str:
        """The number a reader sees: the printed one, else that of the file."""
        return "/".join(self.gedruckt) if self.gedruckt else str(self.index)

    @property
    def ende(self) -> int:
        return self.start + len(self.text)


class Zitat(models.Model):
    """A place in a reading. Text and boxes are cut from the spans once, and never edited."""

    extraktion = models.ForeignKey(Extraktion, models.PROTECT, related_name="zitate")
    spans = models.JSONField(
        "Stellen", help_text="[[Anfang, Ende], …] im Fließtext, Ende ausschließlich."
    )
    seite = models.PositiveIntegerField("Seite der Datei", help_text="Wo das Zitat beginnt.")
    text = models.TextField("Wortlaut der Quelle", help_text="Auslassungen als […].")
    rects = models.JSONField(
        "Markierung",
        help_text="[{seite, x0, y0, x1, y1}, …] als Anteile der sichtbaren Seite.",
    )
    grade = models.CharField("Grad", max_length=20, choices=Grad.choices())
    am = models.DateTimeField("gebunden am", auto_now_add=True)

    class Meta:
        verbose_name = "Zitat"
        verbose_name_plural = "Zitate"
        constraints = [
            # The same words can stand as they are for one evidence, matched for another.
            models.UniqueConstraint(
                fields=["extraktion", "spans", "grade"],
                name="one_zitat_per_place_and_grade",
            ),
            models.CheckConstraint(
                condition=~Q(grade=Grad.UNGEPRUEFT), name="zitat_is_always_placed"
            ),
            models.CheckConstraint(condition=~Q(text=""), name="zitat_has_text"),
        ]

    def __str__(self) -> str:
        return f"„{self.text[:60]}“ ({self.extraktion.dokument}, S. {self.seite})"

    @property
    def teile(self) -> list[str]:
        return teile_of(self.text)

    def letzte_pruefung(self) -> "Pruefung | None":
        return self.pruefungen.order_by("-am", "-pk").first()


class Pruefung(models.Model):
    """One run of the independent check over one Zitat."""

    class Ergebnis(models.TextChoices):
        BEWIESEN = "bewiesen", "bewiesen"
        WIDERLEGT = "widerlegt", "widerlegt"
        NICHT_BEWEISBAR = "nicht_beweisbar", "nicht beweisbar"

    class Gegenstand(models.TextChoices):
        """What a refutation is about; in the order in which it is checked."""

        DATEI = "datei", "Datei"
        WORTLAUT = "wortlaut", "Wortlaut"
        MARKIERUNG = "markierung", "Markierung"
        HERKUNFT = "herkunft", "Herkunft"

    zitat = models.ForeignKey(Zitat, models.CASCADE, related_name="pruefungen")
    am = models.DateTimeField("am", auto_now_add=True)
    ergebnis = models.CharField("Ergebnis", max_length=20, choices=Ergebnis)
    gegenstand = models.CharField("was nicht stimmt", max_length=12, choices=Gegenstand, blank=True)
    grund = models.CharField("Grund", max_length=500, blank=True)

    class Meta:
        verbose_name = "Prüfung"
        verbose_name_plural = "Prüfungen"
        indexes = [models.Index(F("zitat"), F("am").desc(), name="pruefung_latest")]
        constraints = [
            models.CheckConstraint(
                condition=Q(ergebnis="widerlegt") ^ Q(gegenstand=""),
                name="only_a_refutation_says_what",
            )
        ]

    def __str__(self) -> str:
        return f"{self.get_ergebnis_display()} am {self.am:%d.%m.%Y}"


class Pruefgang(models.Model):
    """One run of the check over all quotes, or those of `umfang`; goes on where it was stopped."""

    umfang = models.CharField("Umfang", max_length=40, default="alle")
    begonnen_am = models.DateTimeField("begonnen am", auto_now_add=True)
    beendet_am = models.DateTimeField("beendet am", null=True, blank=True)
    geprueft = models.PositiveIntegerField("geprüfte Belege", default=0)
    widerlegt = models.PositiveIntegerField("davon widerlegt", default=0)
    nicht_beweisbar = models.PositiveIntegerField("davon nicht beweisbar", default=0)

    class Meta:
        verbose_name = "Prüfgang"
        verbose_name_plural = "Prüfgänge"

    def __str__(self) -> str:
        return f"Prüfgang vom {self.begonnen_am:%d.%m.%Y}"
