"""The proof of all accepted evidence: the independent check, and party, Land and validity."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from django.db.models import F, QuerySet, Window
from django.db.models.functions import DenseRank

from citations.comparison import Grad, compare_form
from citations.models import Pruefung, Zitat
from citations.placing import split_segments
from citations.verification import Urteil, check_zitate, refuted

from .bestaetigung import is_accepted_by_editor, is_confirmed
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


def accepted_evidence(*, published: bool = False, limit: int | None = None) -> QuerySet[Beleg]:
    """What counts as evidence, of the newest `limit` assessments of each parliament or of all."""
    assessments = Assessment.objects.readable() if published else Assessment.objects.all()
    if limit is not None:
        newest = Window(
            DenseRank(), partition_by=F("antrag__parlament"), order_by=F("erstellt_am").desc()
        )
        ranked = assessments.annotate(rang=newest).filter(rang__lte=limit)
        assessments = Assessment.objects.filter(pk__in=[each.pk for each in ranked])
    return checkable(Beleg.objects.angenommen().filter(assessment__in=assessments))


def checkable(belege: QuerySet[Beleg]) -> QuerySet[Beleg]:
    """With all that a check asks for; the same parties, texts and files are fetched once."""
    return belege.prefetch_related(
        "zitat__extraktion__dokument__programm__parteien",
        "vergleich__partei",
        "assessment__antrag__parlament",
        "assessment__fassung",
    ).order_by("pk")


def judge(belege: Iterable[Beleg]) -> Iterator[tuple[Beleg, Urteil]]:
    """The outcome for each evidence: the place itself first, then where it comes from."""
    cited = by_zitat(belege)
    for zitat, urteil in check_zitate(cited):
        for beleg in cited[zitat]:
            yield beleg, with_origin(beleg, zitat, urteil)


def by_zitat(belege: Iterable[Beleg]) -> dict[Zitat, list[Beleg]]:
    """Every cited place once, with the evidence that cites it."""
    cited: dict[Zitat, list[Beleg]] = defaultdict(list)
    for beleg in belege:
        if beleg.zitat is not None:
            cited[beleg.zitat].append(beleg)
    return cited


def with_origin(beleg: Beleg, zitat: Zitat, urteil: Urteil) -> Urteil:
    if urteil.ergebnis == Ergebnis.WIDERLEGT:
        return urteil
    if wrong := beleg.wrong_origin(zitat):
        return refuted(Pruefung.Gegenstand.HERKUNFT, wrong)
    if wrong := _wrong_grade(beleg, zitat):
        return refuted(Pruefung.Gegenstand.WORTLAUT, wrong)
    return urteil


def _wrong_grade(beleg: Beleg, zitat: Zitat) -> str:
    """The machine calls words matched if, and only if, they are not the model's own."""
    if beleg.herkunft != Beleg.Herkunft.MODELL:
        return ""
    if zitat.grade == Grad.AUSLASSUNG:  # its pieces may have been copied with heads between
        return ""
    is_matched = zitat.grade == Grad.ANGEGLICHEN
    if _is_own(beleg, zitat) != is_matched or is_accepted_by_editor(beleg):
        return ""
    return "Der Grad passt nicht zum Wortlaut des Modells."


def _is_own(beleg: Beleg, zitat: Zitat) -> bool:
    """Whether the model's words are those of the place."""
    if beleg.wortlaut_modell == zitat.text:
        return True
    own = "".join(map(compare_form, split_segments(beleg.wortlaut_modell)))
    return own == "".join(map(compare_form, zitat.teile))
