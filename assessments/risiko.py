"""Why an assessment in the queue wants a close look, and what comes first.

The only place that says which reasons there are and how they order. A reason is a question to the
database, so that the whole queue is sorted and counted in one query. An assessment with a
graver reason comes before any with lesser ones only; of two with the same gravest reason the next
one decides, and at last age.

A field that editors are asked to rate themselves first does not count as a negative rating, for
nobody: list, order, filter and counts would tell what they must not know yet. It gets its close
look anyway (docs/adr/0027).
"""

from dataclasses import dataclass
from typing import Any

from django.db.models import (
    Case,
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
from django.db.models.functions import Coalesce

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


@dataclass(frozen=True)
class Ueberblick:
    """The whole queue at one moment: its keys in order, and how many have each reason."""

    reihe: list[int]
    anzahlen: dict[Risiko, int]


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
        risiko_offen=_has(belege.offen()),
        risiko_versteckt=_has(_readings(OuterRef("lesung")).exclude(befunde=[])),
        risiko_angeglichen=_has(adapted),
        risiko_unlesbar=_has(pages, _readings(OuterRef("lesung"), status=unusable)),
        risiko_negativ=_has(negative),
    )


def _has(*rows: Any) -> Coalesce:
    """Whether there is one, looked for row by row of the queue.

    For an EXISTS the database may gather the matches of all assessments ever made first.
    """
    return Coalesce(*[Subquery(found.values(found=Value(True))[:1]) for found in rows], False)


def by_risk(queue: AssessmentQuerySet) -> AssessmentQuerySet:
    """The queue in the order in which it is to be worked off."""
    reasons = [f"-{risiko.spalte}" for risiko in Risiko]
    return with_risk(queue).alias(risiko=_weight()).order_by(*reasons, "erstellt_am", "pk")


def having(queue: AssessmentQuerySet, risiko: Risiko) -> AssessmentQuerySet:
    return with_risk(queue).filter(**{risiko.spalte: True})


def survey(queue: AssessmentQuerySet) -> Ueberblick:
    """Order and counts in one query; one assessment may have several reasons."""
    rows = list(by_risk(queue).values_list("pk", *[risiko.spalte for risiko in Risiko]))
    columns = zip(*rows, strict=True) if rows else [()] * (1 + len(Risiko))
    keys, *reasons = columns
    return Ueberblick(list(keys), dict(zip(Risiko, map(sum, reasons), strict=True)))


def count_risks(queue: AssessmentQuerySet) -> dict[Risiko, int]:
    """How many have each reason; one may have several."""
    return survey(queue).anzahlen


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
    """One number for the order: a power of two outweighs all lesser ones together."""
    total: Any = Value(0)
    for power, risiko in enumerate(reversed(Risiko)):
        has = When(**{risiko.spalte: True}, then=Value(2**power))
        total = total + Case(has, default=Value(0), output_field=IntegerField())
    return total
