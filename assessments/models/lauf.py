"""The runs of the pipeline."""

from datetime import timedelta

from django.conf import settings
from django.db import IntegrityError, models, transaction
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils import timezone

from parlamente.models import Fassung
from programme.models import ModellAufruf

from .transition import InvalidTransition

# A run without a sign of life for so long belongs to a killed worker: between two signs lies one
# model call with all its attempts, or the second engine's look at the files.
SILENCE = timedelta(seconds=settings.LLM_CALL_SECONDS + 2 * settings.PDF_MAX_SECONDS)


def version_key(prompt_version: str) -> tuple[int, str]:
    """10 comes after 9."""
    return (int(prompt_version) if prompt_version.isdecimal() else 0, prompt_version)


class Lauf(models.Model):
    """One attempt of the pipeline on one text of a motion; progress and failure are here."""

    class Status(models.TextChoices):
        WARTET = "wartet", "wartet"
        LAEUFT = "laeuft", "läuft"
        FERTIG = "fertig", "fertig"
        GESCHEITERT = "gescheitert", "gescheitert"

    fassung = models.ForeignKey(Fassung, models.PROTECT, related_name="laeufe")
    status = models.CharField("Status", max_length=12, choices=Status, default=Status.WARTET)
    schritt = models.CharField("Schritt", max_length=120, blank=True)
    versuche = models.PositiveSmallIntegerField("Versuche", default=0)
    herzschlag = models.DateTimeField("letztes Lebenszeichen", null=True, blank=True)
    fehler = models.TextField("Fehler", blank=True)
    modell = models.CharField("Modell", max_length=120, blank=True, help_text="Leer: ohne Modell.")
    prompt_version = models.CharField("Fassung der Anweisungen", max_length=40, blank=True)
    aufrufe = models.ManyToManyField(
        ModellAufruf, verbose_name="Modellaufrufe", blank=True, related_name="laeufe"
    )
    angelegt_am = models.DateTimeField("angelegt am", auto_now_add=True)
    beendet_am = models.DateTimeField("beendet am", null=True, blank=True)

    class Meta:
        verbose_name = "Lauf"
        verbose_name_plural = "Läufe"
        constraints = [
            models.UniqueConstraint(
                fields=["fassung"],
                condition=Q(status__in=["wartet", "laeuft"]),
                name="one_open_lauf_per_fassung",
            )
        ]

    def __str__(self) -> str:
        return f"Lauf {self.pk} zu {self.fassung.antrag}"

    @classmethod
    def open(cls, fassung: Fassung) -> "Lauf":
        """A new run. Raises InvalidTransition while another one of the same text is going on."""
        try:
            with transaction.atomic():
                return cls.objects.create(fassung=fassung)
        except IntegrityError as error:
            raise cls(fassung=fassung)._other_is_open() from error

    # --- Verbs ---------------------------------------------------------------------------------

    def begin(self, *, modell: str, prompt_version: str) -> None:
        """Starts one more attempt. Raises InvalidTransition where there must be none.

        The conditional UPDATE lets one worker win. A run whose worker was killed shows no sign of
        life for a while and may be begun again; django-q2 redelivers its task for ever, therefore
        the attempts are counted here.
        """
        startable = Lauf.objects.filter(
            Q(status=self.Status.WARTET) | self._silent(),
            pk=self.pk,
            versuche__lt=settings.LAUF_MAX_VERSUCHE,
        )
        begun = startable.update(
            status=self.Status.LAEUFT,
            versuche=F("versuche") + 1,
            herzschlag=Now(),
            schritt="",
            fehler="",
            modell=modell,
            prompt_version=prompt_version,
        )
        self.refresh_from_db()
        if not begun:
            self._give_up_if_exhausted()
            raise InvalidTransition(f"Zustand des Laufs: {self.get_status_display()}.")

    def progress(self, schritt: str) -> None:
        """Says what is being done now, and that the worker is alive."""
        Lauf.objects.filter(pk=self.pk, status=self.Status.LAEUFT).update(
            schritt=schritt, herzschlag=Now()
        )

    def fail(self, reason: str) -> None:
        Lauf.objects.filter(pk=self.pk, status=self.Status.LAEUFT).update(
            status=self.Status.GESCHEITERT, fehler=reason[:2000], beendet_am=Now()
        )
        self.refresh_from_db()

    def retry(self) -> None:
        """Lets a failed run, or one that fell silent, be begun again with all its attempts."""
        failed = Q(status=self.Status.GESCHEITERT)
        # A queue whose worker was killed at a bad moment forgets what it had taken.
        forgotten = Q(status=self.Status.WARTET, angelegt_am__lt=timezone.now() - SILENCE)
        rows = Lauf.objects.filter(failed | forgotten | self._silent(), pk=self.pk)
        try:
            with transaction.atomic():
                moved = rows.update(status=self.Status.WARTET, versuche=0, beendet_am=None)
        except IntegrityError as error:
            raise self._other_is_open() from error
        if not moved:
            raise InvalidTransition(
                "Noch einmal starten lässt sich nur ein gescheiterter Lauf, oder einer, der seit "
                f"{SILENCE.total_seconds() / 60:.0f} Minuten nichts von sich hören lässt."
            )
        self.refresh_from_db()

    @property
    def is_alive(self) -> bool:
        """Whether a worker has given a sign of life lately."""
        running = Lauf.objects.filter(pk=self.pk, status=self.Status.LAEUFT)
        return running.exclude(self._silent()).exists()

    def _other_is_open(self) -> InvalidTransition:
        return InvalidTransition(f"Für {self.fassung.antrag} wartet oder läuft schon ein Lauf.")

    def _silent(self) -> Q:
        return Q(status=self.Status.LAEUFT, herzschlag__lt=timezone.now() - SILENCE)

    def _give_up_if_exhausted(self) -> None:
        exhausted = Q(versuche__gte=settings.LAUF_MAX_VERSUCHE)
        Lauf.objects.filter(exhausted & self._silent(), pk=self.pk).update(
            status=self.Status.GESCHEITERT,
            fehler=f"Nach {self.versuche} Versuchen aufgegeben, jedes Mal endete der Prozess.",
            beendet_am=Now(),
        )
        self.refresh_from_db()
