"""The proof of all accepted evidence: the independent check, and party, Land and validity."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from django.db.models import F, Window
from django.db.models.functions import DenseRank

from citations.models import Pruefung, Zitat
from citations.verification import Urteil, check_zitate

from .models import Assessment, Beleg

Ergebnis = Pruefung.Ergebnis


@dataclass
class Zaehlung:
    checked: int = 0
    proved: int = 0
    refuted: int = 0
    unprovable: int = 0

    def count(self, ergebnis: str) -> None:
        self.checked += 1
        if ergebnis == Ergebnis.BEWIESEN:
            self.proved += 1
        elif ergebnis == Ergebnis.WIDERLEGT:
            self.refuted += 1
        else:
            self.unprovable += 1


@dataclass
class Bilanz:
    """What a verification found; `failures` are refuted and unprovable quotes with their reason."""

    total: Zaehlung = field(default_factory=Zaehlung)
    per_parlament: dict[str, Zaehlung] = field(default_factory=lambda: defaultdict(Zaehlung))
    failures: list[dict[str, Any]] = field(default_factory=list)
    unconfirmed: int = 0

    @property
    def is_alarming(self) -> bool:
        """A quote is refuted, or cannot be proved and no editor has confirmed it."""
        return bool(self.total.refuted or self.unconfirmed)

    def add(self, beleg: Beleg, urteil: Urteil) -> None:
        code = beleg.assessment.antrag.parlament.code
        self.total.count(urteil.ergebnis)
        self.per_parlament[code].count(urteil.ergebnis)
        if urteil.ergebnis == Ergebnis.BEWIESEN:
            return
        confirmed = urteil.ergebnis == Ergebnis.NICHT_BEWEISBAR and is_confirmed(beleg)
        self.unconfirmed += urteil.ergebnis == Ergebnis.NICHT_BEWEISBAR and not confirmed
        self.failures.append(
            {
                "antrag": str(beleg.assessment.antrag),
                "assessment": beleg.assessment_id,
                "beleg": beleg.pk,
                "zitat": beleg.zitat_id,
                "ergebnis": urteil.ergebnis,
                "grund": urteil.grund,
                "confirmed": confirmed,
            }
        )

    def as_dict(self) -> dict[str, Any]:
        return vars(self.total) | {
            "failures": self.failures,
            "parlamente": {code: vars(count) for code, count in self.per_parlament.items()},
        }


def verify(*, published: bool = False, limit: int | None = None) -> Bilanz:
    """Checks every accepted evidence and stores each outcome as a Pruefung of its Zitat."""
    bilanz = Bilanz()
    pruefungen: dict[int, Urteil] = {}
    for beleg, urteil in judge(accepted_evidence(published=published, limit=limit)):
        bilanz.add(beleg, urteil)
        earlier = pruefungen.get(beleg.zitat_id or 0, urteil)
        pruefungen[beleg.zitat_id or 0] = _worse(earlier, urteil)
    Pruefung.objects.bulk_create(
        Pruefung(zitat_id=pk, ergebnis=urteil.ergebnis, grund=urteil.grund)
        for pk, urteil in pruefungen.items()
    )
    return bilanz


def accepted_evidence(*, published: bool, limit: int | None) -> list[Beleg]:
    assessments = Assessment.objects.public() if published else Assessment.objects.all()
    if limit is not None:
        newest = Window(
            DenseRank(), partition_by=F("antrag__parlament"), order_by=F("erstellt_am").desc()
        )
        ranked = assessments.annotate(rang=newest).filter(rang__lte=limit)
        assessments = Assessment.objects.filter(pk__in=[each.pk for each in ranked])
    return list(
        Beleg.objects.angenommen()
        .filter(assessment__in=assessments)
        .select_related(
            "zitat__extraktion__dokument",
            "vergleich__partei",
            "assessment__antrag__parlament",
            "assessment__fassung",
        )
        .order_by("pk")
    )


def judge(belege: Iterable[Beleg]) -> Iterator[tuple[Beleg, Urteil]]:
    """The outcome for each evidence: the place itself first, then where it comes from."""
    by_zitat: dict[Zitat, list[Beleg]] = defaultdict(list)
    for beleg in belege:
        if beleg.zitat is not None:
            by_zitat[beleg.zitat].append(beleg)
    for zitat, urteil in check_zitate(by_zitat):
        for beleg in by_zitat[zitat]:
            yield beleg, _with_origin(beleg, zitat, urteil)


def is_confirmed(beleg: Beleg) -> bool:
    """Whether a person, not the machine, accepted the evidence."""
    return beleg.events.filter(verb="accept", by__isnull=False).exists()


def _with_origin(beleg: Beleg, zitat: Zitat, urteil: Urteil) -> Urteil:
    if urteil.ergebnis == Ergebnis.WIDERLEGT:
        return urteil
    wrong = beleg.wrong_origin(zitat)
    return Urteil(Ergebnis.WIDERLEGT, wrong) if wrong else urteil


def _worse(one: Urteil, other: Urteil) -> Urteil:
    """One place can serve several statements; what is wrong with one of them is kept."""
    order = [Ergebnis.BEWIESEN, Ergebnis.NICHT_BEWEISBAR, Ergebnis.WIDERLEGT]
    return max(one, other, key=lambda urteil: order.index(Ergebnis(urteil.ergebnis)))
