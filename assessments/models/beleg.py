"""The evidence of an assessment, and what editors decide about it."""

from typing import TYPE_CHECKING, Any, Self

from django.db import models, transaction
from django.db.models import Func, Q, Value
from django.db.models.functions import Random

from assessments.herkunft import wrong_origin_of_antrag_quote, wrong_origin_of_programme_quote
from citations.binding import keep
from citations.models import Pruefung, Zitat
from citations.verification import PROVED, Urteil, check_zitate, record_pruefung
from programme.models import Programm

from .einwaende import require_reason
from .transition import InvalidTransition

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assessments.schemas import BelegEntwurf

    from .assessment import Assessment
    from .bewertung import Feldbewertung, Verbesserung, Vergleich


class BelegQuerySet(models.QuerySet["Beleg"]):
    def with_sichtung(self, person: int) -> Self:
        """Adds `ist_zu_zeigen`, and `ist_gezeigt` to this person, as approval asks for them.

        The rule stands in the database (migration `assessments/0004_sichtung`).
        """
        yes = models.BooleanField()
        return self.annotate(
            ist_zu_zeigen=Func("pk", function="beleg_ist_zu_zeigen", output_field=yes),
            ist_gezeigt=Func("pk", Value(person), function="beleg_ist_gezeigt", output_field=yes),
        )

    def offen(self) -> Self:
        return self.filter(zustand=Beleg.Zustand.OFFEN)

    def angenommen(self) -> Self:
        return self.filter(zustand=Beleg.Zustand.ANGENOMMEN)


