"""Why an assessment in the queue wants a close look, and what comes first.

The only place that says which reasons there are and how they order. A reason is a question to the
database, so that the whole queue is sorted and counted in one query each. An assessment with a
graver reason comes before any with lesser ones only; of two with the same gravest reason the next
one decides, and at last age.

A field that editors are asked to rate themselves first does not count as a negative rating, for
nobody: list, order, filter and counts would tell what they must not know yet. It gets its close
look anyway (docs/adr/0027).
"""

from typing import Any

from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    IntegerField,
    OuterRef,
    Q,
    Subquery,
    TextChoices,
    Value,
    When,
)
from django.db.models.expressions import CombinedExpression

from citations.comparison import Grad
from citations.models import Extraktion, Seite

from .models import AssessmentQuerySet, Beleg, Feldbewertung
from .scale import Wert

NEGATIV = (Wert.STARK_HEMMEND, Wert.HEMMEND)


class Risiko(TextChoices):
    """The gravest first; the order here is the order of the queue."""

    OFFEN = "offen", "Offene Belege"
    VERSTECKT = "versteckt", "Versteckter Text"
    ANGEGLICHEN = "angeglichen", "Angeglichen"
    UNLESBAR = "unlesbar", "Nicht maschinell lesbar"
    NEGATIV = "negativ", "Negative Bewertungen"

    @property
    def spalte(self) -> str:
        """The name of the annotation."""
        return f"risiko_{self.value}"


def with_risk(queue: AssessmentQuerySet) -> AssessmentQuerySet:
    """Adds one `risiko_…` per reason: whether the assessment has it."""
    belege = Beleg.objects.filter(assessment=OuterRef("pk"))
    adapted = belege.angenommen().filter(zitat__grade=Grad.ANGEGLICHEN)
    negative = Feldbewertung.objects.filter(
        Q(wert_redaktion__in=NEGATIV) | Q(wert_redaktion="", wert_modell__in=NEGATIV),
        assessment=OuterRef("pk"),
    ).exclude(assessment__eigenurteil_felder__contains=[F("feld")])
    pages = Seite.objects.filter(extraktion=OuterRef("lesung"), pruefbar=False)
    unusable = Extraktion.Status.NICHT_ZITIERFAEHIG
    return queue.annotate(
        lesung=_newest_reading("pk"),
        risiko_offen=Exists(belege.offen()),
        risiko_versteckt=Exists(_readings(OuterRef("lesung")).exclude(befunde=[])),
        risiko_angeglichen=Exists(adapted),
        risiko_unlesbar=Exists(pages) | Exists(_readings(OuterRef("lesung"), status=unusable)),
        risiko_negativ=Exists(negative),
    )


def by_risk(queue: AssessmentQuerySet) -> AssessmentQuerySet:
    """The queue in the order in which it is to be worked off."""
    return with_risk(queue).alias(risiko=_weight()).order_by("-risiko", "erstellt_am", "pk")


def having(queue: AssessmentQuerySet, risiko: Risiko) -> AssessmentQuerySet:
    return with_risk(queue).filter(**{risiko.spalte: True})


def count_risks(queue: AssessmentQuerySet) -> dict[Risiko, int]:
    """How many have each reason; one may have several."""
    rows = with_risk(queue).order_by()
    found = rows.aggregate(
        **{f"n_{risiko}": Count("pk", filter=Q(**{risiko.spalte: True})) for risiko in Risiko}
    )
    return {risiko: found[f"n_{risiko}"] for risiko in Risiko}


def risks_of(row: Any) -> list[Risiko]:
    """The reasons of a row of `with_risk`, the gravest first."""
    return [risiko for risiko in Risiko if getattr(row, risiko.spalte)]


def _newest_reading(field: str) -> Subquery:
    """What the desk shows of the motion; hidden text of an older reading no longer counts."""
    readings = Extraktion.objects.filter(dokument=OuterRef("fassung__dokument"))
    return Subquery(readings.order_by("-version").values(field)[:1])


def _readings(pk: Any, **conditions: Any) -> Any:
    return Extraktion.objects.filter(pk=pk, **conditions)


def _weight() -> CombinedExpression | Case:
    """Powers of two: a graver reason outweighs all lesser ones together."""
    total: Any = Value(0)
    for power, risiko in enumerate(reversed(Risiko)):
        has = When(**{risiko.spalte: True}, then=Value(2**power))
        total = total + Case(has, default=Value(0), output_field=IntegerField())
    return total
