"""What editors rate themselves before they are shown what the model said (docs/adr/0027)."""

from typing import TYPE_CHECKING, Any, NamedTuple

from django.conf import settings
from django.db import models, transaction
from django.db.models import Case, Count, F, IntegerField, Q, When
from django.db.models.functions import Abs, Coalesce, Sign

from assessments.scale import Wert

from .lauf import version_key
from .transition import InvalidTransition

if TYPE_CHECKING:
    from .assessment import Assessment


class Uebereinstimmung(NamedTuple):
    """How often editors rated like a model before they knew its value.

    `gleich`: the same value. `nah`: at most one step away on the scale; *nicht betroffen* is no
    step of it and is near to itself only. `richtung`: both hindering, both supporting, or both
    neither.
    """

    modell: str
    prompt_version: str
    n: int
    gleich: int
    nah: int
    richtung: int


class EigenurteilQuerySet(models.QuerySet["Eigenurteil"]):
    def agreement(self) -> list[Uebereinstimmung]:
        """One row per model and version of the instructions, the newest version first."""
        same = Q(wert=F("wert_modell"))
        own, model = _zahl("wert"), _zahl("wert_modell")
        rows = (
            self.filter(assessment__lauf__isnull=False)
            .annotate(
                abstand=Abs(own - model),
                hin=Sign(Coalesce(own, 0)),
                her=Sign(Coalesce(model, 0)),
            )
            .values_list("assessment__lauf__modell", "assessment__lauf__prompt_version")
            .annotate(
                n=Count("pk"),
                gleich=Count("pk", filter=same),
                nah=Count("pk", filter=same | Q(abstand__lte=1)),
                richtung=Count("pk", filter=Q(hin=F("her"))),
            )
            .order_by("assessment__lauf__modell")
        )
        found = [Uebereinstimmung(*row) for row in rows]
        return sorted(found, key=lambda row: version_key(row.prompt_version), reverse=True)


def _zahl(field: str) -> Case:
    """−2…+2; NULL where the field is not affected."""
    steps = [When(**{field: wert.value}, then=wert.zahl) for wert in Wert if wert.zahl is not None]
    return Case(*steps, output_field=IntegerField())


class Eigenurteil(models.Model):
    """One person's rating of one field, with the model's at that moment; append-only by trigger."""

    assessment = models.ForeignKey("Assessment", models.PROTECT, related_name="eigenurteile")
    feld = models.CharField("Feld", max_length=2)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, verbose_name="durch", related_name="+"
    )
    wert = models.CharField("eigener Wert", max_length=2, choices=Wert)
    wert_modell = models.CharField("Wert des Modells", max_length=2, choices=Wert)
    am = models.DateTimeField("am", auto_now_add=True)

    objects = EigenurteilQuerySet.as_manager()

    class Meta:
        verbose_name = "eigenes Urteil"
        verbose_name_plural = "eigene Urteile"
        constraints = [
            models.UniqueConstraint(
                fields=["assessment", "feld", "by"], name="one_own_rating_per_person"
            ),
            models.CheckConstraint(
                condition=Q(wert__in=Wert.values, wert_modell__in=Wert.values),
                name="own_rating_on_scale",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.feld}: {Wert(self.wert).wort}, Modell {Wert(self.wert_modell).wort}"

    @property
    def stimmt_ueberein(self) -> bool:
        return self.wert == self.wert_modell

    @classmethod
    @transaction.atomic
    def record(cls, assessment: "Assessment", feld: str, wert: str, *, by: Any) -> None:
        """The first answer counts; of two at once the second hears what the first was."""
        assessment.require_in_review()
        if feld not in assessment.eigenurteil_gefragt:
            raise InvalidTransition("Nach diesem Feld ist hier nicht gefragt.")
        if wert not in Wert.values:
            raise InvalidTransition("Diesen Wert gibt es nicht.")
        given = cls.objects.filter(assessment=assessment.pk, feld=feld, by=by).first()
        if given:
            raise InvalidTransition(
                f"Ihr Wert zu {feld} steht schon fest: {given.get_wert_display()}. Es gilt der "
                "erste."
            )
        modell = assessment.feldbewertungen.values_list("wert_modell", flat=True).get(feld=feld)
        cls.objects.create(assessment=assessment, feld=feld, by=by, wert=wert, wert_modell=modell)