class Beleg(models.Model):
    """Evidence for one statement: a placed Zitat, or a candidate with the reason why not."""

    class Zustand(models.TextChoices):
        ANGENOMMEN = "angenommen", "angenommen"
        OFFEN = "offen", "offen"
        VERWORFEN = "verworfen", "verworfen"

    class Herkunft(models.TextChoices):
        MODELL = "modell", "vom Modell zitiert"
        SUCHE = "suche", "von der Suche gefunden"
        REDAKTION = "redaktion", "von der Redaktion gewählt"

    class Seite(models.TextChoices):
        """The side of a comparison that it stands on."""

        ANTRAG = "antrag", "Der Antrag will"
        PROGRAMM = "programm", "Das Programm sagt"

    class Grund(models.TextChoices):
        """Why a candidate is open or was dropped; shown to editors as a heading."""

        NICHT_GEFUNDEN = "nicht_gefunden", "Steht nicht im Dokument"
        WEICHT_AB = "weicht_ab", "Nicht wörtlich"
        VERNEINUNG = "verneinung", "Verneinung fehlt oder kommt hinzu"
        ZAHL = "zahl", "Andere Zahl"
        ABGESCHNITTEN = "abgeschnitten", "Verneinung im selben Satz weggelassen"
        AUSLASSUNG = "auslassung", "Auslassung zu groß oder sinnändernd"
        WORTGRENZE = "wortgrenze", "Beginnt oder endet im Wort"
        ZU_KURZ = "zu_kurz", "Zu kurz"
        MEHRDEUTIG = "mehrdeutig", "Steht an mehreren Stellen"
        ANDERES_PROGRAMM = "anderes_programm", "Steht im falschen Programm"
        NICHT_PRUEFBAR = "nicht_pruefbar", "Nicht maschinell prüfbar"
        NICHT_BEWIESEN = "nicht_bewiesen", "Zweites Leseprogramm widerspricht"
        VORSCHLAG = "vorschlag", "Vorschlag der Suche"
        KEIN_ZITAT = "kein_zitat", "Kein Zitat"

    assessment = models.ForeignKey("Assessment", models.CASCADE, related_name="belege")
    feldbewertung = models.ForeignKey(
        "Feldbewertung", models.CASCADE, related_name="belege", null=True, blank=True
    )
    vergleich = models.ForeignKey(
        "Vergleich", models.CASCADE, related_name="belege", null=True, blank=True
    )
    verbesserung = models.ForeignKey(
        "Verbesserung", models.CASCADE, related_name="belege", null=True, blank=True
    )
    nr = models.PositiveSmallIntegerField("Nummer", default=1)
    seite = models.CharField("Seite", max_length=10, choices=Seite)
    zustand = models.CharField("Zustand", max_length=12, choices=Zustand)
    herkunft = models.CharField("Herkunft", max_length=12, choices=Herkunft)
    zitat = models.ForeignKey(Zitat, models.PROTECT, related_name="belege", null=True, blank=True)
    vorschlag = models.ForeignKey(
        Zitat,
        models.PROTECT,
        verbose_name="nächste Stelle",
        related_name="+",
        null=True,
        blank=True,
    )
    grund = models.CharField("Grund", max_length=20, choices=Grund, blank=True)
    erklaerung = models.TextField("Erklärung", blank=True)
    wortlaut_modell = models.TextField("Wortlaut des Modells", blank=True)
    quelle_modell = models.CharField("Quelle nach dem Modell", max_length=300, blank=True)
    url_modell = models.CharField("Adresse nach dem Modell", max_length=300, blank=True)
    quelle_programm = models.ForeignKey(
        Programm,
        models.PROTECT,
        verbose_name="Programm nach dem Modell",
        related_name="+",
        null=True,
        blank=True,
    )
    forderung = models.CharField(
        "Forderung",
        max_length=200,
        blank=True,
        help_text="Die Forderung des Antrags, auf die die Passage am ehesten antwortet.",
    )
    quelle_stimmt = models.BooleanField(
        "Quelle stimmt", null=True, blank=True, help_text="Leer: nicht vergleichbar."
    )

    los = models.FloatField(
        "Los",
        db_default=Random(),
        help_text="Wer freigibt, muss auch ein zufälliges Drittel dessen sehen, was niemand "
        "fraglich findet: alle unter einem Drittel.",
    )

    objects = BelegQuerySet.as_manager()

    class Meta:
        verbose_name = "Beleg"
        verbose_name_plural = "Belege"
        indexes = [
            models.Index(
                fields=["assessment", "grund"],
                condition=Q(zustand="offen"),
                name="beleg_open",
            ),
            models.Index(fields=["assessment", "zustand"], name="beleg_states"),
            # How often models name the wrong source is counted from this alone.
            models.Index(
                fields=["assessment", "quelle_stimmt"],
                condition=Q(herkunft="modell"),
                name="beleg_source_claim",
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=(
                    Q(feldbewertung__isnull=False, vergleich=None, verbesserung=None)
                    | Q(feldbewertung=None, vergleich__isnull=False, verbesserung=None)
                    | Q(feldbewertung=None, vergleich=None, verbesserung__isnull=False)
                ),
                name="beleg_has_exactly_one_owner",
            ),
            models.CheckConstraint(
                condition=Q(zustand="angenommen", zitat__isnull=False)
                | (~Q(zustand="angenommen") & Q(zitat=None)),
                name="accepted_beleg_has_zitat",
            ),
            models.CheckConstraint(
                condition=Q(seite="antrag") | Q(vergleich__isnull=False),
                name="only_comparisons_quote_programmes",
            ),
        ]

    def __str__(self) -> str:
        return f"Beleg {self.pk} ({self.get_zustand_display()})"

    @classmethod
    def record(
        cls, assessment: "Assessment", entwuerfe: "Iterable[BelegEntwurf]", **owner: models.Model
    ) -> None:
        """Stores evidence with its places; `owner` is one of the three foreign keys."""
        for nr, entwurf in enumerate(entwuerfe, 1):
            zitat = keep(entwurf.zitat) if entwurf.zitat else None
            if zitat:  # accepted by the machine alone, so the binder had it proved just now
                record_pruefung(zitat, PROVED)
            cls.objects.create(
                assessment=assessment,
                nr=nr,
                seite=entwurf.seite,
                zustand=entwurf.zustand,
                herkunft=entwurf.herkunft,
                zitat=zitat,
                vorschlag=keep(entwurf.vorschlag) if entwurf.vorschlag else None,
                grund=entwurf.grund or "",
                erklaerung=entwurf.erklaerung,
                wortlaut_modell=entwurf.wortlaut_modell,
                quelle_modell=entwurf.quelle_modell,
                url_modell=entwurf.url_modell,
                quelle_programm=entwurf.quelle_programm,
                quelle_stimmt=entwurf.quelle_stimmt,
                forderung=entwurf.forderung,
                **owner,
            )

    @property
    def stelle_id(self) -> int | None:
        """The Zitat that is shown: the evidence itself, or the place that can be accepted."""
        return self.zitat_id or self.vorschlag_id

    @property
    def owner(self) -> "Feldbewertung | Vergleich | Verbesserung":
        owner = self.feldbewertung or self.vergleich or self.verbesserung
        assert owner is not None  # noqa: S101  beleg_has_exactly_one_owner
        return owner

    @property
    def wozu(self) -> str:
        """What it is for, in a word or two: `D1`, `CDU, Wahlprogramm`, `Vorschlag 1`."""
        return self.feldbewertung.feld if self.feldbewertung else str(self.owner)

    @property
    def is_added(self) -> bool:
        """Whether editors brought it; from model and search come words or a reason."""
        brought = self.wortlaut_modell or self.grund
        return self.herkunft == self.Herkunft.REDAKTION and not brought

    def wrong_origin(self, zitat: Zitat) -> str:
        """Why `zitat` must not stand here (another party, Land or text); empty if it may."""
        if self.vergleich is None or self.seite == self.Seite.ANTRAG:
            return wrong_origin_of_antrag_quote(zitat, self.assessment.fassung)
        partei, typ = self.vergleich.partei, self.vergleich.programmtyp
        return wrong_origin_of_programme_quote(zitat, partei, typ, self.assessment.antrag)

    # --- Verbs of the desk ---------------------------------------------------------------------

    @transaction.atomic
    def add(self, zitat: Zitat, *, by: Any) -> None:
        """Stores this new evidence with a place that an editor found, open like any proposal.

        Raises InvalidTransition where the place is evidence for the same statement already.
        """
        self.assessment.require_editable(by=by)
        rest = self.owner.belege.filter(seite=self.seite)
        if rest.exclude(zustand=self.Zustand.VERWORFEN).filter(_shows(zitat)).exists():
            raise InvalidTransition("Diese Stelle ist hier schon ein Beleg.")
        self.nr = (self.owner.belege.aggregate(last=models.Max("nr"))["last"] or 0) + 1
        self.zustand, self.herkunft = self.Zustand.OFFEN, self.Herkunft.REDAKTION
        self.vorschlag = zitat
        self.save()
        self.assessment.events.create(verb="add", nach=self.zustand, by=by, beleg=self)

    def propose(self, zitat: Zitat, *, by: Any, note: str = "") -> None:
        """Puts another place up for the decision; accepting it is a step of its own."""
        self._decide(
            [self.Zustand.OFFEN],
            self.Zustand.OFFEN,
            verb="propose",
            by=by,
            note=note,
            vorschlag=zitat,
            herkunft=self.Herkunft.REDAKTION,
        )

    def accept(self, *, by: Any, zitat: Zitat | None = None, note: str = "") -> None:
        """Takes the words of `zitat`, by default of the nearest place, once they are proved.

        The check opens the file in a child process, so it runs before anything is locked; what was
        decided meanwhile is seen by `_decide`. Raises BegruendungNoetig where a note is missing.
        """
        chosen = zitat or self.vorschlag
        if chosen is None:
            raise InvalidTransition("Zu diesem Beleg gibt es keine Stelle, die man annehmen kann.")
        wrong = self.wrong_origin(chosen)
        if wrong:
            raise InvalidTransition(f"{wrong} Als Beleg lässt sich das nicht annehmen.")
        stored = chosen if chosen.pk else keep(chosen)
        _require_acceptable(stored, _checked(stored), note)
        self._decide(
            [self.Zustand.OFFEN],
            self.Zustand.ANGENOMMEN,
            verb="accept",
            by=by,
            note=note,
            zitat=stored,
        )

    def drop(self, *, by: Any, note: str = "") -> None:
        """Not a quote; it stays in the list of decisions."""
        self._decide(
            [self.Zustand.OFFEN], self.Zustand.VERWORFEN, verb="drop", by=by, note=note, zitat=None
        )

    def reopen(self, *, by: Any, note: str = "") -> None:
        """Takes a decision back: what was proposed lies on the desk again, as it was.

        A quote that the machine accepted had no proposal before; it becomes one.
        """
        decided: list[str] = [self.Zustand.ANGENOMMEN, self.Zustand.VERWORFEN]
        fields: dict[str, Any] = {"zitat": None}
        if self.zitat_id and self.vorschlag_id is None:
            fields["vorschlag"] = self.zitat
        self._decide(decided, self.Zustand.OFFEN, verb="reopen", by=by, note=note, **fields)

    def require_as_seen(self, zustand: str, stelle_id: int | None) -> None:
        """A decision counts for what was seen. Raises InvalidTransition where that has changed."""
        if self.zustand != zustand:
            raise self._already_decided()
        if self.stelle_id != stelle_id:
            raise InvalidTransition(
                "Inzwischen liegt eine andere Stelle auf dem Tisch. Entschieden ist nichts. Bitte "
                "sehen Sie die neue Stelle an."
            )

    @transaction.atomic
    def _decide(
        self, sources: list[str], target: str, *, verb: str, by: Any, note: str, **fields: Any
    ) -> None:
        """Of two decisions at once, one wins and one hears what became of the evidence."""
        self.assessment.require_editable(by=by)
        current = Beleg.objects.get(pk=self.pk)  # the lock of the assessment covers its evidence
        current.require_as_seen(self.zustand, self.stelle_id)
        if current.zustand not in sources:
            raise current._already_decided()
        Beleg.objects.filter(pk=self.pk).update(zustand=target, **fields)
        self.refresh_from_db()
        self.assessment.events.create(
            verb=verb, von=current.zustand, nach=target, by=by, note=note, beleg=self
        )

    def _already_decided(self) -> InvalidTransition:
        label = Beleg.Zustand(self.zustand).label
        return InvalidTransition(f"Das ist schon geschehen: Der Beleg ist {label}.")


def _shows(zitat: Zitat) -> Q:
    """Accepted with that place, or open with it as the proposal."""
    return Q(zitat=zitat) | Q(zustand=Beleg.Zustand.OFFEN, vorschlag=zitat)


def _checked(zitat: Zitat) -> Urteil:
    """What the second engine says now; kept whatever is decided, as the outcome is a fact."""
    ((_, urteil),) = check_zitate([zitat])
    record_pruefung(zitat, urteil)
    return urteil


def _require_acceptable(zitat: Zitat, urteil: Urteil, note: str) -> None:
    if urteil.ergebnis == Pruefung.Ergebnis.WIDERLEGT:
        raise InvalidTransition(f"Diese Stelle gilt nicht als Beleg. {urteil.grund}")
    require_reason("accept", zitat, note)
